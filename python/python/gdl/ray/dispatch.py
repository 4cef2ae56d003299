"""Hands out batches of games to be played, and records what comes back.

Nothing here depends on Ray: an `Executor` plays batches, at least once or never, and a `Recorder`
keeps each game once.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from gdl.errors import GdlError

Handle = TypeVar("Handle", bound=Hashable)

_WAIT = 1.0
"""Seconds after which a wait for results ends, whether or not any have arrived."""
_ATTEMPTS = 10
"""How often a batch may be lost."""
_PATIENCE = 10.0
"""A batch that takes this many times as long as the longest one so far is given to another
process as well."""
_LEAST_PATIENCE = 120.0
"""But not before this many seconds have passed."""


class LostBatchError(Exception):
    """The process that played a batch is gone."""


@dataclass(frozen=True)
class Batch:
    """Games to be played by one process."""

    text: str
    """The batch, as `gdl._gdl.BatchPlayer` takes it."""
    games: int
    """The number of its games."""
    processors: int
    """The number of processors that it takes to play them."""


class Executor(Protocol[Handle]):
    """Plays batches somewhere else."""

    def slots(self) -> int:
        """The number of batches that it wants to have at a time; it may change."""

    def submit(self, batch: Batch) -> Handle:
        """Begins to play a batch."""

    def wait(self, handles: Sequence[Handle], timeout: float) -> Sequence[Handle]:
        """Those of the given batches that are done, as soon as there is one, or after this many
        seconds."""

    def result(self, handle: Handle) -> Sequence[str]:
        """The games of a batch that is done.

        Raises:
            LostBatchError: If they are lost.
            GdlError: If they cannot be played.
        """

    def cancel(self, handles: Sequence[Handle]) -> None:
        """Stops playing these batches."""


class Recorder(Protocol):
    """Keeps games."""

    def record(self, game: str) -> bool:
        """Keeps a game; false if it is known already."""


@dataclass(frozen=True)
class _Flight:
    """A batch that is being played."""

    batch: Batch
    begun: float


class Dispatcher(Generic[Handle]):
    """Gives batches to an executor until all of them have been played."""

    def __init__(
        self,
        executor: Executor[Handle],
        recorder: Recorder,
        *,
        watch: Callable[[int, int], None] = lambda games, flying: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Makes a dispatcher.

        Args:
            executor: Plays the batches.
            recorder: Keeps the games.
            watch: Called after every wait with the number of games that were recorded since the
                last call, and that of the batches that are being played.
            clock: Tells the time in seconds.
        """
        self._executor = executor
        self._recorder = recorder
        self._watch = watch
        self._clock = clock
        self._waiting: OrderedDict[Batch, None] = OrderedDict()
        self._flying: dict[Handle, _Flight] = {}
        self._lost: dict[str, int] = {}
        self._longest = 0.0

    def run(self, batches: Sequence[Batch]) -> None:
        """Has all batches played, and records their games as they come.

        Raises:
            GdlError: If a game cannot be played or recorded, or a batch is lost again and again.
        """
        self._waiting = OrderedDict((batch, None) for batch in batches)
        try:
            while self._waiting or self._flying:
                while self._waiting and len(self._flying) < self._executor.slots():
                    self._submit(self._waiting.popitem(last=False)[0])
                recorded = 0
                for handle in self._executor.wait(list(self._flying), _WAIT):
                    # Of two copies of a batch, the first one counts.
                    if handle not in self._flying:
                        continue
                    try:
                        recorded += self._take(handle)
                    except LostBatchError as error:
                        self._give_up(handle, error)
                self._repeat_overdue()
                self._watch(recorded, len(self._flying))
        finally:
            self._executor.cancel(list(self._flying))
            self._flying.clear()

    def _submit(self, batch: Batch) -> None:
        self._flying[self._executor.submit(batch)] = _Flight(batch, self._clock())

    def _take(self, handle: Handle) -> int:
        """Records a batch; returns the number of games that were new."""
        games = self._executor.result(handle)
        flight = self._flying.pop(handle)
        self._longest = max(self._longest, self._clock() - flight.begun)
        copies = self._copies(flight.batch)
        for copy in copies:
            del self._flying[copy]
        self._executor.cancel(copies)
        self._waiting.pop(flight.batch, None)
        return sum(self._recorder.record(game) for game in games)

    def _copies(self, batch: Batch) -> list[Handle]:
        """Where a batch is being played."""
        return [handle for handle, flight in self._flying.items() if flight.batch is batch]

    def _give_up(self, handle: Handle, error: LostBatchError) -> None:
        """Has a batch that was lost played again, unless a copy of it is being played."""
        batch = self._flying.pop(handle).batch
        self._lost[batch.text] = self._lost.get(batch.text, 0) + 1
        if self._lost[batch.text] >= _ATTEMPTS:
            raise GdlError(f"a batch of {batch.games} games was lost {_ATTEMPTS} times: {error}")
        if not self._copies(batch):
            self._waiting[batch] = None

    def _repeat_overdue(self) -> None:
        """Has batches played a second time that have not been heard from for too long, so that a
        machine that hangs holds up nothing. Before any batch has come back, nobody knows how long
        that is."""
        if self._longest == 0:
            return
        patience = max(_LEAST_PATIENCE, _PATIENCE * self._longest)
        for flight in self._flying.values():
            late = self._clock() - flight.begun > patience
            # One that waits already keeps its place.
            if late and len(self._copies(flight.batch)) == 1:
                self._waiting[flight.batch] = None
