"""Games, states, errors."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import gdl

NIM = """
; Two stones; taking the last one wins.
(role first) (role second)
(init (stones 2)) (init (control first))
(after 2 1) (after 1 0) (other first second) (other second first)
(<= (legal ?p take) (true (control ?p)))
(<= (legal ?p wait) (other ?p ?q) (true (control ?q)))
(<= (next (stones ?m)) (true (stones ?n)) (after ?n ?m))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= terminal (true (stones 0)))
(<= (goal ?p 100) (other ?p ?q) (true (control ?q)))
(<= (goal ?p 0) (true (control ?p)))
"""


def test_games_are_loaded_by_name_path_and_text(tmp_path: Path) -> None:
    assert "tictactoe" in gdl.games()
    path = tmp_path / "nim.kif"
    path.write_text(NIM)
    for game, name in [(gdl.load(path), "nim"), (gdl.load(str(path)), "nim"), (gdl.load(NIM), "game")]:
        assert (game.name, game.roles, game.num_actions) == (name, ["first", "second"], [2, 2])
        assert sorted(game.action_names(0)) == ["take", "wait"]
        assert game.action(0, " TAKE ") == game.action_names(0).index("take")
        assert game.rules == NIM
        assert game.goal_ranges == [(0, 100), (0, 100)]
    assert gdl.load("tictactoe").engine_name.startswith("net")
    assert gdl.load("tictactoe", name="noughts").name == "noughts"


def test_terms_are_tuples() -> None:
    assert gdl.parse_term("(cell 1 (square a 2) x)") == ("cell", "1", ("square", "a", "2"), "x")
    assert gdl.parse_term("noop") == "noop"
    with pytest.raises(gdl.GdlError):
        gdl.parse_term("(cell")


def test_a_game_is_played_state_by_state() -> None:
    game = gdl.load(NIM)
    take = game.action(0, "take")
    state = game.initial()
    assert state.facts == ["(control first)", "(stones 2)"]
    assert (state.current_player, state.is_terminal) == (0, False)
    assert state.legal_actions() == [take]
    after = state.next([take])
    assert after == state.next([take, game.action(1, "wait")])
    assert (after.current_player, hash(after)) == (1, hash(copy.deepcopy(after)))
    end = after.next([take])
    assert (end.is_terminal, end.goals, end.returns) == (True, [[0], [100]], [0.0, 1.0])
    with pytest.raises(gdl.GdlError):
        end.next([take])
    with pytest.raises(gdl.GdlError):
        state.next([game.action(0, "wait")])
    assert game.state(["(stones 1)", "(CONTROL  second)"]) == after
    with pytest.raises(gdl.GdlError, match="no state"):
        game.state(["(stones 9)"])
    assert game.state_of_words(after.words.tolist()) == after
    other: object = "after"
    assert after != other


def test_a_role_is_asked_for_where_it_is_no_single_roles_turn(tron: gdl.Game) -> None:
    with pytest.raises(ValueError, match="no single role's turn"):
        tron.initial().legal_actions()


def test_errors_have_findings() -> None:
    with pytest.raises(gdl.GdlError) as caught:
        gdl.load("(role a)\n(<= (legal a ?x) (true b))")
    assert str(caught.value)
    errors = [finding for finding in caught.value.findings if finding.severity == "error"]
    assert any((finding.line, finding.code) == (2, "unsafe-variable") for finding in errors)
    with pytest.raises(gdl.GdlError, match="no_such_file"):
        gdl.load("no_such_file.kif")


def test_games_and_states_are_pickled(tictactoe: gdl.Game) -> None:
    state = tictactoe.initial().next([tictactoe.action(0, "(mark 2 2)")])
    for original in (state, gdl.load(NIM).initial()):
        again = pickle.loads(pickle.dumps(original))
        assert again == original
        assert again.facts == original.facts
        assert again.game.name == original.game.name


def test_pictures(tictactoe: gdl.Game) -> None:
    state = tictactoe.initial().next([tictactoe.action(0, "(mark 2 2)")])
    assert state.svg(moves=["(mark 2 2)"]).startswith("<svg")
    assert state._repr_svg_().startswith("<svg")
    assert "x" in str(state)


def test_planes_say_what_they_mean(tictactoe: gdl.Game) -> None:
    planes = gdl.planes(tictactoe)
    assert planes.shape == (4, 3, 3)
    assert [(channel.kind, channel.owner) for channel in planes.channels] == [
        ("piece", 0), ("piece", 1), ("turn", 0), ("turn", 1),
    ]
    state = tictactoe.initial().next([tictactoe.action(0, "(mark 2 2)")])
    seen = state.planes()
    assert seen.shape == planes.shape
    assert seen.sum(axis=(1, 2)).tolist() == [1, 0, 0, 9]
    assert seen[0, 1, 1] == 1
    with pytest.raises(gdl.GdlError, match="no board"):
        gdl.planes(gdl.load(NIM))


def test_random_rollouts_have_the_means_of_random_games(tictactoe: gdl.Game) -> None:
    state = tictactoe.initial()
    middle = state.next([tictactoe.action(0, "(mark 2 2)")])
    rollout = gdl.random_rollout(tictactoe, [state, middle], 20_000, seed=1)
    assert rollout.games.tolist() == [20_000, 20_000]
    # Weisstein, "Tic-Tac-Toe", MathWorld: 58.5 % wins and 12.7 % draws.
    assert rollout.returns[0, 0] == pytest.approx(0.5849 + 0.1270 / 2, abs=0.015)
    assert np.allclose(rollout.returns.sum(axis=1), 1.0)
    assert rollout.returns[1, 0] > rollout.returns[0, 0] + 0.02
    again = gdl.random_rollout(tictactoe, np.stack([state.words, middle.words]), 20_000, seed=1)
    assert np.array_equal(again.returns, rollout.returns)
