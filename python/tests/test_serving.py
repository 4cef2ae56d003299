"""Python agents behind the GGP protocol, asked by a small host."""

from __future__ import annotations

import logging
import random
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import gdl
from tests.conftest import loaded, output_after_interrupt

CLOCK = 2
"""Seconds for each move."""


def ask(server: gdl.Server, message: str) -> str:
    """Sends a message to a player, and returns the reply."""
    request = urllib.request.Request(
        server.url, message.encode(), {"Content-Type": "text/acl", "Sender": "HOST"}
    )
    with urllib.request.urlopen(request, timeout=30) as reply:
        text: str = reply.read().decode()
    return text


def host(
    server: gdl.Server, game: gdl.Game, role: int, clock: int = CLOCK
) -> tuple[gdl.State, list[float]]:
    """Plays a match against random moves, and checks that every answer is legal; returns the last
    state, and how many seconds each answer took."""
    rng = random.Random(1)
    state, times, last = game.initial(), [], "nil"
    reply = ask(server, f"(START m.{role} {game.roles[role]} ({game.rules}) 10 {clock})")
    assert reply == "ready"
    while not state.is_terminal:
        begun = time.monotonic()
        answer = ask(server, f"(PLAY m.{role} {last})")
        times.append(time.monotonic() - begun)
        joint = [rng.choice(state.legal_actions(other)) for other in range(len(game.roles))]
        joint[role] = game.action(role, answer)
        assert joint[role] in state.legal_actions(role)
        names = [game.action_name(other, action) for other, action in enumerate(joint)]
        last = f"({' '.join(names)})"
        state = state.next(joint)
    assert ask(server, f"(STOP m.{role} {last})") == "done"
    return state, times


@pytest.fixture
def serve() -> Iterator[Callable[..., gdl.Server]]:
    """Serves agents on free ports of this machine until the test ends."""
    servers: list[gdl.Server] = []

    def begin(agent: Any, **options: Any) -> gdl.Server:
        servers.append(gdl.serve(agent, port=0, host="127.0.0.1", **options))
        return servers[-1]

    yield begin
    for server in servers:
        server.close()


def kinds(server: gdl.Server, kind: str) -> list[gdl.ServerEvent]:
    return [event for event in server.events() if event.kind == kind]


class Good:
    """Searches a little, and remembers its calls."""

    def __init__(self) -> None:
        self.prepared: list[tuple[int, float]] = []
        self.asked: list[tuple[gdl.Game, int, float]] = []

    def prepare(self, state: gdl.State, role: int, seconds: float) -> None:
        self.prepared.append((role, seconds))
        assert state == state.game.initial()

    def __call__(self, state: gdl.State, role: int, seconds: float) -> int:
        self.asked.append((state.game, role, seconds))
        return gdl.Agent("uct").search(state, role=role, sims=200).action


def test_a_good_agent_plays_matches(serve: Callable[..., gdl.Server]) -> None:
    game, agent = loaded("tictactoe"), Good()
    server = serve(agent, name="good")
    assert server.address[1] > 0
    assert ask(server, "(INFO)") == "( ( name good ) ( status available ) ( species computer ) )"
    for role in (0, 1):
        state, times = host(server, game, role)
        assert state.returns[role] >= 0.5
        assert max(times) < CLOCK
    assert [role for role, _ in agent.prepared] == [0, 1]
    assert all(5 < seconds <= 10 for _, seconds in agent.prepared)
    # It is asked only where it has a choice, with the time that is left, in one game per match.
    assert all(0 < seconds < CLOCK for _, _, seconds in agent.asked)
    assert len({id(game) for game, _, _ in agent.asked}) == 2
    events = server.events()
    assert [event.kind for event in events if event.kind in ("start", "end")] == ["start", "end"] * 2
    assert not [event for event in events if event.kind in ("fallback", "late", "refused")]
    assert events[-1].match == "m.1"
    assert events[-1].details["how"] == "stopped"


def test_both_roles_choose_at_a_time(serve: Callable[..., gdl.Server]) -> None:
    agent = Good()
    _, times = host(serve(agent), loaded("tron"), 1)
    assert agent.asked
    assert max(times) < CLOCK


