"""The parts of a report that are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .graph import Graph
from .graphs import Cpdag, Dag, Skeleton


@dataclass(frozen=True)
class Tests:
    """The independence tests of a run.

    ``asked`` is part of the answer and the same on every machine; ``computed`` is the number of tables
    counted.

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


@dataclass(frozen=True)
class ArcStrength:
    """How sure an arc is; an item of :class:`Bootstrap`, and of the ``strengths_`` of :class:`Best`.

    ``strength`` is the share of the samples, or of the structures near the result, in which the two ends are adjacent,
    ``direction`` of those the share with this direction, where an undirected edge counts half.

    >>> import ossature
    >>> ossature.ArcStrength("rain", "wet", strength=0.9, direction=0.5).end
    'wet'
    """

    start: str
    end: str
    strength: float
    direction: float


def strengths_of(arcs: list[dict[str, Any]]) -> list[ArcStrength]:
    """How sure arcs are, from a report."""
    return [ArcStrength(arc["from"], arc["to"], arc["strength"], arc["direction"]) for arc in arcs]


def graphs_of(report: dict[str, Any], nodes: list[str]) -> dict[str, Any]:
    """The graphs of a report by kind; the one of the kind that the report names was learned."""
    found: dict[str, Graph] = {}
    if report["arcs"] is not None:
        found["dag"] = Dag(report["arcs"], nodes=nodes)
    if report["cpdag"] is not None:
        found["cpdag"] = found["pdag"] = Cpdag(report["cpdag"]["directed"], report["cpdag"]["undirected"], nodes=nodes)
    if report["skeleton"] is not None:
        found["skeleton"] = Skeleton(report["skeleton"], nodes=nodes)
    return found
