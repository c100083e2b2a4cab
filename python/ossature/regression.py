"""The regressions of a continuous node."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import show


@dataclass(frozen=True, eq=False)
class Regression:
    """How the mean of a continuous node depends on its parents, and the standard deviation around it.

    ``parents`` are the continuous parents, ``given`` the discrete ones with their ``given_levels``. ``intercept`` and
    ``sd`` have an axis for each discrete parent, ``coefficients`` has an additional last one, for the continuous
    parents.

    >>> import ossature
    >>> rows = ossature.load_network("asia").linear_gaussian(seed=1).sample(2000, seed=1)
    >>> found = ossature.Network.fit(rows, [("smoke", "lung")]).regression("lung")
    >>> found.parents, found.coefficients.shape, found.sd.shape
    (('smoke',), (1,), ())
    """

    node: str
    parents: tuple[str, ...]
    given: tuple[str, ...]
    given_levels: tuple[tuple[str, ...], ...]
    intercept: npt.NDArray[np.float64]
    coefficients: npt.NDArray[np.float64]
    sd: npt.NDArray[np.float64]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Regression):
            return NotImplemented
        mine, theirs = ((r.node, r.parents, r.given, r.given_levels) for r in (self, other))
        numbers = ((r.intercept, r.coefficients, r.sd) for r in (self, other))
        return mine == theirs and all(np.array_equal(a, b) for a, b in zip(*numbers))

    __hash__ = None  # type: ignore[assignment]

    def _repr_html_(self) -> str:
        """Notebook output: a row for each configuration of the discrete parents."""
        wide = len(self.parents)
        rows = zip(self.intercept.reshape(-1), self.coefficients.reshape(-1, wide), self.sd.reshape(-1))
        cells = [[*c, i, *b, sd] for c, (i, b, sd) in zip(itertools.product(*self.given_levels), rows)]
        return show.table([*self.given, "intercept", *self.parents, "sd"], cells)
