"""The test suites of Gymnasium, PettingZoo and OpenSpiel, on our environments."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import gdl
from tests.conftest import loaded


@pytest.mark.parametrize("name", ["tictactoe", "tron", "peg_solitaire", "connect_four"])
@pytest.mark.parametrize("observation", ["fluents", "planes"])
def test_gymnasium_checks_pass(name: str, observation: Any) -> None:
    from gymnasium.utils.env_checker import check_env

    env = gdl.gymnasium.make(loaded(name), observation=observation)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*is not within the observation.*|.*spec.*|.*render.*")
        check_env(env, skip_render_check=True)


def test_one_role_plays_against_a_policy(tictactoe: gdl.Game) -> None:
    def first_legal(state: gdl.State, role: int, rng: np.random.Generator) -> int:
        del rng
        return state.legal_actions(role)[0]

    for role in (0, 1):
        env = gdl.gymnasium.make(tictactoe, role=role, opponents=first_legal, render_mode="svg")
        _, info = env.reset(seed=1)
        terminated = False
        reward = 0.0
        while not terminated:
            assert info["state"].current_player == role
            action = env.action_space.sample(info["action_mask"])
            _, reward, terminated, _, info = env.step(action)
        assert reward in (0.0, 0.5, 1.0)
        picture = env.render()
        assert picture is not None
        assert picture.startswith("<svg")
    _, info = env.reset()
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, terminated, _, info = env.step(illegal)
    assert (reward, terminated, info["illegal_action"]) == (0.0, True, True)


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_the_gymnasium_vector_environment_resets_as_it_says(tictactoe: gdl.Game, mode: Any) -> None:
    env = gdl.gymnasium.make_vec(tictactoe, 50, role=1, autoreset=mode)
    assert env.metadata["autoreset_mode"].value.lower() == mode.replace("_", "")
    obs, infos = env.reset(seed=4)
    assert obs in env.observation_space
    over = np.zeros(50, np.bool_)
    wins = 0.0
    for _ in range(20):
        if mode == "disabled" and over.any():
            obs, infos = env.reset(options={"reset_mask": over})
        actions = gdl.sample(infos["action_mask"], env.np_random)
        obs, rewards, terminated, truncated, infos = env.step(actions)
        assert obs in env.observation_space
        if mode == "next_step":
            assert not terminated[over].any()
            assert not rewards[over].any()
        assert not truncated.any()
        assert (rewards[~terminated] == 0).all()
        if mode == "same_step" and terminated.any():
            assert np.array_equal(infos["_final_obs"], terminated)
            # One mark of x, nothing of o.
            assert (obs[terminated].sum(axis=1) == 2).all()
        over = terminated
        wins += rewards.sum()
    assert wins > 0


@pytest.mark.parametrize("name", ["tictactoe", "tron", "peg_solitaire", "connect_four"])
def test_pettingzoo_tests_pass(name: str) -> None:
    from pettingzoo.test import api_test, parallel_api_test, seed_test
    from pettingzoo.test.seed_test import parallel_seed_test

    game = loaded(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(gdl.pettingzoo.env(game), num_cycles=300, verbose_progress=False)
        api_test(gdl.pettingzoo.env(game, observation="planes", max_steps=5), num_cycles=100)
        parallel_api_test(gdl.pettingzoo.parallel_env(game), num_cycles=300)
        seed_test(lambda: gdl.pettingzoo.env(game), num_cycles=50)
        parallel_seed_test(lambda: gdl.pettingzoo.parallel_env(game))


def test_options_that_mean_nothing_are_refused(tictactoe: gdl.Game) -> None:
    wrong: Any = "zerosum"
    with pytest.raises(ValueError, match="rewards must be 'unit' or 'zero_sum'"):
        gdl.pettingzoo.env(tictactoe, rewards=wrong)
    with pytest.raises(ValueError, match="opponents"):
        gdl.gymnasium.make(tictactoe, opponents=wrong)
    for make in (gdl.gymnasium.make, gdl.pettingzoo.env, gdl.pettingzoo.parallel_env):
        with pytest.raises(ValueError, match="render_mode must be None or 'ansi' or 'svg'"):
            make(tictactoe, render_mode=wrong)


def test_openspiel_options_that_mean_nothing_are_refused(tictactoe: gdl.Game) -> None:
    pytest.importorskip("pyspiel")
    wrong: Any = "plane"
    with pytest.raises(ValueError, match="rewards"):
        gdl.openspiel.load(tictactoe, rewards=wrong)
    with pytest.raises(ValueError, match="observation"):
        gdl.openspiel.load(tictactoe, observation=wrong)


def test_illegal_actions_lose_in_pettingzoo(tictactoe: gdl.Game, tron: gdl.Game) -> None:
    env = gdl.pettingzoo.env(tictactoe)
    env.reset()
    env.step(tictactoe.action(0, "noop"))
    assert env.rewards == {"x": -1.0, "o": 1.0}
    assert env.infos["x"] == {"illegal_action": True}
    assert all(env.terminations.values())
    parallel = gdl.pettingzoo.parallel_env(tron)
    observations, _ = parallel.reset()
    illegal = {
        agent: int(np.flatnonzero(observations[agent]["action_mask"] == 0)[0]) for agent in parallel.agents
    }
    _, rewards, terminated, _, infos = parallel.step(illegal)
    assert set(rewards.values()) == {0.0}
    assert all(terminated.values())
    assert all("illegal_action" in info for info in infos.values())


def test_pettingzoo_rewards_sum_to_zero(tictactoe: gdl.Game) -> None:
    env = gdl.pettingzoo.env(tictactoe)
    totals = dict.fromkeys(tictactoe.roles, 0.0)
    env.reset()
    for name in ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)", "(mark 1 3)"]:
        role = tictactoe.roles.index(env.agent_selection)
        env.step(tictactoe.action(role, name))
    for agent in env.agent_iter():
        _, reward, terminated, _, _ = env.last()
        assert terminated
        totals[agent] += reward
        env.step(None)
    assert totals == {"x": 1.0, "o": -1.0}


@pytest.mark.parametrize("name", ["tictactoe", "tron", "peg_solitaire", "connect_four"])
@pytest.mark.parametrize("observation", ["fluents", "planes"])
def test_openspiel_game_tests_pass(name: str, observation: Any) -> None:
    import pyspiel

    game = gdl.openspiel.load(loaded(name), observation=observation)
    assert game.get_type().short_name in pyspiel.registered_names()
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


def test_openspiel_algorithms_run(tictactoe: gdl.Game) -> None:
    from open_spiel.python.algorithms import mcts
    import pyspiel

    game = gdl.openspiel.load(tictactoe)
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.5, 60, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = game.new_initial_state()
    # There are two in a line: the bot completes it.
    for mark in ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"]:
        state.apply_action(tictactoe.action(state.current_player(), mark))
    assert state.action_to_string(0, bot.step(state)) == "(mark 1 3)"
    assert pyspiel.load_game(game.get_type().short_name).num_players() == 2


PENNIES = """
; One shows a coin, the other guesses it.
(role hider) (role guesser)
(init start)
(side heads) (side tails)
(<= (legal ?p (show ?s)) (role ?p) (side ?s))
(<= (next (shown ?p ?s)) (does ?p (show ?s)))
(<= same (true (shown hider ?s)) (true (shown guesser ?s)))
(<= terminal (not (true start)))
(<= (goal guesser 100) same)
(<= (goal hider 0) same)
(<= (goal guesser 0) (not same))
(<= (goal hider 100) (not same))
"""


def test_openspiel_finds_the_exploitability_of_a_simultaneous_game() -> None:
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability
    import pyspiel

    game = gdl.openspiel.load(gdl.load(PENNIES, name="pennies"))
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    turns = pyspiel.convert_to_turn_based(game)
    # Mixing both sides equally cannot be exploited; always showing heads can.
    assert exploitability.exploitability(turns, policy.UniformRandomPolicy(turns)) == pytest.approx(0.0)
    fixed = policy.FirstActionPolicy(turns)
    assert exploitability.exploitability(turns, fixed) == pytest.approx(1.0)
