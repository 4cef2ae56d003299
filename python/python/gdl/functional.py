"""A functional view in the style of Pgx: states go in, states come out, nothing is mutated.

```python
init, step = gdl.functional.make(game)
state = init(4096)
state = step(state, gdl.sample(state.legal_action_mask, rng))
```
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Literal

import numpy as np
import numpy.typing as npt

from gdl._gdl import Game
from gdl.rewards import is_zero_sum
from gdl.vector import Buffers, VectorEnv, make_vec


@dataclass(frozen=True)
class BatchState:
    """States of many games, as arrays. It is never modified."""

    words: npt.NDArray[np.uint64]
    """The states, as `VectorEnv.states` gives them."""
    observation: npt.NDArray[np.uint8]
    """What is observed."""
    legal_action_mask: npt.NDArray[np.bool_]
    """The legal actions; all are allowed where the game is over."""
    current_player: npt.NDArray[np.int8]
    """The role whose turn it is; -1 where every role acts."""
    rewards: npt.NDArray[np.float32]
    """The reward of every role for the step that led here."""
    terminated: npt.NDArray[np.bool_]
    """Whether the game is over."""

    def __len__(self) -> int:
        """The number of games."""
        return len(self.words)


def _batch(env: VectorEnv, buffers: Buffers) -> BatchState:
    return BatchState(
        words=env.states(),
        observation=buffers.observation,
        legal_action_mask=buffers.mask.view(np.bool_),
        current_player=buffers.player,
        rewards=buffers.rewards,
        terminated=buffers.terminated.view(np.bool_),
    )


def make(
    game: Game,
    *,
    observation: Literal["planes", "fluents", "none"] = "fluents",
    rewards: Literal["unit", "zero_sum"] | None = None,
) -> tuple[Callable[[int], BatchState], Callable[[BatchState, npt.ArrayLike], BatchState]]:
    """The functions `init(n)` and `step(states, actions)` of a game.

    Games that are over stay as they are, with rewards of 0, whatever action is given. The
    functions can be called from several threads. Rewards are those of `gdl.make_vec`, by default
    `zero_sum` in games of several roles.
    """
    scale: Literal["unit", "zero_sum"] = "zero_sum" if is_zero_sum(game, rewards) else "unit"
    lock = Lock()
    machines: dict[int, VectorEnv] = {}

    def machine(n: int) -> VectorEnv:
        if n not in machines:
            machines[n] = make_vec(game, n, observation=observation, rewards=scale, autoreset="disabled")
        return machines[n]

    def init(n: int) -> BatchState:
        with lock:
            env = machine(n)
            buffers = env.buffers()
            env.reset(out=buffers)
            return _batch(env, buffers)

    def step(states: BatchState, actions: npt.ArrayLike) -> BatchState:
        with lock:
            env = machine(len(states))
            buffers = env.buffers()
            env.set_states(states.words, out=buffers)
            env.step(actions, out=buffers)
            return _batch(env, buffers)

    return init, step
