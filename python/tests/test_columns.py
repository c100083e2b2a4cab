"""The choice of columns of frames and files."""

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
    with pytest.raises(ossature.SettingsError, match="give only one"):
        Table(frame, columns=["rain"], drop=["id"])


def test_what_is_left_out_may_hold_anything() -> None:
    frame = pd.DataFrame({"day": pd.date_range("2020", periods=3), "x": ["a", "b", "a"], "y": [np.nan, 1, 2]})
    assert Table(frame, drop=["day", "y"]).columns == ("x",)
    many = {"id": list(range(300)), "x": ["a", "b"] * 150}
    with pytest.raises(ossature.DataError, match=r"leave it out, with drop=\[\"id\"\]"):
        Table(many)
    assert Table(many, drop=["id"]).shape == (300, 1)


def test_several_files_are_one_table(tmp_path: pathlib.Path) -> None:
    for number, rows in ((1, "x,y\na,b\na,c\n"), (2, "y,x\nc,b\n"), (10, "x,y\nd,b\n")):
        (tmp_path / f"part-{number:02}.csv").write_text(rows)
    (tmp_path / "notes.txt").write_text("no table")
    table = ossature.read_table([tmp_path / "part-01.csv", str(tmp_path / "part-02.csv"), tmp_path / "part-10.csv"])
    assert list(table.labels("x")) == ["a", "a", "b", "d"] and list(table.labels("y")) == ["b", "c", "c", "b"]
    for same in (tmp_path, tmp_path / "part-*.csv", [str(tmp_path / "part-[01]?.csv")]):
        assert ossature.read_table(same, n_jobs=2).sha256 == table.sha256
    (tmp_path / "part-03.csv").write_text("x,z\na,b\n")
    with pytest.raises(ossature.DataError, match=r"part-03\.csv, line 1: found no column \"y\", expected the columns of .*part-01\.csv"):
        ossature.read_table(tmp_path / "part-*.csv")
    with pytest.raises(ossature.DataError, match="occurs twice"):
        ossature.read_table([tmp_path / "part-01.csv", tmp_path / "part-0[1-2].csv"])
    with pytest.raises(ossature.FileError, match="no file has a name that matches"):
        ossature.read_table(tmp_path / "part-*.parquet")


def test_columns_of_a_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,x,y\n" + "".join(f"{i},{i % 2},{i * 1.5}\n" for i in range(300)))
    table = ossature.read_table(path, drop=["id"], discretise={"*": "quantile:3"})
    assert table.columns == ("x", "y")
    assert len(table.levels("y")) == 3 and table.levels("x") == ["0", "1"]
    assert ossature.read_table(path, columns=["x"]).columns == ("x",)
    with pytest.raises(ossature.DataError, match="there is no column"):
        ossature.read_table(path, drop=["z"])
