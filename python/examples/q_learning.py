"""Tabular Q-learning on a puzzle: switch all lights off, where a press toggles a light and its
neighbours.

    python python/examples/q_learning.py
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import gdl

RULES = """
; Nine lights in a square, of which some are on. Whoever presses one toggles it and those beside
; it. All lights off within nine presses solve the puzzle.
(role solver)
(init (on 1 1)) (init (on 2 2)) (init (on 3 3)) (init (on 1 3)) (init (pressed 0))
(index 1) (index 2) (index 3)
(beside 1 2) (beside 2 1) (beside 2 3) (beside 3 2)
(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7) (after 7 8)
(after 8 9)

(<= (legal solver (press ?x ?y)) (index ?x) (index ?y))
(<= (toggled ?x ?y) (does solver (press ?x ?y)))
(<= (toggled ?x ?y) (does solver (press ?x ?z)) (beside ?y ?z))
(<= (toggled ?x ?y) (does solver (press ?z ?y)) (beside ?x ?z))
(<= (next (on ?x ?y)) (index ?x) (index ?y) (true (on ?x ?y)) (not (toggled ?x ?y)))
(<= (next (on ?x ?y)) (toggled ?x ?y) (not (true (on ?x ?y))))
(<= (next (pressed ?n)) (true (pressed ?m)) (after ?m ?n))

(<= lit (true (on ?x ?y)))
(<= terminal (not lit))
(<= terminal (true (pressed 9)))
(<= (goal solver 100) (not lit))
(<= (goal solver 0) lit)
"""


def learn(steps: int, num_envs: int = 256, seed: int = 1) -> tuple[gdl.Game, npt.NDArray[np.float64]]:
    """Learns the value of every press for every pattern of lights, (512, 9)."""
    game = gdl.load(RULES, name="lights")
    env = gdl.make_vec(game, num_envs, seed=seed)
    rng = np.random.default_rng(seed)
    values = np.zeros((512, 9))
    obs, _ = env.reset()
    terminated = np.zeros(num_envs, np.bool_)
    for step in range(steps):
        before = pattern(game, obs)
        greedy = values[before].argmax(axis=1)
        explores = rng.random(num_envs) < max(0.1, 1.0 - 2.0 * step / steps)
        actions = np.where(explores, rng.integers(9, size=num_envs), greedy)
        was_over = terminated
        obs, rewards, terminated, _, _ = env.step(actions)
        future = np.where(terminated, 0.0, values[pattern(game, obs)].max(axis=1))
        targets = rewards[:, 0] + 0.95 * future
        # Where the last step ended a game, this one began another.
        for state, action, target in zip(before[~was_over], actions[~was_over], targets[~was_over], strict=True):
            values[state, action] += 0.2 * (target - values[state, action])
    return game, values


def pattern(game: gdl.Game, obs: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """The lights that are on, as a number."""
    lights = [fluent for fluent, name in enumerate(game.fluent_names()) if name.startswith("(on ")]
    weights: npt.NDArray[np.int64] = 1 << np.arange(9)
    numbers: npt.NDArray[np.int64] = obs[:, lights] @ weights
    return numbers


def solution(game: gdl.Game, values: npt.NDArray[np.float64]) -> list[str]:
    """The presses that have the highest values; none if they do not solve the puzzle."""
    state, presses = game.initial(), []
    while not state.is_terminal:
        action = int(values[pattern(game, state.fluents()[None])[0]].argmax())
        presses.append(game.action_name(0, action))
        state = state.next([action])
    return presses if state.returns[0] == 1.0 else []


def main() -> None:
    """Learns, and prints what it has learned."""
    game, values = learn(4000)
    presses = solution(game, values)
    print(f"solved in {len(presses)} presses: {' '.join(presses)}" if presses else "not solved")


if __name__ == "__main__":
    main()
