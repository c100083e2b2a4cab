"""Columns of every kind follow the same rules, whichever way they come in."""

from __future__ import annotations

import copy
import datetime
import decimal
import pathlib
import pickle
import random
import struct

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ossature
from ossature import Table

DICTIONARY = pa.array(["x", "y", "x"]).dictionary_encode().take(pa.array([0, 0, 2]))


def test_what_is_masked_is_missing() -> None:
    masked = np.ma.array([[1, 7], [2, 8], [1, 9]], mask=[[0, 0], [0, 1], [0, 0]])
    with pytest.raises(ossature.DataError, match="column x1, row 2: 1 missing value"):
        Table(masked)
    assert Table(masked, missing="drop").levels("x1") == ["7", "9"], "what is under the mask is no level"
    columns = {"a": np.ma.array([1.5, np.inf, 2.5], mask=[0, 1, 0]), "b": np.ma.array(["x", "y", "x"], mask=False)}
    assert Table(columns, missing="level").labels("a").tolist() == ["1.5", "NA", "2.5"]
    assert Table(columns, missing="level").levels("b") == ["x", "y"]
    objects = np.ma.array([1, "x", None], mask=[1, 0, 0], dtype=object)
    assert Table({"a": objects}, missing="level").labels("a").tolist() == ["NA", "x", "NA"]
    assert Table({"a": [1, np.ma.masked]}, missing="level").levels("a") == ["1", "NA"]


@pytest.mark.parametrize("name", ["^a.*$", "*", "a b", "^.*$"])
def test_names_of_polars_are_no_patterns(name: str) -> None:
    frame = pl.DataFrame({name: ["x", "y"], "ab": ["u", "u"], "ac": ["v", "v"]})
    table = Table(frame)
    assert table.columns == (name, "ab", "ac")
    assert table.levels(name) == ["x", "y"]
    assert table.to_polars().columns == frame.columns
    assert Table(table.to_polars()) == table


def test_codes_that_are_not_aligned_are_read_right() -> None:
    codes = np.frombuffer(b"\0" + np.array([0, 1, 300, 1], dtype=np.int16).tobytes(), dtype=np.uint8)[1:].view(np.int16)
    assert not codes.flags.aligned
    levels = [f"l{i:03}" for i in range(301)]
    frame = pd.DataFrame({"a": pd.Categorical.from_codes(codes, categories=levels)})
    assert Table(frame).labels("a").tolist() == ["l000", "l001", "l300", "l001"]
    with pytest.raises(ossature.DataError, match="aligned"):
        ossature._ossature.Data.from_parts([("a", levels, True, codes)], "error")


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(pd.Categorical(["x", "x", "x"], categories=["z", "x"])),
        pd.Categorical(["x", "x", "x"], categories=["z", "x"]),
        pd.CategoricalIndex(["x", "x", "x"], categories=["z", "x"]),
        pl.Series(["x", "x", "x"], dtype=pl.Enum(["z", "x"])),
        pa.DictionaryArray.from_arrays(pa.array([1, 1, 1], pa.int8()), pa.array(["z", "x"])),
        pa.chunked_array([pa.DictionaryArray.from_arrays(pa.array([1, 1, 1], pa.int8()), pa.array(["z", "x"]))]),
    ],
    ids=["series", "categorical", "index", "polars", "array", "chunked"],
)
def test_the_columns_of_a_mapping_keep_their_levels(column: object) -> None:
    assert Table({"a": column, "b": [1, 2, 3]}).levels("a") == ["z", "x"]


def test_the_columns_of_a_mapping_follow_the_rules_of_frames() -> None:
    whole = pd.Series([1, None, 2], dtype="Int64")
    for column in (whole, whole.array, pl.Series([1, None, 2]), pa.array([1, None, 2])):
        assert Table({"a": column}, missing="level").levels("a") == ["1", "2", "NA"]
    categories = pl.Series("other", ["x", "y", "x"], dtype=pl.Categorical)
    assert Table({"a": categories}).columns == ("a",)


def test_dictionaries_of_arrow_in_pandas_keep_their_levels() -> None:
    frame = pd.DataFrame({"a": pd.Series(DICTIONARY, dtype=pd.ArrowDtype(DICTIONARY.type))})
    assert Table(frame).levels("a") == ["x", "y"] == Table(pa.table({"a": DICTIONARY})).levels("a")
    strings = pd.DataFrame({"a": pd.Series(["y", None, "x"], dtype=pd.ArrowDtype(pa.string()))})
    assert Table(strings, missing="drop").levels("a") == ["x", "y"]


