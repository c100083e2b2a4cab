"""What is read from a report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .graph import Graph
from .graphs import Cpdag, Dag, Skeleton


@dataclass(frozen=True)
class Tests:
    """The independence tests of a run.

    ``asked`` is part of the answer and the same everywhere; ``computed`` is how many tables were counted.

    >>> import ossature
    >>> ossature.HC().fit(ossature.load_network("asia").sample(100, seed=1)).tests_.asked
    0
    """

    __test__ = False

    asked: int
    computed: int
    without_power: int
    by_order: tuple[int, ...]

    @classmethod
    def _of(cls, report: dict[str, Any]) -> Tests:
        return cls(report["asked"], report["computed"], report["without_power"], tuple(report["by_order"]))


def graphs_of(report: dict[str, Any], nodes: list[str]) -> dict[str, Any]:
    """The graphs of a report by kind; that of the kind that the report names is what was learned."""
    found: dict[str, Graph] = {}
    if report["arcs"] is not None:
        found["dag"] = Dag(report["arcs"], nodes=nodes)
    if report["cpdag"] is not None:
        found["cpdag"] = found["pdag"] = Cpdag(report["cpdag"]["directed"], report["cpdag"]["undirected"], nodes=nodes)
    if report["skeleton"] is not None:
        found["skeleton"] = Skeleton(report["skeleton"], nodes=nodes)
    return found
