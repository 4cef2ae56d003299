"""What the tests share."""

from __future__ import annotations

import functools

import pytest

import gdl


@functools.lru_cache
def loaded(name: str) -> gdl.Game:
    """A built-in game, loaded once."""
    return gdl.load(name)


@pytest.fixture
def tictactoe() -> gdl.Game:
    """Tic-tac-toe: turns."""
    return loaded("tictactoe")


@pytest.fixture
def tron() -> gdl.Game:
    """Tron: both choose at a time."""
    return loaded("tron")


@pytest.fixture
def puzzle() -> gdl.Game:
    """Peg solitaire: one role."""
    return loaded("peg_solitaire")
