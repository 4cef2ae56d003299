"""Who plays the roles that are not learning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np

from gdl._gdl import State
from gdl.options import check_option

Policy: TypeAlias = Callable[[State, int, np.random.Generator], int]
"""Returns an action of a role in a state; random numbers must come from the generator."""

Opponents: TypeAlias = Policy | Literal["random"]
"""A policy for all other roles, or uniformly random legal actions."""


def random_policy(state: State, role: int, rng: np.random.Generator) -> int:
    """A uniformly random legal action."""
    legal = state.legal_actions(role)
    return legal[int(rng.integers(len(legal)))]


def policy_of(opponents: Opponents) -> Policy:
    """The policy that the argument stands for."""
    if callable(opponents):
        return opponents
    check_option("opponents", opponents, "random")
    return random_policy


def play_until(state: State, role: int, policy: Policy, rng: np.random.Generator) -> State:
    """Plays on by a policy until it is the role's turn, several roles choose at once, or the
    game is over."""
    while not state.is_terminal and state.current_player not in (role, -1):
        player = state.current_player
        state = state.next([policy(state, player, rng)])
    return state


def joint_action(
    state: State, role: int, action: int, policy: Policy, rng: np.random.Generator
) -> list[int]:
    """An action of every role: the given one, and those of the others by a policy."""
    if state.current_player == role:
        return [action]
    roles = range(len(state.goals))
    return [action if other == role else policy(state, other, rng) for other in roles]
