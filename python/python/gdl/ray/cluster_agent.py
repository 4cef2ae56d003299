"""One agent on many machines: root parallelisation over Ray actors."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Sequence
from types import TracebackType
from typing import Literal, TypeAlias

from gdl import _gdl
from gdl._gdl import Game, State
from gdl.ray.crew import Crew
from gdl.search import Agent, Player, SearchResult

Merge: TypeAlias = Literal["sum", "sum10", "best", "raw"]

_LEAST_MARGIN, _MOST_MARGIN = 0.05, 1.0
"""The bounds of the time reserved for answers to arrive, in seconds."""

_KEPT = 0.1
"""The fraction of the time that is reserved for answers to arrive."""


class ClusterAgent:
    """An agent whose searches run on many machines at a time, each with a tree of its own, and
    are merged at the root (root parallelisation: Méhat and Cazenave 2011; Swiechowski, Park,
    Mandziuk and Kim, "Recent Advances in General Game Playing", 2015, section 4.7).

    It is a `gdl.TimedAgent`, so `gdl.serve(gdl.ray.ClusterAgent())` plays for hosts. The caller
    searches as well, so that there is a move whatever happens to the cluster: it never waits
    for an actor beyond the deadline. An actor that is slow or has died costs its share of the
    search; it is left out until it has answered or a replacement has started, which happens in
    the background.

    Actors keep their trees from move to move.
    """

    def __init__(
        self,
        agent: str | Agent = "uct",
        *,
        actors: int | None = None,
        merge: Merge = "sum",
        cpus: float = 1,
        memory: int = 1 << 30,
        seed: int = 0,
    ) -> None:
        """Starts the actors, without waiting for them. Ray is started on this machine unless the
        program is connected to a cluster.

        Args:
            agent: The agent; to use several processors of an actor, one such as
                `uct+threads(n=4)` with `cpus=4`.
            actors: The number of actors; by default as many as the cluster has room for.
            merge: How the trees become one: `sum` adds up visits, `sum10` those of each tree's
                ten best moves, `best` takes the highest value of a move, `raw` the average of
                the trees' values.
            cpus: The processors that each actor reserves.
            memory: The size limit of each tree, in bytes, unless `agent` is a `gdl.Agent`, which has
                its own.
            seed: The seed of the caller's search; actors have others.

        Raises:
            GdlError: If `agent` is not the text of an agent.
        """
        if merge not in ("sum", "sum10", "best", "raw"):
            raise ValueError(f"{merge!r}: searches are merged by sum, sum10, best or raw")
        self._agent = agent if isinstance(agent, Agent) else Agent(agent, memory=memory)
        self._merge: Merge = merge
        self._seed = seed
        self._lock = threading.Lock()
        self._player: tuple[Game, Player] | None = None
        self._crew = Crew(self._agent.text, actors, cpus, self._agent.memory, seed + 1)
        # Actors reserve processors, also for an agent that nobody has closed. At exit Ray ends them.
        weakref.finalize(self, self._crew.dissolve).atexit = False

    @property
    def size(self) -> int:
        """The intended number of actors."""
        return self._crew.size

    @property
    def ready(self) -> int:
        """The number of actors that could search now."""
        return self._crew.ready

    @property
    def restarts(self) -> int:
        """The number of actors that were started to replace others."""
        return self._crew.restarts

    def wait(self, seconds: float) -> bool:
        """Waits until all actors are ready, for at most this many seconds; returns whether they
        are."""
        return self._crew.wait(seconds)

    def prepare(self, state: State, role: int, seconds: float) -> None:
        """Loads the game on all actors, and waits for them within the time; none of them has to
        be ready for the agent to play."""
        del role
        deadline = time.monotonic() + seconds - _margin(seconds)
        self._crew.play(state.game)
        self._own(state.game)
        self._crew.wait(deadline - time.monotonic())

    def __call__(self, state: State, role: int, seconds: float) -> int:
        """The action to take, found within this many seconds."""
        return self.search(state, role=role, time=seconds).action

    def search(self, state: State, *, role: int | None = None, time: float) -> SearchResult:
        """Searches a state on all actors that are ready; the result is there in time. Its
        variation is that of the longest search which prefers the same action, and empty if none
        does.

        Args:
            state: The state.
            role: For which role; by default for the current player.
            time: The time for everything, in seconds.
        """
        deadline = _now() + time
        role = state.current_player if role is None else role
        margin = _margin(time)
        with self._lock:
            asked = self._crew.search(state, role, max(time - 2 * margin, 0.0))
            # This process searches while it waits.
            player = self._own(state.game)
            left = deadline - margin - _now()
            own = player.search(state, role=role, time=max(left, 0.001))
            others = self._crew.found(asked, deadline - margin / 2)
        return self._merged(own, others, time + _now() - deadline)

    def close(self) -> None:
        """Ends the actors. The agent can no longer be used. An agent that is not kept any more is
        closed in the background."""
        self._crew.close()

    def __enter__(self) -> ClusterAgent:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<gdl.ray.ClusterAgent {self._agent.text}, {self.ready} of {self.size} actors ready>"

    def _own(self, game: Game) -> Player:
        """The player of this process."""
        if self._player is None or self._player[0] is not game:
            self._player = game, self._agent.player(game, seed=self._seed)
        return self._player[1]

    def _merged(
        self, own: SearchResult, others: Sequence[SearchResult], seconds: float
    ) -> SearchResult:
        """One result of all; the caller's own if nobody had anything to search."""
        results = [own, *others]
        if not any(result.actions for result in results):
            return own
        action, rows = merged_searches(self._merge, results)
        agreeing = [result for result in results if result.action == action]
        longest = max(agreeing, key=lambda result: result.simulations, default=None)
        return SearchResult(
            action=action,
            actions=[row[0] for row in rows],
            visits=[row[1] for row in rows],
            values=[row[2] for row in rows],
            proven=[row[3] for row in rows],
            pruned=[row[4] for row in rows],
            variation=longest.variation if longest else [],
            simulations=sum(result.simulations for result in results),
            nodes=sum(result.nodes for result in results),
            seconds=seconds,
        )


def merged_searches(
    merge: Merge, results: Sequence[SearchResult]
) -> tuple[int, list[tuple[int, int, float, bool, bool]]]:
    """The best action of several searches of one state, and for each action its visits, its
    value, whether that is proven, and whether it is pruned; the most visited first."""
    tables = [
        list(zip(found.actions, found.visits, found.values, found.proven, found.pruned, strict=True))
        for found in results
    ]
    return _gdl.merge_searches(merge, tables)


def _margin(seconds: float) -> float:
    """The time reserved for answers to arrive."""
    return min(max(_KEPT * seconds, _LEAST_MARGIN), _MOST_MARGIN, seconds / 4)


def _now() -> float:
    return time.monotonic()