@pytest.mark.parametrize("column", [{"x", "y"}, frozenset("xy"), {"x": 1, "y": 2}, "xy", 3, None])
def test_what_has_no_rows_is_no_column(column: object) -> None:
    with pytest.raises(ossature.DataError, match="column 'a' is .*; a list, an array or a series is needed"):
        Table({"a": column})


@pytest.mark.parametrize("value", [None, np.nan, pd.NA, pd.NaT, np.float32("nan"), decimal.Decimal("sNaN")])
def test_every_missing_value_is_one(value: object) -> None:
    array = np.array([["x"], [value]], dtype=object)
    for frame in ({"a": ["x", value]}, {"a": array[:, 0]}, Table(array, names=["a"], missing="level")):
        assert Table(frame, missing="level").labels("a").tolist() == ["x", "NA"]
    frame = pd.DataFrame({"a": pd.Series(["x", value], dtype=object)})
    assert Table(frame, missing="level").labels("a").tolist() == ["x", "NA"]


@pytest.mark.parametrize(
    "value",
    [
        np.zeros(2), b"x", 1j, [1], {}, datetime.date(2026, 1, 1), datetime.datetime(2026, 1, 1), datetime.time(1),
        datetime.timedelta(1), np.datetime64("2026-01-01"), pd.Timestamp("2026-01-01"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_label_is_refused_by_every_way(value: object) -> None:
    objects = np.empty(1, dtype=object)
    objects[0] = value
    for frame in ({"a": objects}, {"a": [value]}, pd.DataFrame({"a": pd.Series(objects, dtype=object)})):
        with pytest.raises(ossature.DataError, match="column 'a' has a value that cannot be a label"):
            Table(frame)


def test_dates_are_refused_by_every_way() -> None:
    dates = pd.DataFrame({"a": pd.to_datetime(["2026-01-01", "2026-01-02"])})
    for frame in (dates, dates.astype("category"), pl.from_pandas(dates), pa.Table.from_pandas(dates)):
        with pytest.raises(ossature.DataError, match="values of the type|cannot be a label"):
            Table(frame)
    intervals = pd.DataFrame({"a": pd.cut([1.0, 2.0], 2)})
    assert len(Table(intervals).levels("a")) == 2, "but intervals are labels"


@pytest.mark.parametrize("place", [0, 1])
def test_a_column_needs_a_name(place: int) -> None:
    names = ["a", "b"]
    names[place] = ""
    values = {name: ["x", "y"] for name in names}
    for frame in (values, pd.DataFrame(values), pl.DataFrame(values), pa.table(values)):
        with pytest.raises(ossature.DataError, match=f"no name for column {place + 1} of 2"):
            Table(frame)
    with pytest.raises(ossature.DataError, match="None was given for a name"):
        Table({None: ["x"]})


def test_a_column_of_nulls_of_polars() -> None:
    frame = pl.DataFrame({"a": [None, None], "b": ["x", "y"]})
    assert frame["a"].dtype == pl.Null
    assert Table(frame, missing="level").levels("a") == ["NA"]
    assert Table({"a": frame["a"]}, missing="level").levels("a") == ["NA"]


def numbers() -> list[float]:
    chance = random.Random(1)
    bits = [struct.unpack("d", chance.randbytes(8))[0] for _ in range(150)]
    plain = [1e-5, 1e16, 1e15, 1e-4, 9.999e-5, 1.5, 0.1, 1e22, 1e100, 5e-324, 123456789.0, 1e-10]
    return plain + [x for x in bits if np.isfinite(x)]


def test_floats_are_written_as_python_does() -> None:
    values = numbers()
    expected = sorted({repr(x) for x in values})
    frames = [{"a": values}, {"a": np.array(values)}, pd.DataFrame({"a": values}), pl.DataFrame({"a": values})]
    for frame in [*frames, pa.table({"a": values}), pa.table({"a": pa.array(values).dictionary_encode()})]:
        assert sorted(Table(frame).levels("a")) == expected


def test_narrow_floats_zeros_and_infinities() -> None:
    def ways(values: list[float], kind: str = "float64") -> list[object]:
        array = np.array(values, dtype=kind)
        return [
            {"a": array}, {"a": list(array)}, array.reshape(-1, 1),
            pd.DataFrame({"a": array}), pl.DataFrame({"a": array}),
            pa.table({"a": pa.array(array)}), pa.table({"a": pa.array(array).dictionary_encode()}),
            pd.DataFrame({"a": pd.Series(list(array), dtype=object)}),
        ]

    for way in ways([0.1, 0.5], "float32"):
        assert Table(way).levels(Table(way).columns[0]) == ["0.10000000149011612", "0.5"]
    for way in ways([-0.0, 1.0]):
        assert Table(way).levels(Table(way).columns[0]) == ["0.0", "1.0"]
    for infinite in (float("inf"), float("-inf")):
        for way in ways([infinite, 1.0]):
            with pytest.raises(ossature.DataError, match="an infinite value"):
                Table(way)
    assert Table(pa.table({"a": ["inf", "x"]})).levels("a") == ["inf", "x"], "a word is a word"


@pytest.mark.parametrize("values", [[1, True, 2], [True, 1, 2], [1.0, 1, True], [0, False, "0"]])
def test_labels_do_not_depend_on_the_order_of_rows(values: list[object]) -> None:
    expected = sorted({str(value) for value in values})
    for given in (values, values[::-1]):
        for frame in ({"a": given}, pd.DataFrame({"a": pd.Series(given, dtype=object)}), [[value] for value in given]):
            table = Table(frame)
            assert table.levels(table.columns[0]) == expected


def test_half_of_a_surrogate_pair_is_no_text() -> None:
    for frame in ({"a": ["\ud800", "x"]}, {"\ud800": ["x"]}, pd.DataFrame({"a": pd.Series(["\ud800"], dtype=object)})):
        with pytest.raises(ossature.DataError, match="surrogate"):
            Table(frame)


def test_names_are_for_arrays() -> None:
    array = np.array([[1, 2], [3, 4]])
    assert Table(array, names=[1, 2]).columns == ("1", "2")
    table = Table(array)
    for frame in (table, table.to_pandas(), table.to_polars(), table.to_arrow(), {"a": [1]}):
        with pytest.raises(ossature.SettingsError, match="names are for arrays"):
            Table(frame, names=["a", "b"])
    with pytest.raises(ossature.SettingsError, match="1 names for 2 columns"):
        Table(array, names="a")


@pytest.mark.parametrize("missing", [None, "ignore", 3])
def test_the_policy_is_checked_for_every_table(missing: object) -> None:
    table = Table({"a": [1, 2]})
    for frame in (table, table.to_pandas(), {"a": [1]}):
        with pytest.raises(ossature.SettingsError, match="error, drop and level are accepted"):
            Table(frame, missing=missing)  # type: ignore[arg-type]
    with pytest.raises(ossature.SettingsError, match="error, drop and level are accepted"):
        ossature.HC(missing=missing).fit(table)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        ([[1, 2], [3]], "row 2 has 1 values, the first has 2"),
        ([[1, 2], 3], "Expected 2D array"),
        ([], "Expected 2D array"),
        (pa.chunked_array([["x"]]), "one column was given, a pyarrow.ChunkedArray"),
        (pd.Index(["x"]), "one column was given, a pandas.Index"),
        (pd.DataFrame({"a": pd.Categorical([1, "1"], categories=[1, "1"])}), "column 'a' has two categories that are written '1'"),
    ],
)
def test_what_is_no_table_is_refused(frame: object, said: str) -> None:
    with pytest.raises(ossature.DataError, match=said):
        Table(frame)


def test_a_copy_of_a_table_knows_what_was_dropped() -> None:
    table = Table({"a": [1, None, 2]}, missing="drop")
    for again in (copy.copy(table), copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        assert again == table and again.rows_dropped == 1


def test_files(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "rain.csv"
    path.write_text("rain;wet\nyes;N\nno;A\n")
    read = ossature.read_table
    assert read(str(path).encode(), delimiter=";").columns == ("rain", "wet")
    with pytest.raises(ossature.SettingsError, match='there is no column "rian" \\(did you mean "rain"\\?\\)'):
        read(path, delimiter=";", levels={"rian": ["yes", "no"]})
    for settings, said in [
        ({"delimiter": ";;"}, "delimiter is ';;'; one ASCII character"),
        ({"delimiter": 3}, "delimiter is 3"),
        ({"discretise": {"rain": 5}}, "discretise of 'rain' is 5; a word"),
        ({"discretise": "quantile:5"}, "discretise is 'quantile:5'; a mapping"),
        ({"levels": ["yes"]}, "levels is .*; a mapping"),
        ({"levels": {"rain": "yes"}}, "levels of 'rain' is 'yes'; a list"),
        ({"missing_tokens": "NA"}, "missing_tokens is 'NA'; a list"),
        ({"missing": None}, "missing is None"),
        ({"progress": 3.5}, "progress is 3.5; True, False or a function"),
    ]:
        with pytest.raises(ossature.SettingsError, match=said):
            read(path, **{"delimiter": ";", **settings})
    with pytest.raises(ossature.SettingsError, match="path is 3"):
        read(3)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError) as missing:
        read(tmp_path / "nowhere.csv")
    assert isinstance(missing.value, ossature.FileError)
    assert (missing.value.filename, missing.value.errno) == (str(tmp_path / "nowhere.csv"), 2)
    assert str(missing.value).startswith("cannot read ")
