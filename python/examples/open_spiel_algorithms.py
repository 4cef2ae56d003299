"""Algorithms of OpenSpiel on rule sheets: its MCTS on our tic-tac-toe, and the exploitability of
policies in a small game of simultaneous moves.

    python python/examples/open_spiel_algorithms.py

Needs open_spiel.
"""

from __future__ import annotations

import numpy as np
import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, evaluate_bots, exploitability, mcts
from open_spiel.python.bots import uniform_random

import gdl

RULES = """
; Both show one, two or three fingers. Who shows one more than the other wins; one beats three,
; which is worth less.
(role left) (role right)
(init open)
(fingers 1) (fingers 2) (fingers 3)
(beats 2 1) (beats 3 2) (beats 1 3)
(<= (legal ?p (show ?n)) (role ?p) (fingers ?n))
(<= (next (shown ?p ?n)) (does ?p (show ?n)))
(<= (wins left) (true (shown left ?m)) (true (shown right ?n)) (beats ?m ?n))
(<= (wins right) (true (shown left ?m)) (true (shown right ?n)) (beats ?n ?m))
(<= decided (wins ?p))
(<= cheap (true (shown ?p 1)) (wins ?p))
(<= terminal (not (true open)))
(<= (goal ?p 100) (wins ?p) (not cheap))
(<= (goal ?p 75) (wins ?p) cheap)
(<= (goal ?p 50) (role ?p) (not decided))
(<= (goal ?p 0) (role ?p) decided (not cheap) (not (wins ?p)))
(<= (goal ?p 25) (role ?p) cheap (not (wins ?p)))
"""


def mcts_against_random(games: int, simulations: int = 100, seed: int = 1) -> float:
    """The mean return, -1 to 1, of OpenSpiel's MCTS against random moves."""
    game = gdl.openspiel.load(gdl.load("tictactoe"))
    rng = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    total = 0.0
    for number in range(games):
        searcher = mcts.MCTSBot(game, 1.5, simulations, evaluator, random_state=rng)
        bots = [searcher, uniform_random.UniformRandomBot(1, rng)]
        if number % 2 == 1:
            bots = [uniform_random.UniformRandomBot(0, rng), searcher]
        total += evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)[number % 2]
    return total / games


def exploitabilities(iterations: int = 200) -> tuple[float, float, float]:
    """How far the first action, uniform play and the average of CFR can be exploited."""
    game = pyspiel.convert_to_turn_based(gdl.openspiel.load(gdl.load(RULES, name="fingers")))
    solver = cfr.CFRSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    first = exploitability.exploitability(game, policy.FirstActionPolicy(game))
    uniform = exploitability.exploitability(game, policy.UniformRandomPolicy(game))
    return first, uniform, exploitability.exploitability(game, solver.average_policy())


def main() -> None:
    """Prints what the algorithms find."""
    print(f"MCTS, 100 simulations, against random: {mcts_against_random(20):+.2f}")
    first, uniform, average = exploitabilities()
    print(f"exploitability: first action {first:.3f}, uniform {uniform:.3f}, CFR {average:.3f}")


if __name__ == "__main__":
    main()
