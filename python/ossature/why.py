"""Why is there an edge, or none?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import _ossature
from .given import name


@dataclass(frozen=True)
class Why:
    """Why two variables are adjacent, or are not; :meth:`Learner.why` returns it.

    ``direction`` is the arc between them, or ``x - y`` where the direction is open, and ``orientation`` what decided
    it: ``required``, ``known``, ``collider``, ``others`` or ``open``. ``strength`` is what the score would lose without
    the arc. ``separated_by`` is the set that separated the two, ``()`` where nothing had to be given; ``statistic``,
    ``df``, ``p`` and ``without_power`` are of the test that is spoken of. What is not known is None. As a text it is
    its ``sentences``.

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
    """The reason in a report; ``data`` are the rows it was learned from, if they are at hand."""
    found = json.loads(_ossature.why(json.dumps(report), name(x), name(y), data, threads=threads))
    lists = {key: tuple(value) for key, value in found.items() if isinstance(value, list)}
    return Why(**{**found, **lists})
