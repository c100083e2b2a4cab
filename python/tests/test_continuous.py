"""Tables with numeric columns: how they are recognised, what is learned from them, and which messages they give."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import datasets

import ossature
from ossature import DataError, SettingsError, Table


def frame(rows: int = 300) -> pd.DataFrame:
    random = np.random.default_rng(1)
    x = random.normal(size=rows)
    y = 2 * x + random.normal(size=rows)
    kind = np.where(y + random.normal(size=rows) > 0, "high", "low")
    return pd.DataFrame({"x": x, "y": y, "z": random.normal(size=rows), "kind": kind, "n": np.arange(rows) % 3})


def edges(learner: object) -> set[tuple[str, ...]]:
    return {tuple(sorted(edge)) for edge in learner.skeleton_.edges}  # type: ignore[attr-defined]


def test_columns_of_floats_are_continuous() -> None:
    given = frame()
    tables = [Table(given), Table(pl.from_pandas(given)), Table(given.to_dict("list")), Table(pl.from_pandas(given).to_arrow())]
    for table in tables:
        assert [table.is_continuous(column) for column in ("x", "y", "z", "kind", "n")] == [True, True, True, False, False]
        assert np.allclose(table.numbers("x"), given["x"])
        assert table.levels("n") == ["0", "1", "2"]
    assert len({table.sha256 for table in tables}) == 1


def test_kinds_overrule_the_types() -> None:
    table = Table(frame(20), kinds={"x": "discrete", "n": "continuous"})
    assert not table.is_continuous("x") and len(table.levels("x")) == 20
    assert table.numbers("n").tolist()[:4] == [0.0, 1.0, 2.0, 0.0]
    arrow = Table(pl.from_pandas(frame(20)), kinds={"x": "discrete", "n": "continuous"})
    assert arrow.sha256 == table.sha256
    with pytest.raises(DataError, match="'kind' is declared continuous, but has values that are not numbers"):
        Table(frame(), kinds={"kind": "continuous"})
    with pytest.raises(DataError, match='"kind" is declared continuous, but has values that are not numbers'):
        Table(pl.from_pandas(frame()), kinds={"kind": "continuous"})
    with pytest.raises(SettingsError, match="the kind of 'x' is 'number'; discrete and continuous are accepted"):
        Table(frame(), kinds={"x": "number"})  # type: ignore[dict-item]
    with pytest.raises(SettingsError, match="no column 'w'"):
        Table(frame(), kinds={"w": "discrete"})
    with pytest.raises(SettingsError, match="a table has its own"):
        ossature.ci_test(Table(frame()), "x", "y", kinds={"x": "discrete"})


def test_whole_numbers_beside_missing_values_are_labels() -> None:
    table = Table({"n": np.array([1.0, 2.0, np.nan]), "x": np.array([1.0, 2.0, 3.0])}, missing="level")
    assert table.levels("n") == ["1", "2", "NA"]
    assert table.is_continuous("x")


def test_infinite_and_empty_columns_are_refused() -> None:
    with pytest.raises(DataError, match='"x" has an infinite number in row 2'):
        Table({"x": [1.5, float("inf")]})
    with pytest.raises(DataError, match="a column without any value"):
        Table({"x": np.array([np.nan, np.nan]), "y": ["a", "b"]}, missing="available", kinds={"x": "continuous"})


def test_learners_take_continuous_and_mixed_tables() -> None:
    continuous = frame()[["x", "y", "z"]]
    learner = ossature.H2PC().fit(continuous)
    assert edges(learner) == {("x", "y")}
    assert learner.report_["settings"]["test"] == "zf" and learner.report_["settings"]["score"] == "bic-g"
    assert learner.report_["data"]["continuous"] == ["x", "y", "z"]
    mixed = ossature.H2PC().fit(frame())
    assert ("x", "y") in edges(mixed) and ("kind", "y") in edges(mixed)
    assert mixed.report_["settings"]["test"] == "dg" and mixed.report_["settings"]["score"] == "bic-dg"
    for learner in (ossature.PC(), ossature.GES(), ossature.Tabu(), ossature.Best()):
        assert ("x", "y") in edges(learner.fit(continuous))
    discrete = ossature.HC(kinds={"x": "discrete", "y": "discrete", "z": "discrete"})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert discrete.fit(continuous.round(0)).report_["settings"]["score"] == "bdeu"


def test_what_was_asked_for_is_not_replaced() -> None:
    with pytest.raises(ossature.OssatureError, match="the test mi is for discrete ones"):
        ossature.H2PC(test="mi").fit(frame())
    with pytest.raises(ossature.OssatureError, match="the score bge is for continuous ones"):
        ossature.Tabu(criterion="bge").fit(frame())
    assert ossature.Tabu(criterion="bge").fit(frame()[["x", "y"]]).report_["settings"]["score"] == "bge"


def test_tests_and_scores_follow_the_table() -> None:
    given = frame()
    assert ossature.ci_test(given[["x", "y", "z"]], "x", "y").p < 1e-50
    assert ossature.ci_test(given, "x", "kind", ["y"]).p > 1e-4
    total = ossature.score(given[["x", "y", "z"]], [("x", "y")])
    assert total > ossature.score(given[["x", "y", "z"]], [])


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer"])
def test_tables_of_scikit_learn_give_a_network(name: str) -> None:
    loaded = getattr(datasets, f"load_{name}")(as_frame=True)
    table = loaded.frame.assign(target=[str(loaded.target_names[i]) for i in loaded.target])
    learner = ossature.H2PC().fit(table)
    found = edges(learner)
    assert len(found) >= len(table.columns) * 3 // 4
    assert any("target" in edge for edge in found)


def test_a_table_with_gaps_gives_a_network() -> None:
    """Like the penguins: four measurements of three species, with missing values."""
    random = np.random.default_rng(3)
    species = random.choice(["Adelie", "Chinstrap", "Gentoo"], 340)
    size = random.normal(size=340) + np.select([species == "Gentoo"], [2.0], 0.0)
    table = pd.DataFrame({
        "species": species,
        "flipper": 190 + 8 * size + random.normal(size=340) * 3,
        "mass": 4000 + 500 * size + random.normal(size=340) * 150,
        "bill": 40 + 6 * (species == "Chinstrap") + random.normal(size=340) * 2,
        "sex": random.choice(["female", "male"], 340),
    })
    for column in ("flipper", "mass", "bill"):
        table.loc[random.random(340) < 0.05, column] = np.nan
    table.loc[random.random(340) < 0.03, "sex"] = None
    learner = ossature.H2PC(missing="available").fit(table)
    found = edges(learner)
    assert ("flipper", "mass") in found and ("bill", "species") in found
    assert learner.report_["data"]["missing"] == int(table.isna().sum().sum())
    assert learner.report_["settings"]["score"] == "pnal-cg"


def test_files_can_be_read_with_columns_of_numbers(tmp_path: object) -> None:
    path = f"{tmp_path}/table.csv"
    frame(40).to_csv(path, index=False)
    assert not ossature.read_table(path).is_continuous("x")
    for continuous in ("auto", ["x", "y", "z"]):
        table = ossature.read_table(path, continuous=continuous)  # type: ignore[arg-type]
        assert [table.is_continuous(column) for column in table.columns] == [column in "xyz" for column in table.columns]
    with pytest.raises(SettingsError, match='"auto", "none" or a list of columns'):
        ossature.read_table(path, continuous="some")  # type: ignore[arg-type]
    parquet = f"{tmp_path}/table.parquet"
    frame(40).to_parquet(parquet)
    assert ossature.read_table(parquet).is_continuous("x")
    assert not ossature.read_table(parquet, continuous="none").is_continuous("x")


def test_concerns_name_columns_at_the_edge() -> None:
    x = np.random.default_rng(5).normal(size=50)
    table = {"x": x, "copy": 3 * x, "constant": np.full(50, 1.5), "y": np.random.default_rng(6).normal(size=50)}
    with pytest.warns(ossature.DataWarning) as said:
        ossature.H2PC().fit(table)
    text = " ".join(str(warning.message) for warning in said)
    assert "constant" in text and "same information" in text and "copy and x" in text
