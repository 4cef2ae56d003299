"""Matches and their animations."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import gdl
from tests.conftest import loaded

SVG = "{http://www.w3.org/2000/svg}"


def played(game: gdl.Game, *names: str) -> gdl.Match:
    match = gdl.Match(game)
    for name in names:
        match.play(game.action(match.state.current_player, name))
    return match


def frames(animation: gdl.Animation) -> list[ElementTree.Element]:
    """The pictures of an animation."""
    root = ElementTree.fromstring(animation.svg)
    assert root.tag == f"{SVG}svg"
    return root.findall(f"{SVG}g[@class='gdl-frame']")


def label(frame: ElementTree.Element) -> str | None:
    """What is written below a picture."""
    return frame.findall(f"{SVG}text")[-1].text


def test_a_match_is_animated(tictactoe: gdl.Game, tmp_path: Path) -> None:
    match = played(tictactoe, "(mark 1 1)", "(mark 2 2)", "(mark 3 3)")
    assert [len(joint) for joint in match.actions] == [1, 1, 1]
    animation = match.animation(seconds=0.5)
    pictures = frames(animation)
    assert [label(frame) for frame in pictures] == ["start", "1. (mark 1 1)", "2. (mark 2 2)", "3. (mark 3 3)"]
    # Only the last one is seen where nothing moves; the others take turns.
    assert [frame.get("visibility") for frame in pictures] == ["hidden"] * 3 + ["visible"]
    styles = [frame.get("style") or "" for frame in pictures]
    assert styles[0].startswith("animation:gdl-frame-1-of-7 3.5s step-end -3.5s")
    assert styles[3].startswith("animation:gdl-frame-4-of-7 3.5s step-end -2s")
    # Nothing is loaded from elsewhere, and nothing runs.
    for word in ("<script", "href", "url(", "@import"):
        assert word not in animation.svg
    # The last move is marked.
    marked = "gdl-last"
    assert marked not in ElementTree.tostring(pictures[0], encoding="unicode")
    assert marked in ElementTree.tostring(pictures[1], encoding="unicode")
    assert animation._repr_svg_() == animation._repr_html_() == animation.svg
    animation.save(tmp_path / "match.svg")
    assert (tmp_path / "match.svg").read_text(encoding="utf-8") == animation.svg


def test_states_alone_and_simultaneous_moves_are_animated(tron: gdl.Game, tictactoe: gdl.Game) -> None:
    match = gdl.Match(tron)
    while not match.state.is_terminal:
        match.play([match.state.legal_actions(role)[0] for role in (0, 1)])
    assert match._repr_html_().startswith("<svg")
    pictures = frames(match.animation())
    assert len(pictures) == len(match.states)
    moves = [tron.action_name(role, match.actions[0][role]) for role in (0, 1)]
    assert label(pictures[1]) == f"1. {' '.join(moves)}"
    states = played(tictactoe, "(mark 1 1)", "(mark 2 2)").states
    assert [label(frame) for frame in frames(gdl.animation(states))] == ["start", "1.", "2."]
    [only] = frames(gdl.animation(states[:1]))
    assert only.get("style") is None
    # All roles' actions, of which one was a choice.
    waits = tictactoe.initial().legal_actions(1)[0]
    both = gdl.animation(states[:2], [[tictactoe.action(0, "(mark 1 1)"), waits]])
    assert label(frames(both)[1]) == "1. (mark 1 1)"


def test_actions_may_be_numbers_of_numpy(tictactoe: gdl.Game) -> None:
    match = gdl.Match(tictactoe)
    mask = np.zeros(tictactoe.num_actions[0], np.uint8)
    mask[tictactoe.action(0, "(mark 2 2)")] = 1
    action = gdl.sample(mask[None], np.int64(1))[0]
    match.play(action)
    pictures = frames(gdl.animation(match.states, [action]))
    assert label(pictures[1]) == "1. (mark 2 2)"


def test_what_is_no_match_is_refused(tictactoe: gdl.Game, tron: gdl.Game) -> None:
    states = [tron.initial(), tron.initial()]
    with pytest.raises(ValueError, match="an action of each"):
        gdl.animation(states, [0])
    state = tictactoe.initial()
    with pytest.raises(ValueError, match="no state"):
        gdl.animation([])
    with pytest.raises(ValueError, match="between"):
        gdl.animation([state], [0])
    with pytest.raises(ValueError, match="seconds"):
        gdl.animation([state], seconds=0)
    with pytest.raises(ValueError, match="actions between"):
        gdl.Match(tictactoe, [state, state])
    with pytest.raises(gdl.GdlError):
        gdl.Match(tictactoe).play(10_000)
    foreign = loaded("connect_four").initial()
    with pytest.raises(ValueError, match="of another game"):
        gdl.animation([state, foreign])
