"""The part written in Rust."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

Term: TypeAlias = str | tuple[Any, ...]

def builtin_games() -> list[str]: ...
def load(name: str, rules: str | None = None) -> Game: ...
def parse_term(text: str) -> Term: ...
def sample(
    mask: npt.NDArray[np.uint8],
    bits: int | None,
    seed: int,
    actions: npt.NDArray[np.int32],
) -> None: ...
def canonical_agent(text: str) -> str: ...
def contest(
    game: Game,
    agents: Sequence[str],
    games: int,
    sims: int | None,
    seconds: float | None,
    start: float,
    seed: int,
    threads: int | None,
    max_steps: int,
) -> dict[str, Any]: ...
def animate(
    game: Game,
    states: Sequence[State],
    moves: Sequence[Sequence[str]],
    captions: Sequence[str],
    seconds: float,
) -> str: ...
def merge_searches(
    method: str, searches: Sequence[Sequence[tuple[int, int, float, bool, bool]]]
) -> tuple[int, list[tuple[int, int, float, bool, bool]]]: ...
@final
class BatchSearch:
    def __new__(
        cls,
        game: Game,
        games: int,
        observation: str,
        exploration: float,
        noise: float,
        concentration: float | None,
        seed: int,
    ) -> BatchSearch: ...
    def begin(self, states: npt.NDArray[np.uint64]) -> None: ...
    def leaves(
        self,
    ) -> tuple[
        npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.int8], npt.NDArray[np.bool_]
    ]: ...
    def descend(self) -> None: ...
    def expand(self, logits: npt.NDArray[np.float32], values: npt.NDArray[np.float32]) -> None: ...
    def results(self, visits: npt.NDArray[np.uint32], values: npt.NDArray[np.float32]) -> None: ...

@final
class Tournament:
    def __new__(
        cls,
        file: Path,
        folder: Path,
        games: int | None,
        sims: int | None,
        steps: int | None,
        seconds: float | None,
        one_by_one: bool,
        memory: int,
        rounds: int,
        start: float,
    ) -> Tournament: ...
    @property
    def games(self) -> int: ...
    @property
    def recorded(self) -> int: ...
    def batches(self, size: int | None, workers: int) -> list[tuple[str, int, int]]: ...
    def record(self, game: str) -> bool: ...
    def overview(self) -> str: ...
    def summaries(self) -> str: ...
    def conclude(self) -> None: ...
    def close(self) -> None: ...

@final
class BatchPlayer:
    def __new__(cls) -> BatchPlayer: ...
    def play(self, batch: str) -> list[str]: ...

@final
class Player:
    def __new__(cls, game: Game, agent: str, seed: int, memory: int) -> Player: ...
    def search(
        self, state: State, role: int, sims: int | None, seconds: float | None
    ) -> dict[str, Any]: ...

@final
class Server:
    def __new__(
        cls,
        agent: str,
        guest: Any | None,
        name: str,
        host: str,
        port: int,
        matches: int,
        memory: int,
        records: str | None,
    ) -> Server: ...
    @property
    def address(self) -> tuple[str, int]: ...
    def close(self) -> None: ...
    def events(self) -> list[tuple[str, str]]: ...

@final
class Game:
    """A game, loaded into an engine. Made by `gdl.load`."""

    @property
    def name(self) -> str:
        """The name."""
    @property
    def rules(self) -> str:
        """The rule sheet."""
    @property
    def engine_name(self) -> str:
        """The engine, and its number of lanes."""
    @property
    def roles(self) -> list[str]:
        """The names of the roles, in the order of the rules."""
    @property
    def num_actions(self) -> list[int]:
        """The number of actions of each role: its moves, numbered from 0."""
    @property
    def state_words(self) -> int:
        """The number of 64-bit words of a state."""
    @property
    def is_turn_based(self) -> bool:
        """Whether it is proven from the rules that only one role can choose at a time."""
    @property
    def goal_ranges(self) -> list[tuple[int, int]]:
        """The least and the greatest goal value of each role, 0 to 100."""
    def fluent_names(self) -> list[str]:
        """All fluents as KIF. Bit `i` of a state is fluent `i`."""
    def action_names(self, role: int) -> list[str]:
        """All actions of a role as KIF."""
    def action_name(self, role: int, action: int) -> str:
        """An action of a role as KIF."""
    def action(self, role: int, name: str) -> int:
        """The action of a role with this name, ignoring case and spacing."""
    def initial(self) -> State:
        """The initial state."""
    def state(self, facts: Sequence[str]) -> State:
        """The state in which exactly these facts hold, given as KIF."""
    def state_of_words(self, words: Sequence[int]) -> State:
        """The state with these words."""
    def planes(self) -> tuple[int, int, list[tuple[str, str, str, int | None]], list[int]]: ...
    def random_rollout(
        self, states: npt.NDArray[np.uint64], games: int, seed: int, step_limit: int | None
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.float64]]: ...

@final
class State:
    """A state of a game. It is immutable; equal states compare equal and have the same hash."""

    @property
    def game(self) -> Game:
        """The game."""
    @property
    def words(self) -> npt.NDArray[np.uint64]:
        """Its fluents as bits: fluent `i` is bit `i % 64` of word `i // 64`."""
    @property
    def facts(self) -> list[str]:
        """The facts as KIF, sorted."""
    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
    @property
    def goals(self) -> list[list[int]]:
        """The goal values that hold for each role, 0 to 100: usually one."""
    @property
    def returns(self) -> list[float]:
        """The goal of each role from 0 to 1: the highest that holds, 0 if none does."""
    @property
    def current_player(self) -> int:
        """The role whose turn it is; -1 if several roles can choose."""
    def legal_actions(self, role: int | None = None) -> list[int]:
        """The legal actions of a role, ascending; of the current player by default."""
    def next(self, actions: Sequence[int]) -> State:
        """The state after one action of every role, or of the current player alone."""
    def fluents(self) -> npt.NDArray[np.uint8]:
        """The fluents, 0 or 1 each."""
    def planes(self) -> npt.NDArray[np.uint8]:
        """The planes: an array of shape (channels, height, width)."""
    def text(self) -> str:
        """The state drawn as text."""
    def svg(self, moves: Sequence[str] = (), with_style: bool = True) -> str:
        """The state drawn as SVG. The cells that `moves` name are marked as the last move's."""
    def _repr_svg_(self) -> str: ...

@final
class VectorEnvironment:
    def __new__(
        cls,
        game: Game,
        num_envs: int,
        observation: str,
        packed: bool,
        one_action: bool | None,
        zero_sum: bool,
        autoreset: str,
        step_limit: int | None,
    ) -> VectorEnvironment: ...
    @property
    def slots(self) -> int: ...
    @property
    def bits(self) -> tuple[int, int]: ...
    def reset(self, chosen: npt.NDArray[np.uint8] | None, buffers: Any) -> None: ...
    def step(self, actions: npt.NDArray[np.int32], buffers: Any) -> None: ...
    def states(self, out: npt.NDArray[np.uint64]) -> None: ...
    def set_states(
        self, chosen: npt.NDArray[np.uint32], states: npt.NDArray[np.uint64], buffers: Any
    ) -> None: ...
