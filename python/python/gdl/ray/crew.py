"""The actors of a `ClusterAgent`: one thread talks to Ray, so that nobody else waits for it."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import ray

from gdl._gdl import Game, State
from gdl.ray.cluster import connect
from gdl.search import Agent, Player, SearchResult

_ray: Any = ray
"""Ray, for calls that its type hints do not cover."""

_POLL = 0.01
"""How long the thread waits for answers before it looks for new tasks, in seconds."""

_PING = 1.0
"""How often it asks actors that have nothing to do whether they are alive, in seconds."""

_PATIENCE = 10.0
"""An actor that is silent this much longer than its task takes is given up, in seconds."""

_LEAST_SHARE = 0.25
"""The least part of the time for which actors search, however late their answers come."""

_FORGETTING = 0.8
"""How much of an actor's lag is remembered after an answer that came earlier."""

_PAUSE = 0.5
"""How long it waits before it replaces an actor, in seconds."""


class Searcher:
    """What an actor does: it searches the states of one game, and keeps its tree."""

    def __init__(self, agent: str, memory: int, seed: int) -> None:
        self._agent = Agent(agent, memory=memory)
        self._seed = seed
        self._game: Game | None = None
        self._player: Player | None = None

    def play(self, game: Game | None) -> None:
        """Loads a game."""
        if game is not None:
            self._game = game
            self._player = self._agent.player(game, seed=self._seed)

    def search(self, words: list[int], role: int, seconds: float) -> SearchResult:
        """Searches a state of that game."""
        if self._game is None or self._player is None:
            raise RuntimeError("no game is being played")
        return self._player.search(self._game.state_of_words(words), role=role, time=seconds)

    def ping(self) -> int:
        """Shows that the actor is alive: returns its process ID."""
        return os.getpid()


@dataclass
class Member:
    """An actor as the thread knows it."""

    index: int
    handle: Any = None
    """`None` while there is none."""
    task: Any = None
    """The reference to its current task."""
    due: float = 0.0
    """When that task is due."""
    lag: float = 0.0
    """By how much its recent answers came later than that, in seconds: it is given that much
    less time."""
    take: Callable[[Any], None] | None = None
    """What is done with its answer."""
    is_pinged: bool = False
    """Whether that task is only a ping, which does not keep it from other work."""
    game: Game | None = None
    """The game that it knows, or is loading."""
    starts: int = 0
    """How many actors have been started in this place."""
    since: float = 0.0
    """When it was last heard from, or lost."""

    @property
    def is_free(self) -> bool:
        """Whether it has nothing to do."""
        return self.handle is not None and self.task is None

    def knows(self, game: Game | None) -> bool:
        """Whether it could search a state of a game now."""
        return self.game is game and (self.is_free or self.is_pinged)


@dataclass
class Asked:
    """A search that actors were asked for."""

    state: State
    role: int
    seconds: float
    results: list[SearchResult] = field(default_factory=list)
    open: int | None = None
    """How many answers are awaited; `None` until the actors are asked."""


