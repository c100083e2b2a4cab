"""Matrices with named rows and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from . import show
from .errors import DataError

if TYPE_CHECKING:
    import pandas


class Matrix(npt.NDArray[np.int8] if TYPE_CHECKING else np.ndarray):  # type: ignore[misc]
    """A square numpy array that can also be indexed by the names of its rows and columns.

    >>> from ossature import Dag
    >>> matrix = Dag([("rain", "wet")]).to_matrix()
    >>> matrix["rain", "wet"], int(matrix.sum()), matrix.names
    (1, 1, ('rain', 'wet'))
    """

    names: tuple[str, ...] | None

    def __new__(cls, values: npt.NDArray[Any], names: tuple[str, ...]) -> Matrix:
        made: Any = np.asarray(values).view(cls)
        made.names = names
        return cast(Matrix, made)

    def __array_finalize__(self, source: Any) -> None:
        # A part of a matrix, or what was computed from it, need not have as many rows.
        names = getattr(source, "names", None)
        self.names = names if names is not None and self.shape == (len(names), len(names)) else None

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple) and len(key) == 2 and all(isinstance(part, str) for part in key):
            return int(np.asarray(self)[self._place(key[0]), self._place(key[1])])
        if isinstance(key, str):
            return np.asarray(self)[self._place(key)]
        return super().__getitem__(key)

    def _place(self, name: str) -> int:
        if self.names is None or name not in self.names:
            raise DataError(f"there is no row {name!r} in the matrix")
        return self.names.index(name)

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame with the names."""
        import pandas

        names = None if self.names is None else list(self.names)
        return pandas.DataFrame(np.asarray(self), index=names, columns=names)

    def _repr_html_(self) -> str:
        """Notebook output: the matrix with its names."""
        if self.names is None or self.ndim != 2:
            return f"<pre>{np.asarray(self)!r}</pre>"
        rows = [[name, *row] for name, row in zip(self.names, np.asarray(self).tolist())]
        return show.table(["", *self.names], rows)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Matrix, (np.asarray(self), self.names)) if self.names else (np.array, (np.asarray(self),))
