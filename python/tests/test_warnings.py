"""The warnings of the command are Python warnings."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import ossature


def said(work: object) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        work()  # type: ignore[operator]
    assert all(w.filename == __file__ for w in caught), "a warning is shown at the line that called"
    return [str(w.message) for w in caught if issubclass(w.category, ossature.DataWarning)]


def test_columns_that_tell_little(rows: ossature.Table) -> None:
    frame = rows.to_pandas().astype(str)
    frame["same"] = "x"
    frame["rare"] = ["once"] + ["often"] * 500 + ["also"] * 499
    found = said(lambda: ossature.H2PC().fit(frame))
    assert "1 column with only one value, and so without information: same" in found
    assert any("fewer than five rows" in one and "rare (1)" in one for one in found)
    assert said(lambda: ossature.bootstrap(frame, 2)) == found


def test_rows_that_were_left_out() -> None:
    frame = pd.DataFrame({"a": ["x", "y", None] * 20, "b": ["u", "v", "u"] * 20})
    assert "left out 20 of 60 rows because of missing values" in said(lambda: ossature.Table(frame, missing="drop"))
    assert said(lambda: ossature.Table(frame, missing="level")) == []


def test_an_empty_result_of_tests_without_power_says_so() -> None:
    random = np.random.default_rng(1)
    x = random.integers(0, 12, 60)
    frame = pd.DataFrame({"x": x, "y": (x + random.integers(0, 2, 60)) % 12, "z": random.integers(0, 12, 60)})
    learner = ossature.HPC()
    found = said(lambda: learner.fit(frame))
    assert learner.skeleton_.edges == []
    assert any("had power, so no edge was found: there are too few rows" in one for one in found)
    assert learner.report_["concerns"]


def test_sound_rows_are_not_warned_of() -> None:
    rows = ossature.load_network("cancer").sample(5000, seed=3)
    assert said(lambda: ossature.H2PC().fit(rows)) == []


def test_a_warning_can_be_an_error() -> None:
    with warnings.catch_warnings(), pytest.raises(ossature.DataWarning, match="only one value"):
        warnings.simplefilter("error")
        ossature.h2pc({"a": ["x"] * 10, "b": ["y", "z"] * 5})
