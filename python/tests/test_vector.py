"""Vector environments against single states."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gdl
from tests.conftest import loaded

MODES = ["next_step", "same_step", "disabled"]


def unpacked(array: np.ndarray[Any, Any], bits: int) -> np.ndarray[Any, Any]:
    return np.unpackbits(array, axis=-1, count=bits, bitorder="little")


@pytest.mark.parametrize("name", ["tictactoe", "connect_four", "breakthrough", "tron", "peg_solitaire"])
@pytest.mark.parametrize("mode", MODES)
def test_environments_step_as_states_do(name: str, mode: Any) -> None:
    game = loaded(name)
    env = gdl.make_vec(game, 5, seed=3, autoreset=mode, max_steps=30)
    _, info = env.reset()
    states = [game.initial()] * 5
    steps = [0] * 5
    over = [False] * 5
    for _ in range(70):
        actions = env.sample_actions(info)
        players = info["current_player"].copy()
        obs, rewards, terminated, truncated, info = env.step(actions)
        for index in range(5):
            was_over = over[index]
            if was_over and mode == "next_step":
                states[index], steps[index] = game.initial(), 0
            elif not was_over:
                own = actions[index].tolist()
                states[index] = states[index].next(own if players[index] < 0 else [own])
                steps[index] += 1
            state = states[index]
            over[index] = state.is_terminal or steps[index] >= 30
            assert terminated[index] == state.is_terminal
            assert truncated[index] == (over[index] and not state.is_terminal)
            paid = state.is_terminal and not was_over
            assert rewards[index].tolist() == pytest.approx(state.returns if paid else [0.0] * len(game.roles))
            if over[index] and mode == "same_step":
                assert info["final_state"][index].tolist() == state.words.tolist()
                assert info["final_obs"][index].tolist() == state.fluents().tolist()
                states[index], steps[index], over[index] = game.initial(), 0, False
                state = states[index]
            assert obs[index].tolist() == state.fluents().tolist()
            if not state.is_terminal and env.one_action:
                assert np.flatnonzero(info["action_mask"][index]).tolist() == state.legal_actions()
                assert info["current_player"][index] == state.current_player
        assert np.array_equal(env.states(), np.stack([state.words for state in states]))


def test_packed_arrays_hold_the_same_bits() -> None:
    game = loaded("connect_four")
    observations: list[Any] = ["fluents", "planes"]
    for observation in observations:
        env = gdl.make_vec(game, 700, observation=observation, seed=1)
        packed = gdl.make_vec(game, 700, observation=observation, packed=True, seed=1)
        obs, info = env.reset()
        few, packed_info = packed.reset()
        for _ in range(10):
            bits = int(np.prod(obs.shape[1:]))
            assert np.array_equal(unpacked(few, bits), obs.reshape(700, -1))
            assert np.array_equal(unpacked(packed_info["action_mask"], env.num_actions), info["action_mask"])
            actions = env.sample_actions(info)
            assert np.array_equal(packed.sample_actions(packed_info), actions)
            obs, _, _, _, info = env.step(actions)
            few, _, _, _, packed_info = packed.step(actions)


def test_planes_are_those_of_states() -> None:
    game = loaded("breakthrough")
    env = gdl.make_vec(game, 3, observation="planes", seed=2)
    obs, info = env.reset()
    assert obs.shape == (3, *gdl.planes(game).shape)
    for _ in range(20):
        obs, _, _, _, info = env.step(env.sample_actions(info))
        for index in range(3):
            assert np.array_equal(obs[index], env.state(index).planes())


def test_buffers_are_used_again() -> None:
    env = gdl.make_vec(loaded("tictactoe"), 10, seed=1)
    out = env.buffers()
    obs, info = env.reset(out=out)
    assert obs is out.observation
    actions = np.empty(10, np.int32)
    assert env.sample_actions(info, out=actions) is actions
    obs, rewards, *_ = env.step(actions, out=out)
    assert obs is out.observation
    assert rewards is out.rewards
    fresh, *_ = env.step(env.sample_actions(info))
    assert not np.shares_memory(fresh, obs)


def test_states_are_kept_and_set() -> None:
    env = gdl.make_vec(loaded("connect_four"), 600, seed=1)
    obs, info = env.reset()
    for _ in range(5):
        obs, _, _, _, info = env.step(env.sample_actions(info))
    kept = env.states()
    env.reset()
    again, again_info = env.set_states(kept)
    assert np.array_equal(again, obs)
    assert np.array_equal(again_info["action_mask"], info["action_mask"])
    env.set_states(kept[:1], [599])
    with pytest.raises(ValueError, match="not a mask"):
        env.set_states(kept, np.ones(600, np.bool_))
    assert np.array_equal(env.states()[599], kept[0])
    assert np.array_equal(env.states()[1:599], kept[1:599])


def test_some_games_are_reset_and_some_wait(tictactoe: gdl.Game) -> None:
    env = gdl.make_vec(tictactoe, 4, seed=1)
    _, info = env.reset()
    actions = env.sample_actions(info)
    actions[1] = -1
    env.step(actions)
    start = tictactoe.initial().words
    assert [np.array_equal(state, start) for state in env.states()] == [False, True, False, False]
    env.reset(reset_mask=np.array([True, False, False, False]))
    assert [np.array_equal(state, start) for state in env.states()] == [True, True, False, False]


def test_illegal_actions_are_errors_that_change_nothing(tictactoe: gdl.Game) -> None:
    env = gdl.make_vec(tictactoe, 2)
    env.reset()
    mark = tictactoe.action(0, "(mark 1 1)")
    env.step([mark, mark])
    before = env.states()
    for wrong in ([mark, mark], [10_000, mark], [-5, mark]):
        with pytest.raises(gdl.GdlError, match="environment 0: o cannot play"):
            env.step(wrong)
    with pytest.raises(gdl.GdlError):
        env.step([mark])
    assert np.array_equal(env.states(), before)


def test_options_that_do_not_fit_are_refused(tron: gdl.Game, puzzle: gdl.Game) -> None:
    with pytest.raises(gdl.GdlError):
        gdl.make_vec(tron, 2, one_action=True)
    with pytest.raises(gdl.GdlError):
        gdl.make_vec(puzzle, 2, rewards="zero_sum")
    with pytest.raises(gdl.GdlError):
        gdl.make_vec(puzzle, 0)
    for name, value in [("observation", "x"), ("autoreset", "x"), ("rewards", "x")]:
        with pytest.raises(ValueError, match=name):
            gdl.make_vec(puzzle, 2, **{name: value})  # type: ignore[arg-type]


def test_samples_are_uniform() -> None:
    rng = np.random.default_rng(5)
    mask = np.zeros((60_000, 70), np.bool_)
    legal = [0, 3, 8, 41, 63, 64]
    mask[:, legal] = True
    for rows, packed in [(mask, None), (np.packbits(mask, axis=-1, bitorder="little"), 70)]:
        actions = gdl.sample(rows, rng, packed=packed)
        found, counts = np.unique(actions, return_counts=True)
        assert found.tolist() == legal
        # Chi-square with 5 degrees of freedom: above 35 once in a million.
        assert ((counts - 10_000) ** 2 / 10_000).sum() < 35


def test_dlpack_shares_memory(tictactoe: gdl.Game) -> None:
    env = gdl.make_vec(tictactoe, 8)
    obs, _ = env.reset()
    assert np.shares_memory(np.from_dlpack(obs), obs)


def test_functional_rewards_are_those_that_a_game_can_have(puzzle: gdl.Game, tictactoe: gdl.Game) -> None:
    wrong: Any = "zerosum"
    init, _ = gdl.functional.make(puzzle)
    assert len(init(3)) == 3
    with pytest.raises(ValueError, match="rewards"):
        gdl.functional.make(tictactoe, rewards=wrong)


def test_functional_steps_change_nothing(tictactoe: gdl.Game) -> None:
    init, step = gdl.functional.make(tictactoe)
    rng = np.random.default_rng(1)
    start = state = init(100)
    for _ in range(12):
        before = state.words.copy()
        after = step(state, gdl.sample(state.legal_action_mask, rng))
        assert np.array_equal(state.words, before)
        assert np.array_equal(after.rewards.sum(axis=1), np.zeros(100))
        state = after
    assert state.terminated.all()
    assert not start.terminated.any()
    assert np.array_equal(init(100).words, start.words)
