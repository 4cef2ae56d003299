"""Self-play by actors of Ray, for a learner in this process."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from gdl._gdl import Game
from gdl.replay import ReplayBuffer

WeightedEvaluator = Callable[
    [Any, npt.NDArray[np.uint8], npt.NDArray[np.bool_], npt.NDArray[np.int8]],
    tuple[npt.ArrayLike, npt.ArrayLike],
]
"""An evaluator as `gdl.BatchSearch` calls it, with the weights before its other arguments."""


class Learner(Protocol):
    """Learns from positions of self-play."""

    def weights(self) -> Any:
        """What actors evaluate with; NumPy arrays are passed without copies."""

    def learn(self, buffer: ReplayBuffer) -> None:
        """Learns from the buffer for a while. Called whenever an actor has delivered."""


@dataclass(frozen=True)
class ProductionReport:
    """The outcome of self-play."""

    games: int
    """The number of games that ended."""
    positions: int
    """The number of their positions."""
    rounds: int
    """How often the learner learned, and weights were sent."""
    failures: int
    """How often an actor died, and another took its place."""
    seconds: float
    """How long it took."""


def self_play(
    game: Game,
    learner: Learner,
    evaluate: WeightedEvaluator,
    *,
    actors: int,
    seconds: float | None = None,
    positions: int | None = None,
    num_envs: int = 128,
    sims: int = 32,
    moves: int = 4,
    capacity: int = 60_000,
    fewest: int = 2_000,
    observation: Literal["planes", "fluents"] = "planes",
    c_puct: float = 1.5,
    noise: float = 0.25,
    drawn: int = 12,
    seed: int = 1,
    address: str | None = None,
) -> ProductionReport:
    """Lets actors play by the latest weights, and the learner learn from what they produce.

    Every actor plays `num_envs` games side by side and delivers after every few moves what has
    ended; the learner, in this process, learns once for every delivery, and its new weights are
    sent to each actor with its next order. Nothing waits for an actor that is slow; one that dies
    is replaced, and only its games in play are lost.

    Args:
        game: The game, in which one role at a time can choose.
        learner: Learns.
        evaluate: Says, given the weights, which actions are promising and what positions are worth.
            It is pickled, and so are the weights.
        actors: The number of actors, of one processor each.
        seconds: The time after which self-play ends, or
        positions: the number of positions after which it does.
        num_envs: The number of games of each actor.
        sims: The number of simulations of a move.
        moves: The number of moves, in all its games, after which an actor delivers.
        capacity: The number of positions of the replay buffer.
        fewest: The number of positions needed before anything is learned.
        observation: What the evaluator observes.
        c_puct: The weight of exploration.
        noise: The share of Dirichlet noise in the priors of roots.
        drawn: The number of moves of each game that are sampled by their visits.
        seed: The seed; each actor has its own that follows from it.
        address: The address of the cluster, as `ray.init` takes it.

    Raises:
        GdlError: If the evaluator or the game is at fault.
    """
    if seconds is None and positions is None:
        raise ValueError("give seconds or positions, so that self-play ends")
    if fewest > capacity:
        raise ValueError("nothing would be learned: the buffer has no room for the fewest positions")
    from gdl.ray.actors import ActorPool
    from gdl.ray.cluster import connect

    connect(address)
    settings = {
        "num_envs": num_envs,
        "sims": sims,
        "observation": observation,
        "c_puct": c_puct,
        "noise": noise,
        "drawn": drawn,
    }
    buffer = ReplayBuffer(capacity)
    begun = time.monotonic()
    games = rounds = 0
    with ActorPool(game, evaluate, settings, actors=actors, moves=moves, seed=seed) as pool:
        pool.broadcast(learner.weights())
        while not _is_over(begun, seconds, buffer.produced, positions):
            for samples in pool.deliveries(timeout=1.0):
                buffer.add(samples)
                games += samples.games
                if len(buffer) >= fewest:
                    learner.learn(buffer)
                    pool.broadcast(learner.weights())
                    rounds += 1
        failures = pool.failures
    return ProductionReport(games, buffer.produced, rounds, failures, time.monotonic() - begun)


def _is_over(begun: float, seconds: float | None, produced: int, positions: int | None) -> bool:
    late = seconds is not None and time.monotonic() - begun >= seconds
    return late or (positions is not None and produced >= positions)