def test_a_late_agent_loses_its_moves_but_not_the_clock(serve: Callable[..., gdl.Server]) -> None:
    calls: list[float] = []

    def late(state: gdl.State, role: int, seconds: float) -> int:
        calls.append(seconds)
        if len(calls) == 1:
            time.sleep(seconds + 1.0)
        return state.legal_actions(role)[-1]

    server = serve(late)
    _, times = host(server, loaded("tictactoe"), 0)
    assert max(times) < CLOCK
    fallbacks = kinds(server, "fallback")
    assert fallbacks[0].details["round"] == 0
    assert "in time" in fallbacks[0].details["reason"]
    # When its late call has come back, it plays again.
    assert len(calls) >= 2
    assert len(fallbacks) <= 2


def test_agents_that_raise_or_cheat_play_on(
    serve: Callable[..., gdl.Server], caplog: pytest.LogCaptureFixture
) -> None:
    def raises(state: gdl.State, role: int, seconds: float) -> int:
        raise KeyError("weights")

    def cheats(state: gdl.State, role: int, seconds: float) -> int:
        return 10_000

    def confused(state: gdl.State, role: int, seconds: float) -> Any:
        return "centre"

    for agent, reason in [(raises, "KeyError: 'weights'"), (cheats, "10000 is not legal"), (confused, "centre")]:
        server = serve(agent)
        with caplog.at_level(logging.CRITICAL, "gdl.serving"):
            _, times = host(server, loaded("tictactoe"), 0)
        # A failure is known at once.
        assert max(times) < CLOCK / 2
        fallbacks = kinds(server, "fallback")
        assert len(fallbacks) >= 3
        assert all(reason in event.details["reason"] for event in fallbacks)


def test_matches_can_be_aborted_and_are_limited(serve: Callable[..., gdl.Server]) -> None:
    game = loaded("tictactoe")
    server = serve(Good())
    start = f"(START {{}} {game.roles[0]} ({game.rules}) 5 2)"
    assert ask(server, start.format("one")) == "ready"
    assert ask(server, "(INFO)").count("busy") == 1
    assert ask(server, start.format("two")) == "busy"
    assert ask(server, "(ABORT one)") == "aborted"
    deadline = time.monotonic() + 10
    while "available" not in ask(server, "(INFO)"):
        assert time.monotonic() < deadline
    assert ask(server, start.format("two")) == "ready"


def test_agents_of_the_library_are_served(serve: Callable[..., gdl.Server], tmp_path: Any) -> None:
    for agent in (gdl.Agent("uct+mast"), "random"):
        server = serve(agent, memory=16 << 20, records=tmp_path)
        host(server, loaded("tictactoe"), 0)
        assert not kinds(server, "fallback")
    assert len(list(tmp_path.glob("*.json"))) == 2


def test_servers_stop() -> None:
    with gdl.serve("uct", port=0, host="127.0.0.1") as server:
        assert server.is_running
        server.wait(0.01)
        assert server.is_running
        waiting = threading.Thread(target=server.wait)
        waiting.start()
    waiting.join(10)
    assert not waiting.is_alive()
    assert not server.is_running
    with pytest.raises(OSError, match=r".*"):
        ask(server, "(INFO)")
    with gdl.serve("uct", port=0, host="127.0.0.1") as server, pytest.raises(OSError, match="listen"):
        gdl.serve("uct", port=server.address[1], host="127.0.0.1")
    for wrong in ("a b", "", "a;"):
        with pytest.raises(ValueError, match="one word"):
            gdl.serve("uct", name=wrong)
    with pytest.raises(TypeError, match="called"):
        gdl.serve(3)
    with pytest.raises(gdl.GdlError):
        gdl.serve("uct+nonsense", port=0)


def test_a_server_that_nobody_keeps_is_closed_at_the_end() -> None:
    program = """
import atexit, gc, socket, gdl

def look():
    with socket.socket() as client:
        print("closed" if client.connect_ex(address) else "open")

# What is registered first runs last.
atexit.register(look)
address = gdl.serve(lambda state, role, seconds: 0, port=0, host="127.0.0.1").address
gc.collect()
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout == "closed\n"


def test_an_interrupt_ends_a_server() -> None:
    program = """
import gdl
server = gdl.serve(lambda state, role, seconds: 0, port=0, host="127.0.0.1")
print("ready", flush=True)
server.wait()
print("closed", server.is_running)
"""
    assert output_after_interrupt(program) == "closed False\n"
