"""The progress of a tournament."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO


class Progress:
    """Counts games, and prints rates and the time left on a terminal or, from time to time, as
    lines."""

    def __init__(
        self,
        games: int,
        known: int,
        *,
        out: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begins to count.

        Args:
            games: The number of games of the tournament.
            known: How many of them were played before.
            out: Where lines are printed; standard error by default.
            clock: Tells the time in seconds.
        """
        self._games = games
        self._known = known
        self._played = 0
        self._out = sys.stderr if out is None else out
        self._clock = clock
        self._begun = self._printed = clock()
        self._every = 0.5 if self._out.isatty() else 30.0

    def add(self, games: int, flying: int) -> None:
        """Counts recorded games, and prints a report if one is due."""
        self._played += games
        now = self._clock()
        if now - self._printed >= self._every:
            self._printed = now
            self._print(self.line(flying))

    def line(self, flying: int) -> str:
        """The progress in words; `flying` is the number of batches being played."""
        done = self._known + self._played
        elapsed = self._clock() - self._begun
        text = f"{done}/{self._games} games, {flying} batches in play"
        if self._played == 0 or elapsed <= 0:
            return text
        rate = self._played / elapsed
        left = (self._games - done) / rate
        return f"{text}, {rate:.3g} games/s, {_duration(left)} left"

    def finish(self) -> None:
        """Says how it ended."""
        elapsed = self._clock() - self._begun
        self._print(f"{self._played} games in {_duration(elapsed)}")
        if self._out.isatty():
            self._out.write("\n")

    def _print(self, text: str) -> None:
        if self._out.isatty():
            self._out.write(f"\r\x1b[K{text}")
        else:
            self._out.write(f"{text}\n")
        self._out.flush()


def _duration(seconds: float) -> str:
    whole = round(seconds)
    hours, minutes = whole // 3600, whole % 3600 // 60
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {whole % 60} s" if minutes else f"{whole} s"
