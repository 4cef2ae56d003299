"""The cluster: the program's own, the one at an address, or one on this machine."""

from __future__ import annotations

import os

import ray

_LOCAL = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
"""Settings for a cluster on this machine: it reports to nobody, and needs no network."""


def connect(address: str | None) -> None:
    """Connects this process to a cluster, unless it is connected.

    Args:
        address: That of `ray.init`: `auto` for the cluster that this machine belongs to; by
            default what `RAY_ADDRESS` says, and otherwise one is started on this machine.
    """
    if ray.is_initialized():
        return
    if address is None and "RAY_ADDRESS" not in os.environ:
        for name, value in _LOCAL.items():
            os.environ.setdefault(name, value)
        # Not somebody else's cluster that happens to run here.
        ray.init(address="local", include_dashboard=False, log_to_driver=False)
    else:
        ray.init(address=address, log_to_driver=False)


def processors() -> int:
    """The number of processors of the cluster as it is now, at least 1."""
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return max(1, int(resources.get("CPU", 0)))
