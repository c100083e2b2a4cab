"""Why two variables are adjacent, or not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _ossature
from .errors import DataError
from .given import name

if TYPE_CHECKING:
    from .graphs import Cpdag, Dag


@dataclass(frozen=True)
class Why:
    """Why two variables are adjacent, or not; :meth:`Learner.why` returns it.

    ``direction`` is the arc between them, or ``x - y`` if the direction is open, and ``orientation`` the reason for it:
    ``required``, ``known``, ``collider``, ``others`` or ``open``. ``strength`` is what the score would lose without the
    arc. ``separated_by`` is the set that separated the two, ``()`` for an unconditional test; ``statistic``, ``df``,
    ``p`` and ``without_power`` belong to the test that is described. Unknown values are None. As a text it is its
    ``sentences``.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(2000, seed=1)
    >>> why = ossature.H2PC().fit(rows).why("smoke", "dysp")
    >>> why.adjacent, why.separated_by
    (False, ('bronc', 'either'))
    >>> print(why)
    smoke and dysp are not adjacent.
    They are independent given bronc, either: statistic 3.82, 4 degrees of freedom, p = 0.4316.
    """

    x: str
    y: str
    adjacent: bool
    direction: str | None
    strength: float | None
    separated_by: tuple[str, ...] | None
    statistic: float | None
    df: float | None
    p: float | None
    without_power: bool | None
    orientation: str | None
    sentences: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.sentences)


def why_of(report: Mapping[str, Any], x: str, y: str, data: _ossature.Data | None, threads: int) -> Why:
    """The reason in a report; ``data`` are the rows it was learned from, if available."""
    found = json.loads(_ossature.why(json.dumps(report), name(x), name(y), data, threads=threads))
    lists = {key: tuple(value) for key, value in found.items() if isinstance(value, list)}
    return Why(**{**found, **lists})


def structural(graph: Dag | Cpdag, x: str, y: str) -> Why:
    """The reason from a graph alone, without any evidence."""
    if x == y:
        raise DataError(f"{x!r} is given twice; two different nodes are needed")
    arc = next(((a, b) for a, b in graph.directed if {a, b} == {x, y}), None)
    adjacent = arc is not None or any({a, b} == {x, y} for a, b in graph.undirected)
    given: tuple[str, ...] | None = None
    if arc is not None:
        said = [f"The graph has the arc {arc[0]} -> {arc[1]}."]
    elif adjacent:
        said = [f"{x} and {y} are adjacent.", "The direction is open: DAGs of the class have it either way."]
    else:
        given = _separating(graph, x, y)
        so = f"given {', '.join(given)}" if given else "given the empty set"
        said = [f"{x} and {y} are not adjacent.", f"They are d-separated {so}."]
    return Why(
        x, y, adjacent, direction=f"{arc[0]} -> {arc[1]}" if arc else f"{x} - {y}" if adjacent else None, strength=None,
        separated_by=given, statistic=None, df=None, p=None, without_power=None,
        orientation="open" if adjacent and arc is None else None, sentences=tuple(said),
    )


def _separating(graph: Dag | Cpdag, x: str, y: str) -> tuple[str, ...]:
    """A minimal set that d-separates two nodes that are not adjacent."""
    # Only a class has members; a DAG is one itself.
    member: Any = getattr(graph, "dag", None)
    dag: Any = graph if member is None else member()
    # The parents of the later of the two separate them; then each that is not needed is left out.
    later = x if y not in dag.descendants(x) else y
    found: list[str] = dag.parents(later)
    for node in list(found):
        fewer = [other for other in found if other != node]
        if dag.d_separated(x, y, fewer):
            found = fewer
    return tuple(found)
