"""What the planes of observations mean."""

from __future__ import annotations

from dataclasses import dataclass

from gdl._gdl import Game


@dataclass(frozen=True)
class Channel:
    """What one plane shows."""

    kind: str
    """`piece` and `mark` show on which cells something is; `turn` (whether it is a role's turn)
    and `fact` (whether another fluent holds) are the same in all cells."""
    board: str
    """The board, for games with several; empty for what is on no board."""
    name: str
    """The piece, the role, or the fluent as KIF."""
    owner: int | None
    """The role to which it belongs, if its name says so."""


@dataclass(frozen=True)
class Planes:
    """The planes of a game: what its states look like, inferred from the rules."""

    channels: tuple[Channel, ...]
    height: int
    width: int
    unseen: tuple[str, ...]
    """The fluents that no plane shows, among them those that say that cells are empty."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Channels, height, width."""
        return (len(self.channels), self.height, self.width)


def planes(game: Game) -> Planes:
    """The planes of a game.

    Raises:
        GdlError: If no board was found in its rules.
    """
    height, width, channels, unseen = game.planes()
    names = game.fluent_names()
    return Planes(
        channels=tuple(Channel(*channel) for channel in channels),
        height=height,
        width=width,
        unseen=tuple(names[fluent] for fluent in unseen),
    )
