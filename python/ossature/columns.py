"""Converts frames of other libraries into columns of codes.

A column of any kind becomes labels and, for each row, the index of its label; if Arrow has done that already, the
column goes to the library unchanged. Only this module decides which values are labels and which are missing.
"""

from __future__ import annotations

import datetime
import os
import sys
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from .errors import DataError, SettingsError
from .given import is_missing, name, names, text

Coded = tuple[str, list[str], bool, Any]
"""The name of a column, its labels, whether these are declared, and the place of each row's label; -1 is missing."""

Part = Union[Coded, tuple[str, Any], Any]
"""A column of codes, a column of Arrow or of numbers with its name, or a table of Arrow."""

_ACCEPTED = "strings, integers, floats and booleans are accepted"
_COMPLEX = f"Complex data not supported: {_ACCEPTED}"
_NO_LABELS = (
    bytes, complex, dict, list, set, np.ndarray,
    datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64,
)


def parts_of_table(
    frame: Any,
    own_names: Any,
    only: Sequence[str] | None,
    cut: Container[str] = (),
    drop: Sequence[str] = (),
    kinds: Mapping[str, str] | None = None,
) -> Iterator[Part]:
    """The columns of any table-like object, one after the other; only those with some names, if given.

    Columns to be ``cut`` into intervals are passed as numbers, if they are numbers, and so are continuous ones:
    those of floats, unless ``kinds`` says otherwise. Columns in ``drop`` are not read, but must exist.
    """
    columns = _named_columns(frame, own_names, only, drop)
    if columns is None:
        # A table of Arrow; the library takes the columns that are wanted.
        yield frame
        return
    lacking = list(drop)
    for column, values in columns:
        if column in drop:
            lacking.remove(column)
        elif only is None or column in only:
            kind = (kinds or {}).get(column)
            if column in cut:
                numbers = _numbers(column, values)
            elif kind == "continuous":
                numbers = _numbers(column, values)
                if numbers is None and not _goes_through_arrow(values):
                    raise DataError(f"column {column!r} is declared continuous, but has values that are not numbers")
            else:
                numbers = _floats(column, values) if kind is None else None
            yield _part(column, values) if numbers is None else (column, numbers)
    if lacking:
        raise DataError(f"there is no column {lacking[0]!r}")


def goes_whole(frame: Any) -> bool:
    """Whether a table goes to the library as a whole, through Arrow, instead of column by
    column."""
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    frames = tuple(module.DataFrame for module in (pandas, polars) if module is not None)
    return _is_arrow(frame) and not isinstance(frame, frames)


def whole_frame(frame: Any) -> Any:
    """The rows of a lazy frame; anything that is not a table is refused, with advice."""
    module = type(frame).__module__.partition(".")[0]
    if module.startswith("dask") and hasattr(frame, "compute"):
        return frame.compute()
    if module == "polars" and type(frame).__name__ == "LazyFrame":
        raise DataError("a LazyFrame of polars was given, which has no rows yet: use .collect()")
    if isinstance(frame, (str, os.PathLike)):
        raise DataError(f"a path was given, {os.fspath(frame)!r}; ossature.read_table(path) reads a table from a file")
    if isinstance(frame, Sequence) and len(frame) > 0 and isinstance(frame[0], Mapping):
        raise DataError(
            "a list of dicts was given, one per row; a table of columns is needed: pandas.DataFrame(rows) or "
            "polars.DataFrame(rows) makes one"
        )
    return frame


MANY = 256
"""A column of numbers with more values than these is one that ``"*"`` cuts."""


def columns_of_many_numbers(frame: Any, own_names: Any) -> list[str]:
    """The numeric columns with many distinct values."""
    columns = _named_columns(frame, own_names)
    if columns is None:
        pyarrow = sys.modules.get("pyarrow")
        if pyarrow is None or not isinstance(frame, pyarrow.Table):
            raise SettingsError('discretise with "*" needs a frame of pandas, polars or pyarrow, an array or a mapping')
        columns = ((column, frame.column(column).to_numpy()) for column in frame.column_names)
    found = []
    for column, values in columns:
        polars = sys.modules.get("polars")
        if polars is not None and isinstance(values, polars.Series):
            values = values.to_numpy() if values.dtype.is_numeric() else []
        if getattr(getattr(values, "dtype", None), "kind", "O") in "OUcmMV":
            continue
        numbers = _numbers(column, values)
        if numbers is not None and len(np.unique(numbers[~np.isnan(numbers)])) > MANY:
            found.append(column)
    return found


