"""The examples run, and come to what they promise."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

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
    play = alphazero.SelfPlay(game, 16, 8, 1)
    size = int(np.prod(gdl.planes(game).shape))
    key = alphazero.jax.random.PRNGKey(1)
    play.parameters = alphazero.network(key, size, play.env.num_actions, width=32)
    samples = [sample for _ in range(12) for sample in play.step()]
    assert len(samples) >= 16 * 5
    seen, policy, value = samples[0]
    assert seen.shape == gdl.planes(game).shape
    assert policy.sum() == pytest.approx(1.0)
    assert value in (-1.0, 0.0, 1.0)
    score = alphazero.against_uct(game, play.parameters, 4, 20)
    assert 0.0 <= score <= 1.0


def test_openspiel_finds_what_theory_says() -> None:
    algorithms = example("open_spiel_algorithms")
    assert algorithms.mcts_against_random(4, simulations=50) > 0.0
    first, uniform, average = algorithms.exploitabilities(iterations=300)
    assert first == pytest.approx(1.0)
    assert 0.02 < uniform < first
    assert average < 0.5 * uniform
