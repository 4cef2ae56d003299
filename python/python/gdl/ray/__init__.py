"""Tournaments, self-play and searches on a cluster of Ray.

```python
import gdl

result = gdl.ray.tournament("table.toml", out="games")
print(result)
```

Any Ray cluster will do: by default one on this machine, otherwise that of `ray.init` or of
`address=`. Needs the extra `ray`; the package has to be installed on every machine of the
cluster. Modules that do not use Ray themselves (`dispatch`, `progress`) can be imported without it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gdl.ray.production import Learner, ProductionReport, self_play
from gdl.ray.tournaments import TournamentResult, tournament

if TYPE_CHECKING:
    from gdl.ray.cluster_agent import ClusterAgent

__all__ = [
    "ClusterAgent",
    "Learner",
    "ProductionReport",
    "TournamentResult",
    "self_play",
    "tournament",
]


def __getattr__(name: str) -> Any:
    """Imports what needs Ray itself on first use."""
    if name == "ClusterAgent":
        return import_module("gdl.ray.cluster_agent").ClusterAgent
    raise AttributeError(f"module 'gdl.ray' has no attribute {name!r}")
