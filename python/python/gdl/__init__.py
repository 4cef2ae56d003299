"""Games of the Game Description Language: environments, search, pictures.

```python
import gdl

game = gdl.load("connect_four")
env = gdl.make_vec(game, num_envs=4096)
obs, info = env.reset(seed=1)
obs, rewards, terminated, truncated, info = env.step(env.sample_actions(info))
```

Interfaces to other libraries are separate modules, which need those libraries:
`gdl.gymnasium`, `gdl.pettingzoo`, `gdl.openspiel`, and `gdl.ray` for clusters. `gdl.functional`
has a functional view.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gdl._gdl import Game, State, parse_term
from gdl.batch import BatchResult, BatchSearch
from gdl.errors import Finding, GdlError
from gdl.loading import games, load
from gdl.matches import Animation, Match, animation
from gdl.planes import Channel, Planes, planes
from gdl.replay import ReplayBuffer
from gdl.rollouts import Rollout, random_rollout
from gdl.sampling import sample
from gdl.search import Agent, ContestResult, Player, SearchResult, contest
from gdl.self_play import Samples, SelfPlay
from gdl.serving import PreparedAgent, Server, ServerEvent, TimedAgent, serve
from gdl.vector import Buffers, VectorEnv, make_vec

if TYPE_CHECKING:
    from gdl import functional, gymnasium, openspiel, pettingzoo, ray

_MODULES = ("functional", "gymnasium", "openspiel", "pettingzoo", "ray")

__all__ = [
    "Agent",
    "Animation",
    "BatchResult",
    "BatchSearch",
    "Buffers",
    "Channel",
    "ContestResult",
    "Finding",
    "Game",
    "GdlError",
    "Match",
    "Planes",
    "Player",
    "PreparedAgent",
    "ReplayBuffer",
    "Rollout",
    "Samples",
    "SearchResult",
    "SelfPlay",
    "Server",
    "ServerEvent",
    "State",
    "TimedAgent",
    "VectorEnv",
    "animation",
    "contest",
    "functional",
    "games",
    "gymnasium",
    "load",
    "make_vec",
    "openspiel",
    "parse_term",
    "pettingzoo",
    "planes",
    "random_rollout",
    "ray",
    "sample",
    "serve",
]


def __getattr__(name: str) -> Any:
    """Imports the modules that need other libraries on first use."""
    if name in _MODULES:
        return import_module(f"gdl.{name}")
    raise AttributeError(f"module 'gdl' has no attribute {name!r}")
