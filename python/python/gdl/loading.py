"""Loading games."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from gdl import _gdl
from gdl._gdl import Game, State
from gdl.errors import GdlError


def load(game: str | os.PathLike[str], *, name: str | None = None) -> Game:
    """Loads a game: the engine `net` assembles machine code for its rules.

    Args:
        game: The name of a built-in game (`gdl.games()` lists them), the path of a rule sheet,
            or the text of one, recognised by its opening parenthesis or comment.
        name: The name of the game; by default its own, or that of its file.

    Raises:
        GdlError: If there is no such game, or the rules have errors: its `findings` say where.
    """
    if isinstance(game, str) and game in _gdl.builtin_games():
        built_in = _gdl.load(game)
        return built_in if name is None else _gdl.load(name, built_in.rules)
    if isinstance(game, str) and game.lstrip()[:1] in ("(", ";"):
        return _gdl.load(name or "game", game)
    path = Path(game)
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        reason = error.strerror or str(error)
        raise GdlError(f"{game}: neither a built-in game nor a readable file ({reason})") from error
    return _gdl.load(name or path.stem, text)


def games() -> list[str]:
    """The names of the built-in games."""
    return _gdl.builtin_games()


@lru_cache(maxsize=32)
def _restore_game(name: str, rules: str) -> Game:
    """The game of a pickle, shared by the states of one game."""
    if name in _gdl.builtin_games():
        game = _gdl.load(name)
        if game.rules == rules:
            return game
    return _gdl.load(name, rules)


def _restore_state(game: Game, words: Sequence[int]) -> State:
    return game.state_of_words(words)
