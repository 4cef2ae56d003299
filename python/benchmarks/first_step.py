"""The time from `gdl.load` to the end of the first step, of all rule sheets in a folder.

    python python/benchmarks/first_step.py ../shared/corpus/games
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

import gdl


def first_step(path: Path) -> float:
    """Seconds to load a game, make 4096 environments of it and take a step in all of them."""
    begun = time.perf_counter()
    env = gdl.make_vec(gdl.load(path), 4096, seed=1)
    _, info = env.reset()
    env.step(env.sample_actions(info))
    return time.perf_counter() - begun


def main() -> None:
    """Prints the median and the slowest games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    times = {}
    for path in sorted(parser.parse_args().folder.glob("*.kif")):
        try:
            times[path.stem] = first_step(path)
        except gdl.GdlError as error:
            print(f"{path.stem}: {str(error).splitlines()[0]}")
    slowest = sorted(times, key=lambda name: -times[name])[:5]
    print(f"{len(times)} games: median {statistics.median(times.values()):.3f} s")
    print("slowest: " + ", ".join(f"{name} {times[name]:.1f} s" for name in slowest))


if __name__ == "__main__":
    main()
