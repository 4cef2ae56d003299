"""Checks of options that are words."""

from __future__ import annotations


def check_option(name: str, value: object, *allowed: str | None) -> None:
    """Refuses an option that is none of these."""
    if value not in allowed:
        raise ValueError(f"{name} must be {' or '.join(map(repr, allowed))}")
