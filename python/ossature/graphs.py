"""Graphs by the names of their nodes: DAGs, equivalence classes and skeletons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from os import PathLike
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from . import _ossature
from .errors import DataError
from .given import name, path as path_of
from .table import Table

if TYPE_CHECKING:
    import networkx
    import pandas

Pair = tuple[str, str]
Parts = tuple[list[str], list[Pair], list[Pair]]


class Graph:
    """What :class:`Dag`, :class:`Cpdag` and :class:`Skeleton` have in common.

    Two graphs are equal when they have the same nodes and edges, in whatever order.

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
        self._directed = sorted(set(_pairs(directed)))
        self._undirected = sorted(set(map(_sorted, _pairs(undirected))))
        ends = {end for pair in self._directed + self._undirected for end in pair}
        self._nodes = tuple(sorted(ends) if nodes is None else map(name, _listed(nodes)))
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

    def to_pandas(self) -> pandas.DataFrame:
        """The adjacency matrix of :meth:`to_numpy` with the names of the nodes."""
        import pandas

        return pandas.DataFrame(self.to_numpy(), index=list(self._nodes), columns=list(self._nodes))

    def to_networkx(self) -> networkx.DiGraph[str]:
        """A ``networkx.DiGraph``; an edge without direction is there in both directions."""
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

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.to_svg()

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
        return f"<{type(self).__name__}: {_count(len(self._nodes), 'node')}, {self._counted()}>"

    def __str__(self) -> str:
        lines = [f"{x} -> {y}" for x, y in self._directed] + [f"{x} - {y}" for x, y in self._undirected]
        head = f"{type(self).__name__} of {_count(len(self._nodes), 'node')}, {self._counted()}"
        return "\n  ".join([head, *lines])


class Dag(Graph):
    """A directed graph without cycles.

    >>> from ossature import Dag
    >>> dag = Dag([("rain", "wet"), ("sprinkler", "wet")])
    >>> dag
    <Dag: 3 nodes, 2 arcs>
    >>> print(dag)
    Dag of 3 nodes, 2 arcs
      rain -> wet
      sprinkler -> wet
    >>> dag.parents("wet"), dag.children("rain")
    (['rain', 'sprinkler'], ['wet'])
    """

    __slots__ = ()

    def __init__(self, arcs: Iterable[Sequence[str]] = (), *, nodes: Iterable[str] | None = None) -> None:
        super().__init__(nodes, arcs, ())

    @property
    def arcs(self) -> list[Pair]:
        """The arcs, each from its start to its end."""
        return list(self._directed)

    def parents(self, node: str) -> list[str]:
        """The nodes from which an arc runs to this one."""
        node = self._require(node)
        return [x for x, y in self._directed if y == node]

    def children(self, node: str) -> list[str]:
        """The nodes to which an arc runs from this one."""
        node = self._require(node)
        return [y for x, y in self._directed if x == node]

    def cpdag(self) -> Cpdag:
        """The equivalence class: what data can tell about the directions.

        >>> from ossature import Dag
        >>> Dag([("a", "b"), ("b", "c")]).cpdag().undirected
        [('a', 'b'), ('b', 'c')]
        """
        _, directed, undirected = _ossature.cpdag(self._parts())
        return Cpdag(directed, undirected, nodes=self._nodes)

    def skeleton(self) -> Skeleton:
        """The edges without their directions."""
        return Skeleton(self._directed, nodes=self._nodes)

    def _counted(self) -> str:
        return _count(len(self._directed), "arc")

    def __reduce__(self) -> tuple[Any, ...]:
        return _dag, (self._directed, self._nodes)