def _refuse_types(kinds: Iterable[tuple[str, Any, bool]], only: Sequence[str] | None, drop: Sequence[str]) -> None:
    """Names all columns whose types cannot be read, so that nobody has to find them one by one."""
    wanted = ((column, kind) for column, kind, good in kinds if not good and column not in drop)
    bad = [f"{column!r} ({kind})" for column, kind in wanted if only is None or column in only]
    if len(bad) > 1:
        raise DataError(
            f"the columns {', '.join(bad)} have types that cannot be read; {_ACCEPTED}: convert them to text, or leave "
            "them out"
        )


def _named_columns(
    frame: Any, own_names: Any, only: Sequence[str] | None = None, drop: Sequence[str] = ()
) -> Iterable[tuple[str, Any]] | None:
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    _refuse_one_column(frame)
    if own_names is not None and not _is_array(frame):
        raise SettingsError("names are for arrays; a frame or a mapping has its own")
    if pandas is not None and isinstance(frame, pandas.DataFrame):
        _check_shape(len(frame), len(frame.columns))
        _refuse_types(((name(c), frame[c].dtype, _pandas_reads(frame[c])) for c in frame.columns if frame.columns.is_unique), only, drop)
        return ((name(column), series) for column, series in frame.items())
    if polars is not None and isinstance(frame, polars.DataFrame):
        refused = (polars.List, polars.Array, polars.Struct, polars.Object, polars.Binary)
        good = ((c, kind, not (kind.is_temporal() or isinstance(kind, refused))) for c, kind in frame.schema.items())
        _refuse_types(good, only, drop)
        # One by one: polars makes a copy of categoricals for Arrow, of all at once otherwise.
        return ((column, frame.get_column(column)) for column in frame.columns)
    if _is_arrow(frame):
        pyarrow = sys.modules.get("pyarrow")
        if pyarrow is not None and isinstance(frame, (pyarrow.Table, pyarrow.RecordBatch)):
            types = pyarrow.types
            kinds = ((f.name, f.type, not (types.is_temporal(f.type) or types.is_nested(f.type))) for f in frame.schema)
            _refuse_types(kinds, only, drop)
        return None
    if hasattr(frame, "toarray"):
        raise DataError("a sparse matrix was given; dense data is needed: use .toarray()")
    if isinstance(frame, Mapping):
        return ((name(column), values) for column, values in frame.items())
    array = _two_dimensions(frame)
    wide = array.shape[1]
    columns = [f"x{i}" for i in range(wide)] if own_names is None else names("names", own_names)
    if len(columns) != wide:
        raise SettingsError(f"there are {len(columns)} names for {wide} columns")
    return ((column, array[:, i]) for i, column in enumerate(columns))


def _is_arrow(given: Any) -> bool:
    return hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__")


def _is_array(frame: Any) -> bool:
    return not (_is_arrow(frame) or isinstance(frame, Mapping) or hasattr(frame, "columns"))


_ONE_COLUMN = {"pandas": ("Series", "Index"), "polars": ("Series",), "pyarrow": ("Array", "ChunkedArray")}


def _refuse_one_column(frame: Any) -> None:
    for module, kinds in _ONE_COLUMN.items():
        library = sys.modules.get(module)
        if library is not None and isinstance(frame, tuple(getattr(library, kind) for kind in kinds)):
            raise DataError(
                f"one column was given, a {module}.{type(frame).__name__}; a table is needed: a DataFrame, or "
                'a mapping of names to columns such as {"x": column}'
            )


def _part(column: str, values: Any) -> Part:
    """One column, of whatever kind."""
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas is not None:
        if isinstance(values, (pandas.Index, pandas.api.extensions.ExtensionArray)):
            values = pandas.Series(values)
        if isinstance(values, pandas.Series):
            return _of_pandas(pandas, column, values)
    if polars is not None and isinstance(values, polars.Series):
        if values.dtype == polars.Null:
            values = values.cast(polars.String)
        return values.alias(column).to_frame()
    if _is_arrow(values):
        return column, values
    return _of_array(column, _one_dimension(column, values))


