"""Games as environments of PettingZoo: an agent for each role.

Needs the extra `pettingzoo`.
"""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
from pettingzoo import AECEnv, ParallelEnv

from gdl._gdl import Game, State
from gdl.gymnasium import action_mask, check_render_mode, observation_space, observe, rendered
from gdl.rewards import is_zero_sum, zero_sum


def _spaces(game: Game, observation: str) -> tuple[dict[str, gymnasium.Space[Any]], dict[str, gymnasium.Space[Any]]]:
    """The observation and the action space of every agent."""
    observed = observation_space(game, observation)
    observations: dict[str, gymnasium.Space[Any]] = {}
    actions: dict[str, gymnasium.Space[Any]] = {}
    for role, count in zip(game.roles, game.num_actions, strict=True):
        mask = gymnasium.spaces.Box(0, 1, (count,), np.int8)
        observations[role] = gymnasium.spaces.Dict({"observation": observed, "action_mask": mask})
        actions[role] = gymnasium.spaces.Discrete(count)
    return observations, actions


def _rewards(state: State, sum_to_zero: bool) -> dict[str, float]:
    """The reward of every agent at the end of a game."""
    returns = zero_sum(state.returns) if sum_to_zero else state.returns
    return dict(zip(state.game.roles, returns, strict=True))


def _rewards_of_illegal(game: Game, offenders: list[str], sum_to_zero: bool) -> dict[str, float]:
    """The reward of every agent if some lose because of an illegal action."""
    others = len(game.roles) - len(offenders)
    loss = -1.0 if sum_to_zero and others > 0 else 0.0
    gain = -loss * len(offenders) / max(others, 1)
    return {role: loss if role in offenders else gain for role in game.roles}


