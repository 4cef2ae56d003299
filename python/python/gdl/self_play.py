"""Self-play games, for learners in the style of AlphaZero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from gdl._gdl import Game
from gdl.batch import BatchSearch, Evaluator
from gdl.vector import make_vec


@dataclass(frozen=True)
class Samples:
    """Positions of games that have ended, and what is to be learned about them."""

    observations: npt.NDArray[np.uint8]
    """What the player to move saw, (n, ...)."""
    policies: npt.NDArray[np.float32]
    """The share of visits of each action, (n, actions)."""
    values: npt.NDArray[np.float32]
    """The result for that player, (n,): from -1 to 1 or, in games of one role, from 0 to 1."""
    games: int
    """The number of games that ended."""

    def __len__(self) -> int:
        return len(self.values)

    @staticmethod
    def joined(parts: Sequence[Samples]) -> Samples:
        """All samples of at least one part."""
        return Samples(
            np.concatenate([part.observations for part in parts]),
            np.concatenate([part.policies for part in parts]),
            np.concatenate([part.values for part in parts]),
            sum(part.games for part in parts),
        )


class _Position(NamedTuple):
    """A position of a game in play."""

    observation: npt.NDArray[np.uint8]
    policy: npt.NDArray[np.float64]
    player: int


class SelfPlay:
    """Games played by searches against themselves, side by side, which continue from step to
    step. For games in which one role at a time can choose."""

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        *,
        num_envs: int,
        sims: int,
        observation: Literal["planes", "fluents"] = "planes",
        c_puct: float = 1.5,
        noise: float = 0.25,
        drawn: int = 12,
        seed: int = 0,
    ) -> None:
        """Begins the games.

        Args:
            game: The game.
            evaluator: Guides the searches, as in `BatchSearch`.
            num_envs: The number of games.
            sims: The number of simulations of a move.
            observation: What the evaluator observes.
            c_puct: The weight of exploration.
            noise: The share of Dirichlet noise in the priors of roots.
            drawn: The number of moves of each game that are sampled by their visits; after
                that, the most visited moves are made.
            seed: The seed of everything random.
        """
        rewards: Literal["unit", "zero_sum"] = "zero_sum" if len(game.roles) > 1 else "unit"
        self._env = make_vec(game, num_envs, observation=observation, rewards=rewards, seed=seed)
        self._search = BatchSearch(
            game, evaluator, num_envs=num_envs, observation=observation, c_puct=c_puct, noise=noise, seed=seed
        )
        self._sims = sims
        self._drawn = drawn
        self._rng = np.random.default_rng(seed)
        self._observations, self._info = self._env.reset()
        self._over = np.zeros(num_envs, np.bool_)
        self._games: list[list[_Position]] = [[] for _ in range(num_envs)]
        self._moves = np.zeros(num_envs, np.int64)

    def step(self) -> Samples:
        """Makes a move in every game; returns the positions of the games that have ended."""
        result = self._search.run(self._env.states(), self._sims)
        policies = result.policy()
        drawn, best = result.sample(self._rng), result.policy(0.0).argmax(axis=1)
        actions = np.where(self._moves < self._drawn, drawn, best).astype(np.int32)
        players = self._info["current_player"]
        for index in np.flatnonzero(~self._over):
            position = _Position(self._observations[index], policies[index], int(players[index]))
            self._games[index].append(position)
        self._moves = np.where(self._over, 0, self._moves + 1)
        self._observations, rewards, self._over, _, self._info = self._env.step(actions)
        return self._ended(rewards)

    def _ended(self, rewards: npt.NDArray[np.float32]) -> Samples:
        """Removes the positions of games that are over, and returns them as samples."""
        over = np.flatnonzero(self._over)
        ended = [(index, position) for index in over for position in self._games[index]]
        for index in over:
            self._games[index] = []
        shape = (len(ended), *self._observations.shape[1:])
        observations = np.array([position.observation for _, position in ended], np.uint8)
        policies = np.array([position.policy for _, position in ended], np.float32)
        values = np.array([rewards[index, position.player] for index, position in ended], np.float32)
        actions = self._env.num_actions
        return Samples(observations.reshape(shape), policies.reshape(-1, actions), values, len(over))
