"""A cluster agent: merged searches, and actors that die or are slow during a match."""

from __future__ import annotations

import contextlib
import gc
import os
import random
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import gdl
from tests.conftest import loaded
from tests.test_serving import CLOCK, host

ray = pytest.importorskip("ray")


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """Ray on this machine, with two processors."""
    with tempfile.TemporaryDirectory(prefix="gdl-ray-", dir="/tmp") as folder:
        ray.init(
            address="local",
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            object_store_memory=80 << 20,
            _temp_dir=folder,
        )
        yield
        ray.shutdown()


def result(action: int, table: dict[int, tuple[int, float]], proven: tuple[int, ...] = ()) -> gdl.SearchResult:
    """A search that tried actions so often, with these values."""
    visits, values = zip(*table.values(), strict=True)
    return gdl.SearchResult(
        action=action,
        actions=list(table),
        visits=list(visits),
        values=list(values),
        proven=[move in proven for move in table],
        pruned=[False] * len(table),
        variation=[],
        simulations=sum(visits),
        nodes=1,
        seconds=1.0,
    )


def test_actors_have_the_memory_of_the_agent(cluster: None) -> None:
    with gdl.ray.ClusterAgent(gdl.Agent("uct", memory=64 << 20), actors=1) as agent:
        assert agent._crew._arguments == ("uct", 64 << 20, 1)


def test_searches_are_merged_by_four_methods(cluster: None) -> None:
    from gdl.ray.cluster_agent import Merge, merged_searches

    one = result(1, {0: (90, 0.7), 1: (10, 0.9), 2: (50, 0.0)})
    other = result(2, {0: (10, 0.3), 1: (70, 0.42), 2: (50, 1.0)})
    best: dict[Merge, int] = {"sum": 0, "sum10": 0, "raw": 1, "best": 2}
    for merge, action in best.items():
        found, rows = merged_searches(merge, [one, other])
        assert found == action, merge
        assert rows[0][:2] == (0, 100)
        values = {row[0]: row[2] for row in rows}
        expected = {"sum": 0.66, "sum10": 0.66, "raw": 0.5, "best": 0.7}[merge]
        assert values[0] == pytest.approx(expected), merge
    # Each search reports ten moves, those with the highest values.
    many = result(1, {0: (10, 0.59), **{move: (10, 0.6) for move in range(1, 11)}})
    few = result(0, {0: (10, 0.7), 1: (90, 0.5)})
    sums = {merge: dict((row[0], row[1]) for row in merged_searches(merge, [many, few])[1]) for merge in best}
    assert (sums["sum"][0], sums["sum10"][0]) == (20, 10)
    # What one search has proven is known.
    proven = result(0, {0: (3, 0.4), 1: (9, 0.3)}, proven=(0,))
    assert merged_searches("sum", [proven, other])[1][0][0] in (1, 2)
    values = {row[0]: row[2] for row in merged_searches("sum", [proven, one])[1]}
    assert values[0] == pytest.approx(0.4)
    with pytest.raises(gdl.GdlError):
        merged_searches("sum", [])
    with pytest.raises(ValueError, match="sum10"):
        gdl.ray.ClusterAgent("uct", merge="mean")  # type: ignore[arg-type]


@pytest.fixture
def agent(cluster: None) -> Iterator[gdl.ray.ClusterAgent]:
    with gdl.ray.ClusterAgent("uct", actors=2, memory=64 << 20, cpus=1) as agent:
        assert agent.wait(120)
        yield agent


def processes(agent: gdl.ray.ClusterAgent) -> list[int]:
    """The processes of the actors that are alive."""
    found = []
    for member in list(agent._crew._members):
        handle: Any = member.handle
        if handle is not None:
            with contextlib.suppress(Exception):
                found.append(ray.get(handle.ping.remote(), timeout=0.5))
    return found


def test_actors_search_together(agent: gdl.ray.ClusterAgent) -> None:
    game = loaded("connect_four")
    state = game.initial()
    agent.prepare(state, 0, 60.0)
    assert agent.ready == 2
    known = 0
    for _ in range(5):
        begun = time.monotonic()
        found = agent.search(state, time=2.0)
        assert time.monotonic() - begun < 2.0
        assert found.action in state.legal_actions()
        assert sorted(found.actions) == state.legal_actions()
        # It is empty if the best move of all together is the best move of none of them.
        assert not found.variation or found.variation[0][0] == found.action
        # The trees of all: more than what the caller has searched in its own. Actors whose
        # answers came late, where other programs are busy, are given less time.
        own = agent._own(game).search(state, time=0.0)
        known = sum(found.visits) - sum(own.visits)
        if known > 0:
            break
    assert known > 0
    # A won position is won for all of them.
    tictactoe = loaded("tictactoe")
    for name in ("(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"):
        state = tictactoe.initial() if name == "(mark 1 1)" else state
        state = state.next([tictactoe.action(state.current_player, name)])
    agent.prepare(state, 0, 20.0)
    assert tictactoe.action_name(0, agent(state, 0, 0.5)) == "(mark 1 3)"


def test_actors_that_die_or_hang_cost_no_move(agent: gdl.ray.ClusterAgent) -> None:
    game = loaded("connect_four")
    rng = random.Random(7)
    stopped: list[int] = []
    moves = 0

    def troubled(state: gdl.State, role: int, seconds: float) -> int:
        """Kills or stops an actor before a move, or during it."""
        nonlocal moves
        moves += 1
        begun = time.monotonic()
        alive = processes(agent)
        if moves == 2 and alive:
            stopped.append(alive[0])
            os.kill(alive[0], signal.SIGSTOP)
        elif alive:
            victim = rng.choice(alive)
            threading.Timer(rng.choice([0, 0.3]), os.kill, (victim, signal.SIGKILL)).start()
        return agent(state, role, seconds - (time.monotonic() - begun) - 1.0)

    try:
        with gdl.serve(troubled, port=0, host="127.0.0.1") as server:
            for role in (0, 1):
                state, times = host(server, game, role, clock=CLOCK + 1)
                assert max(times) < CLOCK + 1
                assert state.is_terminal
            kinds = [event.kind for event in server.events()]
            assert not {"fallback", "late", "refused"} & set(kinds)
        assert moves >= 8
        assert agent.restarts >= 2
        # The cluster recovers on its own. The last actor may be killed only now.
        deadline = time.monotonic() + 60
        while not (agent.wait(1) and len(processes(agent)) == 2):
            assert time.monotonic() < deadline
    finally:
        for process in stopped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def test_an_agent_that_nobody_keeps_ends_its_actors(cluster: None) -> None:
    agent = gdl.ray.ClusterAgent("uct", actors=1, memory=64 << 20)
    assert agent.wait(120)
    crew = agent._crew
    handle: Any = crew._members[0].handle
    del agent
    gc.collect()
    crew._thread.join(60)
    assert not crew._thread.is_alive()
    with pytest.raises(ray.exceptions.RayActorError):
        ray.get(handle.ping.remote(), timeout=60)


def test_without_any_actor_the_caller_plays(cluster: None) -> None:
    game = loaded("tictactoe")
    # There is no room for such actors.
    with gdl.ray.ClusterAgent("uct", actors=2, cpus=64) as agent:
        assert not agent.wait(0.2)
        begun = time.monotonic()
        assert agent(game.initial(), 0, 0.5) in game.initial().legal_actions()
        assert time.monotonic() - begun < 0.5
        assert agent.ready == 0
