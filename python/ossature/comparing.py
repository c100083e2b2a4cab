"""The comparison of two structures."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from os import PathLike

from . import _ossature, show
from .files import save
from .graph import Pair, Parts
from .graph_like import GraphLike, parts_of


@dataclass(frozen=True)
class Comparison:
    """How a structure differs from the truth; :func:`compare` returns it.

    >>> import ossature
    >>> ossature.compare([("a", "b")], [("b", "c")]).extra
    [('b', 'c')]
    """

    shd: int
    true_positives: int
    false_positives: int
    false_negatives: int
    precision: float
    recall: float
    f1: float
    same: list[Pair]
    missing: list[Pair]
    extra: list[Pair]
    reversed: list[Pair]
    undirected: list[Pair]
    directed: list[Pair]
    graphs: tuple[Parts, Parts] = field(repr=False, compare=False)

    __hash__ = None  # type: ignore[assignment]

    def to_svg(self) -> str:
        """Both structures overlaid; A is the truth.

        >>> import ossature
        >>> "only in A (1)" in ossature.compare([("a", "b")], [("b", "c")]).to_svg()
        True
        """
        return _ossature.difference_svg(*self.graphs)

    def to_html(self, title: str | None = None) -> str:
        """The same as an interactive page."""
        return _ossature.difference_html(title or "Comparison", *self.graphs)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes both structures overlaid, as ``.svg`` or ``.html``."""
        save(path, {"svg": self.to_svg, "html": self.to_html})

    def _repr_html_(self) -> str:
        """Notebook output: both structures overlaid, and the differences."""
        return show.comparison(self)


def compare(truth: GraphLike, other: GraphLike) -> Comparison:
    """Compares a structure with the true one, by their equivalence classes.

    Nodes are matched by name; a node that one side lacks is an isolated node there. The lists of edges are
    those of ``ossature compare``: ``missing`` are only in the truth, ``extra`` only in the other.

    >>> import ossature
    >>> asia = ossature.load_network("asia")
    >>> found = ossature.compare(asia, ossature.h2pc(asia.sample(1000, seed=1)))
    >>> found.shd, found.true_positives, found.missing
    (3, 6, [('either', 'dysp'), ('lung', 'smoke')])
    """
    graphs = (parts_of(truth), parts_of(other))
    found = json.loads(_ossature.compare(*graphs))
    counts = found["skeleton"]
    edges = {kind: [(x, y) for x, y in pairs] for kind, pairs in found["arcs"].items()}
    return Comparison(
        found["shd"], counts["tp"], counts["fp"], counts["fn"],
        found["precision"], found["recall"], found["f1"], **edges, graphs=graphs,
    )


def shd(truth: GraphLike, other: GraphLike) -> int:
    """The structural Hamming distance of two structures: pairs of nodes joined differently.

    It compares equivalence classes, so directions that data cannot determine do not count.

    >>> import ossature
    >>> ossature.shd([("a", "b"), ("b", "c")], [("b", "a"), ("b", "c")])
    0
    """
    return compare(truth, other).shd
