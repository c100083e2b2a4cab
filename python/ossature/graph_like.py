"""Everything accepted as a graph: those of this package and of others, and lists of pairs."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any, Union

from . import _ossature
from .errors import DataError
from .given import name, path as path_of
from .graph import Graph, Pair, Parts, as_pairs, two_of
from .graphs import Cpdag, Dag, Skeleton
from .table import Table

GraphLike = Union[Graph, Any]
"""A graph of this package, a network, a learner that has learned, a graph of networkx, a model of pgmpy or pyAgrum, or pairs
of names."""


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
    """The nodes and edges of any graph-like object."""
    graph = _graph_of(graph)
    if isinstance(graph, Graph):
        return graph._parts()
    if is_pyagrum(graph):
        return _of_pyagrum(graph)._parts()
    if hasattr(graph, "is_directed") and hasattr(graph, "edges"):
        return _of_networkx(graph)
    return Dag(pairs(graph))._parts()


def _graph_of(given: Any) -> Any:
    """The graph of a network, a bootstrap, a learner or any other object that has one; anything else
    unchanged."""
    if isinstance(given, Graph):
        return given
    attributes = ("dag", "skeleton", "dag_", "cpdag_", "skeleton_")
    graphs = (getattr(given, attribute, None) for attribute in attributes)
    return next((graph for graph in graphs if isinstance(graph, Graph)), given)


def is_pyagrum(given: Any) -> bool:
    """Whether something is a pyAgrum network or graph."""
    return type(given).__module__.partition(".")[0] in ("pyagrum", "pyAgrum") and hasattr(given, "arcs")


def _of_pyagrum(given: Any) -> Dag:
    """The structure of a pyAgrum network, whose arcs are pairs of numbers."""
    if not hasattr(given, "variable"):
        raise DataError(
            f"a {type(given).__name__} of pyAgrum has numbers for nodes; a BayesNet, which has their names, is needed"
        )
    called = {node: given.variable(node).name() for node in given.nodes()}
    return Dag([(called[x], called[y]) for x, y in given.arcs()], nodes=sorted(called.values()))


def _of_networkx(graph: Any) -> Parts:
    nodes = [name(node) for node in graph.nodes()]
    # Called, because the edges of a multigraph have a key otherwise.
    edges = as_pairs(graph.edges())
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
    if is_pyagrum(arcs):
        return _of_pyagrum(arcs).directed
    if hasattr(arcs, "columns"):
        return as_pairs(zip(*_columns(arcs, "from", "to")))
    if hasattr(arcs, "is_directed") and hasattr(arcs, "edges"):
        if not arcs.is_directed():
            raise DataError(f"{arcs!r} has edges without a direction; arcs are needed")
        return as_pairs(arcs.edges())
    return as_pairs(arcs)


def edges(given: Any) -> list[Pair]:
    """Edges as pairs of names, whatever their direction: from anything that :func:`pairs` takes, or from any
    graph."""
    graph = _graph_of(given)
    if isinstance(graph, Graph):
        return graph.directed + graph.undirected
    if is_pyagrum(graph):
        return _of_pyagrum(graph).directed
    if hasattr(graph, "is_directed") and hasattr(graph, "edges"):
        return as_pairs(graph.edges())
    return pairs(graph)


def tiers(given: Any) -> list[tuple[str, int]]:
    """Tiers as pairs: from a mapping or a series, from pairs, or from a frame with the columns variable and tier."""
    if hasattr(given, "columns"):
        given = zip(*_columns(given, "variable", "tier"))
    elif hasattr(given, "items"):
        given = given.items()
    if not isinstance(given, Iterable):
        raise DataError(f"tiers are {given!r}; a whole number for each variable is needed")
    two = (two_of(pair, "a name and a whole number") for pair in given)
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