def _numbers(column: str, values: Any) -> npt.NDArray[np.float64] | None:
    """A column as numbers, NaN if missing; ``None`` if it has something else, or goes through Arrow."""
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(values, (pandas.Series, pandas.Index, pandas.api.extensions.ExtensionArray)):
        if isinstance(values.dtype, pandas.ArrowDtype) or values.dtype.kind in "cmM":
            return None
        values = np.asarray(values, dtype=object)
    elif _is_arrow(values):
        return None
    array = _one_dimension(column, values)
    if array.dtype.kind not in "biufUO":
        return None
    missing = [is_missing(value) for value in array.tolist()] if array.dtype == object else np.ma.getmaskarray(array)
    try:
        return np.where(missing, np.nan, np.where(missing, 0, np.ma.getdata(array))).astype(np.float64)
    except (TypeError, ValueError):
        return None


def _goes_through_arrow(values: Any) -> bool:
    """Whether the library checks the type of a column itself."""
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(values, (pandas.Series, pandas.Index)):
        return isinstance(values.dtype, pandas.ArrowDtype)
    return _is_arrow(values)


def _floats(column: str, values: Any) -> npt.NDArray[np.float64] | None:
    """The numbers of a column of floats; ``None`` for any other.

    Whole numbers with missing values are floats in pandas and numpy, but are still labels.
    """
    pandas = sys.modules.get("pandas")
    if _goes_through_arrow(values) or isinstance(values, (str, bytes, Set, Mapping)):
        return None
    if pandas is not None and isinstance(values, (pandas.Series, pandas.Index, pandas.api.extensions.ExtensionArray)):
        kind = getattr(values.dtype, "kind", "O")
    else:
        array = _one_dimension(column, values)
        kind = array.dtype.kind
        if kind == "O":
            values_known = [value for value in array.tolist() if not is_missing(value)]
            floats = all(isinstance(value, (float, np.floating)) for value in values_known)
            kind = "f" if values_known and floats else "O"
    numbers = _numbers(column, values) if kind == "f" else None
    if numbers is None:
        return None
    known = numbers[~np.isnan(numbers)]
    whole = len(known) < len(numbers) and bool(np.isfinite(known).all() and (known == np.floor(known)).all())
    return None if whole else numbers


def _of_pandas(pandas: Any, column: str, series: Any) -> Part:
    if isinstance(series.dtype, pandas.CategoricalDtype):
        # The codes are read where they lie: nothing is copied before they are in the table.
        codes = np.require(series.array.codes, requirements="A")
        return column, _all_different(column, _labels(column, series.array.categories)), True, codes
    if isinstance(series.dtype, pandas.ArrowDtype):
        return column, series.array.__arrow_array__()
    if series.dtype.kind == "c":
        raise DataError(_COMPLEX)
    if series.dtype.kind in "mM":
        raise DataError(f"column {column!r} has values of the type {series.dtype}; {_ACCEPTED}")
    try:
        codes, values = pandas.factorize(series)
    except TypeError:
        return _of_objects(column, series.to_numpy(dtype=object))
    values = _whole_numbers(values, codes)
    # What is equal need not read the same: 1 and True are. Of strings this cannot be said.
    if series.dtype == object and not all(isinstance(value, str) for value in values):
        return _of_objects(column, series.to_numpy(dtype=object))
    return column, _labels(column, values), False, codes


def _pandas_reads(series: Any) -> bool:
    kind = getattr(series.dtype, "kind", "O")
    if kind == "O" and len(series) > 0:
        return not isinstance(series.iloc[0], _NO_LABELS)
    return kind not in "mMc"


def _whole_numbers(values: Any, codes: npt.NDArray[Any]) -> Any:
    """Whole numbers with missing values are floats in pandas and numpy; their labels are still whole numbers."""
    floats = getattr(getattr(values, "dtype", None), "kind", "O") == "f"
    if not floats or len(values) == 0 or not (codes < 0).any():
        return values
    numbers = np.asarray(values, dtype=np.float64)
    whole = np.isfinite(numbers).all() and (numbers == np.floor(numbers)).all() and (np.abs(numbers) < 2**53).all()
    return numbers.astype(np.int64) if whole else values


def _of_array(column: str, values: npt.NDArray[Any]) -> Coded:
    if isinstance(values, np.ma.MaskedArray):
        seen = ~np.ma.getmaskarray(values)
        codes = np.full(len(values), -1)
        _, labels, _, codes[seen] = _of_array(column, np.ma.getdata(values)[seen])
        return column, labels, False, codes
    kind = values.dtype.kind
    if kind == "O":
        return _of_objects(column, values)
    if kind == "c":
        raise DataError(_COMPLEX)
    if kind not in "biufU":
        raise DataError(f"column {column!r} has values of the type {values.dtype}; {_ACCEPTED}")
    unique, codes = np.unique(values, return_inverse=True)
    codes = codes.reshape(-1)
    if kind == "f" and np.isnan(unique[-1:]).any():
        codes = np.where(np.isnan(values), -1, codes)
        unique = _whole_numbers(unique[~np.isnan(unique)], codes)
    return column, _labels(column, unique), False, codes


