"""Recorded playouts, replayed in vector environments."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import gdl

Record = dict[str, Any]


def normal(term: str) -> str:
    """A term in lower case, with normal spacing."""
    words = term.lower().replace("(", " ( ").replace(")", " ) ").split()
    return " ".join(words).replace("( ", "(").replace(" )", ")")


def normals(terms: Iterable[str]) -> list[str]:
    return [normal(term) for term in terms]


def read(path: Path) -> list[list[Record]]:
    """The playouts of a trace, as lists of records."""
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else path.open()
    playouts: dict[int, list[Record]] = {}
    with opened as lines:
        for line in lines:
            record = json.loads(line)
            if "p" in record:
                playouts.setdefault(record["p"], []).append(record)
    return list(playouts.values())


class Replay:
    """Steps the playouts of a trace side by side, each in an environment, and compares."""

    def __init__(self, game: gdl.Game, playouts: list[list[Record]]) -> None:
        self.game = game
        self.playouts = playouts
        self.env = gdl.make_vec(game, len(playouts), one_action=False, autoreset="disabled")
        self.fluents = normals(game.fluent_names())
        self.actions = [normals(game.action_names(role)) for role in range(len(game.roles))]
        self.numbers = [{name: number for number, name in enumerate(names)} for names in self.actions]

    def run(self) -> int:
        """Compares all states; returns their number.

        Raises:
            AssertionError: If anything differs.
        """
        obs, info = self.env.reset()
        shape = (len(self.playouts), len(self.game.roles), -1)
        rewards = np.zeros((len(self.playouts), len(self.game.roles)), np.float32)
        over = np.zeros(len(self.playouts), np.bool_)
        states = 0
        for step in range(max(map(len, self.playouts))):
            masks = info["action_mask"].reshape(shape)
            joint = np.full((len(self.playouts), len(self.game.roles)), -1, np.int32)
            for index, playout in enumerate(self.playouts):
                if step < len(playout):
                    self.compare(playout[step], obs[index], masks[index], rewards[index], over[index])
                    states += 1
                    if "move" in playout[step]:
                        names = normals(playout[step]["move"])
                        joint[index] = [self.numbers[role][name] for role, name in enumerate(names)]
            obs, rewards, over, _, info = self.env.step(joint)
        return states

    def compare(
        self,
        record: Record,
        obs: npt.NDArray[np.uint8],
        mask: npt.NDArray[np.bool_],
        rewards: npt.NDArray[np.float32],
        over: np.bool_,
    ) -> None:
        """Compares one state."""
        place = f"{self.game.name}, playout {record['p']}, step {record['s']}"
        facts = {self.fluents[fluent] for fluent in np.flatnonzero(obs)}
        assert facts == set(normals(record["state"])), place
        assert bool(over) == record["terminal"] or record["s"] == 0, place
        if not record["terminal"]:
            for role, legal in enumerate(record.get("legal") or []):
                found = {self.actions[role][action] for action in np.flatnonzero(mask[role])}
                assert found == set(normals(legal)), f"{place}, role {role}"
        elif record["s"] > 0 and record.get("goals"):
            for role, recorded in enumerate(record["goals"]):
                goals = recorded if isinstance(recorded, list) else [recorded]
                best = max((int(goal) for goal in goals if goal is not None), default=0)
                assert round(float(rewards[role]) * 100) == best, f"{place}, role {role}"
