"""Coded tables, and how the frames of others become one."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _ossature
from .errors import DataError
from .progress import Progress, telling

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Frame = Any
"""Anything that :class:`Table` takes."""


class Table:
    """A table of discrete data, coded once.

    Every function that takes rows takes a ``Table`` or anything that can be made into one: a DataFrame of
    pandas, whatever has the Arrow PyCapsule interface (polars, pyarrow, …), a two-dimensional array of
    numpy, or a mapping of names to columns. Make the table yourself where the same rows are used again.

    The categories of a categorical column are its levels, also those that do not occur. Any other column
    has the labels that occur, ``str(value)``, in bytewise order. Strings such as ``"None"`` and ``"NA"``
    are labels; ``None``, ``NaN`` and ``pandas.NA`` are missing values, which are refused
    (``missing="error"``), left out with their rows (``"drop"``) or a level of their own (``"level"``).

    >>> from ossature import Table
    >>> table = Table({"rain": ["yes", "no", "no"], "wet": [True, False, True]})
    >>> table
    <Table: 3 rows of 2 variables>
    >>> table.columns, table.levels("wet")
    (('rain', 'wet'), ['False', 'True'])
    """

    __slots__ = ("_data",)
    _data: _ossature.Data

    def __init__(self, frame: Frame, *, missing: str = "error", names: Sequence[str] | None = None) -> None:
        self._data = as_data(frame, missing=missing, names=names)

    @classmethod
    def _of(cls, data: _ossature.Data) -> Table:
        table = cls.__new__(cls)
        table._data = data
        return table

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._data.names())

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._data.rows(), len(self._data.names())

    @property
    def nbytes(self) -> int:
        """The bytes of the codes: one for each value, two where a column has more than 256 levels."""
        return self._data.nbytes()

    @property
    def sha256(self) -> str:
        """The hash of names, levels and rows; the command reports the same for the same table."""
        return self._data.sha256()

    @property
    def rows_dropped(self) -> int:
        """The rows that were left out because a value was missing."""
        return self._data.rows_dropped()

    def levels(self, column: str) -> list[str]:
        """The levels of a column; the code of a level is its place here."""
        return self._data.levels(column)

    def codes(self, column: str) -> npt.NDArray[np.uint8] | npt.NDArray[np.uint16]:
        """The codes of a column, a row each."""
        return self._data.codes(column)

    def labels(self, column: str) -> npt.NDArray[np.object_]:
        """The labels of a column, a row each."""
        return np.array(self.levels(column), dtype=object)[self.codes(column)]

    def to_numpy(self) -> npt.NDArray[np.object_]:
        """The labels as a two-dimensional array."""
        return np.column_stack([self.labels(name) for name in self.columns])

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame of categoricals.

        >>> import ossature
        >>> rows = ossature.load_network("asia").sample(3, seed=1).to_pandas()
        >>> rows["smoke"].cat.categories.tolist()
        ['yes', 'no']
        """
        import pandas

        def categorical(name: str) -> Any:
            return pandas.Categorical.from_codes(
                self.codes(name).astype(np.intp), categories=pandas.Index(self.levels(name), dtype=object)
            )

        return pandas.DataFrame({name: categorical(name) for name in self.columns})

    def to_polars(self) -> polars.DataFrame:
        """A DataFrame of enums, whose categories are the levels."""
        import polars

        enums = [polars.col(name).cast(polars.Enum(self.levels(name))) for name in self.columns]
        return polars.DataFrame(self).with_columns(enums)

    def to_arrow(self) -> pyarrow.Table:
        """A table of dictionaries."""
        import pyarrow

        return pyarrow.table(self)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._data.arrow_stream(requested_schema)

    def __len__(self) -> int:
        return self._data.rows()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self.columns == other.columns and self.sha256 == other.sha256

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<Table: {rows:,} rows of {columns:,} variables>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, ([(name, self.levels(name), self.codes(name)) for name in self.columns],)


def _rebuilt(columns: list[tuple[str, list[str], Any]]) -> Table:
    raw = [(name, levels, True, codes) for name, levels, codes in columns]
    return Table._of(_ossature.Data.from_columns(raw, "error"))


def read_table(
    path: str | PathLike[str],
    *,
    missing: str = "error",
    missing_tokens: Sequence[str] | None = None,
    discretise: Mapping[str, str] | None = None,
    levels: Mapping[str, Sequence[str]] | None = None,
    delimiter: str | None = None,
    progress: Progress = False,
) -> Table:
    """Reads a table as the command does: ``.csv``, ``.tsv`` (also ``.gz``), ``.parquet``, ``.arrow``.

    Every field of a text file is a label, and missing are the empty field, ``NA``, ``NaN``, ``null`` and
    ``?`` unless ``missing_tokens`` says otherwise. ``discretise`` cuts columns of numbers into intervals:
    ``{"age": "quantile:5", "height": "width:4", "weight": "cuts:50,70,90"}``. ``levels`` declares the
    levels of columns.

    >>> import ossature, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "rain.csv"
    >>> _ = path.write_text("rain,wet\\nyes,yes\\nno,no\\nno,?\\n")
    >>> ossature.read_table(path, missing="drop")
    <Table: 2 rows of 2 variables>
    """
    with telling(progress) as tell:
        return Table._of(
            _ossature.Data.read(
                fspath(path),
                missing,
                missing_tokens=None if missing_tokens is None else list(missing_tokens),
                discretise=list(discretise.items()) if discretise else None,
                levels=[(name, list(names)) for name, names in levels.items()] if levels else None,
                delimiter=delimiter,
                progress=tell,
            )
        )


