"""The examples run, and achieve what they promise."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_q_learning_solves_the_puzzle() -> None:
    q_learning = example("q_learning")
    presses = q_learning.solution(*q_learning.learn(1500))
    assert 1 <= len(presses) <= 9


def test_reinforce_learns_tictactoe() -> None:
    # Random play has a mean goal of 0.5 against itself.
    assert example("reinforce").train("tictactoe", steps=40, report=0) > 0.6


def test_self_play_produces_positions_and_trains() -> None:
    import numpy as np

    import gdl

    alphazero = example("alphazero")
    game = gdl.load("tictactoe")
    learner = alphazero.NetworkLearner(game, 60.0, seed=1, width=32, report=False)

    def evaluator(seen: Any, masks: Any, players: Any) -> Any:
        return alphazero.guide(learner.parameters, seen, masks, players)

    play = gdl.SelfPlay(game, evaluator, num_envs=16, sims=8, seed=1)
    samples = gdl.Samples.joined([play.step() for _ in range(12)])
    assert len(samples) >= 16 * 5
    assert samples.games >= 16
    assert samples.observations.shape[1:] == gdl.planes(game).shape
    assert samples.policies.sum(axis=1) == pytest.approx(1.0)
    assert set(np.unique(samples.values)) <= {-1.0, 0.0, 1.0}
    buffer = gdl.ReplayBuffer(1000)
    buffer.add(samples)
    before = learner.weights()
    learner.learn(buffer)
    assert not np.array_equal(before["first"][0], learner.weights()["first"][0])
    score = alphazero.against_uct(game, learner.parameters, 4, 20)
    assert 0.0 <= score <= 1.0


def test_openspiel_finds_what_theory_says() -> None:
    algorithms = example("open_spiel_algorithms")
    assert algorithms.mcts_against_random(4, simulations=50) > 0.0
    first, uniform, average = algorithms.exploitabilities(iterations=300)
    assert first == pytest.approx(1.0)
    assert 0.02 < uniform < first
    assert average < 0.5 * uniform
