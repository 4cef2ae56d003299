"""Steps per second of random play in all built-in games.

    python python/examples/random_rates.py
"""

from __future__ import annotations

import time

import gdl


def main() -> None:
    """Plays each game in 2048 environments for a second and prints the rates."""
    print(f"{'game':18} {'steps/s':>12} {'games':>8} {'mean length':>12}  mean rewards")
    for name in gdl.games():
        game = gdl.load(name)
        env = gdl.make_vec(game, 2048, packed=True, seed=1)
        out = env.buffers()
        _, info = env.reset(out=out)
        steps = games = 0
        totals = [0.0] * len(game.roles)
        begun = time.perf_counter()
        while time.perf_counter() - begun < 1.0:
            _, rewards, terminated, _, info = env.step(env.sample_actions(info), out=out)
            steps += env.num_envs
            games += int(terminated.sum())
            totals = [total + float(reward) for total, reward in zip(totals, rewards.sum(axis=0), strict=True)]
        rate = steps / (time.perf_counter() - begun)
        # A step that begins a new game is not a move of any game.
        length = (steps - games) / games if games else float("nan")
        means = " ".join(f"{total / games:.2f}" for total in totals) if games else "-"
        print(f"{name:18} {rate:12,.0f} {games:8} {length:12.1f}  {means}")


if __name__ == "__main__":
    main()
