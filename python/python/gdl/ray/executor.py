"""Plays batches as tasks of Ray."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import ray
from ray.exceptions import GetTimeoutError, RayError, RayTaskError

from gdl import _gdl
from gdl.errors import GdlError
from gdl.ray.cluster import processors
from gdl.ray.dispatch import Batch, LostBatchError

_RETRIES = 5
"""How often Ray itself replays a batch whose machine died."""
_FETCH = 60.0
"""Seconds within which the result of a finished batch has to arrive."""
_ENDING = 1.0
"""Seconds for tasks that are about to end, before they are cancelled."""


@lru_cache(maxsize=1)
def _player() -> _gdl.BatchPlayer:
    """The player of this process, which keeps its game from batch to batch."""
    return _gdl.BatchPlayer()


def play_batch(text: str) -> list[str]:
    """Plays the games of a batch."""
    return _player().play(text)


class RayExecutor:
    """Plays each batch as a task."""

    def __init__(self) -> None:
        self._play = ray.remote(play_batch)

    def slots(self) -> int:
        """Two batches for every processor: one to be played, one waiting."""
        return 2 * processors()

    def submit(self, batch: Batch) -> ray.ObjectRef[list[str]]:
        """Makes a task of a batch."""
        task = self._play.options(num_cpus=batch.processors, max_retries=_RETRIES)
        handle: ray.ObjectRef[list[str]] = task.remote(batch.text)
        return handle

    def wait(
        self, handles: Sequence[ray.ObjectRef[list[str]]], timeout: float
    ) -> Sequence[ray.ObjectRef[list[str]]]:
        """Those that are done."""
        done, _ = ray.wait(list(handles), num_returns=1, timeout=timeout)
        return done

    def result(self, handle: ray.ObjectRef[list[str]]) -> Sequence[str]:
        """The games of a batch."""
        try:
            games: list[str] = ray.get(handle, timeout=_FETCH)
        except RayTaskError as error:
            if isinstance(error.cause, GdlError):
                raise error.cause from error
            raise
        except (GetTimeoutError, RayError) as error:
            raise LostBatchError(str(error)) from error
        return games

    def cancel(self, handles: Sequence[ray.ObjectRef[list[str]]]) -> None:
        """Ends tasks, even those in the middle of a game.

        A task that ends at the very moment at which it is cancelled makes Ray end this process.
        Tasks that fail for the same reason as others are likely to end just then, so they get a
        little time.
        """
        if handles:
            _, running = ray.wait(list(handles), num_returns=len(handles), timeout=_ENDING)
            for handle in running:
                ray.cancel(handle, force=True)
