"""Games as games of OpenSpiel, registered with it, so that its algorithms run on any rule sheet.

Needs the extra `openspiel`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from gdl._gdl import Game, State
from gdl.options import check_option
from gdl.planes import planes
from gdl.rewards import is_zero_sum, zero_sum

_registered: dict[tuple[str, str, str, str, int], str] = {}


class GdlState(pyspiel.State):  # type: ignore[misc]
    """A state of a game."""

    def __init__(self, game: GdlGame) -> None:
        super().__init__(game)
        self._rules = game.definition
        self.gdl_state: State = self._rules.game.initial()
        """The underlying `gdl` state."""
        self._steps = 0

    def current_player(self) -> int:
        """The player to move."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if not self._rules.game.is_turn_based:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return self.gdl_state.current_player

    def _legal_actions(self, player: int) -> list[int]:
        """The legal actions, ascending."""
        return [] if self.is_terminal() else self.gdl_state.legal_actions(player)

    def _apply_action(self, action: int) -> None:
        """Takes an action of the player whose turn it is."""
        self._move([action])

    def _apply_actions(self, actions: Sequence[int]) -> None:
        """Takes an action of every player."""
        self._move(actions)

    def _move(self, actions: Sequence[int]) -> None:
        self.gdl_state = self.gdl_state.next([int(action) for action in actions])
        self._steps += 1

    def _action_to_string(self, player: int, action: int) -> str:
        """An action as KIF."""
        return self._rules.game.action_name(player, action)

    def is_terminal(self) -> bool:
        """Whether the game is over, or was cut off."""
        return self.gdl_state.is_terminal or self._steps >= self._rules.max_steps

    def returns(self) -> list[float]:
        """The utility of each player: 0 until the game is over, and if it was cut off."""
        returns = self.gdl_state.returns
        if not self.gdl_state.is_terminal:
            return [0.0] * len(returns)
        return zero_sum(returns) if self._rules.zero_sum else returns

    def __str__(self) -> str:
        """The facts: the same text means the same state."""
        return " ".join(self.gdl_state.facts)


class GdlObserver:
    """Observes states: `observation` has planes or fluents."""

    def __init__(self, game: Game, observation: str) -> None:
        self._observation = observation
        shape = planes(game).shape if observation == "planes" else (len(game.fluent_names()),)
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: GdlState, player: int) -> None:
        """Observes a state: all players see all of it."""
        del player
        seen = state.gdl_state.planes() if self._observation == "planes" else state.gdl_state.fluents()
        self.dict["observation"][:] = seen

    def string_from(self, state: GdlState, player: int) -> str:
        """The facts."""
        del player
        return str(state)


class Definition:
    """What a registered game is made of."""

    def __init__(self, game: Game, observation: str, zero_sum: bool, max_steps: int) -> None:
        self.game = game
        self.observation = observation
        self.zero_sum = zero_sum
        self.max_steps = max_steps

    def game_type(self, short_name: str) -> pyspiel.GameType:
        """The type with which it is registered."""
        roles = len(self.game.roles)
        dynamics = pyspiel.GameType.Dynamics
        utility = pyspiel.GameType.Utility
        return pyspiel.GameType(
            short_name=short_name,
            long_name=f"GDL {self.game.name}",
            dynamics=dynamics.SEQUENTIAL if self.game.is_turn_based else dynamics.SIMULTANEOUS,
            chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
            information=pyspiel.GameType.Information.PERFECT_INFORMATION,
            utility=utility.ZERO_SUM if self.zero_sum else utility.GENERAL_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=roles,
            min_num_players=roles,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={},
        )

    def game_info(self) -> pyspiel.GameInfo:
        """The bounds of the game."""
        info: dict[str, Any] = {"utility_sum": 0.0} if self.zero_sum else {}
        return pyspiel.GameInfo(
            num_distinct_actions=max(self.game.num_actions),
            max_chance_outcomes=0,
            num_players=len(self.game.roles),
            min_utility=-1.0 if self.zero_sum else 0.0,
            max_utility=1.0,
            max_game_length=self.max_steps,
            **info,
        )


class GdlGame(pyspiel.Game):  # type: ignore[misc]
    """A game. Created by `load`."""

    definition: Definition
    """What it is made of."""
    game_type: pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__(self.game_type, self.definition.game_info(), params or {})

    def new_initial_state(self, state: Any = None) -> GdlState:
        """The initial state."""
        if state is not None:
            raise ValueError("states of this game are not made from structs")
        return GdlState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Any:
        """Makes an observer of states."""
        if params:
            raise ValueError(f"there are no parameters of observation, but {params} were given")
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return GdlObserver(self.definition.game, self.definition.observation)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


def load(
    game: Game,
    *,
    observation: Literal["planes", "fluents"] = "fluents",
    rewards: Literal["unit", "zero_sum"] | None = None,
    max_steps: int = 1000,
) -> pyspiel.Game:
    """Registers a game with OpenSpiel and loads it, as a sequential or a simultaneous one.

    Args:
        game: The game.
        observation: What the observation tensor holds.
        rewards: `zero_sum`, by how much a goal exceeds the mean of the others', from -1 to 1
            (the default, except for games of one role); or `unit`, goals from 0 to 1.
        max_steps: The greatest length of a game: longer ones end there with utilities of 0.

    Returns:
        The game; `pyspiel.load_game` knows it by its `get_type().short_name` from now on.
    """
    check_option("observation", observation, "planes", "fluents")
    sums_to_zero = is_zero_sum(game, rewards)
    if sums_to_zero and len(game.roles) < 2:
        raise ValueError("zero-sum rewards need at least two roles")
    key = (game.name, game.rules, observation, str(sums_to_zero), max_steps)
    if key not in _registered:
        definition = Definition(game, observation, sums_to_zero, max_steps)
        short_name = _free_name(game.name)
        game_type = definition.game_type(short_name)
        made = type("GdlGame", (GdlGame,), {"definition": definition, "game_type": game_type})
        pyspiel.register_game(game_type, made)
        _registered[key] = short_name
    return pyspiel.load_game(_registered[key])


def _free_name(name: str) -> str:
    """A name that no other game has."""
    stem = "gdl_" + re.sub(r"\W", "_", name.lower())
    taken = set(pyspiel.registered_names())
    number = 1
    while (found := stem if number == 1 else f"{stem}_{number}") in taken:
        number += 1
    return found