class Cpdag(Graph):
    """An equivalence class of DAGs: arcs that all of them have, and edges that they have in either direction.

    >>> from ossature import Dag
    >>> print(Dag([("a", "c"), ("b", "c"), ("d", "a")]).cpdag())
    Cpdag of 4 nodes, 2 arcs, 1 undirected edge
      a -> c
      b -> c
      a - d
    """

    __slots__ = ()

    def __init__(
        self,
        directed: Iterable[Sequence[str]] = (),
        undirected: Iterable[Sequence[str]] = (),
        *,
        nodes: Iterable[str] | None = None,
    ) -> None:
        super().__init__(nodes, directed, undirected)

    def dag(self) -> Dag:
        """One of the DAGs of the class.

        >>> from ossature import Cpdag
        >>> Cpdag(undirected=[("a", "b"), ("b", "c")]).dag().cpdag().undirected
        [('a', 'b'), ('b', 'c')]
        """
        return Dag(_ossature.extension(self._parts())[1], nodes=self._nodes)

    def skeleton(self) -> Skeleton:
        """The edges without their directions."""
        return Skeleton(self._directed + self._undirected, nodes=self._nodes)

    def _counted(self) -> str:
        return f"{_count(len(self._directed), 'arc')}, {_count(len(self._undirected), 'undirected edge')}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _cpdag, (self._directed, self._undirected, self._nodes)


class Skeleton(Graph):
    """A graph whose edges have no direction.

    >>> from ossature import Skeleton
    >>> skeleton = Skeleton([("b", "a"), ("b", "c")])
    >>> skeleton.edges
    [('a', 'b'), ('b', 'c')]
    >>> skeleton.neighbours("b")
    ['a', 'c']
    """

    __slots__ = ()

    def __init__(self, edges: Iterable[Sequence[str]] = (), *, nodes: Iterable[str] | None = None) -> None:
        super().__init__(nodes, (), edges)

    @property
    def edges(self) -> list[Pair]:
        """The edges; the end that comes first by name is first."""
        return list(self._undirected)

    def neighbours(self, node: str) -> list[str]:
        """The nodes that have an edge to this one."""
        node = self._require(node)
        return sorted(y if x == node else x for x, y in self._undirected if node in (x, y))

    def _counted(self) -> str:
        return _count(len(self._undirected), "edge")

    def __reduce__(self) -> tuple[Any, ...]:
        return _skeleton, (self._undirected, self._nodes)


def _dag(arcs: list[Pair], nodes: tuple[str, ...]) -> Dag:
    return Dag(arcs, nodes=nodes)


def _cpdag(directed: list[Pair], undirected: list[Pair], nodes: tuple[str, ...]) -> Cpdag:
    return Cpdag(directed, undirected, nodes=nodes)


def _skeleton(edges: list[Pair], nodes: tuple[str, ...]) -> Skeleton:
    return Skeleton(edges, nodes=nodes)


GraphLike = Union[Graph, Any]
"""A graph of this package, a network, a learner that has learned, a graph of networkx, or pairs of names."""


def read_graph(path: str | PathLike[str]) -> Dag | Cpdag | Skeleton:
    """Reads a graph from a ``.dot``, ``.graphml``, ``.json`` or ``.csv`` file.

    >>> import ossature, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "guess.csv"
    >>> _ = path.write_text("from,to\\nrain,wet\\n")
    >>> ossature.read_graph(path)
    <Dag: 2 nodes, 1 arc>
    """
    nodes, directed, undirected = _ossature.read_graph(path_of(path))
    if not undirected:
        return Dag(directed, nodes=nodes)
    return Cpdag(directed, undirected, nodes=nodes) if directed else Skeleton(undirected, nodes=nodes)


def parts_of(graph: GraphLike) -> Parts:
    """The nodes and edges of whatever is given as a graph."""
    graph = _graph_of(graph)
    if isinstance(graph, Graph):
        return graph._parts()
    if hasattr(graph, "is_directed") and hasattr(graph, "edges"):
        return _of_networkx(graph)
    return Dag(pairs(graph))._parts()


def _graph_of(given: Any) -> Any:
    """The graph of a network, of a bootstrap, of a learner or of what else has one; anything else as it is."""
    if isinstance(given, Graph):
        return given
    attributes = ("dag", "skeleton", "dag_", "cpdag_", "skeleton_")
    graphs = (getattr(given, attribute, None) for attribute in attributes)
    return next((graph for graph in graphs if isinstance(graph, Graph)), given)


