"""Every kind of frame gives the same table."""

from __future__ import annotations

import datetime
import pickle
import tracemalloc
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ossature
from ossature import Table


def categoricals(rows: Table) -> dict[str, object]:
    arrow = rows.to_arrow()
    return {
        "pandas": rows.to_pandas(),
        "pandas, other order": rows.to_pandas()[list(reversed(rows.columns))],
        "polars": rows.to_polars(),
        "pyarrow": arrow,
        "pyarrow in batches": pa.Table.from_batches(arrow.to_batches(max_chunksize=37)),
        "record batch": arrow.combine_chunks().to_batches()[0],
        "itself": rows,
    }


def labels(rows: Table) -> dict[str, object]:
    frame = rows.to_pandas().astype(object)
    return {
        "objects": frame,
        "strings": frame.astype("string"),
        "pandas strings": frame.astype("str"),
        "polars strings": rows.to_polars().with_columns(pl.all().cast(pl.String)),
        "polars categoricals": rows.to_polars().with_columns(pl.all().cast(pl.String).cast(pl.Categorical)),
        "pyarrow strings": pa.Table.from_pandas(frame),
        "large strings": pa.Table.from_pandas(frame).cast(pa.schema([(c, pa.large_string()) for c in frame])),
        "lists": {name: frame[name].tolist() for name in frame},
        "arrays": {name: frame[name].to_numpy() for name in frame},
        "numpy": Table(rows.to_numpy(), names=rows.columns),
        "numpy strings": Table(rows.to_numpy().astype(str), names=rows.columns),
    }


def test_categoricals_are_the_same_table(rows: Table) -> None:
    for name, frame in categoricals(rows).items():
        assert Table(frame).sha256 == rows.sha256, name


def test_labels_are_the_same_table(rows: Table) -> None:
    frames = labels(rows)
    first = Table(frames["objects"])
    assert first.levels("smoke") == ["no", "yes"], "in bytewise order"
    for name, frame in frames.items():
        assert Table(frame) == first, name


def test_every_frame_gives_the_same_network(rows: Table) -> None:
    expected = ossature.h2pc(rows)
    for name, frame in {**categoricals(rows), **labels(rows)}.items():
        assert ossature.h2pc(frame) == expected, name


def test_levels_that_do_not_occur_are_kept(rows: Table) -> None:
    kept = rows.to_pandas().head(1)
    assert Table(kept).levels("smoke") == ["yes", "no"]
    assert Table(rows.to_polars().head(1)).levels("smoke") == ["yes", "no"]
    assert Table(rows.to_arrow().slice(0, 1)).levels("smoke") == ["yes", "no"]
    assert len(Table(kept.astype(object)).levels("smoke")) == 1


def test_numbers_and_booleans_are_labels() -> None:
    frame = pd.DataFrame({"i": [10, 9, 9], "b": [True, False, True], "f": [1.5, 2.0, 1.5]})
    expected = {"i": ["10", "9"], "b": ["False", "True"], "f": ["1.5", "2.0"]}
    for given in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame), frame.to_dict("list")):
        table = Table(given, kinds={"f": "discrete"})
        assert {name: table.levels(name) for name in expected} == expected
        assert Table(given).is_continuous("f"), "floats are numbers unless something else is said"
    nullable = frame.convert_dtypes()
    assert Table(nullable).levels("i") == ["10", "9"]
    assert Table(np.array([[1, 2], [3, 4]])).columns == ("x0", "x1")
    assert Table(pd.DataFrame({"c": pd.Categorical([3, 1], categories=[3, 2, 1])})).levels("c") == ["3", "2", "1"]


def test_mixed_labels_that_read_alike_are_one() -> None:
    assert Table({"a": [1, "1", "x"]}).levels("a") == ["1", "x"]
    assert Table(pd.DataFrame({"a": pd.Series([1, "1", "x"], dtype=object)})).levels("a") == ["1", "x"]


