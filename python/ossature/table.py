"""Coded tables, and the conversion of frames of other libraries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Union

import numpy as np
import numpy.typing as npt

from . import _ossature, show
from .columns import columns_of_many_numbers, goes_whole, parts_of_table, whole_frame
from .errors import DataError, DataWarning, SettingsError, warn
from .given import Kinds, Missing, kinds_of, mapping, missing_policy, name, number, paths, refusal, word, words
from .progress import Progress, telling, threads

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Frame = Any
"""Anything that :class:`Table` takes."""

Cut = Union[str, Sequence[float]]
"""How a column of numbers is cut: ``"quantile:5"``, ``"width:4"``, ``"cuts:0,1.5"``, or a list of numbers."""


class Table:
    """A table of discrete and continuous columns, prepared once.

    Every function that takes rows takes a ``Table`` or anything that can be converted to one: a pandas
    DataFrame, any object with the Arrow PyCapsule interface (polars, pyarrow, …), a two-dimensional numpy
    array (its columns are x0, x1, … unless ``names`` are given), or a mapping of names to columns. Make the
    table yourself if you use the same rows again.

    The categories of a categorical column are its levels, including those that do not occur. Any other column has the
    labels that occur, ``str(value)``, in bytewise order. Strings such as ``"None"`` and ``"NA"`` are labels; ``None``,
    ``NaN``, ``pandas.NA`` and masked numpy values are missing values, which are refused (``missing="error"``), left out
    with their rows (``"drop"``) or a separate level (``"level"``). With ``"available"`` they stay missing and each test
    and family uses the rows that are complete in its variables; with ``"em"`` learners that only maximise a score, and
    fitting, use their expected counts. Dates and times are refused: convert them to text first. With ``columns`` only
    these are used, and those in ``drop`` are left out, whatever they contain. ``discretise`` cuts numeric columns into
    intervals, as :func:`discretise` does.

    Columns of floats are continuous, and every other column is discrete, unless ``kinds`` says otherwise:
    ``kinds={"age": "continuous", "grade": "discrete"}``. (Whole numbers with missing values, which pandas and numpy
    keep as floats, are labels.)

    ``weights`` names a column with the number of rows that each row stands for, as ``GROUP BY`` counts them. It is
    not a variable, and the result is the same as from the rows written out.

    >>> from ossature import Table
    >>> table = Table({"rain": ["yes", "no", "no"], "wet": [True, False, True]})
    >>> table
    <Table: 3 rows of 2 variables>
    >>> table.columns, table.levels("wet")
    (('rain', 'wet'), ['False', 'True'])
    >>> Table({"id": [7, 8, 9], "rain": ["yes", "no", "no"]}, drop=["id"]).columns
    ('rain',)
    >>> Table({"rain": ["yes", "no"], "times": [30, 70]}, weights="times")
    <Table: 2 rows of 1 variables, which count as 100>
    """

    __slots__ = ("_data",)
    _data: _ossature.Data

    def __init__(
        self,
        frame: Frame,
        *,
        columns: Sequence[str] | None = None,
        drop: Sequence[str] = (),
        missing: Missing = "error",
        names: Sequence[str] | None = None,
        discretise: Mapping[str, Cut] | None = None,
        kinds: Kinds | None = None,
        weights: str | None = None,
    ) -> None:
        only, without = _choice(columns, drop)
        if isinstance(frame, Table) and (only is not None or without) and not discretise and weights is None:
            self._data = _ossature.Data.from_parts([frame], missing_policy(missing), only=only, drop=without)
        else:
            self._data = as_data(
                frame, missing=missing, names=names, only=only, drop=without, discretise=discretise, kinds=kinds, weights=weights
            )
        lacking = [column for column in only or () if column not in self._data.names()]
        if lacking:
            raise DataError(f"there is no column {lacking[0]!r}")

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
        """The size of the codes in bytes: one for each value, two if a column has more than 256
        levels."""
        return self._data.nbytes()

    @property
    def sha256(self) -> str:
        """The hash of names, levels and rows; the command reports the same for the same table."""
        return self._data.sha256()

    @property
    def weights(self) -> npt.NDArray[np.uint32] | None:
        """The number of rows that each row stands for; ``None`` if each stands for itself."""
        return self._data.weights()

    @property
    def total(self) -> int:
        """The number of rows that the table stands for: its own rows, unless they have weights."""
        return self._data.total()

    @property
    def rows_dropped(self) -> int:
        """The number of rows left out because a value was missing."""
        return self._data.rows_dropped()

    @property
    def cuts(self) -> dict[str, list[float]]:
        """The cuts of the columns that were cut into intervals. ``discretise(rows, table.cuts)`` cuts new
        rows at the same points.

        >>> import ossature
        >>> ossature.discretise({"age": [20, 35, 61, 70]}, {"age": "quantile:2"}).cuts
        {'age': [61.0]}
        """
        return dict(self._data.cuts())

    def is_continuous(self, column: str) -> bool:
        """Whether a column has numbers instead of levels."""
        return self._data.is_continuous(name(column))

    def levels(self, column: str) -> list[str]:
        """The levels of a column; the code of a level is its index here. A continuous column has none."""
        return self._data.levels(name(column))

    def codes(self, column: str) -> npt.NDArray[np.uint8] | npt.NDArray[np.uint16]:
        """The codes of a column with levels, one per row; the code of a missing value is the number of levels."""
        if self.is_continuous(column):
            raise DataError(f"column {column!r} is continuous: numbers({column!r}) has its values")
        codes: npt.NDArray[np.uint8] | npt.NDArray[np.uint16] = self._data.codes(name(column))
        return codes

    def numbers(self, column: str) -> npt.NDArray[np.float64]:
        """The numbers of a continuous column, one per row; NaN is a missing value."""
        if not self.is_continuous(column):
            raise DataError(f"column {column!r} has levels: labels({column!r}) has its values")
        found: npt.NDArray[np.float64] = self._data.codes(name(column))
        return found

    def labels(self, column: str) -> npt.NDArray[np.object_]:
        """The labels of a column, one per row, ``None`` for a missing value; for a continuous column the numbers."""
        if self.is_continuous(column):
            return self.numbers(column).astype(object)
        return np.array([*self.levels(column), None], dtype=object)[self.codes(column)]

    def head(self, column: str, rows: int = 5) -> list[str]:
        """The labels of the first rows of a column, or its numbers as text."""
        if self.is_continuous(column):
            return ["–" if np.isnan(x) else f"{x:.6g}" for x in self.numbers(column)[:rows].tolist()]
        levels = [*self.levels(column), "–"]
        return [levels[code] for code in self.codes(column)[:rows].tolist()]

    def _repr_html_(self) -> str:
        """Notebook output: the first rows, and the levels of the columns."""
        return show.rows(self)

    def to_numpy(self) -> npt.NDArray[np.object_]:
        """The labels as a two-dimensional array."""
        return np.column_stack([self.labels(column) for column in self.columns])

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame of categoricals, with floats for continuous columns.

        >>> import ossature
        >>> rows = ossature.load_network("asia").sample(3, seed=1).to_pandas()
        >>> rows["smoke"].cat.categories.tolist()
        ['yes', 'no']
        """
        import pandas

        def categorical(column: str) -> Any:
            if self.is_continuous(column):
                return self.numbers(column)
            levels = self.levels(column)
            # The narrowest codes with a sign are those that pandas keeps.
            codes = self.codes(column).astype(np.min_scalar_type(-len(levels) - 1))
            codes[codes == len(levels)] = -1
            return pandas.Categorical.from_codes(codes, categories=pandas.Index(levels, dtype=object))

        return pandas.DataFrame({column: categorical(column) for column in self.columns})

    def to_polars(self) -> polars.DataFrame:
        """A DataFrame of enums, whose categories are the levels, with floats for continuous columns."""
        import polars

        # By series: as an expression, a name may be a pattern.
        columns = polars.DataFrame(self).get_columns()
        return polars.DataFrame([
            column if self.is_continuous(column.name) else column.cast(polars.Enum(self.levels(column.name)))
            for column in columns
        ])

    def to_arrow(self) -> pyarrow.Table:
        """A table of dictionaries, with floats for continuous columns."""
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
        weighted = "" if self.weights is None else f", which count as {self.total:,}"
        return f"<Table: {rows:,} rows of {columns:,} variables{weighted}>"

    def __reduce__(self) -> tuple[Any, ...]:
        columns = [(column, self.levels(column), self._data.codes(column)) for column in self.columns]
        return _rebuilt, (columns, self.rows_dropped, self._data.policy(), self.weights)


