"""Frames as users have them: numbers to be cut, missing integers, Dask, and errors with advice."""

from __future__ import annotations

import datetime
import pathlib

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ossature

AGES = [20.0, 35.0, 61.0, 70.0, 44.0, 52.0]


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_numbers_of_a_frame_are_cut(make: object, tmp_path: pathlib.Path) -> None:
    frame = make({"age": AGES, "ill": ["no", "no", "yes", "yes", "no", "yes"]})  # type: ignore[operator]
    path = tmp_path / "rows.csv"
    pd.DataFrame({"age": AGES, "ill": ["no", "no", "yes", "yes", "no", "yes"]}).to_csv(path, index=False)
    for how in ("quantile:3", "width:4", "cuts:40,60"):
        cut = ossature.discretise(frame, {"age": how})
        assert cut == ossature.read_table(path, discretise={"age": how})
        assert cut == ossature.Table(frame, discretise={"age": how})
    assert ossature.discretise(frame, {"age": [40, 60]}).levels("age") == ["(-inf,40)", "[40,60)", "[60,inf)"]


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_a_star_cuts_every_column_of_many_numbers(make: object) -> None:
    many = np.random.default_rng(1).normal(size=400)
    frame = make({"many": many, "few": [1, 2] * 200, "word": ["a", "b"] * 200})  # type: ignore[operator]
    for how in ("quantile:4", {"*": "quantile:4"}):
        cut = ossature.discretise(frame, how)
        assert len(cut.levels("many")) == 4
        assert cut.levels("few") == ["1", "2"] and cut.levels("word") == ["a", "b"]


def test_a_network_knows_where_numbers_were_cut() -> None:
    rows = ossature.discretise({"age": AGES, "ill": ["no", "no", "yes", "yes", "no", "yes"]}, {"age": "quantile:2"})
    network = ossature.Network.fit(rows, [("age", "ill")])
    assert network.predict({"age": [18, 90]}, "ill").tolist() == ["no", "yes"]


def test_missing_numbers_stay_missing_when_cut() -> None:
    frame = pd.DataFrame({"age": [20.0, np.nan, 60.0, 70.0], "b": ["x", "y", "x", "y"]})
    with pytest.raises(ossature.DataError, match="1 missing value"):
        ossature.discretise(frame, {"age": "cuts:40"})
    assert len(ossature.discretise(frame, {"age": "cuts:40"}, missing="drop")) == 3


def test_what_cannot_be_cut_is_refused() -> None:
    frame = {"age": AGES, "ill": ["no"] * 6}
    with pytest.raises(ossature.SettingsError, match="no column 'aeg' to discretise"):
        ossature.discretise(frame, {"aeg": "quantile:2"})
    with pytest.raises(ossature.DataError, match="'ill' is to be cut into intervals, but has values that are not numbers"):
        ossature.discretise(frame, {"ill": "quantile:2"})
    with pytest.raises(ossature.SettingsError, match="quantile:5, width:4, cuts"):
        ossature.discretise(frame, {"age": "thirds"})
    with pytest.raises(ossature.SettingsError, match="a list of cuts"):
        ossature.discretise(frame, {"age": 3})  # type: ignore[dict-item]
    with pytest.raises(ossature.SettingsError, match="a table has levels already"):
        ossature.discretise(ossature.Table({"a": ["x"]}), {"a": "quantile:2"})


def test_integers_beside_missing_values_keep_their_labels() -> None:
    whole = pd.DataFrame({"n": [1, 2, None, 2]})
    assert whole["n"].dtype == float
    for frame in (whole, whole.to_numpy(), {"n": whole["n"]}, {"n": np.array([1, 2, np.nan, 2])}):
        table = ossature.Table(frame, missing="drop")
        assert table.levels(table.columns[0]) == ["1", "2"]
    assert ossature.Table({"n": pd.array([1, None], dtype="Int64")}, missing="drop").levels("n") == ["1"]
    # Floats that are not whole numbers stay as they are.
    kinds = {"n": "discrete"}
    assert ossature.Table({"n": [1.5, None, 2.0]}, missing="drop", kinds=kinds).levels("n") == ["1.5", "2.0"]
    assert ossature.Table({"n": [1.0, 2.0]}, kinds=kinds).levels("n") == ["1.0", "2.0"]
    assert ossature.Table({"n": [1.5, None, 2.0]}, missing="drop").numbers("n").tolist() == [1.5, 2.0]


@pytest.mark.filterwarnings("ignore")
def test_a_dask_frame_keeps_its_names() -> None:
    import dask.dataframe as dd

    frame = pd.DataFrame({"rain": ["yes", "no"] * 10, "wet": ["yes", "no"] * 10})
    lazy = dd.from_pandas(frame, npartitions=3)
    assert ossature.Table(lazy).columns == ("rain", "wet")
    assert ossature.Table(lazy) == ossature.Table(frame)


def test_what_is_no_table_is_refused_with_advice() -> None:
    with pytest.raises(ossature.DataError, match=r"LazyFrame of polars .* \.collect\(\)"):
        ossature.Table(pl.LazyFrame({"a": [1]}))
    with pytest.raises(ossature.DataError, match=r"list of dicts .* pandas\.DataFrame\(rows\)"):
        ossature.h2pc([{"a": 1}, {"a": 2}])
    for path in ("rows.csv", pathlib.Path("rows.csv")):
        with pytest.raises(ossature.DataError, match=r"a path was given, 'rows.csv'; ossature\.read_table"):
            ossature.h2pc(path)


DAY = datetime.date(2026, 1, 1)
HOUR = datetime.datetime(2026, 1, 1)


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"day": [DAY], "good": ["x"], "hour": [HOUR]}),
        pd.DataFrame({"day": [DAY], "good": ["x"], "hour": [HOUR]}),
        pa.table({"day": [DAY], "good": ["x"], "hour": [HOUR]}),
    ],
)
def test_all_columns_that_cannot_be_read_are_named(frame: object) -> None:
    with pytest.raises(ossature.DataError, match=r"'day' \(.*'hour' \(.*convert them to text, or leave them out") as error:
        ossature.Table(frame)
    assert "good" not in str(error.value)


def test_only_the_columns_that_are_wanted_must_be_readable(asia: ossature.Network) -> None:
    frame = pl.DataFrame({"smoke": ["yes"], "day": [DAY], "hour": [HOUR]})
    assert asia.predict(frame, "lung").tolist() == ["no"]
