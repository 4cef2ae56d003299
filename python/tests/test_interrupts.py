"""Ctrl-C ends long calls."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

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
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert output == "interrupted\n"
    assert process.returncode == 0