class GdlAECEnv(AECEnv):  # type: ignore[misc]
    """Agents act one after another. Created by `env`.

    Where several roles choose at once, they are asked in order, and none sees what
    the others choose. An illegal action ends the game: its agent loses, and its info says
    `illegal_action`.
    """

    def __init__(
        self, game: Game, observation: str, sum_to_zero: bool, max_steps: int | None, render_mode: str | None
    ) -> None:
        super().__init__()
        self.game = game
        self.metadata: dict[str, Any] = {
            "name": game.name,
            "render_modes": ["ansi", "svg"],
            "is_parallelizable": False,
        }
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.possible_agents = list(game.roles)
        self.observation_spaces, self.action_spaces = _spaces(game, observation)
        self._observation = observation
        self._sum_to_zero = sum_to_zero
        self._max_steps = max_steps

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """What an agent observes: `observation` and `action_mask`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """The actions of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game. Games are deterministic, so the seed has no effect."""
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._state = self.game.initial()
        self._chosen: list[int] = []
        self._steps = 0
        self.agent_selection = self._next_agent()

    def _next_agent(self) -> str:
        """Whose turn it is; where several roles choose, the first that has not chosen."""
        player = self._state.current_player
        return self.possible_agents[len(self._chosen) if player < 0 else player]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent observes now. Its mask allows actions only while it is asked for one."""
        role = self.possible_agents.index(agent)
        mask = action_mask(self._state, role)
        is_asked = agent == self.agent_selection
        return {
            "observation": observe(self._state, self._observation),
            "action_mask": mask if is_asked else np.zeros_like(mask),
        }

    def step(self, action: int | None) -> None:
        """Takes an action of the agent that is asked."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        own = int(action if action is not None else -1)
        if own not in self._state.legal_actions(self.possible_agents.index(agent)):
            self.rewards = _rewards_of_illegal(self.game, [agent], self._sum_to_zero)
            self.infos[agent]["illegal_action"] = True
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
            return
        self._chosen.append(own)
        if self._state.current_player >= 0 or len(self._chosen) == len(self.possible_agents):
            self._move()
        self.agent_selection = self._next_agent()
        self._accumulate_rewards()

    def _move(self) -> None:
        self._state = self._state.next(self._chosen)
        self._chosen = []
        self._steps += 1
        if self._state.is_terminal:
            self.rewards = _rewards(self._state, self._sum_to_zero)
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._max_steps is not None and self._steps >= self._max_steps:
            self.truncations = dict.fromkeys(self.agents, True)

    @property
    def game_state(self) -> State:
        """The state of the game."""
        return self._state

    def render(self) -> str | None:
        """The state, as text (`ansi`) or as SVG."""
        return rendered(self._state, self.render_mode)

    def close(self) -> None:
        """Nothing to close."""


class GdlParallelEnv(ParallelEnv):  # type: ignore[misc]
    """All agents act in every step; those that cannot choose have one legal action.
    `parallel_env` makes it.

    An illegal action ends the game: its agent loses, and its info says `illegal_action`.
    """

    def __init__(
        self, game: Game, observation: str, sum_to_zero: bool, max_steps: int | None, render_mode: str | None
    ) -> None:
        self.game = game
        self.metadata: dict[str, Any] = {"name": game.name, "render_modes": ["ansi", "svg"]}
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.possible_agents = list(game.roles)
        self.agents: list[str] = []
        self.observation_spaces, self.action_spaces = _spaces(game, observation)
        self._observation = observation
        self._sum_to_zero = sum_to_zero
        self._max_steps = max_steps

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """What an agent observes: `observation` and `action_mask`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """The actions of an agent."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begins a game. Games are deterministic, so the seed has no effect."""
        self.agents = list(self.possible_agents)
        self._state = self.game.initial()
        self._steps = 0
        return self._observations(), {agent: {} for agent in self.agents}

    def _observations(self) -> dict[str, Any]:
        observed = observe(self._state, self._observation)
        return {
            agent: {"observation": observed.copy(), "action_mask": action_mask(self._state, role)}
            for role, agent in enumerate(self.possible_agents)
        }

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Takes an action of every agent."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        agents = self.agents
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        joint = [int(actions[agent]) for agent in agents]
        legal = [self._state.legal_actions(role) for role in range(len(agents))]
        offenders = [agents[role] for role, action in enumerate(joint) if action not in legal[role]]
        ended, cut = bool(offenders), False
        if offenders:
            rewards = _rewards_of_illegal(self.game, offenders, self._sum_to_zero)
            for agent in offenders:
                infos[agent]["illegal_action"] = True
        else:
            self._state = self._state.next(joint)
            self._steps += 1
            ended = self._state.is_terminal
            cut = not ended and self._max_steps is not None and self._steps >= self._max_steps
            rewards = _rewards(self._state, self._sum_to_zero) if ended else dict.fromkeys(agents, 0.0)
        if ended or cut:
            self.agents = []
        terminated, truncated = dict.fromkeys(agents, ended), dict.fromkeys(agents, cut)
        return self._observations(), rewards, terminated, truncated, infos

    @property
    def game_state(self) -> State:
        """The state of the game."""
        return self._state

    def render(self) -> str | None:
        """The state, as text (`ansi`) or as SVG."""
        return rendered(self._state, self.render_mode)

    def close(self) -> None:
        """Nothing to close."""


def env(
    game: Game,
    *,
    observation: Literal["planes", "fluents"] = "fluents",
    rewards: Literal["unit", "zero_sum"] = "zero_sum",
    max_steps: int | None = None,
    render_mode: Literal["ansi", "svg"] | None = None,
) -> GdlAECEnv:
    """A game as an environment in which agents act one after another (AEC)."""
    return GdlAECEnv(game, observation, is_zero_sum(game, rewards), max_steps, render_mode)


def parallel_env(
    game: Game,
    *,
    observation: Literal["planes", "fluents"] = "fluents",
    rewards: Literal["unit", "zero_sum"] = "zero_sum",
    max_steps: int | None = None,
    render_mode: Literal["ansi", "svg"] | None = None,
) -> GdlParallelEnv:
    """A game as an environment in which all agents act in every step."""
    return GdlParallelEnv(game, observation, is_zero_sum(game, rewards), max_steps, render_mode)