def _rebuilt(
    columns: list[tuple[str, list[str], Any]],
    rows_dropped: int = 0,
    missing: str = "error",
    weights: npt.NDArray[np.uint32] | None = None,
) -> Table:
    def places(levels: list[str], codes: Any) -> Any:
        return codes if missing == "error" else np.where(codes == len(levels), -1, codes.astype(np.int32))

    # Buffers that came over a network lie where they lie: what is not aligned is copied.
    aligned = [(column, levels, np.require(codes, requirements="A")) for column, levels, codes in columns]
    # A column without levels is continuous.
    parts = [
        (column, levels, True, places(levels, codes)) if levels else (column, codes) for column, levels, codes in aligned
    ]
    data = _ossature.Data.from_parts(parts, missing, rows_dropped=rows_dropped)
    return Table._of(data if weights is None else data.with_weights(weights))


def discretise(
    frame: Frame,
    how: Mapping[str, Cut] | str,
    *,
    missing: Missing = "error",
    names: Sequence[str] | None = None,
) -> Table:
    """Cuts numeric columns of a frame into intervals; the other columns do not change.

    ``how`` says how to cut each column: ``"quantile:5"`` makes 5 intervals of equally many rows, ``"width:4"`` makes 4
    of equal width, ``"cuts:0,1.5,3"`` or a list of numbers cuts at these numbers. Two methods look at other columns:
    ``"hartemink:3"`` makes 3 intervals that preserve the column's information about the others (``"hartemink:3:60"``
    starts from 60 of equally many rows, otherwise from 20), and ``"mdl:ill"`` makes as many as the information about
    the column ``ill`` justifies. With ``"*"`` for a column, or a word alone: every numeric column with more than 256
    values. The cuts are kept (:attr:`Table.cuts`) and cut new rows in the same way; ``.to_pandas()`` is the frame. A
    network fitted to the table knows them, and takes raw numbers.

    >>> import ossature
    >>> frame = {"age": [20, 35, 61, 70], "ill": ["no", "no", "yes", "yes"]}
    >>> ossature.discretise(frame, {"age": "cuts:40"}).levels("age")
    ['(-inf,40)', '[40,inf)']
    >>> table = ossature.discretise(frame, {"age": "quantile:2"})
    >>> table.levels("age"), table.cuts
    (['(-inf,61)', '[61,inf)'], {'age': [61.0]})
    >>> ossature.discretise({"age": [99]}, table.cuts).head("age")
    ['[61,inf)']
    """
    return Table(frame, missing=missing, names=names, discretise={"*": how} if isinstance(how, str) else how)