@pytest.mark.parametrize("word", ["None", "NA", "NaN", "null", "?", ""])
def test_words_stay_levels(word: str) -> None:
    for frame in ({"a": [word, "x"]}, pd.DataFrame({"a": [word, "x"]}), pl.DataFrame({"a": [word, "x"]})):
        assert Table(frame).levels("a") == sorted([word, "x"])


def missing_frames() -> dict[str, object]:
    values, other = ["x", None, "y", "x"], ["u", "v", None, "u"]
    plain = pd.DataFrame({"a": values, "b": other})
    return {
        "objects": plain.astype(object),
        "strings": plain.astype("string"),
        "categoricals": plain.astype("category"),
        "nan": plain.astype(object).where(plain.notna(), np.nan),
        "polars": pl.DataFrame({"a": values, "b": other}),
        "pyarrow": pa.table({"a": values, "b": other}),
        "dictionaries": pa.table({"a": pa.array(values).dictionary_encode(), "b": pa.array(other).dictionary_encode()}),
        "lists": {"a": values, "b": other},
        "numpy": Table(np.array([values, other], dtype=object).T, names=["a", "b"], missing="level"),
    }


def test_missing_values_are_refused_left_out_or_a_level() -> None:
    for name, frame in missing_frames().items():
        if isinstance(frame, Table):
            assert frame.levels("a") == ["NA", "x", "y"]
            continue
        with pytest.raises(ossature.DataError, match="column a, row 2: 2 missing values") as refused:
            Table(frame)
        assert 'NaN and None are accepted with missing="drop"' in str(refused.value)
        dropped = Table(frame, missing="drop")
        assert (len(dropped), dropped.rows_dropped) == (2, 2), name
        level = Table(frame, missing="level")
        assert sorted(level.levels("a")) == ["NA", "x", "y"], name
        assert level.labels("a").tolist() == ["x", "NA", "y", "x"], name


def test_missing_numbers() -> None:
    for frame in (
        {"a": [1.0, float("nan")]},
        np.array([[1.0], [np.nan]]),
        pd.DataFrame({"a": pd.array([1, None], dtype="Int64")}),
        pl.DataFrame({"a": [1.0, float("nan")]}),
        pl.DataFrame({"a": [1, None]}),
        pd.DataFrame({"a": pd.array([True, None], dtype="boolean")}),
        pa.table({"a": pa.array([None, None], pa.null())}),
    ):
        with pytest.raises(ossature.DataError, match="missing value"):
            Table(frame)


def test_all_missing_is_no_table() -> None:
    empty = pa.DictionaryArray.from_arrays(pa.array([None, None], pa.int8()), pa.array([], pa.string()))
    for frame in ({"a": [None, None]}, pa.table({"a": empty})):
        with pytest.raises(ossature.DataError, match="every one of 2 rows"):
            Table(frame, missing="drop")
        assert Table(frame, missing="level").levels("a") == ["NA"]


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (3, "a table cannot be made from 'int'"),
        ("rows.csv", "a path was given, 'rows.csv'; ossature.read_table"),
        (np.zeros(3), "Expected 2D array, got 1D array"),
        (np.zeros((0, 2)), r"0 sample\(s\)"),
        (np.zeros((2, 0)), r"0 feature\(s\)"),
        (np.zeros((2, 2), dtype=complex), "Complex data not supported"),
        (np.zeros((2, 2), dtype="M8[s]"), "values of the type datetime64"),
        ({}, "a table without columns"),
        ({"a": []}, "a table without rows"),
        ({"a": [1, 2], "b": [1]}, "column \"b\" has 1 rows, others have 2"),
        ({"a": [[1], [2]]}, "cannot be a label"),
        ({"a": [1.0, float("inf")]}, "an infinite number"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), '"a" occurs twice'),
        (pd.DataFrame({"a": pd.Categorical([1, "1"], categories=[1, "1"])}), "two categories"),
        (pl.DataFrame({"a": [datetime.date(2026, 1, 1)]}), "values of the type Date32"),
        (pl.DataFrame({"a": [[1]]}), "values of the type"),
        (pl.DataFrame(), "a table without columns"),
        (pl.Series("a", ["x", "y"]), "one column was given, a .*; a table is needed"),
        (pa.array(["x", "y"]), "one column was given, a .*; a table is needed"),
        (pd.Series(["x", "y"]), "one column was given, a .*; a table is needed"),
    ],
)
def test_what_is_no_table_is_refused(frame: object, said: str) -> None:
    with pytest.raises(ossature.DataError, match=said):
        Table(frame)


