"""`python -m gdl.ray tournament FILE`: tournaments on a cluster, from the command line."""

from __future__ import annotations

import argparse
import sys

from gdl.ray.tournaments import tournament


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m gdl.ray", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser(
        "tournament",
        help="play all contests that a file lists",
        description="Plays all contests that a file lists on a cluster of Ray, as gdl tournament does on one machine.",
    )
    command.add_argument("file", help="the file of the tournament")
    command.add_argument("--out", metavar="DIR", help="the folder in which games are kept")
    command.add_argument("--address", help="the cluster: auto, or host:port [default: this machine]")
    command.add_argument("--batch", type=int, metavar="N", help="the number of games in a task")
    command.add_argument("--games", type=int, metavar="N", help="games per contest, whatever the file says")
    command.add_argument("--one-by-one", action="store_true", help="one game at a time on each processor")
    command.add_argument("--memory", type=int, default=256, metavar="MIB", help="memory per player for its tree")
    return parser.parse_args()


def main() -> int:
    """Runs the command; returns its exit code: 1 if a move was illegal, 2 if it failed."""
    args = _arguments()
    try:
        result = tournament(
            args.file,
            out=args.out,
            address=args.address,
            batch=args.batch,
            games=args.games,
            one_by_one=args.one_by_one,
            memory=args.memory,
        )
    except Exception as error:
        # Whatever it is: 1 would mean that a move was illegal.
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ninterrupted; all games received are kept, and the same command continues", file=sys.stderr)
        return 2
    print(result, end="")
    return int(any(contest["illegal"] > 0 for contest in result.contests))


if __name__ == "__main__":
    sys.exit(main())
