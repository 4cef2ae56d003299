"""Ray on a simulated cluster: machines die and come, and nothing is lost or counted twice."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gdl
from gdl.ray.dispatch import LostBatchError
from tests.test_dispatch import lines, play_here

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
ray = pytest.importorskip("ray")

STORE = 80_000_000

TABLE = """
games = {games}
simulations = {simulations}
seed = 5
rules = ["connect_four"]
agents = ["uct", "uct+mast", "uct+rave"]
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head that plays nothing, and four machines of one processor."""
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": STORE}
    simulated = Cluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(4):
            simulated.add_node(num_cpus=1, object_store_memory=STORE)
        ray.init(address=simulated.address, log_to_driver=False)
        yield simulated
    finally:
        ray.shutdown()
        simulated.shutdown()  # type: ignore[no-untyped-call]


def timeless(figures: Any) -> Any:
    """Figures without what depends on the seconds that searches took."""
    if isinstance(figures, list):
        return [timeless(each) for each in figures]
    if isinstance(figures, dict):
        return {key: timeless(value) for key, value in figures.items() if "per_second" not in key}
    return figures


def known(folder: Path) -> int:
    """The number of games that a folder has."""
    return sum(len(games) for games in lines(folder).values())


# Ten batches, of a second or several seconds of one processor each.
@pytest.mark.parametrize(
    ("games", "simulations", "batch"), [(40, 500, 12), pytest.param(200, 2000, 60, marks=pytest.mark.slow)]
)
def test_a_tournament_survives_the_death_of_a_machine(
    cluster: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], games: int, simulations: int, batch: int
) -> None:
    file = tmp_path / "table.toml"
    text = TABLE.format(games=games, simulations=simulations)
    file.write_text(text)
    folder = tmp_path / "there"
    folder.mkdir()
    with ThreadPoolExecutor(1) as thread:
        played = thread.submit(gdl.ray.tournament, file, out=folder, batch=batch)
        # As soon as there are games, while all machines play.
        while known(folder) == 0 and not played.done():
            time.sleep(0.05)
        cluster.remove_node(cluster.list_all_nodes()[-1], allow_graceful=False)
        assert 0 < known(folder) < 3 * games
        cluster.add_node(num_cpus=1, object_store_memory=STORE)
        result = played.result()
    assert f"{3 * games} games in" in capsys.readouterr().err
    assert [contest["games"] for contest in result.contests] == [games] * 3

    here = play_here(tmp_path / "here", text, batch)
    assert lines(folder) == here
    alone = gdl.ray.tournament(file, out=tmp_path / "here")
    assert timeless(result.contests) == timeless(alone.contests)


def test_errors_come_from_the_cluster(cluster: Any, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    rules = tmp_path / "stuck.kif"
    rules.write_text("(role a) (init s) (<= (legal a go) (true s)) (<= (next t) (true s)) (goal a 0) (<= terminal (true never))")
    file.write_text('games = 2\nsimulations = 5\n[[pairing]]\ngame = "stuck.kif"\nfirst = "uct"\nsecond = "random"\n')
    failures = []
    for _ in range(2):
        # A traceback that is kept, as sessions keep them, does not keep the journals locked.
        with pytest.raises(gdl.GdlError, match="stuck cannot be played on") as failure:
            gdl.ray.tournament(file, out=tmp_path / "games", progress=False)
        failures.append(failure)


def test_tasks_about_to_end_are_not_cancelled(cluster: Any, tmp_path: Path) -> None:
    from gdl.ray.executor import RayExecutor

    def task(name: str, seconds: float) -> list[str]:
        (tmp_path / name).touch()
        time.sleep(seconds)
        return [name]

    handles = [ray.remote(task).remote("short", 0.1), ray.remote(task).remote("long", 600)]
    while len(list(tmp_path.iterdir())) < len(handles):
        time.sleep(0.01)
    executor = RayExecutor()
    executor.cancel(handles)
    assert executor.result(handles[0]) == ["short"]
    with pytest.raises(LostBatchError):
        executor.result(handles[1])


class Counter:
    """A learner whose weights are a number."""

    def __init__(self) -> None:
        self.rounds = 0

    def weights(self) -> Any:
        return np.full(3, self.rounds, np.float32)

    def learn(self, buffer: gdl.ReplayBuffer) -> None:
        seen, policies, values = buffer.sample(np.random.default_rng(1), 32)
        assert seen.shape == (32, *gdl.planes(gdl.load("tictactoe")).shape)
        assert policies.sum(axis=1) == pytest.approx(1.0)
        assert set(np.unique(values)) <= {-1.0, 0.0, 1.0}
        self.rounds += 1


def test_actors_produce_while_one_of_them_dies(cluster: Any, tmp_path: Path) -> None:
    fatal = tmp_path / "died"

    def evaluate(weights: Any, seen: Any, masks: Any, players: Any) -> Any:
        assert weights.shape == (3,)
        if weights[0] == 2 and not fatal.exists():
            fatal.touch()
            os._exit(1)
        return np.zeros(masks.shape), np.zeros(len(seen))

    learner = Counter()
    report = gdl.ray.self_play(
        gdl.load("tictactoe"), learner, evaluate, actors=2, positions=2000, num_envs=16, sims=8, fewest=100
    )
    assert fatal.exists()
    assert report.failures == 1
    assert report.positions >= 2000
    assert report.rounds == learner.rounds > 2
    assert report.games >= report.positions // 9


def test_what_actors_fail_in_is_told(cluster: Any) -> None:
    def evaluate(weights: Any, seen: Any, masks: Any, players: Any) -> Any:
        raise ValueError("no idea")

    with pytest.raises(gdl.GdlError, match="no idea"):
        gdl.ray.self_play(gdl.load("tictactoe"), Counter(), evaluate, actors=1, seconds=60, num_envs=4)
