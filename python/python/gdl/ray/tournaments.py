"""Tournaments whose games a cluster plays."""

from __future__ import annotations

import json
import os
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gdl import _gdl
from gdl.ray.dispatch import Batch, Dispatcher
from gdl.ray.progress import Progress


@dataclass(frozen=True)
class TournamentResult:
    """The results of a tournament. Its text is what `gdl tournament` prints."""

    folder: Path
    """Where the games are kept."""
    games: int
    """The number of games."""
    contests: list[dict[str, Any]]
    """The figures of every contest, as `gdl tournament --json` gives them."""
    overview: str
    """The tables that `gdl tournament` prints."""

    def __str__(self) -> str:
        return self.overview


def tournament(
    file: str | os.PathLike[str],
    *,
    out: str | os.PathLike[str] | None = None,
    batch: int | None = None,
    games: int | None = None,
    sims: int | None = None,
    steps: int | None = None,
    time: float | None = None,
    one_by_one: bool = False,
    memory: int = 256,
    rounds: int = 1000,
    start: float = 10.0,
    address: str | None = None,
    progress: bool = True,
) -> TournamentResult:
    """Plays all contests that a file lists, on a cluster of Ray.

    The file, the terms of agents, the journals and the statistics are those of `gdl tournament`:
    what one of them has begun, the other can finish, and `gdl results` reads it. Only this process
    writes; it records every game once, whatever dies elsewhere. If this process dies, the same
    call resumes the tournament.

    A task is a batch of games on one thread. With counted budgets, a batch gives the same games on
    any processor of the same level, so that `batch` decides what is played, not the cluster. An
    interrupted batch is played again from its start, except that games which the command line left
    unfinished are continued.

    Args:
        file: The file of the tournament.
        out: The folder in which games are kept; by default one in the current folder that is
            named after the file.
        batch: The number of games in a task; by default as many as a machine has lanes, but at
            most 256, or fewer if the cluster would not be busy then; a pair where games are played
            one by one.
        games: The number of games of each contest, whatever the file says.
        sims: The simulations of a move, or
        steps: the steps of its simulations, or
        time: its seconds, whatever the file says.
        one_by_one: Play one game at a time on each processor, with many concurrent simulations,
            on counted budgets too.
        memory: The size limit of each player's tree, in MiB.
        rounds: The number of rounds after which a game is given up.
        start: The seconds before the first move in which champions learn, with `time`.
        address: The address of the cluster, as `ray.init` takes it.
        progress: Whether to print the progress to standard error.

    Raises:
        GdlError: If the file, a game or an agent is wrong, contests are hosted, a journal belongs
            to another contest or is being written, or a game cannot be played.
    """
    from gdl.ray.cluster import connect, processors
    from gdl.ray.executor import RayExecutor

    folder = Path(out) if out is not None else Path(Path(file).stem)
    folder.mkdir(parents=True, exist_ok=True)
    opened = _gdl.Tournament(
        Path(file), folder, games, sims, steps, time, one_by_one, memory, rounds, start
    )
    # The traceback of an error would keep it, and so the journals locked, in a session.
    with closing(opened) as run:
        if run.recorded < run.games:
            connect(address)
            shown = Progress(run.games, run.recorded) if progress else None
            dispatcher = Dispatcher(
                RayExecutor(), run, watch=shown.add if shown else lambda games, flying: None
            )
            dispatcher.run([Batch(*each) for each in run.batches(batch, processors())])
            if shown:
                shown.finish()
        run.conclude()
        lines = run.summaries().splitlines()
        return TournamentResult(folder, run.games, [json.loads(line) for line in lines], run.overview())
