"""Batches are dispatched, lost, played twice and recorded once; no cluster is needed."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gdl
from gdl import _gdl
from gdl.ray.__main__ import main
from gdl.ray.dispatch import Batch, Dispatcher, LostBatchError
from gdl.ray.progress import Progress

TABLE = """
games = 30
simulations = 20
seed = 5
rules = ["tictactoe"]
agents = ["uct", "uct+mast", "random"]
"""


def opened(folder: Path, text: str = TABLE, games: int | None = None) -> _gdl.Tournament:
    """A tournament whose journals are in a folder."""
    folder.mkdir(exist_ok=True)
    file = folder.parent / "table.toml"
    file.write_text(text)
    return _gdl.Tournament(file, folder, games, None, None, None, False, 256, 1000, 10.0)


def dealt(run: _gdl.Tournament, size: int) -> list[Batch]:
    return [Batch(*each) for each in run.batches(size, 1)]


def lines(folder: Path) -> dict[str, list[str]]:
    """The games in a folder: by journal, sorted, without the seconds they took."""
    found = {}
    for path in sorted(folder.glob("*.jsonl")):
        games = [json.loads(line) for line in path.read_text().splitlines()[1:]]
        for player in (player for game in games for player in game["players"]):
            del player["seconds"]
        found[path.name] = sorted(json.dumps(game) for game in games)
    return found


def play_here(folder: Path, text: str, size: int) -> dict[str, list[str]]:
    """All games of a tournament, played in this process."""
    run = opened(folder, text)
    player = _gdl.BatchPlayer()
    for batch in dealt(run, size):
        assert all([run.record(game) for game in player.play(batch.text)])
    return lines(folder)


class FaultyExecutor:
    """Plays batches in this process, loses some of them, and has a clock of its own."""

    def __init__(self, seed: int, loss: float) -> None:
        self.rng = np.random.default_rng(seed)
        self.loss = loss
        self.player = _gdl.BatchPlayer()
        self.batches: dict[int, Batch] = {}
        self.played: set[str] = set()
        self.hanging: set[int] = set()
        self.room = 3
        self.lost = 0
        self.most = 0
        self.now = 0.0

    def slots(self) -> int:
        return self.room

    def submit(self, batch: Batch) -> int:
        assert batch.text not in self.played
        handle = len(self.batches)
        self.batches[handle] = batch
        return handle

    def wait(self, handles: Sequence[int], timeout: float) -> Sequence[int]:
        assert timeout <= 1.0
        self.most = max(self.most, len(handles))
        self.now += 10.0
        able = [handle for handle in handles if handle not in self.hanging]
        return [int(self.rng.choice(able))] if able else []

    def result(self, handle: int) -> Sequence[str]:
        if self.rng.random() < self.loss:
            self.lost += 1
            raise LostBatchError("the machine is gone")
        self.played.add(self.batches[handle].text)
        return self.player.play(self.batches[handle].text)

    def cancel(self, handles: Sequence[int]) -> None:
        self.cancelled = list(handles)


def test_what_is_lost_is_played_again_and_recorded_once(tmp_path: Path) -> None:
    expected = play_here(tmp_path / "here", TABLE, 8)
    run = opened(tmp_path / "there")
    executor = FaultyExecutor(seed=7, loss=0.4)
    counted: list[int] = []
    Dispatcher(executor, run, watch=lambda games, flying: counted.append(games)).run(dealt(run, 8))
    assert executor.lost > 0
    assert executor.most == 3
    assert sum(counted) == run.recorded == run.games == 90
    assert lines(tmp_path / "there") == expected


def test_another_process_goes_on(tmp_path: Path) -> None:
    expected = play_here(tmp_path / "here", TABLE, 8)
    run = opened(tmp_path / "there")
    player = _gdl.BatchPlayer()
    for batch in dealt(run, 8)[3:7]:
        for game in player.play(batch.text):
            assert run.record(game)
            assert not run.record(game)
    with pytest.raises(gdl.GdlError, match="another process"):
        opened(tmp_path / "there")
    del run
    run = opened(tmp_path / "there")
    assert run.recorded == 32
    Dispatcher(FaultyExecutor(seed=1, loss=0.0), run).run(dealt(run, 8))
    assert lines(tmp_path / "there") == expected
    assert not list((tmp_path / "there").glob("*.under-way"))


def test_a_batch_that_hangs_is_played_twice(tmp_path: Path) -> None:
    run = opened(tmp_path / "there")
    executor = FaultyExecutor(seed=3, loss=0.0)
    executor.hanging = {1}
    Dispatcher(executor, run, clock=lambda: executor.now).run(dealt(run, 30))
    assert run.recorded == 90
    texts = [batch.text for batch in executor.batches.values()]
    assert sorted(texts.count(text) for text in set(texts)) == [1, 1, 2]


def test_a_batch_that_hangs_while_others_wait_is_copied_once(tmp_path: Path) -> None:
    run = opened(tmp_path / "there")
    executor = FaultyExecutor(seed=3, loss=0.0)
    executor.hanging = {1}
    # The other slot is always taken, and the hanging batch overdue long before it is free.
    executor.room = 2
    Dispatcher(executor, run, clock=lambda: executor.now).run(dealt(run, 2))
    assert (run.recorded, len(executor.batches)) == (90, 46)


def test_a_batch_is_not_played_on_once_it_is_known(tmp_path: Path) -> None:
    run = opened(tmp_path / "there")
    executor = FaultyExecutor(seed=5, loss=0.3)
    executor.hanging = {1, 4}
    # Copies are lost as well, or wait when the first one has come back: see `submit`.
    Dispatcher(executor, run, clock=lambda: executor.now).run(dealt(run, 2))
    assert run.recorded == 90


def test_a_batch_that_is_lost_for_good_is_an_error(tmp_path: Path) -> None:
    run = opened(tmp_path / "there")
    executor = FaultyExecutor(seed=3, loss=1.0)
    with pytest.raises(gdl.GdlError, match="lost 10 times: the machine is gone"):
        Dispatcher(executor, run).run(dealt(run, 90))
    assert executor.lost == 10


def test_a_closed_tournament_locks_nothing(tmp_path: Path) -> None:
    run = opened(tmp_path / "games")
    run.close()
    with pytest.raises(ValueError, match="closed"):
        run.conclude()
    assert opened(tmp_path / "games").games == 90


def test_the_command_fails_with_2_whatever_the_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "table.toml").write_text(TABLE)
    for options in (["--games", "-1", "--out", str(tmp_path / "games")], ["--out", str(tmp_path / "table.toml")]):
        monkeypatch.setattr("sys.argv", ["gdl.ray", "tournament", str(tmp_path / "table.toml"), *options])
        assert main() == 2
        assert capsys.readouterr().err.startswith("error: ")


def test_what_needs_no_ray_is_there_without_it() -> None:
    program = "import sys; sys.modules['ray'] = None; import gdl.ray.dispatch, gdl.ray.progress, gdl; gdl.ray.tournament"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_buffer_too_small_to_learn_from_is_refused(tictactoe: gdl.Game) -> None:
    nobody: Any = None
    with pytest.raises(ValueError, match="no room"):
        gdl.ray.self_play(tictactoe, nobody, nobody, actors=1, seconds=1, capacity=1000)


def test_errors_of_tournaments_are_ours(tmp_path: Path) -> None:
    with pytest.raises(gdl.GdlError, match=r"table\.toml:6:11: .*nobody"):
        opened(tmp_path / "games", TABLE.replace('"uct",', '"nobody",'))
    with pytest.raises(gdl.GdlError, match="clocks"):
        opened(tmp_path / "games", TABLE.replace("simulations = 20", "playclock = 5"))
    run = opened(tmp_path / "games")
    with pytest.raises(gdl.GdlError, match="game 999 of contest 0"):
        game = json.loads(_gdl.BatchPlayer().play(dealt(run, 1)[0].text)[0])
        game["line"]["game"] = 999
        run.record(json.dumps(game))
    with pytest.raises(gdl.GdlError):
        _gdl.BatchPlayer().play("{}")


def test_progress_tells_rates_and_the_time_left() -> None:
    now = [100.0]
    out = io.StringIO()
    progress = Progress(500, 100, out=out, clock=lambda: now[0])
    assert progress.line(4) == "100/500 games, 4 batches in play"
    now[0] += 20.0
    progress.add(40, 4)
    assert out.getvalue() == ""
    assert progress.line(4) == "140/500 games, 4 batches in play, 2 games/s, 3 min 0 s left"
    now[0] += 20.0
    progress.add(0, 3)
    assert out.getvalue() == "140/500 games, 3 batches in play, 1 games/s, 6 min 0 s left\n"


def test_a_replay_buffer_keeps_the_latest() -> None:
    buffer = gdl.ReplayBuffer(10)
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="no positions"):
        buffer.sample(rng, 1)

    def samples(first: int, count: int) -> gdl.Samples:
        values = np.arange(first, first + count, dtype=np.float32)
        return gdl.Samples(values.astype(np.uint8)[:, None], values[:, None], values, 1)

    buffer.add(samples(0, 0))
    buffer.add(samples(0, 4))
    assert set(buffer.sample(rng, 100)[2]) == {0, 1, 2, 3}
    buffer.add(samples(4, 8))
    seen, policies, values = buffer.sample(rng, 500)
    assert set(values) == set(range(2, 12))
    assert (seen[:, 0] == values).all()
    assert (policies[:, 0] == values).all()
    buffer.add(samples(12, 25))
    assert set(buffer.sample(rng, 500)[2]) == set(range(27, 37))
    assert (len(buffer), buffer.produced) == (10, 37)
