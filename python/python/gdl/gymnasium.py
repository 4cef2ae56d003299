"""Games as environments of Gymnasium, for one role; the others are played by a policy.

Needs the extra `gymnasium`.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from gdl._gdl import Game, State
from gdl.opponents import Opponents, Policy, joint_action, play_until, policy_of
from gdl.options import check_option
from gdl.planes import planes
from gdl.sampling import sample
from gdl.vector import make_vec as make_games

Observation: TypeAlias = npt.NDArray[np.uint8]


def observation_space(game: Game, observation: str) -> gymnasium.Space[Observation]:
    """The space of observations: `planes` or `fluents`."""
    check_option("observation", observation, "planes", "fluents")
    shape = planes(game).shape if observation == "planes" else (len(game.fluent_names()),)
    space: gymnasium.Space[Any] = gymnasium.spaces.Box(0, 1, shape, np.uint8)
    return space


def observe(state: State, observation: str) -> Observation:
    """The observation of a state."""
    return state.planes() if observation == "planes" else state.fluents()


def check_render_mode(mode: str | None) -> None:
    """Refuses a mode of rendering that there is not."""
    check_option("render_mode", mode, None, "ansi", "svg")


def rendered(state: State, mode: str | None) -> str | None:
    """A state as text (`ansi`) or as SVG."""
    if mode is None:
        return None
    return state.svg() if mode == "svg" else state.text()


def action_mask(state: State, role: int) -> npt.NDArray[np.int8]:
    """The legal actions of a role as 1; none once the game is over."""
    mask = np.zeros(state.game.num_actions[role], np.int8)
    if not state.is_terminal:
        mask[state.legal_actions(role)] = 1
    return mask


class GdlEnv(gymnasium.Env[Observation, np.int64]):
    """One role of a game. Created by `make`.

    Observations are planes or fluents. `info["action_mask"]` has the legal actions, as
    `Discrete.sample` takes them, and `info["state"]` the `gdl.State`. The reward is the goal of
    the role, from 0 to 1, when the game ends, else 0. An illegal action loses the game: it ends
    with a reward of 0 and `info["illegal_action"]`.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "svg"], "render_fps": 2}  # type: ignore[misc]

    def __init__(
        self,
        game: Game,
        role: int,
        observation: str,
        opponents: Opponents,
        max_steps: int | None,
        render_mode: str | None,
    ) -> None:
        check_render_mode(render_mode)
        self.game = game
        self.role = role
        self.render_mode = render_mode
        self.observation_space: gymnasium.Space[Observation] = observation_space(game, observation)
        self.action_space = gymnasium.spaces.Discrete(game.num_actions[role])
        self._observation = observation
        self._policy: Policy = policy_of(opponents)
        self._max_steps = max_steps
        self._steps = 0
        self._state = game.initial()

    @property
    def state(self) -> State:
        """The state of the game; it can be set."""
        return self._state

    @state.setter
    def state(self, state: State) -> None:
        self._state = state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a game and plays until it is the role's turn."""
        super().reset(seed=seed)
        self._steps = 0
        self._state = play_until(self.game.initial(), self.role, self._policy, self.np_random)
        return observe(self._state, self._observation), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Takes an action, and plays until it is the role's turn again."""
        state = self._state
        if state.is_terminal:
            raise gymnasium.error.ResetNeeded("the game is over: reset the environment")
        if int(action) not in state.legal_actions(self.role):
            info = self._info() | {"illegal_action": True}
            return observe(state, self._observation), 0.0, True, False, info
        joint = joint_action(state, self.role, int(action), self._policy, self.np_random)
        state = play_until(state.next(joint), self.role, self._policy, self.np_random)
        self._state = state
        self._steps += 1
        reward = state.returns[self.role] if state.is_terminal else 0.0
        cut = not state.is_terminal and self._max_steps is not None and self._steps >= self._max_steps
        return observe(state, self._observation), reward, state.is_terminal, cut, self._info()

    def render(self) -> str | None:
        """The state, as text (`ansi`) or as SVG."""
        return rendered(self._state, self.render_mode)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": action_mask(self._state, self.role), "state": self._state}


