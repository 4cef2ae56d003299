"""Many games at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gdl import _gdl
from gdl._gdl import Game, State
from gdl.planes import planes
from gdl.rewards import is_zero_sum

Bytes: TypeAlias = npt.NDArray[np.uint8]
Bools: TypeAlias = npt.NDArray[np.bool_]
Floats: TypeAlias = npt.NDArray[np.float32]
Observations: TypeAlias = npt.NDArray[np.uint8]
Info: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Buffers:
    """The arrays into which a step writes; `VectorEnv.buffers` makes them, and a caller that
    passes them as `out` gets the same arrays again."""

    observation: Bytes
    mask: Bytes
    player: npt.NDArray[np.int8]
    rewards: Floats
    terminated: Bytes
    truncated: Bytes
    final_observation: Bytes | None
    final_state: npt.NDArray[np.uint64] | None


class VectorEnv:
    """Games of one rule sheet side by side. Created by `make_vec`.

    `n` stands for the number of games, `roles` for that of roles, `A` for the number of actions
    of the role that has the most. Observations have the shape (n, channels, height, width) or (n,
    fluents), masks (n, A), actions (n,), rewards (n, roles). Where several roles can choose at a
    time, masks are (n, roles, A) and actions (n, roles). Packed observations and masks have one
    last axis of bytes, eight bits each, the lowest first
    (`numpy.unpackbits(..., bitorder="little")`).
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        *,
        observation: Literal["planes", "fluents", "none"],
        packed: bool,
        one_action: bool | None,
        rewards: Literal["unit", "zero_sum"],
        autoreset: Literal["next_step", "same_step", "disabled"],
        max_steps: int | None,
        seed: int,
    ) -> None:
        zero_sum = is_zero_sum(game, rewards)
        self.game = game
        """The game."""
        self.num_envs = num_envs
        """The number of games."""
        self.autoreset = autoreset
        """What is done with games that end."""
        self.packed = packed
        """Whether observations and masks are packed."""
        self.observation = observation
        """What is observed."""
        self._env = _gdl.VectorEnvironment(
            game, num_envs, observation, packed, one_action, zero_sum, autoreset, max_steps
        )
        self.one_action = self._env.slots == 1
        """Whether a game takes one action per step: that of its current player."""
        bits, self.num_actions = self._env.bits
        self._planes = planes(game) if observation == "planes" else None
        shape = self._planes.shape if self._planes else (bits,)
        self.single_observation_shape: tuple[int, ...] = ((bits + 7) // 8,) if packed else shape
        """The shape of the observation of one game."""
        width = (self.num_actions + 7) // 8 if packed else self.num_actions
        self.single_mask_shape: tuple[int, ...] = (width,) if self.one_action else (self._env.slots, width)
        """The shape of the mask of one game."""
        self._rng = np.random.default_rng(seed)

    def buffers(self) -> Buffers:
        """New arrays for `out`."""
        n = self.num_envs
        same_step = self.autoreset == "same_step"
        return Buffers(
            observation=np.empty((n, *self.single_observation_shape), np.uint8),
            mask=np.empty((n, *self.single_mask_shape), np.uint8),
            player=np.empty(n, np.int8),
            rewards=np.empty((n, len(self.game.roles)), np.float32),
            terminated=np.empty(n, np.uint8),
            truncated=np.empty(n, np.uint8),
            final_observation=np.zeros((n, *self.single_observation_shape), np.uint8) if same_step else None,
            final_state=np.zeros((n, self.game.state_words), np.uint64) if same_step else None,
        )

    def reset(
        self,
        *,
        seed: int | None = None,
        reset_mask: Bools | None = None,
        out: Buffers | None = None,
    ) -> tuple[Observations, Info]:
        """Begins new games, in all environments or where `reset_mask` says so.

        The games are deterministic; the seed is that of `sample_actions`.
        """
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        buffers = self.buffers() if out is None else out
        chosen = None if reset_mask is None else np.ascontiguousarray(reset_mask, np.uint8)
        self._env.reset(chosen, buffers)
        return buffers.observation, self._info(buffers)

    def step(
        self, actions: npt.ArrayLike, *, out: Buffers | None = None
    ) -> tuple[Observations, Floats, Bools, Bools, Info]:
        """Takes a step in every game: observations, rewards, terminated, truncated, info.

        An action of -1 leaves its game as it is. Games that are over take no action, whatever is
        given for them: `autoreset` says what happens to them. `info` has `action_mask`, which
        allows all actions in the last states of games, and `current_player`. With `same_step`,
        `final_obs` and `final_state` have the final observation and state where a game ended
        in this step; elsewhere their entries mean nothing.

        Raises:
            GdlError: If an action is not legal; then no game has changed.
        """
        buffers = self.buffers() if out is None else out
        self._env.step(np.ascontiguousarray(actions, np.int32), buffers)
        return (
            buffers.observation,
            buffers.rewards,
            buffers.terminated.view(np.bool_),
            buffers.truncated.view(np.bool_),
            self._info(buffers),
        )

    def _info(self, buffers: Buffers) -> Info:
        mask = buffers.mask if self.packed else buffers.mask.view(np.bool_)
        info: Info = {"action_mask": mask, "current_player": buffers.player}
        if buffers.final_observation is not None:
            info["final_obs"] = buffers.final_observation
            info["final_state"] = buffers.final_state
        return info

    def sample_actions(self, info: Info, *, out: npt.NDArray[np.int32] | None = None) -> npt.NDArray[np.int32]:
        """Uniformly random legal actions, given the `info` of the last step."""
        seed = int(self._rng.integers(1 << 63))
        mask: Bytes = info["action_mask"]
        rows = mask if self.packed else mask.view(np.uint8)
        actions = np.empty(rows.shape[:-1], np.int32) if out is None else out
        _gdl.sample(rows, self.num_actions if self.packed else None, seed, actions)
        return actions

    def states(self, out: npt.NDArray[np.uint64] | None = None) -> npt.NDArray[np.uint64]:
        """The states of all games, an array of shape (n, words): fluent `i` is bit `i % 64` of
        word `i // 64`. They can be kept, compared, given to `set_states` and `random_rollout`."""
        states = np.empty((self.num_envs, self.game.state_words), np.uint64) if out is None else out
        self._env.states(states)
        return states

    def state(self, index: int) -> State:
        """The state of one game."""
        return self.game.state_of_words(self.states()[index].tolist())

    def set_states(
        self,
        states: npt.NDArray[np.uint64],
        envs: npt.ArrayLike | None = None,
        *,
        out: Buffers | None = None,
    ) -> tuple[Observations, Info]:
        """Puts states into the games `envs`, or into all; their steps count from 0. Returns
        what is then observed in all games."""
        buffers = self.buffers() if out is None else out
        chosen = np.arange(self.num_envs) if envs is None else np.asarray(envs)
        if chosen.dtype == np.bool_:
            raise ValueError("envs are the numbers of games, not a mask")
        self._env.set_states(
            np.ascontiguousarray(chosen, np.uint32), np.ascontiguousarray(states, np.uint64), buffers
        )
        return buffers.observation, self._info(buffers)

    def render(self, index: int = 0) -> str:
        """The state of one game as SVG."""
        return self.state(index).svg()


def make_vec(
    game: Game,
    num_envs: int,
    *,
    seed: int = 0,
    observation: Literal["planes", "fluents", "none"] = "fluents",
    packed: bool = False,
    one_action: bool | None = None,
    rewards: Literal["unit", "zero_sum"] = "unit",
    autoreset: Literal["next_step", "same_step", "disabled"] = "next_step",
    max_steps: int | None = None,
) -> VectorEnv:
    """Makes a vector environment.

    Args:
        game: The game.
        num_envs: The number of games; any number, ideally a multiple of 512.
        seed: The seed of `VectorEnv.sample_actions`.
        observation: `planes` (what is on the boards that were inferred from the rules; see
            `gdl.planes`), `fluents`, or `none`.
        packed: Whether observations and masks are packed bits instead of bytes.
        one_action: Whether each game takes one action per step, that of its current player, or
            one of every role. By default one where the rules let one role choose at a time.
        rewards: `unit`, goals divided by 100; or `zero_sum`, by how much a role's goal exceeds
            the mean of the others' (divided by 100). They are given when a game ends.
        autoreset: What is done with games that ended or were cut off, as Gymnasium defines it.
        max_steps: The number of steps after which a game is cut off (truncated).

    Raises:
        GdlError: If the options do not fit the game.
    """
    return VectorEnv(
        game,
        num_envs,
        observation=observation,
        packed=packed,
        one_action=one_action,
        rewards=rewards,
        autoreset=autoreset,
        max_steps=max_steps,
        seed=seed,
    )
