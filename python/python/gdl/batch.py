"""Tree searches of many games side by side, guided by a network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gdl import _gdl
from gdl._gdl import Game, State
from gdl.planes import planes

Evaluator: TypeAlias = Callable[
    [npt.NDArray[np.uint8], npt.NDArray[np.bool_], npt.NDArray[np.int8]],
    tuple[npt.ArrayLike, npt.ArrayLike],
]
"""Called with the observations, masks of legal actions and players of `n` positions; returns the
logits of all actions, (n, actions), and the values: (n,), for the player, or (n, roles)."""


@dataclass(frozen=True)
class BatchResult:
    """What the searches found at their roots."""

    visits: npt.NDArray[np.uint32]
    """How often each action was tried, (n, actions)."""
    values: npt.NDArray[np.float32]
    """Its mean value for the player, (n, actions); 0 for actions that were not tried."""

    def policy(self, temperature: float = 1.0) -> npt.NDArray[np.float64]:
        """The share of visits of each action, (n, actions), raised to the power of 1 /
        temperature; at 0 the most visited action gets all of it. All zeros where nothing was
        tried because the game was over."""
        visits = self.visits.astype(np.float64)
        if temperature == 0.0:
            best = np.zeros_like(visits)
            best[np.arange(len(visits)), visits.argmax(axis=1)] = visits.max(axis=1) > 0
            return best
        most = visits.max(axis=1, keepdims=True)
        weights = (visits / np.maximum(most, 1.0)) ** (1.0 / temperature)
        policy: npt.NDArray[np.float64] = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
        return policy

    def sample(self, rng: np.random.Generator, temperature: float = 1.0) -> npt.NDArray[np.int32]:
        """Actions drawn from the policy; 0 where the game was over."""
        summed = self.policy(temperature).cumsum(axis=1)
        drawn = rng.random((len(summed), 1)) * summed[:, -1:]
        actions = (summed <= drawn).sum(axis=1).clip(max=summed.shape[1] - 1)
        return np.where(summed[:, -1] > 0, actions, 0).astype(np.int32)


class BatchSearch:
    """PUCT searches of `n` games side by side, which call an evaluator with one position of
    each game at a time.

    For games in which one role at a time can choose. Values are rewards that sum to zero, from
    -1 to 1, and in games of one role goals from 0 to 1.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        *,
        num_envs: int,
        observation: Literal["planes", "fluents"] = "planes",
        c_puct: float = 1.25,
        noise: float = 0.0,
        noise_alpha: float | None = None,
        seed: int = 0,
    ) -> None:
        """Makes searches.

        Args:
            game: The game.
            evaluator: Says which actions are promising, and what positions are worth.
            num_envs: The number of games, and so of positions in each call.
            observation: What the evaluator observes.
            c_puct: The weight of exploration.
            noise: The share of Dirichlet noise in the root priors; 0.25 in AlphaZero.
            noise_alpha: Its concentration; by default 10 divided by the number of actions.
            seed: The seed of the noise.
        """
        self.game = game
        self.evaluator = evaluator
        self.num_envs = num_envs
        self._actions = max(game.num_actions)
        self._roles = len(game.roles)
        self._shape = planes(game).shape if observation == "planes" else (len(game.fluent_names()),)
        self._search = _gdl.BatchSearch(game, num_envs, observation, c_puct, noise, noise_alpha, seed)

    def run(self, states: npt.NDArray[np.uint64] | Sequence[State], sims: int) -> BatchResult:
        """Searches states from scratch, with `sims` simulations each; calls the evaluator
        `sims + 1` times.

        Args:
            states: One state of every game, or their words as `VectorEnv.states` gives them.
            sims: The number of simulations.
        """
        words = states if isinstance(states, np.ndarray) else np.stack([state.words for state in states])
        self._search.begin(np.ascontiguousarray(words, np.uint64))
        self._search.expand(*self._evaluate())
        for _ in range(sims):
            self._search.descend()
            self._search.expand(*self._evaluate())
        visits = np.empty((self.num_envs, self._actions), np.uint32)
        found = np.empty((self.num_envs, self._actions), np.float32)
        self._search.results(visits, found)
        return BatchResult(visits, found)

    def _evaluate(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        seen, mask, player, _ = self._search.leaves()
        n = self.num_envs
        observations = seen.reshape(n, *self._shape)
        logits, values = self.evaluator(observations, mask.view(np.bool_).reshape(n, -1), player)
        value = np.asarray(values, np.float32)
        if value.ndim == 1 and self._roles > 1:
            others = -value[:, None] / (self._roles - 1)
            value = np.where(np.arange(self._roles) == player[:, None], value[:, None], others)
        priors = np.ascontiguousarray(logits, np.float32).reshape(n, self._actions)
        return priors, np.ascontiguousarray(value, np.float32).reshape(n, self._roles)
