"""Ctrl-C ends long calls."""

from __future__ import annotations

import pytest

from tests.conftest import output_after_interrupt

CALLS = {
    "rollouts": "gdl.random_rollout(game, [game.initial()], 2_000_000_000)",
    "search": "gdl.Agent('uct').search(game.initial(), time=600)",
    "contest": "gdl.contest(game, ['uct', 'uct'], games=100_000, sims=20, threads=1)",
}


@pytest.mark.parametrize("call", CALLS)
def test_an_interrupt_ends_a_long_call(call: str) -> None:
    program = f"""
import gdl
game = gdl.load("connect_four")
print("ready", flush=True)
try:
    {CALLS[call]}
except KeyboardInterrupt:
    print("interrupted")
"""
    assert output_after_interrupt(program) == "interrupted\n"
