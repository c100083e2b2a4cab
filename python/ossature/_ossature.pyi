"""What the Rust part of the package gives to the Python part."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "Data",
    "Network",
    "Rows",
    "Rounds",
    "__version__",
    "bootstrap",
    "bootstrap_of",
    "bootstrap_sample",
    "check_graph",
    "ci_test",
    "compare",
    "costs",
    "cpdag",
    "cross_validate",
    "cross_validate_fold",
    "d_separated",
    "difference_html",
    "difference_svg",
    "effects",
    "extension",
    "learn",
    "learn_rows",
    "learn_found",
    "learners",
    "look",
    "neighbours",
    "over_folds",
    "predict",
    "query",
    "read_graph",
    "row_logs",
    "run_command",
    "score_by_node",
    "settings",
    "strength_plot",
    "to_html",
    "to_svg",
    "to_text",
    "why",
]
__version__: str

_Told = Callable[[str, int, int | None], object]
_Pair = tuple[str, str]
_Asked = tuple[str | None, str | None, str | None, str, dict[str, Any]]
_Graph = tuple[list[str], list[_Pair], list[_Pair]]

@final
class Data:
    @staticmethod
    def from_parts(
        parts: Iterable[Any],
        missing: str,
        *,
        only: Sequence[str] | None = None,
        drop: Sequence[str] = ...,
        cuts: Sequence[tuple[str, Sequence[float]]] = ...,
        discretise: Sequence[tuple[str, str]] = ...,
        kinds: Sequence[tuple[str, str]] = ...,
        weights: str | None = None,
        rows_dropped: int = 0,
    ) -> Data: ...
    @staticmethod
    def read(
        paths: list[str],
        missing: str,
        *,
        threads: int,
        columns: list[str] | None = None,
        drop: list[str] = ...,
        missing_tokens: list[str] | None = None,
        discretise: list[tuple[str, str]] | None = None,
        levels: list[tuple[str, list[str]]] | None = None,
        delimiter: int | None = None,
        continuous: str | list[str] | None = None,
        weights: str | None = None,
        progress: _Told | None = None,
    ) -> Data: ...
    def names(self) -> list[str]: ...
    def rows(self) -> int: ...
    def weights(self) -> npt.NDArray[np.uint32] | None: ...
    def total(self) -> int: ...
    def with_weights(self, weights: npt.NDArray[np.uint32]) -> Data: ...
    def level_counts(self, name: str) -> list[int]: ...
    def rows_dropped(self) -> int: ...
    def concerns(self, *, threads: int) -> list[str]: ...
    def levels(self, name: str) -> list[str]: ...
    def cuts(self) -> list[tuple[str, list[float]]]: ...
    def is_continuous(self, name: str) -> bool: ...
    def codes(self, name: str) -> Any: ...
    def policy(self) -> str: ...
    def nbytes(self) -> int: ...
    def sha256(self) -> str: ...
    def arrow_stream(self, requested_schema: object | None = None) -> object: ...

@final
class Network:
    @staticmethod
    def load(name: str) -> Network: ...
    @staticmethod
    def embedded() -> list[str]: ...
    @staticmethod
    def read_bif(path: str) -> Network: ...
    @staticmethod
    def parse_bif(text: str) -> Network: ...
    @staticmethod
    def fit(data: Data, graph: _Graph, prior: str, iss: float, *, threads: int) -> Network: ...
    def nodes(self) -> list[str]: ...
    def arcs(self) -> list[_Pair]: ...
    def levels(self, node: str) -> list[str]: ...
    def table(self, node: str) -> tuple[list[str], npt.NDArray[np.float64]]: ...
    def is_continuous(self, node: str) -> bool: ...
    def regressions(self, node: str) -> tuple[list[str], list[str], list[tuple[float, list[float], float]]]: ...
    def linear_gaussian(self, seed: int) -> Network: ...
    def to_svg(self) -> str: ...
    def parameters(self) -> int: ...
    def to_bif(self, labels: str) -> str: ...
    @staticmethod
    def read_model(path: str) -> Network: ...
    @staticmethod
    def parse_model(text: str) -> Network: ...
    def to_model(self) -> str: ...
    def cuts(self) -> list[tuple[str, list[float]]]: ...
    def sample(self, rows: int, seed: int, *, threads: int, progress: _Told | None = None) -> Data: ...
    def log_likelihood(
        self, data: Data, *, threads: int, time_limit: float | None = None
    ) -> npt.NDArray[np.float64]: ...

@final
class Rows:
    def __new__(cls, data: Data | None, variables: list[tuple[str, list[str]]]) -> Rows: ...
    @staticmethod
    def answer(
        parts: Sequence[Rows], questions: npt.NDArray[np.uint32]
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]: ...
    def data(self) -> Data | None: ...

def learn(
    data: Data,
    asked: _Asked,
    *,
    threads: int,
    time_limit: float | None = None,
    progress: _Told | None = None,
) -> str: ...
def learn_rows(
    variables: list[tuple[str, list[str], list[int]]],
    rows: int,
    ask: Callable[[npt.NDArray[np.uint32]], list[tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]]],
    asked: _Asked,
    *,
    threads: int,
    time_limit: float | None = None,
    progress: _Told | None = None,
) -> tuple[str, tuple[int, int, int, int]]: ...
def bootstrap(
    data: Data,
    asked: _Asked,
    samples: int,
    *,
    threads: int,
    time_limit: float | None = None,
    progress: _Told | None = None,
) -> str: ...
def neighbours(
    data: Data,
    targets: Sequence[str],
    blanket: bool,
    asked: _Asked,
    *,
    threads: int,
    time_limit: float | None = None,
    progress: _Told | None = None,
) -> list[str]: ...
@final
class Rounds:
    def __new__(cls, text: str | None = None) -> Rounds: ...
    def with_round(self, parts: Sequence[str], seconds: float) -> Rounds: ...
    def for_looking(self) -> Rounds: ...
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Rounds], tuple[str]]: ...

def costs(data: Data, asked: _Asked, rounds: Rounds, *, threads: int) -> list[int] | None: ...
def look(
    data: Data,
    asked: _Asked,
    rounds: Rounds,
    targets: Sequence[int],
    *,
    threads: int,
    progress: _Told | None = None,
) -> str: ...
def learn_found(
    data: Data,
    asked: _Asked,
    rounds: Rounds,
    *,
    threads: int,
    time_limit: float | None = None,
    progress: _Told | None = None,
) -> str: ...
def bootstrap_sample(
    data: Data,
    asked: _Asked,
    samples: int,
    sample: int,
    *,
    threads: int,
    progress: _Told | None = None,
) -> str: ...
def bootstrap_of(data: Data, asked: _Asked, found: Sequence[str], seconds: float, *, threads: int) -> str: ...
def cross_validate_fold(
    data: Data,
    asked: _Asked,
    fold: int,
    folds: int,
    target: str | None,
    seed: int,
    *,
    threads: int,
    progress: _Told | None = None,
) -> float: ...
def over_folds(by_fold: Sequence[float]) -> tuple[float, float]: ...
def cross_validate(
    data: Data,
    asked: list[_Asked],
    folds: int,
    target: str | None,
    seed: int,
    *,
    threads: int,
    time_limit: float | None = None,
    progress: _Told | None = None,
) -> str: ...
def query(
    network: Network,
    targets: list[str],
    given: list[_Pair],
    likelihoods: list[tuple[str, list[float]]],
    set: list[_Pair],
    *,
    samples: int | None,
    seed: int,
    threads: int,
) -> tuple[float, list[list[float]], tuple[list[list[float]], float] | None]: ...
def predict(
    network: Network, data: Data, target: str, unseen: str, *, threads: int
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.float64]]: ...
def row_logs(network: Network, data: Data, unseen: str, *, threads: int) -> npt.NDArray[np.float64]: ...
def effects(network: Network, of: str, on: str) -> str: ...
def why(report: str, x: str, y: str, data: Data | None = None, *, threads: int) -> str: ...
def learners() -> str: ...
def settings() -> list[tuple[str, str, str]]: ...
def ci_test(
    data: Data, x: str, y: str, z: list[str], settings: dict[str, Any], *, threads: int
) -> tuple[float, float, float, float, bool, bool]: ...
def score_by_node(
    data: Data, graph: _Graph, settings: dict[str, Any], *, threads: int
) -> list[tuple[str, float]]: ...
def check_graph(graph: _Graph) -> None: ...
def cpdag(graph: _Graph) -> _Graph: ...
def extension(graph: _Graph) -> _Graph: ...
def to_text(graph: _Graph, format: str) -> str: ...
def to_svg(graph: _Graph, strengths: Sequence[tuple[str, str, float]] = ...) -> str: ...
def to_html(
    title: str,
    graph: _Graph,
    *,
    network: Network | None = None,
    report: str | None = None,
    data: Data | None = None,
) -> str: ...
def difference_svg(truth: _Graph, other: _Graph) -> str: ...
def difference_html(title: str, truth: _Graph, other: _Graph) -> str: ...
def strength_plot(strengths: Sequence[float], threshold: float) -> str: ...
def d_separated(graph: _Graph, x: str, y: str, given: Sequence[str]) -> bool: ...
def read_graph(path: str) -> _Graph: ...
def compare(truth: _Graph, other: _Graph) -> str: ...
def run_command(words: list[str]) -> int: ...
