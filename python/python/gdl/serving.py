"""Python agents as players of the GGP protocol."""

from __future__ import annotations

import atexit
import json
import logging
import os
import threading
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, runtime_checkable

from gdl import _gdl
from gdl._gdl import State
from gdl.search import Agent

_LOG = logging.getLogger(__name__)


class TimedAgent(Protocol):
    """Chooses actions: a function, or an object that can be called like one."""

    def __call__(self, state: State, role: int, seconds: float, /) -> int:
        """An action of a role in a state in which it has several.

        Args:
            state: The state; `state.game` is the same object throughout a match.
            role: The role that is played.
            seconds: How long the answer may take. A later answer is dropped.
        """
        ...


@runtime_checkable
class PreparedAgent(Protocol):
    """A `TimedAgent` that also does something during the start clock."""

    def prepare(self, state: State, role: int, seconds: float, /) -> object:
        """Prepares for a match that begins in a state.

        Args:
            state: The initial state.
            role: The role that will be played.
            seconds: The time until the match begins.
        """
        ...


@dataclass(frozen=True)
class ServerEvent:
    """Something that has happened in a match."""

    match: str
    """The name of the match, as the host sent it."""
    kind: str
    """`start`, `engine`, `choice`, `move`, `fallback` (the agent was late, raised or chose an
    illegal action, and another one was played), `late` (not even the match answered in time),
    `refused`, `trouble`, `unplayable` or `end`, as `gdl serve --json` names them."""
    details: dict[str, Any]
    """What else is known, such as `round`, `move` and `reason` of a fallback move."""


class Server:
    """A player on the network, which serves in the background until it is closed. Made by
    `serve`."""

    def __init__(self, server: _gdl.Server) -> None:
        self._server = server
        self._closed = threading.Event()
        # A match must not outlive the interpreter that plays it, even if nobody keeps this object.
        atexit.register(server.close)

    @property
    def address(self) -> tuple[str, int]:
        """The address and the port on which it listens."""
        return self._server.address

    @property
    def url(self) -> str:
        """The URL at which hosts on this machine reach it."""
        host, port = self.address
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    @property
    def is_running(self) -> bool:
        """Whether it still serves."""
        return not self._closed.is_set()

    def wait(self, seconds: float | None = None) -> None:
        """Waits until the server is closed, for at most this many seconds. Ctrl-C closes it."""
        try:
            self._closed.wait(seconds)
        except KeyboardInterrupt:
            self.close()

    def close(self) -> None:
        """Ends all matches and stops serving, without waiting for a call of the agent that is in
        progress."""
        self._closed.set()
        self._server.close()
        atexit.unregister(self._server.close)

    def events(self) -> list[ServerEvent]:
        """What has happened since the last call; the latest 10,000 events at most."""
        events = []
        for match, text in self._server.events():
            details = json.loads(text)
            events.append(ServerEvent(match, details.pop("event"), details))
        return events

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<gdl.Server {self.url}{'' if self.is_running else ', closed'}>"


def serve(
    agent: TimedAgent | Agent | str,
    *,
    port: int = 9147,
    host: str = "0.0.0.0",
    name: str = "gdl",
    matches: int = 1,
    memory: int = 1 << 30,
    records: str | os.PathLike[str] | None = None,
) -> Server:
    """Serves an agent over the GGP protocol, so that hosts on the network can play with it:
    `gdl.serve(agent).wait()`.

    The server reads messages, follows matches and keeps their clocks; the agent is called for
    each choice with the time that it has. If it is late, raises or chooses an illegal action,
    the server plays the first legal move in time, and reports this in `Server.events`.
    Exceptions are logged, too.

    A Python agent is called from one thread per match, and never twice at a time for one match. A
    `gdl.Agent` or the text of one searches without Python, and in the opponents' time as well.

    Args:
        agent: The agent. If it has a method `prepare`, that is called during the start clock.
        port: The port; 0 picks a free one, see `Server.address`.
        host: The address to listen on; by default all addresses of this machine.
        name: What the player calls itself: one word.
        matches: The number of matches at a time.
        memory: The size limit of the tree of each match of a `gdl.Agent`, in bytes.
        records: A folder for records of the matches, in the JSON of the GGP base.

    Raises:
        GdlError: If the agent or the address is not valid.
        OSError: If the port cannot be listened on.
    """
    if not name or any(letter.isspace() or letter in "();" for letter in name):
        raise ValueError(f"{name!r}: the name of a player is one word")
    if matches < 1:
        raise ValueError("a player plays one match at a time or more")
    text, guest = _described(agent)
    folder = None if records is None else os.fspath(records)
    return Server(_gdl.Server(text, guest, name, host, port, matches, memory, folder))


def _described(agent: TimedAgent | Agent | str) -> tuple[str, _Guest | None]:
    """The text of an agent, and what is called if it is a Python agent."""
    if isinstance(agent, Agent):
        return agent.text, None
    if isinstance(agent, str):
        return agent, None
    if not callable(agent):
        raise TypeError(f"{agent!r} is not an agent: it cannot be called")
    label = getattr(agent, "__qualname__", type(agent).__qualname__)
    return label, _Guest(agent)


class _Guest:
    """What the server calls. It logs exceptions, of which the server only keeps the text."""

    def __init__(self, agent: TimedAgent) -> None:
        self._agent = agent

    def prepare(self, state: State, role: int, seconds: float) -> None:
        if isinstance(self._agent, PreparedAgent):
            try:
                self._agent.prepare(state, role, seconds)
            except Exception:
                _LOG.exception("the agent failed to prepare")
                raise

    def choose(self, state: State, role: int, seconds: float) -> int:
        try:
            # Also accepts NumPy integers.
            return int(self._agent(state, role, seconds))
        except Exception:
            _LOG.exception("the agent failed to choose an action")
            raise
