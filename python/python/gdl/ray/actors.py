"""Ray actors that play against themselves."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt
import ray
from ray.exceptions import GetTimeoutError, RayError, RayTaskError

from gdl._gdl import Game
from gdl.errors import GdlError
from gdl.ray.production import WeightedEvaluator
from gdl.self_play import Samples, SelfPlay

_FETCH = 60.0
"""Seconds within which a delivery has to arrive."""
_FAILURES = 20
"""How many actors in a row may die before they have delivered anything."""


class Producer:
    """Self-play games, with weights that come with every order."""

    def __init__(self, game: Game, evaluate: WeightedEvaluator, settings: dict[str, Any], seed: int) -> None:
        self._weights: Any = None
        self._evaluate = evaluate
        self._play = SelfPlay(game, self._evaluator, seed=seed, **settings)

    def produce(self, weights: Any, moves: int) -> Samples:
        """Makes some moves in every game."""
        self._weights = weights
        return Samples.joined([self._play.step() for _ in range(moves)])

    def _evaluator(
        self,
        observations: npt.NDArray[np.uint8],
        masks: npt.NDArray[np.bool_],
        players: npt.NDArray[np.int8],
    ) -> tuple[npt.ArrayLike, npt.ArrayLike]:
        return self._evaluate(self._weights, observations, masks, players)


class ActorPool:
    """Producers on a cluster, each with one order at a time. Those that die are replaced."""

    def __init__(
        self,
        game: Game,
        evaluate: WeightedEvaluator,
        settings: dict[str, Any],
        *,
        actors: int,
        moves: int,
        seed: int,
    ) -> None:
        """Makes a pool, which starts its actors with the first weights.

        Args:
            game: The game.
            evaluate: The evaluator.
            settings: The options of `SelfPlay`.
            actors: The number of actors.
            moves: The number of moves in an order.
            seed: The seed from which those of the actors are derived.
        """
        self.failures = 0
        """How many actors have died."""
        self._class = ray.remote(Producer).options(num_cpus=1)
        self._game = ray.put(game)
        self._evaluate = evaluate
        self._settings = settings
        self._actors = actors
        self._moves = moves
        self._seed = seed
        self._started = 0
        self._in_a_row = 0
        self._weights: Any = None
        self._orders: dict[Any, Any] = {}

    def __enter__(self) -> ActorPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for actor in self._orders.values():
            ray.kill(actor)
        self._orders.clear()

    def broadcast(self, weights: Any) -> None:
        """Gives these weights to every actor with its next order."""
        # One copy for each machine, whichever actors it has.
        self._weights = ray.put(weights)
        while len(self._orders) < self._actors:
            self._order(self._start())

    def deliveries(self, timeout: float) -> Iterator[Samples]:
        """What actors deliver within this many seconds; each has its next order by then.

        Raises:
            GdlError: If the game or the evaluator is at fault, or actors die again and again.
        """
        done, _ = ray.wait(list(self._orders), num_returns=1, timeout=timeout)
        for order in done:
            actor = self._orders.pop(order)
            try:
                samples: Samples = ray.get(order, timeout=_FETCH)
            except RayTaskError as error:
                ray.kill(actor)
                raise GdlError(f"an actor failed: {error}") from error
            except (GetTimeoutError, RayError) as error:
                ray.kill(actor)
                self._replace(error)
                continue
            self._in_a_row = 0
            # The actor need not wait for what the caller does with the samples.
            self._order(actor)
            yield samples

    def _start(self) -> Any:
        self._started += 1
        seed = self._seed * 1_000_003 + self._started
        return self._class.remote(self._game, self._evaluate, self._settings, seed)

    def _order(self, actor: Any) -> None:
        self._orders[actor.produce.remote(self._weights, self._moves)] = actor

    def _replace(self, error: Exception) -> None:
        self.failures += 1
        self._in_a_row += 1
        if self._in_a_row > _FAILURES:
            raise GdlError(f"actors die before they deliver: {error}") from error
        self._order(self._start())