class Crew:
    """Actors that search, and are restarted if they die."""

    def __init__(self, agent: str, actors: int | None, cpus: float, memory: int, seed: int) -> None:
        connect(None)
        if actors is None:
            resources: dict[str, float] = _ray.cluster_resources()
            actors = max(1, int(resources.get("CPU", 1) / max(cpus, 0.01)))
        if actors < 1:
            raise ValueError("a cluster agent has one actor or more")
        self._arguments = (agent, memory, seed)
        self._class = _ray.remote(num_cpus=cpus, max_restarts=0, max_concurrency=1)(Searcher)
        self._members = [Member(index) for index in range(actors)]
        self._game: Game | None = None
        self._orders: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._changed = threading.Condition()
        self._is_closing = False
        self._thread = threading.Thread(target=self._run, name="gdl-crew", daemon=True)
        self._thread.start()

    @property
    def size(self) -> int:
        """The intended number of actors."""
        return len(self._members)

    @property
    def ready(self) -> int:
        """The number of actors that could search now."""
        return sum(member.knows(self._game) for member in self._members)

    @property
    def restarts(self) -> int:
        """The number of actors that were started to replace others."""
        return sum(max(member.starts - 1, 0) for member in self._members)

    def play(self, game: Game) -> None:
        """Has all actors load a game, unless it is the one that they know."""
        if self._game is not game:
            self._game = game
            self._orders.put(lambda: None)

    def wait(self, seconds: float) -> bool:
        """Waits until all actors are ready, or the time is over; returns whether they are."""
        with self._changed:
            return self._changed.wait_for(lambda: self.ready == self.size, max(seconds, 0.0))

    def search(self, state: State, role: int, seconds: float) -> Asked:
        """Asks all actors that are ready to search a state for this many seconds."""
        self.play(state.game)
        asked = Asked(state, role, seconds)
        self._orders.put(lambda: self._ask(asked))
        return asked

    def found(self, asked: Asked, until: float) -> list[SearchResult]:
        """What actors have found when all that were asked have answered, or the time is over."""
        left = max(until - time.monotonic(), 0.0)
        with self._changed:
            self._changed.wait_for(lambda: asked.open == 0, left)
            return list(asked.results)

    def dissolve(self) -> None:
        """Has the thread end the actors, and itself."""
        self._is_closing = True
        self._orders.put(lambda: None)

    def close(self) -> None:
        """Ends the actors, and waits for that, but not for long."""
        self.dissolve()
        self._thread.join(_PATIENCE)

    # What follows runs on the thread.

    def _run(self) -> None:
        while not self._is_closing:
            self._attend()
            for order in self._pending_orders():
                order()
        for member in self._members:
            self._dismiss(member)

    def _pending_orders(self) -> list[Callable[[], None]]:
        """The orders that have come; waits for one, or for an answer, for a moment."""
        busy = [member.task for member in self._members if member.task is not None]
        orders: list[Callable[[], None]] = []
        if busy:
            self._collect(busy)
        else:
            with contextlib.suppress(queue.Empty):
                orders.append(self._orders.get(timeout=_PAUSE / 2))
        while True:
            try:
                orders.append(self._orders.get_nowait())
            except queue.Empty:
                return orders

    def _attend(self) -> None:
        """Starts actors, has them load the game, asks whether they are alive, and gives up those
        that are silent."""
        now = time.monotonic()
        for member in self._members:
            if member.handle is None and now >= member.since:
                self._start(member)
            elif member.task is not None and now > member.due + _PATIENCE:
                self._lose(member)
            elif member.is_free and member.game is not self._game:
                self._load(member, self._game)
            elif member.is_free and now > member.since + _PING:
                self._give(member, lambda handle: handle.ping.remote(), 0.0)
                member.is_pinged = member.task is not None

    def _start(self, member: Member) -> None:
        agent, memory, seed = self._arguments
        try:
            member.handle = self._class.remote(agent, memory, seed + member.index + self.size * member.starts)
        except Exception:
            # Ray itself is in trouble.
            self._lose(member)
            return
        member.starts += 1
        self._load(member, self._game)

    def _load(self, member: Member, game: Game | None) -> None:
        # An actor may wait for a place in the cluster for as long as it takes.
        self._give(member, lambda handle: handle.play.remote(game), float("inf"))
        member.game = game

    def _ask(self, asked: Asked) -> None:
        """Gives a search to all that are ready."""
        words = asked.state.words.tolist()
        game = asked.state.game
        ready = [member for member in self._members if member.knows(game)]

        def take(result: SearchResult | None) -> None:
            with self._changed:
                if result is not None:
                    asked.results.append(result)
                asked.open = (asked.open or 0) - 1
                self._changed.notify_all()

        with self._changed:
            asked.open = len(ready)
            self._changed.notify_all()
        for member in ready:
            seconds = max(asked.seconds - member.lag, _LEAST_SHARE * asked.seconds)
            task = (words, asked.role, seconds)
            self._give(member, partial(_search, task=task), seconds, take)

    def _give(
        self,
        member: Member,
        task: Callable[[Any], Any],
        seconds: float,
        take: Callable[[Any], None] | None = None,
    ) -> None:
        """Gives an actor a task that takes this many seconds."""
        member.take, member.due, member.is_pinged = take, time.monotonic() + seconds, False
        try:
            member.task = task(member.handle)
        except Exception:
            self._lose(member)

    def _collect(self, tasks: list[Any]) -> None:
        """Takes the answers that have come."""
        try:
            done, _ = ray.wait(tasks, num_returns=len(tasks), timeout=0)
            if not done:
                done, _ = ray.wait(tasks, num_returns=1, timeout=_POLL)
        except Exception:
            time.sleep(_POLL)
            return
        for member in self._members:
            if member.task in done:
                self._take(member)

    def _take(self, member: Member) -> None:
        """Takes the answer of an actor."""
        try:
            answer = ray.get(member.task, timeout=_POLL)
        except ray.exceptions.GetTimeoutError:
            return
        except ray.exceptions.RayTaskError:
            # It is alive, but what it was asked to do cannot be done.
            answer = None
        except Exception:
            self._lose(member)
            return
        take = member.take
        if take is not None:
            member.lag = max(time.monotonic() - member.due, _FORGETTING * member.lag)
        member.task = member.take = None
        member.is_pinged = False
        member.since = time.monotonic()
        if take is not None:
            take(answer)
        with self._changed:
            self._changed.notify_all()

    def _lose(self, member: Member) -> None:
        """Gives up an actor; another one will be started."""
        take = member.take
        self._dismiss(member)
        member.since = time.monotonic() + _PAUSE
        if take is not None:
            take(None)

    def _dismiss(self, member: Member) -> None:
        """Ends an actor if there is one."""
        handle, member.handle = member.handle, None
        member.task = member.take = member.game = None
        member.is_pinged = False
        if handle is not None:
            with contextlib.suppress(Exception):
                ray.kill(handle, no_restart=True)


def _search(handle: Any, task: tuple[list[int], int, float]) -> Any:
    return handle.search.remote(*task)
