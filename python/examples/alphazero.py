"""AlphaZero-style self-play with a small network in jax.

    python python/examples/alphazero.py connect_four --minutes 10
    python python/examples/alphazero.py connect_four --minutes 10 --actors 4

Games of self-play are searched side by side; the network learns the shares of visits and the
results. In the end the searches with the network play against the agent `uct`, both with the
same number of simulations. Needs jax; with `--actors`, the games are played on a cluster of Ray.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import gdl

Parameters = dict[str, Any]


def network(key: Any, inputs: int, actions: int, width: int = 256) -> Parameters:
    """Random weights: two shared layers, a head for the policy and one for the value."""
    keys = jax.random.split(key, 4)

    def layer(k: Any, m: int, n: int, scale: float = 1.0) -> tuple[Any, Any]:
        return jax.random.normal(k, (m, n)) * scale * (2.0 / m) ** 0.5, jnp.zeros(n)

    return {
        "first": layer(keys[0], inputs, width),
        "second": layer(keys[1], width, width),
        "policy": layer(keys[2], width, actions, 0.1),
        "value": layer(keys[3], width, 1, 0.1),
    }


@jax.jit
def evaluate(parameters: Parameters, observations: Any) -> tuple[Any, Any]:
    """The logits of actions, and the value for the player to move."""
    hidden = observations.reshape(len(observations), -1).astype(jnp.float32)
    for name in ("first", "second"):
        weights, bias = parameters[name]
        hidden = jax.nn.relu(hidden @ weights + bias)
    policy, value = parameters["policy"], parameters["value"]
    return hidden @ policy[0] + policy[1], jnp.tanh(hidden @ value[0] + value[1])[:, 0]


@jax.jit
def update(parameters: Parameters, moments: Any, batch: Any, step: Any, rate: float) -> Any:
    """A step of Adam on cross entropy and squared error."""

    def loss(weights: Parameters) -> Any:
        observations, policies, values = batch
        logits, found = evaluate(weights, observations)
        cross = -(policies * jax.nn.log_softmax(logits)).sum(axis=1).mean()
        decay = sum((leaf**2).sum() for leaf in jax.tree.leaves(weights))
        return cross + ((found - values) ** 2).mean() + 1e-5 * decay

    gradient = jax.grad(loss)(parameters)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], gradient)
    second = jax.tree.map(lambda m, g: 0.999 * m + 0.001 * g * g, moments[1], gradient)
    one, two = 1 - 0.9**step, 1 - 0.999**step
    parameters = jax.tree.map(
        lambda w, m, v: w - rate * (m / one) / (jnp.sqrt(v / two) + 1e-8), parameters, first, second
    )
    return parameters, (first, second)


def guide(parameters: Parameters, observations: Any, masks: Any, players: Any) -> tuple[Any, Any]:
    """What searches ask: `evaluate`, which looks at observations only."""
    del masks, players
    logits, values = evaluate(parameters, observations)
    return np.asarray(logits), np.asarray(values)


class NetworkLearner:
    """Learns the shares of visits and the results of the positions in a replay buffer."""

    def __init__(self, game: gdl.Game, seconds: float, *, seed: int, width: int = 256, report: bool = True) -> None:
        size = int(np.prod(gdl.planes(game).shape))
        self.game = game
        self.parameters = network(jax.random.PRNGKey(seed), size, max(game.num_actions), width)
        self.steps = 0
        self._moments = (jax.tree.map(jnp.zeros_like, self.parameters),) * 2
        self._rng = np.random.default_rng(seed)
        self._seconds = seconds
        self._begun = self._reported = time.monotonic()
        self._report = report

    def weights(self) -> Parameters:
        """The weights as NumPy arrays."""
        weights: Parameters = jax.tree.map(np.asarray, self.parameters)
        return weights

    def learn(self, buffer: gdl.ReplayBuffer, updates: int = 4) -> None:
        """Makes some steps of gradient descent."""
        share = (time.monotonic() - self._begun) / self._seconds
        rate = 1e-3 if share < 0.7 else 3e-4
        for _ in range(updates):
            batch = buffer.sample(self._rng, 256)
            self.steps += 1
            self.parameters, self._moments = update(self.parameters, self._moments, batch, self.steps, rate)
        if self._report and time.monotonic() - self._reported > 60:
            self._reported = time.monotonic()
            score = against_uct(self.game, self.parameters, 20, 50, seed=self.steps)
            elapsed = self._reported - self._begun
            print(f"{elapsed:5.0f} s, {self.steps} updates: {score:.2f} against uct, 50 simulations each", flush=True)


def train(
    game: gdl.Game,
    seconds: float,
    *,
    num_envs: int = 128,
    sims: int = 32,
    seed: int = 1,
    actors: int = 0,
    report: bool = True,
) -> Parameters:
    """Plays and learns for this many seconds: here, or with actors on a cluster of Ray."""
    learner = NetworkLearner(game, seconds, seed=seed, report=report)
    if actors > 0:
        produced = gdl.ray.self_play(
            game, learner, guide, actors=actors, seconds=seconds, num_envs=num_envs, sims=sims, moves=1, seed=seed
        )
        print(produced)
        return learner.parameters
    play = gdl.SelfPlay(
        game,
        lambda seen, masks, players: guide(learner.parameters, seen, masks, players),
        num_envs=num_envs,
        sims=sims,
        seed=seed,
    )
    buffer = gdl.ReplayBuffer(60_000)
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        buffer.add(play.step())
        if len(buffer) >= 2000:
            learner.learn(buffer)
    return learner.parameters


def against_uct(game: gdl.Game, parameters: Parameters, games: int, sims: int, seed: int = 1) -> float:
    """The score against `uct` with as many simulations, each first in half of the games."""
    env = gdl.make_vec(game, games, observation="none", rewards="zero_sum", autoreset="disabled")
    search = gdl.BatchSearch(
        game, lambda seen, masks, players: evaluate(parameters, seen), num_envs=games, c_puct=1.5
    )
    agent = gdl.Agent("uct", memory=1 << 24)
    rivals = [agent.player(game, seed=seed * 1000 + number) for number in range(games)]
    role = np.arange(games) % 2
    _, info = env.reset()
    over = np.zeros(games, np.bool_)
    score = np.zeros(games)
    rng = np.random.default_rng(seed)
    for move in range(1000):
        if over.all():
            break
        result = search.run(env.states(), sims)
        # The first moves are drawn, so that games differ.
        actions = result.sample(rng, 0.5 if move < 2 else 0.0)
        for index in np.flatnonzero(~over & (info["current_player"] != role)):
            actions[index] = rivals[index].search(env.state(int(index)), sims=sims).action
        _, rewards, over, _, info = env.step(actions)
        score += rewards[np.arange(games), role]
    return float((score.mean() + 1) / 2)


def main() -> None:
    """Learns the game that the command line names, and plays against `uct`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="connect_four")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--actors", type=int, default=0, help="the actors of Ray that play; 0 plays here")
    parser.add_argument("--games", type=int, default=100, help="the games against uct")
    parser.add_argument("--sims", type=int, default=100, help="the simulations of both in these")
    args = parser.parse_args()
    game = gdl.load(args.game)
    parameters = train(game, 60 * args.minutes, actors=args.actors)
    score = against_uct(game, parameters, args.games, args.sims)
    print(f"{args.game}: score {score:.2f} against uct in {args.games} games, {args.sims} simulations each")


if __name__ == "__main__":
    main()
