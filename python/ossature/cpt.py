"""The table of a node."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from . import show

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class Cpt:
    """The table of a node: its distribution for each configuration of its parents.

    ``values`` has an axis for each parent and a last one for the node itself.

    >>> import ossature
    >>> cpt = ossature.load_network("asia").table("lung")
    >>> cpt.parents, cpt.levels
    (('smoke',), ('yes', 'no'))
    >>> cpt.values
    array([[0.1 , 0.9 ],
           [0.01, 0.99]])
    """

    node: str
    levels: tuple[str, ...]
    parents: tuple[str, ...]
    parent_levels: tuple[tuple[str, ...], ...]
    values: npt.NDArray[np.float64]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cpt):
            return NotImplemented
        return (self.node, self.levels, self.parents, self.parent_levels) == (
            other.node, other.levels, other.parents, other.parent_levels,
        ) and np.array_equal(self.values, other.values)

    __hash__ = None  # type: ignore[assignment]

    def _repr_html_(self) -> str:
        """Notebook output: a row for each configuration of the parents."""
        configurations = itertools.product(*self.parent_levels)
        rows = self.values.reshape(-1, len(self.levels)).tolist()
        return show.table([*self.parents, *self.levels], [[*c, *row] for c, row in zip(configurations, rows)])

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame with a row for each configuration of the parents and a column for each level."""
        import pandas

        columns = pandas.Index(self.levels, name=self.node)
        rows = self.values.reshape(-1, len(self.levels))
        if not self.parents:
            return pandas.DataFrame(rows, columns=columns)
        index = pandas.MultiIndex.from_product(self.parent_levels, names=self.parents)
        return pandas.DataFrame(rows, index=index, columns=columns)
