"""Random games from given states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gdl._gdl import Game, State


@dataclass(frozen=True)
class Rollout:
    """The outcome of random games, for each of the states from which they were played."""

    returns: npt.NDArray[np.float64]
    """The mean goal of every role from 0 to 1, (states, roles); NaN where no game has ended."""
    games: npt.NDArray[np.int64]
    """The number of games that ended."""
    steps: npt.NDArray[np.float64]
    """The mean number of steps."""


def random_rollout(
    game: Game,
    states: Sequence[State] | npt.NDArray[np.uint64],
    n: int,
    *,
    seed: int = 0,
    max_steps: int | None = None,
) -> Rollout:
    """Plays `n` random games from every state, all moves uniformly random.

    Args:
        game: The game.
        states: States, or their words as `VectorEnv.states` gives them.
        n: The number of games from each.
        seed: The same seed plays the same games.
        max_steps: The number of steps after which a game is given up.
    """
    words = states if isinstance(states, np.ndarray) else np.array([state.words for state in states], np.uint64)
    table = np.ascontiguousarray(words, np.uint64).reshape(-1, game.state_words)
    return Rollout(*game.random_rollout(table, n, seed, max_steps))
