"""REINFORCE by self-play: a small network learns a game from nothing but who has won.

    python python/examples/reinforce.py tictactoe --steps 600
    python python/examples/reinforce.py connect_four --steps 1500

Needs jax.
"""

from __future__ import annotations

import argparse
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import gdl

Parameters = list[tuple[Any, Any]]


def network(key: Any, sizes: list[int]) -> Parameters:
    """Random weights of a network with these layers."""
    keys = jax.random.split(key, len(sizes) - 1)
    pairs = zip(keys, sizes[:-1], sizes[1:], strict=True)
    return [(jax.random.normal(k, (m, n)) * (2.0 / m) ** 0.5, jnp.zeros(n)) for k, m, n in pairs]


def logits(parameters: Parameters, observations: Any, masks: Any) -> Any:
    """The logits of actions; those of illegal ones are very small."""
    hidden = observations
    for weights, bias in parameters[:-1]:
        hidden = jax.nn.relu(hidden @ weights + bias)
    weights, bias = parameters[-1]
    return jnp.where(masks, hidden @ weights * 0.3 + bias, -1e9)


@jax.jit
def act(parameters: Parameters, key: Any, observations: Any, masks: Any) -> Any:
    """Actions drawn from the policy."""
    return jax.random.categorical(key, logits(parameters, observations, masks))


@jax.jit
def update(parameters: Parameters, moments: Parameters, batch: Any, rate: float) -> Any:
    """A step of gradient ascent (RMSProp) on the returns of the actions taken."""

    def loss(weights: Parameters) -> Any:
        observations, masks, actions, returns, counts = batch
        scores = jax.nn.log_softmax(logits(weights, observations, masks))
        taken = jnp.take_along_axis(scores, actions[:, None], axis=1)[:, 0]
        entropy = -(jnp.exp(scores) * jnp.where(masks, scores, 0.0)).sum(axis=1)
        return -(counts * (taken * returns + 0.01 * entropy)).sum() / counts.sum()

    gradient = jax.grad(loss)(parameters)
    moments = jax.tree.map(lambda m, g: 0.99 * m + 0.01 * g * g, moments, gradient)
    stepped = jax.tree.map(lambda w, m, g: w - rate * g / (jnp.sqrt(m) + 1e-5), parameters, moments, gradient)
    return stepped, moments


def play(env: gdl.VectorEnv, parameters: Parameters, key: Any) -> Any:
    """Plays one game in every environment: what was observed and done, and the returns."""
    obs, info = env.reset()
    n, over = env.num_envs, np.zeros(env.num_envs, np.bool_)
    returns = np.zeros((n, len(env.game.roles)), np.float32)
    rows: list[Any] = []
    while not over.all():
        key, draw = jax.random.split(key)
        mask, player = info["action_mask"], info["current_player"].copy()
        actions = np.asarray(act(parameters, draw, obs.astype(np.float32), mask), np.int32)
        rows.append((obs, mask, actions, player, ~over))
        obs, rewards, over, _, info = env.step(actions)
        returns += rewards
    columns = [np.concatenate(column) for column in zip(*rows, strict=True)]
    observations, masks, actions, players, counts = columns
    own = returns[np.tile(np.arange(n), len(rows)), players]
    return observations.astype(np.float32), masks, actions, own, counts.astype(np.float32)


def against_random(game: gdl.Game, parameters: Parameters, games: int, seed: int) -> float:
    """The mean goal against uniformly random play, with each role in half of the games."""
    total = 0.0
    for role in (0, 1):
        env = gdl.gymnasium.make_vec(game, games // 2, role=role, autoreset="disabled")
        obs, infos = env.reset(seed=seed)
        over = np.zeros(games // 2, np.bool_)
        key = jax.random.PRNGKey(seed)
        while not over.all():
            key, draw = jax.random.split(key)
            mask = np.zeros((games // 2, max(game.num_actions)), np.bool_)
            mask[:, : game.num_actions[role]] = infos["action_mask"]
            actions = np.asarray(act(parameters, draw, obs.astype(np.float32), mask), np.int32)
            obs, rewards, over, _, infos = env.step(actions)
            total += float(rewards.sum())
    return total / (games // 2 * 2)


def train(name: str, steps: int, num_envs: int = 256, seed: int = 1, report: int = 100) -> float:
    """Learns a game; returns the mean goal against random play."""
    game = gdl.load(name)
    env = gdl.make_vec(game, num_envs, rewards="zero_sum", autoreset="disabled", seed=seed)
    key = jax.random.PRNGKey(seed)
    size = int(np.prod(env.single_observation_shape))
    parameters = network(key, [size, 128, 128, env.num_actions])
    moments = jax.tree.map(jnp.zeros_like, parameters)
    for step in range(steps):
        key, draw = jax.random.split(key)
        batch = list(play(env, parameters, draw))
        # Games differ in length: a fixed size keeps jax from compiling again.
        room = -len(batch[0]) % (num_envs * 4)
        batch = [np.concatenate([column, np.zeros((room, *column.shape[1:]), column.dtype)]) for column in batch]
        parameters, moments = update(parameters, moments, batch, 1e-3)
        if report and step % report == report - 1:
            print(f"{name}: {step + 1} steps, {against_random(game, parameters, 1000, step):.3f} against random")
    return against_random(game, parameters, 2000, seed)


def main() -> None:
    """Learns the game that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="tictactoe")
    parser.add_argument("--steps", type=int, default=600)
    args = parser.parse_args()
    print(f"mean goal against random play: {train(args.game, args.steps):.3f}")


if __name__ == "__main__":
    main()