def read_table(
    path: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    missing: Missing = "error",
    missing_tokens: Sequence[str] | None = None,
    discretise: Mapping[str, str] | None = None,
    levels: Mapping[str, Sequence[str]] | None = None,
    delimiter: str | None = None,
    continuous: Sequence[str] | Literal["auto", "none"] | None = None,
    weights: str | None = None,
    n_jobs: int | None = None,
    progress: Progress = False,
) -> Table:
    """Reads a table as the command does: ``.csv``, ``.tsv`` (also ``.gz``), ``.parquet``, ``.arrow``.

    Several files with the same columns are one table: a list of them, a folder, or a pattern such as
    ``"part-*.parquet"``, whose files are sorted by name.

    Every field of a text file is a label; the empty field, ``NA``, ``NaN``, ``null`` and ``?`` are missing unless
    ``missing_tokens`` says otherwise. ``discretise`` cuts numeric columns into intervals: ``{"age": "quantile:5",
    "height": "width:4", "weight": "cuts:50,70,90"}``, and with ``"*"`` as the column every numeric one with more
    values than intervals. ``levels`` declares the levels of columns. With ``columns`` only these are read, and those in
    ``drop`` are left out. ``continuous`` names the columns that are numbers; with ``"auto"`` these are all in which
    every value is a number and more than ten differ. By default, these are floats in ``.parquet`` and ``.arrow``, and
    none in text. ``weights`` names a column with the number of rows that each row stands for, as for :class:`Table`.
    ``n_jobs`` is the number of threads, which never changes the table.

    >>> import ossature, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "rain.csv"
    >>> _ = path.write_text("rain,wet\\nyes,yes\\nno,no\\nno,?\\n")
    >>> ossature.read_table(path, missing="drop")
    <Table: 2 rows of 2 variables>
    >>> _ = path.with_name("rain2.csv").write_text("wet,rain\\nno,yes\\n")
    >>> ossature.read_table(path.with_name("rain*.csv"), missing="drop")
    <Table: 3 rows of 2 variables>
    """
    if delimiter is not None and not (isinstance(delimiter, str) and len(delimiter) == 1 and delimiter.isascii()):
        raise refusal("delimiter", delimiter, "one ASCII character")
    only, without = _choice(columns, drop)
    declared = mapping("levels", levels)
    cut = mapping("discretise", discretise)
    with telling(progress) as tell:
        return Table._of(
            _ossature.Data.read(
                paths(path),
                missing_policy(missing),
                columns=only,
                drop=without,
                missing_tokens=None if missing_tokens is None else words("missing_tokens", missing_tokens),
                discretise=[(column, word(f"discretise of {column!r}", how)) for column, how in cut.items()],
                levels=[(column, words(f"levels of {column!r}", given)) for column, given in declared.items()],
                delimiter=None if delimiter is None else ord(delimiter),
                continuous=_continuous(continuous),
                weights=None if weights is None else name(weights),
                threads=threads(n_jobs),
                progress=tell,
            )
        )


