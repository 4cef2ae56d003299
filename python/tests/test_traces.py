"""Games step as recorded playouts say: those of the built-in games, and of a public corpus."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import gdl
from tests.conftest import loaded
from tests.traces import Replay, read

GOLDEN = Path(__file__).resolve().parents[2] / "games" / "golden"
CORPUS = Path(os.environ.get("GDL_CORPUS", "../shared/corpus"))


@pytest.mark.parametrize("name", gdl.games())
def test_built_in_games_step_as_recorded(name: str) -> None:
    assert Replay(loaded(name), read(GOLDEN / f"{name}.jsonl")).run() > 0


def corpus_games() -> list[str]:
    return sorted(path.name.removesuffix(".jsonl.gz") for path in (CORPUS / "traces").glob("*.jsonl.gz"))


@pytest.mark.corpus
def test_there_is_a_corpus() -> None:
    assert corpus_games(), f"there is no public corpus at {CORPUS}: set GDL_CORPUS to its folder"


@pytest.mark.corpus
@pytest.mark.parametrize("name", corpus_games())
def test_corpus_games_step_as_recorded(name: str) -> None:
    try:
        game = gdl.load(CORPUS / "games" / f"{name}.kif")
    except gdl.GdlError as error:
        if "grounding" not in str(error):
            raise
        pytest.skip(f"the net engine does not play it: {error}")
    assert Replay(game, read(CORPUS / "traces" / f"{name}.jsonl.gz")).run() > 0
