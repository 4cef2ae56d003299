"""What rewards are: goals, or by how much they exceed those of others."""

from __future__ import annotations

from collections.abc import Sequence

from gdl._gdl import Game
from gdl.options import check_option


def is_zero_sum(game: Game, rewards: str | None) -> bool:
    """Whether rewards are to sum to zero: by default in games of several roles."""
    if rewards is None:
        return len(game.roles) > 1
    check_option("rewards", rewards, "unit", "zero_sum")
    return rewards == "zero_sum"


def zero_sum(returns: Sequence[float]) -> list[float]:
    """By how much the goal of every role exceeds the mean of the others'; of one role, its goal."""
    others = len(returns) - 1
    if others == 0:
        return list(returns)
    total = sum(returns)
    return [own - (total - own) / others for own in returns]