def as_data(frame: Frame, *, missing: str = "error", names: Sequence[str] | None = None) -> _ossature.Data:
    """The coded form of whatever is given as a table."""
    if isinstance(frame, Table):
        return frame._data
    if hasattr(frame, "toarray"):
        raise DataError("a sparse matrix was given; dense data is needed: use .toarray()")
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(frame, pandas.DataFrame):
        columns = [_pandas_column(pandas, str(name), series) for name, series in frame.items()]
        _check_shape(len(frame), len(columns))
    elif hasattr(frame, "__arrow_c_stream__") or hasattr(frame, "__arrow_c_array__"):
        return _ossature.Data.from_arrow(frame, missing)
    elif isinstance(frame, Mapping):
        columns = [_column(str(name), _one_dimension(str(name), values)) for name, values in frame.items()]
    else:
        array = _two_dimensions(frame)
        if names is None:
            names = [f"x{i}" for i in range(array.shape[1])]
        elif len(names) != array.shape[1]:
            raise DataError(f"there are {len(names)} names for {array.shape[1]} columns")
        columns = [_column(name, array[:, i]) for i, name in enumerate(names)]
    return _ossature.Data.from_columns(columns, missing)


Raw = tuple[str, list[str], bool, Any]


def _pandas_column(pandas: Any, name: str, series: Any) -> Raw:
    if isinstance(series.dtype, pandas.CategoricalDtype):
        # The codes are read where they lie: nothing is copied before they are in the table.
        return name, _labels(name, series.array.categories), True, series.array.codes
    if series.dtype.kind == "c":
        raise DataError(_COMPLEX)
    try:
        codes, values = pandas.factorize(series)
    except TypeError as error:
        raise DataError(f"column {name!r} has values that cannot be labels: {error}") from error
    return name, _labels(name, values), False, codes


def _column(name: str, values: npt.NDArray[Any]) -> Raw:
    kind = values.dtype.kind
    if kind == "O":
        return _objects(name, values)
    if kind == "c":
        raise DataError(_COMPLEX)
    if kind not in "biufU":
        raise DataError(f"column {name!r} has values of the type {values.dtype}; strings, integers, floats and booleans are accepted")
    unique, codes = np.unique(values, return_inverse=True)
    codes = codes.reshape(-1)
    if kind == "f" and np.isnan(unique[-1:]).any():
        codes = np.where(np.isnan(values), -1, codes)
        unique = unique[~np.isnan(unique)]
    return name, _labels(name, unique), False, codes


def _objects(name: str, values: npt.NDArray[Any]) -> Raw:
    places: dict[Any, int] = {}
    codes = np.empty(len(values), dtype=np.int64)
    for row, value in enumerate(values.tolist()):
        if _is_missing(value):
            codes[row] = -1
            continue
        try:
            codes[row] = places.setdefault(value, len(places))
        except TypeError as error:
            raise DataError(f"column {name!r} has a value that cannot be a label: {error}") from error
    return name, _labels(name, places), False, codes


def _is_missing(value: object) -> bool:
    return value is None or value != value or type(value).__name__ in ("NAType", "NaTType")


_COMPLEX = "Complex data not supported: strings, integers, floats and booleans are accepted"


def _labels(name: str, values: Any) -> list[str]:
    """What Python writes for each value."""
    labels: list[Any] = values.tolist() if hasattr(values, "tolist") else list(values)
    for i, value in enumerate(labels):
        if not isinstance(value, str):
            if isinstance(value, float) and value in (float("inf"), float("-inf")):
                raise DataError(f"column {name!r} has an infinite value (inf), which cannot be a level")
            if isinstance(value, (dict, list, set)):
                raise DataError(f"column {name!r} has a value that cannot be a label: {value!r}")
            labels[i] = str(value)
    return labels


def _one_dimension(name: str, values: Any) -> npt.NDArray[Any]:
    if hasattr(values, "__array__"):
        array = np.asarray(values)
    else:
        # As objects: numpy would make strings of numbers that stand beside strings.
        items = list(values)
        array = np.empty(len(items), dtype=object)
        for i, item in enumerate(items):
            array[i] = item
    if array.ndim != 1:
        raise DataError(f"column {name!r} has {array.ndim} dimensions; one is needed")
    return array


def _two_dimensions(frame: Any) -> npt.NDArray[Any]:
    if isinstance(frame, str) or not (hasattr(frame, "__array__") or isinstance(frame, Sequence)):
        raise DataError(
            f"a table cannot be made from {type(frame).__name__!r}; a DataFrame, an object with the Arrow "
            "PyCapsule interface, a two-dimensional array or a mapping of names to columns is accepted"
        )
    array = np.asarray(frame) if hasattr(frame, "__array__") else np.array(frame, dtype=object)
    if array.ndim != 2:
        raise DataError(
            f"Expected 2D array, got {array.ndim}D array instead. Reshape your data either using "
            "array.reshape(-1, 1) if it has a single column or array.reshape(1, -1) if it is a single row."
        )
    _check_shape(*array.shape)
    return array


def _check_shape(rows: int, columns: int) -> None:
    if columns == 0:
        raise DataError(f"Found array with 0 feature(s) (shape=({rows}, 0)) while a minimum of 1 is required.")
    if rows == 0:
        raise DataError(f"Found array with 0 sample(s) (shape=(0, {columns})) while a minimum of 1 is required.")
