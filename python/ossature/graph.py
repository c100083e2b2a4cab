"""The base of all graphs: nodes by name, directed and undirected edges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _ossature, show
from .errors import DataError
from .files import save
from .given import name
from .matrix import Matrix

if TYPE_CHECKING:
    import networkx
    import pandas

Pair = tuple[str, str]
Parts = tuple[list[str], list[Pair], list[Pair]]


class Graph:
    """The base class of :class:`Dag`, :class:`Cpdag` and :class:`Skeleton`.

    Two graphs are equal if they have the same nodes and edges, in any order.

    >>> from ossature import Dag
    >>> Dag([("a", "b")]) == Dag([("a", "b")], nodes=["b", "a"])
    True
    """

    __slots__ = ("_directed", "_nodes", "_undirected")

    def __init__(
        self,
        nodes: Iterable[str] | None,
        directed: Iterable[Sequence[str]],
        undirected: Iterable[Sequence[str]],
    ) -> None:
        self._directed = sorted(set(as_pairs(directed)))
        self._undirected = sorted(set(map(_sorted, as_pairs(undirected))))
        ends = {end for pair in self._directed + self._undirected for end in pair}
        self._nodes = tuple(sorted(ends) if nodes is None else map(name, as_list(nodes)))
        _ossature.check_graph(self._parts())

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of the nodes."""
        return self._nodes

    @property
    def directed(self) -> list[Pair]:
        """The edges with a direction, each from its start to its end."""
        return list(self._directed)

    @property
    def undirected(self) -> list[Pair]:
        """The edges without a direction."""
        return list(self._undirected)

    def _parts(self) -> Parts:
        return list(self._nodes), self._directed, self._undirected

    def _require(self, node: str) -> str:
        if name(node) not in self._nodes:
            raise DataError(f"there is no node {node!r}")
        return name(node)

    def to_numpy(self) -> npt.NDArray[np.int8]:
        """The adjacency matrix: 1 in row ``a`` and column ``b`` for an arc from ``a`` to ``b``.

        An edge without direction is a 1 in both places.

        >>> from ossature import Dag
        >>> Dag([("a", "b"), ("a", "c")]).to_numpy()
        array([[0, 1, 1],
               [0, 0, 0],
               [0, 0, 0]], dtype=int8)
        """
        place = {node: i for i, node in enumerate(self._nodes)}
        matrix = np.zeros((len(place), len(place)), dtype=np.int8)
        for x, y in self._directed:
            matrix[place[x], place[y]] = 1
        for x, y in self._undirected:
            matrix[place[x], place[y]] = matrix[place[y], place[x]] = 1
        return matrix

    def to_matrix(self) -> Matrix:
        """The adjacency matrix of :meth:`to_numpy`, which can also be indexed by names.

        >>> from ossature import Dag
        >>> matrix = Dag([("a", "b"), ("a", "c")]).to_matrix()
        >>> matrix["a", "b"], matrix["b", "a"], matrix.names
        (1, 0, ('a', 'b', 'c'))
        """
        return Matrix(self.to_numpy(), self._nodes)

    def to_pandas(self) -> pandas.DataFrame:
        """The adjacency matrix of :meth:`to_numpy` with the names of the nodes."""
        import pandas

        return pandas.DataFrame(self.to_numpy(), index=list(self._nodes), columns=list(self._nodes))

    def to_networkx(self) -> networkx.DiGraph[str]:
        """A ``networkx.DiGraph``; an undirected edge appears in both directions."""
        import networkx

        graph: networkx.DiGraph[str] = networkx.DiGraph()
        graph.add_nodes_from(self._nodes)
        graph.add_edges_from(self._directed)
        graph.add_edges_from(edge for x, y in self._undirected for edge in ((x, y), (y, x)))
        return graph

    def to_dot(self) -> str:
        """The graph in DOT, the language of Graphviz."""
        return _ossature.to_text(self._parts(), "dot")

    def to_graphml(self) -> str:
        """The graph in GraphML."""
        return _ossature.to_text(self._parts(), "graphml")

    def to_json(self) -> str:
        """The graph in JSON, with the nodes, the arcs and the undirected edges."""
        return _ossature.to_text(self._parts(), "json")

    def to_csv(self) -> str:
        """The graph as lines ``from,to``; an edge without direction is two lines."""
        return _ossature.to_text(self._parts(), "csv")

    def to_svg(self) -> str:
        """A drawing; edges without direction are dashed."""
        return _ossature.to_svg(self._parts())

    def to_html(self, title: str | None = None) -> str:
        """An interactive page: pan, zoom, search, neighbours. One self-contained HTML document.

        >>> from ossature import Dag
        >>> Dag([("rain", "wet")]).to_html("Rain").startswith("<!doctype html>")
        True
        """
        return _ossature.to_html(title or type(self).__name__, self._parts())

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the graph; the extension determines the format: ``.dot``, ``.graphml``, ``.json``, ``.csv``, ``.svg``
        or ``.html``.

        >>> import ossature, pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "guess.csv"
        >>> ossature.Dag([("rain", "wet")]).save(path)
        >>> ossature.read_graph(path)
        <Dag: 2 nodes, 1 arc>
        """
        save(path, self._texts())

    def _texts(self) -> dict[str, Callable[[], str]]:
        return {
            "dot": self.to_dot, "graphml": self.to_graphml, "json": self.to_json, "csv": self.to_csv,
            "svg": self.to_svg, "html": self.to_html,
        }

    def _repr_svg_(self) -> str:
        """Output for notebooks without HTML."""
        return self.to_svg()

    def _repr_html_(self) -> str:
        """Notebook output: the drawing, within the cell."""
        return show.picture(self.to_svg())

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or not isinstance(other, Graph):
            return NotImplemented
        return (
            sorted(self._nodes) == sorted(other._nodes)
            and self._directed == other._directed
            and self._undirected == other._undirected
        )

    def __hash__(self) -> int:
        return hash((frozenset(self._nodes), tuple(self._directed), tuple(self._undirected)))

    def _counted(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {count(len(self._nodes), 'node')}, {self._counted()}>"

    def __str__(self) -> str:
        lines = [f"{x} -> {y}" for x, y in self._directed] + [f"{x} - {y}" for x, y in self._undirected]
        head = f"{type(self).__name__} of {count(len(self._nodes), 'node')}, {self._counted()}"
        return "\n  ".join([head, *lines])


def as_pairs(given: Any) -> list[Pair]:
    return [_pair(pair) for pair in as_list(given)]


def as_list(given: Any) -> Iterable[Any]:
    if not isinstance(given, Iterable):
        raise DataError(f"{given!r} is not a graph; a graph, a network or a list of pairs of names is needed")
    return given


def _pair(pair: Any) -> Pair:
    x, y = two_of(pair, "names")
    return name(x), name(y)


def two_of(pair: Any, of: str) -> Sequence[Any]:
    """Two things in order; a set has no order."""
    if isinstance(pair, (str, bytes, Set, Mapping)) or not isinstance(pair, Iterable):
        raise DataError(f"{pair!r} is not a pair of {of}")
    two = list(pair)
    if len(two) != 2:
        raise DataError(f"{pair!r} is not a pair of {of}")
    return two


def _sorted(pair: Pair) -> Pair:
    return (pair[1], pair[0]) if pair[1] < pair[0] else pair


def count(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"
