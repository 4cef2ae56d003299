"""Search, contests, and searches guided by an evaluator."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest

import gdl
from tests.conftest import loaded


def played(game: gdl.Game, *names: str) -> gdl.State:
    state = game.initial()
    for name in names:
        state = state.next([game.action(state.current_player, name)])
    return state


def test_agents_find_wins(tictactoe: gdl.Game) -> None:
    state = played(tictactoe, "(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)")
    found = gdl.Agent("uct+mast").search(state, sims=500, seed=1)
    assert tictactoe.action_name(0, found.action) == "(mark 1 3)"
    best = found.actions.index(found.action)
    assert found.values[best] == pytest.approx(1.0)
    assert found.proven[best]
    assert found.variation[0][0] == found.action
    assert sum(found.visits) <= found.simulations <= 500
    again = gdl.Agent("uct+mast").search(state, sims=500, seed=1)
    assert (again.visits, again.values) == (found.visits, found.values)


def test_players_keep_their_trees() -> None:
    game = loaded("connect_four")
    player = gdl.Agent("uct").player(game, seed=1)
    first = player.search(game.initial(), sims=300)
    more = player.search(game.initial(), sims=300)
    assert sum(more.visits) > sum(first.visits)
    # What was searched below the moves that follow is still there, and grows along the match.
    state = game.initial()
    found = player.search(state, sims=20_000)
    for _ in range(4):
        state = state.next(found.variation[0])
        known = found.visits[found.actions.index(found.action)]
        found = player.search(state, sims=1)
        fresh = gdl.Agent("uct").search(state, sims=1, seed=1)
        assert found.visits[0] > known / 10 > 100 > sum(fresh.visits)
        assert found.nodes > 100 > fresh.nodes
        assert found.simulations < 100
        found = player.search(state, sims=2_000)
        assert sum(found.visits) > 2_000
    # Of a state that it has never seen, it knows nothing.
    other = game.initial()
    for _ in range(5):
        other = other.next([game.action(other.current_player, "(drop 7)")])
    assert sum(player.search(other, sims=50).visits) <= 50
    timed = gdl.Agent("uct").search(game.initial(), time=0.05)
    assert timed.simulations > 0


def test_agents_that_cannot_search_say_so(tictactoe: gdl.Game, tron: gdl.Game) -> None:
    with pytest.raises(gdl.GdlError):
        gdl.Agent("uct+nonsense")
    with pytest.raises(gdl.GdlError, match="does not search"):
        gdl.Agent("random").search(tictactoe.initial(), sims=10)
    with pytest.raises(ValueError, match="either"):
        gdl.Agent("uct").search(tictactoe.initial())
    with pytest.raises(ValueError, match="which one"):
        gdl.Agent("uct").search(tron.initial(), sims=10)
    assert gdl.Agent("uct").search(tron.initial(), role=1, sims=10).action in tron.initial().legal_actions(1)


def test_contests_have_the_statistics_of_the_command(tictactoe: gdl.Game) -> None:
    result = gdl.contest(tictactoe, ["uct", "random"], games=60, sims=100, threads=1)
    assert (result.games, result.unfinished, len(result.records)) == (60, 0, 60)
    scores = result.scores
    assert scores[0] is not None
    assert scores[1] is not None
    assert scores[0] + scores[1] == pytest.approx(1.0)
    lower, elo = result.lower[0], result.elo[0]
    assert lower is not None
    assert elo is not None
    assert 0.5 < lower < scores[0]
    assert elo > 0
    # Every agent plays every role equally often.
    assert sum(agents == [0, 1] for agents, _ in result.records) == 30
    timed = gdl.contest(tictactoe, ["uct", "random"], games=2, time=0.01)
    assert timed.games == 2
    several = gdl.contest(tictactoe, ["uct+trees(n=2)", "random"], games=2, sims=100)
    assert several.games == 2


def test_alone_agents_are_compared_by_the_same_seed(puzzle: gdl.Game) -> None:
    result = gdl.contest(puzzle, ["uct", "random", "random"], games=5, sims=10, threads=1)
    assert result.records[3][0] == [0]
    # The second set of three is incomplete, so that the first alone has scores.
    assert None not in result.scores
    assert sum(score or 0.0 for score in result.scores) == pytest.approx(1.5)


def test_champions_learn_before_a_game_by_time(tictactoe: gdl.Game) -> None:
    begun = time.monotonic()
    gdl.contest(tictactoe, ["champion", "random"], games=1, time=0.01, start=1.5)
    assert time.monotonic() - begun > 1.0


def test_contests_that_cannot_be_are_refused(tictactoe: gdl.Game) -> None:
    with pytest.raises(ValueError, match="needs an agent"):
        gdl.contest(tictactoe, [], games=1, sims=1)
    with pytest.raises(gdl.GdlError, match="2 roles"):
        gdl.contest(tictactoe, ["uct", "random", "random"], games=1, sims=1)
    with pytest.raises(ValueError, match="negative"):
        gdl.contest(tictactoe, ["uct"], games=1, time=-1.0)


def uniform(observations: Any, masks: Any, players: Any) -> tuple[Any, Any]:
    """Knows nothing."""
    del observations, players
    return np.zeros(masks.shape), np.zeros(len(masks))


def test_batch_searches_find_wins_and_parry_them(tictactoe: gdl.Game) -> None:
    wins = played(tictactoe, "(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)")
    parries = played(tictactoe, "(mark 1 1)", "(mark 2 1)", "(mark 1 2)")
    search = gdl.BatchSearch(tictactoe, uniform, num_envs=2)
    result = search.run([wins, parries], sims=300)
    best = tictactoe.action(0, "(mark 1 3)")
    assert result.visits.sum(axis=1).tolist() == [300, 300]
    assert result.policy(0.0).argmax(axis=1).tolist() == [best, tictactoe.action(1, "(mark 1 3)")]
    assert result.values[0, best] == pytest.approx(1.0)
    policy = result.policy()
    assert policy.sum(axis=1) == pytest.approx([1.0, 1.0])
    draws = [result.sample(np.random.default_rng(seed)).tolist() for seed in range(200)]
    share = np.mean([draw[0] == best for draw in draws])
    assert share == pytest.approx(policy[0, best], abs=0.12)


def test_batch_searches_follow_the_evaluator() -> None:
    game = loaded("connect_four")
    asked: list[tuple[int, ...]] = []

    def fond_of_the_left(observations: Any, masks: Any, players: Any) -> tuple[Any, Any]:
        asked.append(observations.shape)
        logits = np.zeros(masks.shape)
        logits[:, game.action(0, "(drop 1)")] = 5.0
        return logits, np.zeros((len(masks), 2))

    search = gdl.BatchSearch(game, fond_of_the_left, num_envs=3, observation="planes")
    result = search.run([game.initial()] * 3, sims=20)
    assert set(asked) == {(3, *gdl.planes(game).shape)}
    assert len(asked) == 21
    assert (result.visits.argmax(axis=1) == game.action(0, "(drop 1)")).all()
    noisy = gdl.BatchSearch(game, uniform, num_envs=3, noise=0.9, noise_alpha=0.1, seed=2)
    visits = noisy.run([game.initial()] * 3, sims=50).visits
    assert not (visits == visits[0]).all()


def test_errors_of_evaluators_are_raised(tictactoe: gdl.Game) -> None:
    def broken(observations: Any, masks: Any, players: Any) -> tuple[Any, Any]:
        raise KeyError("weights")

    with pytest.raises(KeyError):
        gdl.BatchSearch(tictactoe, broken, num_envs=1).run([tictactoe.initial()], sims=1)
    with pytest.raises(gdl.GdlError):
        gdl.BatchSearch(tictactoe, uniform, num_envs=2).run([tictactoe.initial()], sims=1)
    with pytest.raises(gdl.GdlError, match="several roles"):
        gdl.BatchSearch(loaded("tron"), uniform, num_envs=1)


def test_other_threads_run_while_games_are_played() -> None:
    game = loaded("connect_four")
    words = np.stack([game.initial().words])
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    clock = threading.Thread(target=tick)
    clock.start()
    try:
        begun = time.perf_counter()
        gdl.random_rollout(game, words, 300_000)
        ended = time.perf_counter()
    finally:
        done.set()
        clock.join()
    assert sum(begun < at < ended for at in ticks) >= 3
