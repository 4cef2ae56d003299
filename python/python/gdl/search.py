"""Search by the agents of the library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gdl import _gdl
from gdl._gdl import Game, State


@dataclass(frozen=True)
class SearchResult:
    """What a search has found. Values are goals from 0 to 1."""

    action: int
    """The action that the agent would take."""
    actions: list[int]
    """The actions that were considered, the most visited first; empty where there is one legal
    action, which is not searched."""
    visits: list[int]
    """For each of them the number of simulations that began with it."""
    values: list[float]
    """For each of them its value for the role that searches."""
    proven: list[bool]
    """For each of them whether that value is proven."""
    pruned: list[bool]
    """For each of them whether another one is proven to be at least as good; its own value then
    means little, and it counts as proven."""
    variation: list[list[int]]
    """The joint actions that are expected to follow, one per role."""
    simulations: int
    """The number of simulations."""
    nodes: int
    """The number of states in the tree."""
    seconds: float
    """The time taken."""


class Player:
    """An agent in one game. It keeps what its searches have found, so that a search of a state
    that an earlier one has reached goes on from there. Made by `Agent.player`."""

    def __init__(self, game: Game, agent: str, seed: int, memory: int) -> None:
        self._player = _gdl.Player(game, agent, seed, memory)

    def search(
        self, state: State, *, role: int | None = None, sims: int | None = None, time: float | None = None
    ) -> SearchResult:
        """Searches a state, as `Agent.search` does."""
        role = state.current_player if role is None else role
        if role < 0:
            raise ValueError("several roles can choose: which one searches?")
        return SearchResult(**self._player.search(state, role, sims, time))


class Agent:
    """An agent, given by its text, such as `uct+mast`: `gdl agents` lists the components."""

    def __init__(self, text: str, *, memory: int = 1 << 30) -> None:
        """Reads the text.

        Args:
            text: The components of the agent.
            memory: The size limit of its trees, in bytes.

        Raises:
            GdlError: If the text does not denote an agent.
        """
        self.text = _gdl.canonical_agent(text)
        """Its shortest text."""
        self.memory = memory
        """The size limit of its trees, in bytes."""

    def __repr__(self) -> str:
        return f"gdl.Agent({self.text!r})"

    def player(self, game: Game, *, seed: int = 0) -> Player:
        """A player of a game, which keeps its tree from search to search."""
        return Player(game, self.text, seed, self.memory)

    def search(
        self,
        state: State,
        *,
        role: int | None = None,
        sims: int | None = None,
        time: float | None = None,
        seed: int = 0,
    ) -> SearchResult:
        """Searches a state from scratch; with `sims`, the same seed gives the same result.

        Args:
            state: The state.
            role: For which role; by default for the current player.
            sims: The number of simulations, or
            time: the time in seconds.
            seed: The seed of the search.
        """
        return self.player(state.game, seed=seed).search(state, role=role, sims=sims, time=time)


@dataclass(frozen=True)
class ContestResult:
    """The results of games between agents, in the order of the agents."""

    agents: list[str]
    """The texts of the agents."""
    games: int
    """The number of games."""
    unfinished: int
    """How many of them were given up as too long."""
    scores: list[float | None]
    """The mean score: 1 for a win, 1/2 for a draw. `None` without opponents."""
    lower: list[float | None]
    """The lower end of its 95 % confidence interval."""
    upper: list[float | None]
    """The upper end."""
    elo: list[float | None]
    """The score as an Elo difference."""
    goals: list[float | None]
    """The mean goal, from 0 to 1."""
    records: list[tuple[list[int], list[int]]]
    """For each game the agents of the roles, and the goals of the roles, 0 to 100."""


def contest(
    game: Game,
    agents: Sequence[str | Agent],
    *,
    games: int,
    sims: int | None = None,
    time: float | None = None,
    start: float = 10.0,
    seed: int = 1,
    threads: int | None = None,
    max_steps: int = 1000,
) -> ContestResult:
    """Plays games between agents, with roles swapped from game to game, and says which is
    better, by the statistics of `gdl match`.

    Args:
        game: The game.
        agents: The agents: at most one for each role, and any number in games of one role, where
            those with the same seed are compared.
        games: The number of games.
        sims: The simulations of a move, or
        time: its time in seconds.
        start: The seconds before the first move in which champions learn, with `time`.
        seed: The seed of the games; with `sims` and one thread the same seed repeats them.
        threads: The number of threads; by default the number of processors, or one if an agent
            has several threads itself.
        max_steps: The number of steps after which a game is given up.

    Raises:
        GdlError: If there are more agents than roles, or an agent or the game is at fault.
    """
    texts = [agent.text if isinstance(agent, Agent) else _gdl.canonical_agent(agent) for agent in agents]
    fields = _gdl.contest(game, texts, games, sims, time, start, seed, threads or None, max_steps)
    return ContestResult(agents=texts, **fields)