def test_many_numbers_are_refused_with_advice() -> None:
    frame = pd.DataFrame({"age": np.arange(600) // 2 * 7})
    for given in (frame, frame.to_numpy(), pl.from_pandas(frame)):
        with pytest.raises(ossature.DataError, match="more than 256 different values, all of them numbers.*qcut"):
            Table(given)


def test_tables_go_out_again(rows: Table) -> None:
    assert rows.shape == (1000, 8)
    assert rows.nbytes == 8000, "a byte for each value"
    assert rows.to_pandas()["smoke"].cat.categories.tolist() == ["yes", "no"]
    assert rows.to_polars()["smoke"].dtype == pl.Enum(["yes", "no"])
    assert pa.types.is_dictionary(rows.to_arrow().schema.field("smoke").type)
    assert rows.to_numpy().shape == (1000, 8)
    assert pl.DataFrame(rows).shape == (1000, 8)
    for frame in (rows.to_pandas(), rows.to_polars(), rows.to_arrow()):
        assert Table(frame) == rows


def test_wide_tables_go_out_and_in() -> None:
    levels = [f"l{i:04}" for i in range(300)]
    table = Table(pd.DataFrame({"a": pd.Categorical(levels, categories=levels)}))
    assert table.codes("a").dtype == np.uint16
    assert Table(table.to_arrow()) == table == Table(table.to_pandas())


def test_codes_of_pandas_are_not_copied_twice(rows: Table) -> None:
    codes = np.zeros(1_000_000, dtype=np.int8)
    frame = pd.DataFrame({"a": pd.Categorical.from_codes(codes, categories=["x", "y"])})
    tracemalloc.start()
    try:
        table = Table(frame)
        # The memory that Python and numpy allocate; the coded copy is allocated by Rust.
        assert tracemalloc.get_traced_memory()[1] < 200_000
    finally:
        tracemalloc.stop()
    assert table.nbytes == 1_000_000


def misaligned(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The values at an address that is not aligned for their type."""
    raw = bytearray(b" " + values.tobytes())
    array = np.frombuffer(raw, dtype=values.dtype, offset=1)
    assert not array.flags.aligned
    return array


def test_a_pickle_whose_buffers_are_not_aligned() -> None:
    # As they arrive over a network.
    numbers = np.array([1.5, np.nan, 2.5, 3.5])
    many = [f"{i:03}" for i in range(300)]
    for table in (
        ossature.Table({"x": numbers[2:], "y": ["a", "b"]}),
        ossature.Table({"x": numbers, "y": ["a", None, "b", "b"]}, missing="available"),
        ossature.Table({"x": pd.Categorical(many[:2], categories=many)}),
    ):
        buffers: list[pickle.PickleBuffer] = []
        text = pickle.dumps(table, protocol=5, buffer_callback=buffers.append)
        moved = [memoryview(bytearray(b" " + buffer.raw().tobytes()))[1:] for buffer in buffers]
        assert moved and pickle.loads(text, buffers=moved) == table
    with pytest.raises(ossature.DataError, match='numbers of column "x" are not an aligned array'):
        ossature._ossature.Data.from_parts([("x", misaligned(numbers))], "error")
