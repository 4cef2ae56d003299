"""A replay buffer for self-play."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gdl.self_play import Samples


class ReplayBuffer:
    """The latest positions of self-play, from which learners sample."""

    def __init__(self, capacity: int) -> None:
        """Makes an empty buffer.

        Args:
            capacity: The maximum number of positions; the oldest are dropped.
        """
        if capacity < 1:
            raise ValueError("a buffer must hold at least one position")
        self.capacity = capacity
        self.produced = 0
        """The number of positions that have been added so far."""
        self._held: Samples | None = None

    def __len__(self) -> int:
        return min(self.produced, self.capacity)

    def add(self, samples: Samples) -> None:
        """Adds positions."""
        if len(samples) == 0:
            return
        if self._held is None:
            self._held = Samples(
                np.empty((self.capacity, *samples.observations.shape[1:]), np.uint8),
                np.empty((self.capacity, samples.policies.shape[1]), np.float32),
                np.empty(self.capacity, np.float32),
                0,
            )
        # If there are more positions than room, the last ones are kept.
        kept = min(len(samples), self.capacity)
        at = (self.produced + len(samples) - kept + np.arange(kept)) % self.capacity
        self._held.observations[at] = samples.observations[-kept:]
        self._held.policies[at] = samples.policies[-kept:]
        self._held.values[at] = samples.values[-kept:]
        self.produced += len(samples)

    def sample(
        self, rng: np.random.Generator, count: int
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Observations, policies and values of positions drawn with replacement.

        Raises:
            ValueError: If there are none.
        """
        if self._held is None:
            raise ValueError("there are no positions yet")
        chosen = rng.integers(len(self), size=count)
        return self._held.observations[chosen], self._held.policies[chosen], self._held.values[chosen]