def _continuous(given: Sequence[str] | str | None) -> str | list[str] | None:
    if given is None:
        return None
    if isinstance(given, str):
        if given in ("auto", "none"):
            return given
        raise refusal("continuous", given, '"auto", "none" or a list of columns')
    return words("continuous", given)


def _choice(columns: Sequence[str] | None, drop: Sequence[str]) -> tuple[list[str] | None, list[str]]:
    """The columns to use, or those to leave out; never both."""
    only = None if columns is None else words("columns", columns)
    without = words("drop", drop)
    if only is not None and without:
        raise SettingsError("columns lists the columns to use and drop those to leave out: give only one")
    return only, without


def as_data(
    frame: Frame,
    *,
    missing: str = "error",
    names: Sequence[str] | None = None,
    only: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    cuts: Sequence[tuple[str, Sequence[float]]] = (),
    discretise: Mapping[str, Cut] | None = None,
    kinds: Kinds | None = None,
    weights: str | None = None,
) -> _ossature.Data:
    """The coded form of any table-like object; for a frame, only the columns with some names, if given.

    In a frame, numbers in the columns to be cut become intervals, and those of continuous columns stay: columns of
    floats, unless ``kinds`` says otherwise.
    """
    policy = missing_policy(missing)
    kind = kinds_of(kinds)
    if isinstance(frame, Table):
        if names is not None:
            raise SettingsError("names are for arrays; a table has its own")
        if discretise:
            raise SettingsError("discretise is for frames with numbers; a table has levels already")
        if kind:
            raise SettingsError("kinds are for frames; a table has its own")
        if weights is not None:
            raise SettingsError("weights are for frames; a table has its own")
        return frame._data
    if weights is not None:
        if discretise:
            raise SettingsError("cut columns into intervals before rows are grouped: discretise cannot be combined with weights")
        if name(weights) in drop:
            raise SettingsError(f"column {weights!r} has the weights, and so cannot be left out")
        kind = {**kind, weights: "continuous"}
        only = None if only is None else [*only, weights]
    frame = whole_frame(frame)
    wishes, exact = _wishes(frame, names, discretise)
    cuts = [*cuts, *exact.items()]
    parts = parts_of_table(frame, names, only, {*dict(cuts), *wishes}, drop, kind)
    left = drop if goes_whole(frame) else ()
    data = _ossature.Data.from_parts(
        parts, policy, only=only, drop=left, cuts=cuts, discretise=list(wishes.items()), kinds=list(kind.items()),
        weights=weights,
    )
    strangers = [column for column in kind if column not in data.names() and column not in drop and only is None and column != weights]
    if strangers:
        raise SettingsError(f"there is no column {strangers[0]!r}, which is named in kinds")
    wished = [*wishes, *exact]
    lacking = [column for column in wished if column not in data.names()]
    if lacking:
        raise SettingsError(f"there is no column {lacking[0]!r} to discretise; there are {', '.join(data.names())}")
    uncut = [column for column in wished if not _is_cut(data.levels(column))]
    if uncut:
        raise DataError(f"column {uncut[0]!r} is to be cut into intervals, but has values that are not numbers")
    if data.rows_dropped() > 0:
        dropped, rows = data.rows_dropped(), data.rows_dropped() + data.rows()
        warn(f"left out {dropped:,} of {rows:,} rows because of missing values", DataWarning)
    return data


def _wishes(frame: Frame, names: Any, discretise: Any) -> tuple[dict[str, str], dict[str, list[float]]]:
    """The columns to be cut by a method, in the library's notation, and those to be cut at given numbers."""
    given = mapping("discretise", discretise)
    # No numbers are cuts too, of a column of one interval.
    exact: dict[str, list[float]] = {column: [] for column, how in given.items() if isinstance(how, list) and not how and column != "*"}
    wishes = {column: _method(column, how) for column, how in given.items() if column != "*" and column not in exact}
    if "*" in given:
        rest = _method("*", given["*"])
        # A column is not cut by what it tells of itself.
        named = {*wishes, *exact, rest.removeprefix("mdl:")}
        many = columns_of_many_numbers(frame, names)
        wishes.update({column: rest for column in many if column not in named})
    return wishes, exact


def _method(column: str, how: Any) -> str:
    if isinstance(how, str):
        return word(f"discretise of {column!r}", how)
    if not isinstance(how, Iterable):
        raise refusal(f"discretise of {column!r}", how, 'a text such as "quantile:5", or a list of cuts,')
    return "cuts:" + ",".join(repr(number(f"discretise of {column!r}", cut)) for cut in how)


def _is_cut(levels: list[str]) -> bool:
    return any("inf" in level and level[:1] in "([" for level in levels)
