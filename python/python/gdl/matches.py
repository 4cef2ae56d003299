"""Recorded matches, and their display as animations."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gdl import _gdl
from gdl._gdl import Game, State


@dataclass(frozen=True)
class Animation:
    """A match as an animated drawing: notebooks show it, and browsers show its file."""

    svg: str
    """The drawing, which is self-contained: it is animated by CSS, and pauses under the mouse."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it to a file, `*.svg`."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        # Notebooks turn SVG into an image, which does not pause under the mouse.
        return self.svg

    def __repr__(self) -> str:
        return f"<gdl.Animation of {len(self.svg)} bytes>"


@dataclass
class Match:
    """A match: its states and the actions between them.

    `Match(game)` begins one, and `play` continues it.
    """

    game: Game
    """The game."""
    states: list[State] = field(default_factory=list)
    """The states, the first of which is the initial one unless others were given."""
    actions: list[list[int]] = field(default_factory=list)
    """The actions that led from each state to the next: one per role, or that of the role whose
    turn it was."""

    def __post_init__(self) -> None:
        self.states = list(self.states) or [self.game.initial()]
        self.actions = [list(joint) for joint in self.actions]
        if len(self.actions) != len(self.states) - 1:
            raise ValueError("a match has actions between any two states that follow each other")

    @property
    def state(self) -> State:
        """The latest state."""
        return self.states[-1]

    def play(self, actions: int | Sequence[int]) -> State:
        """Takes one action of every role, or one of the current player, and returns the
        resulting state.

        Raises:
            GdlError: If an action is illegal, or the game is over.
        """
        joint = _joint(actions)
        self.states.append(self.state.next(joint))
        self.actions.append(joint)
        return self.state

    def animation(self, *, seconds: float = 0.8) -> Animation:
        """The match as an animation; each state is shown for this many seconds."""
        return animation(self.states, self.actions, seconds=seconds)

    def _repr_html_(self) -> str:
        return self.animation().svg


def animation(
    states: Sequence[State],
    actions: Sequence[int | Sequence[int]] | None = None,
    *,
    seconds: float = 0.8,
) -> Animation:
    """Draws states one after another, as one animated drawing.

    Args:
        states: States of one game, at least one.
        actions: The actions that led from each to the next: one per role, or that of the role
            whose turn it was. They are marked and written below; without them, the cells that
            have changed are marked.
        seconds: How long each is shown; the last one stays longer.
    """
    if not states:
        raise ValueError("there is no state to draw")
    game = states[0].game
    if any(state.game.rules != game.rules for state in states):
        raise ValueError("a state is of another game")
    if actions is not None and len(actions) != len(states) - 1:
        raise ValueError(f"{len(actions)} actions lie between {len(states)} states")
    if not 0.01 <= seconds <= 3600:
        raise ValueError("states are seen for 0.01 to 3600 seconds")
    moves: list[list[str]] = [[]]
    captions = ["start"]
    for index, before in enumerate(states[:-1]):
        named = [] if actions is None else _moves(before, actions[index])
        moves.append([name for _, name in named])
        chosen = [name for is_choice, name in named if is_choice]
        captions.append(f"{index + 1}. {' '.join(chosen)}".rstrip())
    return Animation(_gdl.animate(game, list(states), moves, captions, seconds))


def _joint(actions: int | Sequence[int]) -> list[int]:
    """One action or several as a list; they may be numbers of NumPy."""
    if isinstance(actions, (int, np.integer)):
        return [int(actions)]
    return [int(action) for action in actions]


def _moves(state: State, actions: int | Sequence[int]) -> list[tuple[bool, str]]:
    """The moves of actions in a state, and whether each was a choice among several."""
    joint = _joint(actions)
    turn = state.current_player
    is_full = len(joint) == len(state.game.roles)
    if turn < 0 and not is_full:
        raise ValueError("several roles choose at once, so that an action of each is needed")
    roles = range(len(joint)) if is_full else [turn]
    name = state.game.action_name
    return [
        (len(state.legal_actions(role)) > 1, name(role, action))
        for role, action in zip(roles, joint, strict=True)
    ]
