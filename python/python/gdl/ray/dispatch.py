"""Hands out batches of games to be played, and records what comes back.

Nothing here depends on Ray: an `Executor` plays batches, at least once or never, and a `Recorder`
keeps each game once.
"""

from __future__ import annotations

import time
from collections import deque
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
        self._flying: dict[Handle, _Flight] = {}
        self._lost: dict[str, int] = {}
        self._longest = 0.0

    def run(self, batches: Sequence[Batch]) -> None:
        """Has all batches played, and records their games as they come.

        Raises:
            GdlError: If a game cannot be played or recorded, or a batch is lost again and again.
        """
        waiting = deque(batches)
        try:
            while waiting or self._flying:
                while waiting and len(self._flying) < self._executor.slots():
                    self._submit(waiting.popleft())
                recorded = 0
                for handle in self._executor.wait(list(self._flying), _WAIT):
                    # Of two copies of a batch, the first one counts.
                    if handle not in self._flying:
                        continue
                    try:
                        recorded += self._take(handle)
                    except LostBatchError as error:
                        waiting.append(self._give_up(handle, error))
                waiting.extend(self._overdue())
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
        copies = [other for other, copy in self._flying.items() if copy.batch is flight.batch]
        for copy in copies:
            del self._flying[copy]
        self._executor.cancel(copies)
        return sum(self._recorder.record(game) for game in games)

    def _give_up(self, handle: Handle, error: LostBatchError) -> Batch:
        """The batch that was lost, to be played again."""
        batch = self._flying.pop(handle).batch
        self._lost[batch.text] = self._lost.get(batch.text, 0) + 1
        if self._lost[batch.text] >= _ATTEMPTS:
            raise GdlError(f"a batch of {batch.games} games was lost {_ATTEMPTS} times: {error}")
        return batch

    def _overdue(self) -> list[Batch]:
        """Batches that have not been heard from for too long, to be played a second time, so that
        a machine that hangs holds up nothing."""
        patience = max(_LEAST_PATIENCE, _PATIENCE * self._longest)
        flights = list(self._flying.values())
        late = [flight.batch for flight in flights if self._clock() - flight.begun > patience]
        copied = {id(batch) for batch in late if sum(f.batch is batch for f in flights) > 1}
        return [batch for batch in late if id(batch) not in copied] if self._longest > 0 else []
