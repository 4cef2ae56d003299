"""Uniformly random legal actions."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gdl import _gdl


def sample(
    mask: npt.NDArray[Any],
    rng: np.random.Generator | int | np.integer[Any],
    *,
    packed: int | None = None,
    out: npt.NDArray[np.int32] | None = None,
) -> npt.NDArray[np.int32]:
    """Draws for every row one of the actions that its mask allows, each with the same
    probability; 0 where it allows none.

    Args:
        mask: The masks in the last axis, an entry for each action; or packed bits.
        rng: The generator from which one number is drawn, as a seed; or that number itself.
        packed: The number of actions of packed masks.
        out: Where to write the actions.
    """
    seed = int(rng.integers(1 << 63)) if isinstance(rng, np.random.Generator) else int(rng)
    if mask.dtype.itemsize != 1:
        mask = mask != 0
    rows: npt.NDArray[np.uint8] = np.ascontiguousarray(mask).view(np.uint8)
    actions = np.empty(rows.shape[:-1], np.int32) if out is None else out
    _gdl.sample(rows, packed, seed, actions)
    return actions
