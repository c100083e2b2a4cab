"""Graphs by the names of their nodes: DAGs, equivalence classes and skeletons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from . import _ossature
from .given import names
from .graph import Graph, Pair, count
from .why import Why, structural


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
        """The nodes with an arc to this one."""
        node = self._require(node)
        return [x for x, y in self._directed if y == node]

    def children(self, node: str) -> list[str]:
        """The nodes with an arc from this one."""
        node = self._require(node)
        return [y for x, y in self._directed if x == node]

    def ancestors(self, node: str) -> list[str]:
        """The nodes with a directed path to this one.

        >>> from ossature import Dag
        >>> Dag([("a", "b"), ("b", "c"), ("d", "c")]).ancestors("c")
        ['a', 'b', 'd']
        """
        return self._reach(node, self.parents)

    def descendants(self, node: str) -> list[str]:
        """The nodes with a directed path from this one.

        >>> from ossature import Dag
        >>> Dag([("a", "b"), ("b", "c"), ("d", "c")]).descendants("a")
        ['b', 'c']
        """
        return self._reach(node, self.children)

    def _reach(self, node: str, step: Callable[[str], list[str]]) -> list[str]:
        found: set[str] = set()
        waiting = [self._require(node)]
        while waiting:
            new = set(step(waiting.pop())) - found
            found |= new
            waiting += new
        return sorted(found)

    def markov_blanket(self, node: str) -> list[str]:
        """The parents, the children, and the other parents of the children: given these, no other node is
        informative.

        >>> from ossature import Dag
        >>> Dag([("rain", "wet"), ("sprinkler", "wet"), ("wet", "slippery")]).markov_blanket("rain")
        ['sprinkler', 'wet']
        """
        children = self.children(node)
        blanket = {*self.parents(node), *children, *(p for child in children for p in self.parents(child))}
        return sorted(blanket - {self._require(node)})

    def d_separated(self, x: str, y: str, given: Iterable[str] = ()) -> bool:
        """Whether two nodes are d-separated given others: the graph then says that they are independent.

        >>> from ossature import Dag
        >>> dag = Dag([("rain", "wet"), ("sprinkler", "wet")])
        >>> dag.d_separated("rain", "sprinkler"), dag.d_separated("rain", "sprinkler", ["wet"])
        (True, False)
        """
        return _ossature.d_separated(self._parts(), self._require(x), self._require(y), names("given", given))

    def why(self, x: str, y: str) -> Why:
        """Why two nodes are adjacent in this graph, or what separates them. A learner's ``why`` also gives the
        evidence.

        >>> from ossature import Dag
        >>> print(Dag([("rain", "wet"), ("wet", "slippery")]).why("rain", "slippery"))
        rain and slippery are not adjacent.
        They are d-separated given wet.
        """
        return structural(self, self._require(x), self._require(y))

    def cpdag(self) -> Cpdag:
        """The equivalence class: the directions that data can determine.

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
        return count(len(self._directed), "arc")

    def __reduce__(self) -> tuple[Any, ...]:
        return _dag, (self._directed, self._nodes)


class Cpdag(Graph):
    """An equivalence class of DAGs: arcs that all of them have, and edges whose direction differs between
    them.

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

    def parents(self, node: str) -> list[str]:
        """The nodes with an arc to this one in all DAGs of the class."""
        node = self._require(node)
        return [x for x, y in self._directed if y == node]

    def children(self, node: str) -> list[str]:
        """The nodes with an arc from this one in all DAGs of the class."""
        node = self._require(node)
        return [y for x, y in self._directed if x == node]

    def neighbours(self, node: str) -> list[str]:
        """The nodes with an undirected edge to this one."""
        node = self._require(node)
        return sorted(y if x == node else x for x, y in self._undirected if node in (x, y))

    def markov_blanket(self, node: str) -> list[str]:
        """The Markov blanket, which is the same in all DAGs of the class.

        >>> from ossature import Cpdag
        >>> Cpdag(undirected=[("a", "b"), ("b", "c")]).markov_blanket("a")
        ['b']
        """
        return self.dag().markov_blanket(node)

    def d_separated(self, x: str, y: str, given: Iterable[str] = ()) -> bool:
        """Whether two nodes are d-separated given others, which is the same in all DAGs of the class.

        >>> from ossature import Cpdag
        >>> Cpdag(undirected=[("a", "b"), ("b", "c")]).d_separated("a", "c", ["b"])
        True
        """
        return self.dag().d_separated(x, y, given)

    def why(self, x: str, y: str) -> Why:
        """Why two nodes are adjacent in this class, or what separates them.

        >>> from ossature import Cpdag
        >>> print(Cpdag(undirected=[("a", "b"), ("b", "c")]).why("a", "b"))
        a and b are adjacent.
        The direction is open: DAGs of the class have it either way.
        """
        return structural(self, self._require(x), self._require(y))

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
        return f"{count(len(self._directed), 'arc')}, {count(len(self._undirected), 'undirected edge')}"

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
        """The nodes with an edge to this one."""
        node = self._require(node)
        return sorted(y if x == node else x for x, y in self._undirected if node in (x, y))

    def _counted(self) -> str:
        return count(len(self._undirected), "edge")

    def __reduce__(self) -> tuple[Any, ...]:
        return _skeleton, (self._undirected, self._nodes)


def _dag(arcs: list[Pair], nodes: tuple[str, ...]) -> Dag:
    return Dag(arcs, nodes=nodes)


def _cpdag(directed: list[Pair], undirected: list[Pair], nodes: tuple[str, ...]) -> Cpdag:
    return Cpdag(directed, undirected, nodes=nodes)


def _skeleton(edges: list[Pair], nodes: tuple[str, ...]) -> Skeleton:
    return Skeleton(edges, nodes=nodes)
