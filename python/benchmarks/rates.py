"""Steps per second of vector environments: random legal actions, with masks, observations and
rewards written out, on one core, by the processor time that they take. The other libraries play the same
games in the same run where they are installed.

    python python/benchmarks/rates.py            # ours, packed and as bytes
    python python/benchmarks/rates.py --others   # beside Pgx, OpenSpiel and PettingZoo
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import gdl


def rate(run: Callable[[], int], seconds: float) -> float:
    """Steps per second of processor time, in the fastest of three runs of this many seconds."""
    run()
    best = 0.0
    for _ in range(3):
        begun, steps = time.process_time(), 0
        while time.process_time() - begun < seconds:
            steps += run()
        best = max(best, steps / (time.process_time() - begun))
    return best


def ours(name: str, num_envs: int, observation: Any, packed: bool) -> Callable[[], int]:
    """A function that takes 50 steps in all our environments."""
    game = gdl.load(name)
    env = gdl.make_vec(game, num_envs, observation=observation, packed=packed, seed=1)
    out = env.buffers()
    actions = np.empty(env.buffers().player.shape if env.one_action else (num_envs, len(game.roles)), np.int32)
    _, info = env.reset(out=out)

    def run() -> int:
        nonlocal info
        for _ in range(50):
            env.sample_actions(info, out=actions)
            _, _, _, _, info = env.step(actions, out=out)
        return 50 * num_envs

    return run


def open_spiel(name: str) -> Callable[[], int] | None:
    """A function that plays a random game of OpenSpiel."""
    import pyspiel

    if name not in pyspiel.registered_names():
        return None
    game = pyspiel.load_game(name)
    rng = np.random.default_rng(1)

    def run() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            state.legal_actions_mask()
            state.observation_tensor()
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            state.rewards()
            steps += 1
        return steps

    return run


def pettingzoo(name: str) -> Callable[[], int] | None:
    """A function that plays a random game of PettingZoo."""
    modules = {"connect_four": "connect_four_v3", "tictactoe": "tictactoe_v3"}
    if name not in modules:
        return None
    from importlib import import_module

    env = import_module(f"pettingzoo.classic.{modules[name]}").env()

    def run() -> int:
        env.reset()
        steps = 0
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            mask = observation["action_mask"]
            action = None if terminated or truncated else env.action_space(agent).sample(mask)
            env.step(action)
            steps += action is not None
        return steps

    return run


def pgx(name: str, num_envs: int) -> Callable[[], int] | None:
    """A function that takes 50 steps in environments of Pgx (2.0 or later), compiled by jax."""
    names = {"connect_four": "connect_four", "tictactoe": "tic_tac_toe", "othello": "othello", "hex": "hex"}
    if name not in names:
        return None
    import jax
    import jax.numpy as jnp
    import pgx as library
    from pgx.experimental import auto_reset

    env = library.make(names[name])
    step = auto_reset(env.step, env.init)

    def one(carry: Any, _: Any) -> Any:
        state, key = carry
        key, draw, begin = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(draw, logits)
        return (jax.vmap(step)(state, actions, jax.random.split(begin, num_envs)), key), None

    play = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length=50)[0])
    key = jax.random.PRNGKey(1)
    carry = (jax.jit(jax.vmap(env.init))(jax.random.split(key, num_envs)), key)

    def run() -> int:
        nonlocal carry
        carry = jax.block_until_ready(play(carry))
        return 50 * num_envs

    return run


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=["connect_four", "breakthrough"])
    parser.add_argument("--num-envs", type=int, default=4096)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--others", action="store_true", help="measure the other libraries, too")
    args = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    print(f"million steps per second of processor time, {args.num_envs} environments, one core")
    for name in args.games:
        print(f"{name}:")
        for observation in ("fluents", "planes"):
            for packed in (True, False):
                found = rate(ours(name, args.num_envs, observation, packed), args.seconds)
                print(f"  gdl, {observation}, {'packed' if packed else 'bytes'}: {found / 1e6:.2f}")
        if args.others:
            for label, make in [
                ("Pgx", lambda: pgx(name, args.num_envs)),
                ("OpenSpiel", lambda: open_spiel(name)),
                ("PettingZoo", lambda: pettingzoo(name)),
            ]:
                try:
                    run = make()
                except ImportError as error:
                    print(f"  {label}: not installed ({error})")
                    continue
                if run is not None:
                    print(f"  {label}: {rate(run, args.seconds) / 1e6:.4f}")


if __name__ == "__main__":
    main()
