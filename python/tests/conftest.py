"""What the tests share."""

from __future__ import annotations

import functools
import signal
import subprocess
import sys
import time

import pytest

import gdl


@functools.lru_cache
def loaded(name: str) -> gdl.Game:
    """A built-in game, loaded once."""
    return gdl.load(name)


def output_after_interrupt(program: str) -> str:
    """What a program writes after `ready`, interrupted half a second later."""
    # Where the tests run in the background, programs may have been told to ignore interrupts.
    preamble = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    command = [sys.executable, "-c", preamble + program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 0
    return output


@pytest.fixture
def tictactoe() -> gdl.Game:
    """Tic-tac-toe, in which roles take turns."""
    return loaded("tictactoe")


@pytest.fixture
def tron() -> gdl.Game:
    """Tron, in which both roles choose at once."""
    return loaded("tron")


@pytest.fixture
def puzzle() -> gdl.Game:
    """Peg solitaire, which has one role."""
    return loaded("peg_solitaire")
