"""Games on a cluster, by Ray: any Ray cluster, this machine by default."""

from __future__ import annotations

from gdl.ray.cluster_agent import ClusterAgent

__all__ = ["ClusterAgent"]