def _of_objects(column: str, values: npt.NDArray[Any]) -> Coded:
    places: dict[str, int] = {}
    codes = np.empty(len(values), dtype=np.int64)
    for row, value in enumerate(values.tolist()):
        if type(value) is str:
            codes[row] = places.setdefault(value, len(places))
        elif is_missing(value):
            codes[row] = -1
        else:
            codes[row] = places.setdefault(_label(column, value), len(places))
    return column, _labels(column, places), False, codes


def _labels(column: str, values: Any) -> list[str]:
    listed = values.tolist() if hasattr(values, "tolist") else values
    return [text(_label(column, value)) for value in listed]


def _all_different(column: str, labels: list[str]) -> list[str]:
    twice = next((label for label, n in Counter(labels).items() if n > 1), None)
    if twice is not None:
        raise DataError(f"column {column!r} has two categories that are written {twice!r}; they have to differ")
    return labels


def _label(column: str, value: Any) -> str:
    """The text that Python prints for a value."""
    if isinstance(value, str):
        return value
    if isinstance(value, _NO_LABELS):
        raise DataError(f"column {column!r} has a value that cannot be a label: {value!r}; {_ACCEPTED}")
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        if value in (float("inf"), float("-inf")):
            raise DataError(f"column {column!r} has an infinite value (inf), which cannot be a level")
        # There are two zeros, which are equal; only one of them is written without a sign.
        value += 0.0
    return str(value)


def _one_dimension(column: str, values: Any) -> npt.NDArray[Any]:
    if hasattr(values, "__array__"):
        array = np.asanyarray(values) if np.ma.isMaskedArray(values) else np.asarray(values)
    elif isinstance(values, (str, bytes, Set, Mapping)) or not isinstance(values, Iterable):
        raise DataError(f"column {column!r} is {values!r}; a list, an array or a series is needed")
    else:
        array = _objects(list(values))
    if array.ndim != 1:
        raise DataError(f"column {column!r} has {array.ndim} dimensions; one is needed")
    return array


def _objects(items: list[Any]) -> npt.NDArray[np.object_]:
    """The values as objects: numpy would turn numbers among strings into strings."""
    array = np.empty(len(items), dtype=object)
    for i, item in enumerate(items):
        array[i] = item
    return array


def _two_dimensions(frame: Any) -> npt.NDArray[Any]:
    if isinstance(frame, (str, bytes)) or not (hasattr(frame, "__array__") or isinstance(frame, Sequence)):
        raise DataError(
            f"a table cannot be made from {type(frame).__name__!r}; a DataFrame, an object with the Arrow "
            "PyCapsule interface, a two-dimensional array or a mapping of names to columns is accepted"
        )
    array: npt.NDArray[Any]
    if np.ma.isMaskedArray(frame):
        array = np.asanyarray(frame)
    elif hasattr(frame, "__array__"):
        array = np.asarray(frame)
    else:
        array = _rows(frame)
    if array.ndim != 2:
        raise DataError(
            f"Expected 2D array, got {array.ndim}D array instead. Reshape your data either using "
            "array.reshape(-1, 1) if it has a single column or array.reshape(1, -1) if it is a single row."
        )
    _check_shape(*array.shape)
    return array


def _rows(frame: Sequence[Any]) -> npt.NDArray[np.object_]:
    """The rows of a list of rows; anything else in one dimension."""
    if not frame or not all(isinstance(row, (list, tuple, np.ndarray)) for row in frame):
        return _objects(list(frame))
    wide = len(frame[0])
    for i, row in enumerate(frame):
        if len(row) != wide:
            raise DataError(f"row {i + 1} has {len(row)} values, the first has {wide}; all rows need the same number")
    array = np.empty((len(frame), wide), dtype=object)
    for i, row in enumerate(frame):
        array[i] = _objects(list(row))
    return array


def _check_shape(rows: int, columns: int) -> None:
    if columns == 0:
        raise DataError(f"Found array with 0 feature(s) (shape=({rows}, 0)) while a minimum of 1 is required.")
    if rows == 0:
        raise DataError(f"Found array with 0 sample(s) (shape=(0, {columns})) while a minimum of 1 is required.")