class GdlVectorEnv(gymnasium.vector.VectorEnv[Observation, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many games, in each of which one role is controlled; the other roles play uniformly at
    random. Created by `make_vec`.

    `infos["action_mask"]` has the legal actions of the role, of shape (n, actions); in the last
    states of games all are allowed. With `same_step`, `infos["final_obs"]` has the final
    observations of the games in `infos["_final_obs"]`.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        role: int,
        observation: Literal["planes", "fluents"],
        autoreset: Literal["next_step", "same_step", "disabled"],
        max_steps: int | None,
    ) -> None:
        self._games = make_games(
            game, num_envs, observation=observation, autoreset="disabled", one_action=None
        )
        if not self._games.one_action:
            raise ValueError("games in which several roles can choose at a time have no vector environment of one role: use gdl.make_vec")
        self.game = game
        self.role = role
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode[autoreset.upper()], "render_modes": []}
        self.single_observation_space = observation_space(game, observation)
        self.single_action_space = gymnasium.spaces.Discrete(game.num_actions[role])
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)
        self._autoreset = autoreset
        self._max_steps = max_steps
        self._steps = np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, np.bool_)
        self._out = self._games.buffers()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins games: those of `options["reset_mask"]`, or all."""
        super().reset(seed=seed)
        chosen = (options or {}).get("reset_mask")
        self._begin(np.ones(self.num_envs, np.bool_) if chosen is None else np.asarray(chosen, np.bool_))
        return self._out.observation.copy(), self._info()

    def step(
        self, actions: npt.NDArray[np.int64] | npt.NDArray[np.int32]
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Takes an action in every game, and plays until it is the role's turn again."""
        again = self._over & (self._autoreset == "next_step")
        idle = self._over
        chosen = np.where(idle, -1, np.asarray(actions, np.int32)).astype(np.int32)
        self._games.step(chosen, out=self._out)
        rewards = self._out.rewards[:, self.role].astype(np.float64)
        self._steps += ~idle
        self._others_play(rewards)
        if again.any():
            self._begin(again)
        terminated = self._out.terminated.astype(np.bool_)
        limit = self._max_steps
        truncated = ~terminated & (limit is not None and self._steps >= (limit or 0))
        self._over = terminated | truncated
        infos: dict[str, Any] = {}
        if self._autoreset == "same_step" and self._over.any():
            over = self._over
            infos["final_obs"] = self._out.observation.copy()
            infos["final_info"] = self._info()
            infos["_final_obs"] = infos["_final_info"] = over
            self._begin(over)
        return self._out.observation.copy(), rewards, terminated, truncated, infos | self._info()

    def _begin(self, chosen: npt.NDArray[np.bool_]) -> None:
        self._games.reset(reset_mask=chosen, out=self._out)
        self._steps[chosen] = 0
        self._over = self._over & ~chosen
        self._others_play(np.zeros(self.num_envs))

    def _others_play(self, rewards: npt.NDArray[np.float64]) -> None:
        """Plays in the games in which it is another role's turn; adds the rewards."""
        while True:
            waiting = (self._out.player != self.role) & (self._out.terminated == 0)
            if not waiting.any():
                return
            seed = int(self.np_random.integers(1 << 62))
            actions = sample(self._out.mask, seed)
            self._games.step(np.where(waiting, actions, -1).astype(np.int32), out=self._out)
            rewards += self._out.rewards[:, self.role]

    def _info(self) -> dict[str, Any]:
        mask = self._out.mask[:, : self.game.num_actions[self.role]].astype(np.int8)
        present = np.ones(self.num_envs, np.bool_)
        return {"action_mask": mask, "_action_mask": present}


def make(
    game: Game,
    *,
    role: int = 0,
    observation: Literal["planes", "fluents"] = "fluents",
    opponents: Opponents = "random",
    max_steps: int | None = None,
    render_mode: Literal["ansi", "svg"] | None = None,
) -> GdlEnv:
    """A game as an environment of one role.

    Args:
        game: The game.
        role: The role that is learning.
        observation: `fluents`, or `planes` (see `gdl.planes`).
        opponents: Who plays the other roles.
        max_steps: The number of steps after which the game is cut off (truncated).
        render_mode: What `render` gives: text or SVG.
    """
    return GdlEnv(game, role, observation, opponents, max_steps, render_mode)


def make_vec(
    game: Game,
    num_envs: int,
    *,
    role: int = 0,
    observation: Literal["planes", "fluents"] = "fluents",
    autoreset: Literal["next_step", "same_step", "disabled"] = "next_step",
    max_steps: int | None = None,
) -> GdlVectorEnv:
    """Games as a vector environment of one role, the others playing uniformly at random.

    For self-play, where every role learns, use `gdl.make_vec`.
    """
    return GdlVectorEnv(game, num_envs, role, observation, autoreset, max_steps)