def _of_networkx(graph: Any) -> Parts:
    nodes = [name(node) for node in graph.nodes()]
    # Called, because the edges of a multigraph have a key otherwise.
    edges = _pairs(graph.edges())
    if not graph.is_directed():
        return Skeleton(edges, nodes=nodes)._parts()
    both = set(edges)
    directed = [(x, y) for x, y in edges if (y, x) not in both]
    return Cpdag(directed, [(x, y) for x, y in edges if (y, x) in both], nodes=nodes)._parts()


def pairs(arcs: Any) -> list[Pair]:
    """Arcs as pairs of names: from pairs, from a graph, or from a frame with the columns from and to."""
    arcs = _graph_of(arcs)
    if isinstance(arcs, Graph):
        if arcs.undirected:
            raise DataError(f"{arcs!r} has edges without a direction; arcs are needed")
        return arcs.directed
    if hasattr(arcs, "columns"):
        return _pairs(zip(*_columns(arcs, "from", "to")))
    if hasattr(arcs, "is_directed") and hasattr(arcs, "edges"):
        if not arcs.is_directed():
            raise DataError(f"{arcs!r} has edges without a direction; arcs are needed")
        return _pairs(arcs.edges())
    return _pairs(arcs)


def edges(given: Any) -> list[Pair]:
    """Edges as pairs of names, whatever their direction: from what :func:`pairs` takes, or from any graph."""
    graph = _graph_of(given)
    if isinstance(graph, Graph):
        return graph.directed + graph.undirected
    if hasattr(graph, "is_directed") and hasattr(graph, "edges"):
        return _pairs(graph.edges())
    return pairs(graph)


def tiers(given: Any) -> list[tuple[str, int]]:
    """Tiers as pairs: from a mapping or a series, from pairs, or from a frame with the columns variable and tier."""
    if hasattr(given, "columns"):
        given = zip(*_columns(given, "variable", "tier"))
    elif hasattr(given, "items"):
        given = given.items()
    if not isinstance(given, Iterable):
        raise DataError(f"tiers are {given!r}; a whole number for each variable is needed")
    two = (_two(pair, "a name and a whole number") for pair in given)
    return [(name(variable), _whole(variable, tier)) for variable, tier in two]


def _whole(variable: Any, tier: Any) -> int:
    try:
        if int(tier) == tier:
            return int(tier)
    except (TypeError, ValueError, OverflowError):
        pass
    raise DataError(f"the tier of {variable!r} is {tier!r}; a whole number is needed")


def _columns(frame: Any, *wanted: str) -> list[list[Any]]:
    """Columns of a frame: of pandas, polars or pyarrow, or a table."""
    there = [str(column) for column in getattr(frame, "column_names", frame.columns)]
    if not set(wanted) <= set(there):
        raise DataError(f"the columns {' and '.join(wanted)} are needed; there are {', '.join(there)}")
    return [_values(frame, column) for column in wanted]


def _values(frame: Any, column: str) -> list[Any]:
    if isinstance(frame, Table):
        return list(frame.labels(column))
    values = frame[column]
    return list(values.to_pylist() if hasattr(values, "to_pylist") else values)


def _pairs(given: Any) -> list[Pair]:
    return [_pair(pair) for pair in _listed(given)]


def _listed(given: Any) -> Iterable[Any]:
    if not isinstance(given, Iterable):
        raise DataError(f"{given!r} is no graph; a graph, a network or a list of pairs of names is needed")
    return given


def _pair(pair: Any) -> Pair:
    x, y = _two(pair, "names")
    return name(x), name(y)


def _two(pair: Any, of: str) -> Sequence[Any]:
    """Two things in an order; a set has none."""
    if isinstance(pair, (str, bytes, Set, Mapping)) or not isinstance(pair, Iterable):
        raise DataError(f"{pair!r} is not a pair of {of}")
    two = list(pair)
    if len(two) != 2:
        raise DataError(f"{pair!r} is not a pair of {of}")
    return two


def _sorted(pair: Pair) -> Pair:
    return (pair[1], pair[0]) if pair[1] < pair[0] else pair


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"
