"""Which columns are taken, of frames and of files."""

from __future__ import annotations

import pathlib

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ossature
from ossature import Table

COLUMNS = {"id": [7, 8, 9], "rain": ["yes", "no", "no"], "wet": ["a", "b", "a"]}


@pytest.mark.parametrize("frame", [COLUMNS, pd.DataFrame(COLUMNS), pl.DataFrame(COLUMNS), pa.table(COLUMNS), Table(COLUMNS)])
def test_columns_of_any_frame(frame: object) -> None:
    assert Table(frame, drop=["id"]).columns == ("rain", "wet")
    assert Table(frame, columns=["wet", "rain"]).columns == ("rain", "wet")
    assert Table(frame, drop=["id"]) == Table(frame, columns=["rain", "wet"])
    with pytest.raises(ossature.DataError, match="there is no column 'idd'|there is no column \"idd\""):
        Table(frame, drop=["idd"])
    with pytest.raises(ossature.DataError, match="there is no column"):
        Table(frame, columns=["rain", "snow"])
    with pytest.raises(ossature.SettingsError, match="give one of them"):
        Table(frame, columns=["rain"], drop=["id"])


def test_what_is_left_out_may_hold_anything() -> None:
    frame = pd.DataFrame({"day": pd.date_range("2020", periods=3), "x": ["a", "b", "a"], "y": [np.nan, 1, 2]})
    assert Table(frame, drop=["day", "y"]).columns == ("x",)
    many = {"id": list(range(300)), "x": ["a", "b"] * 150}
    with pytest.raises(ossature.DataError, match=r"leave it out, with drop=\[\"id\"\]"):
        Table(many)
    assert Table(many, drop=["id"]).shape == (300, 1)


def test_columns_of_a_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,x,y\n" + "".join(f"{i},{i % 2},{i * 1.5}\n" for i in range(300)))
    table = ossature.read_table(path, drop=["id"], discretise={"*": "quantile:3"})
    assert table.columns == ("x", "y")
    assert len(table.levels("y")) == 3 and table.levels("x") == ["0", "1"]
    assert ossature.read_table(path, columns=["x"]).columns == ("x",)
    with pytest.raises(ossature.DataError, match="there is no column"):
        ossature.read_table(path, drop=["z"])
