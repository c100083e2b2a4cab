"""Settings, graphs and names are understood, or refused with the error messages of the package."""

from __future__ import annotations

import math
import pathlib
import warnings
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import ossature
from ossature import HC, H2PC, HPC, Cpdag, Dag, Network, OssatureError, Skeleton, Table

INF, NAN = math.inf, math.nan


@pytest.mark.parametrize("setting", ["whitelist", "blacklist", "tiers", "start"])
def test_what_is_empty_after_the_first_fit_is_refused(setting: str, rows: Table) -> None:
    for once in (zip(["asia"], ["tub"]), (pair for pair in [("asia", "tub")]), iter([("asia", "tub")])):
        with pytest.raises(ossature.SettingsError, match=f"{setting} is an iterator.*a list is needed"):
            HC(**{setting: once}).fit(rows)
    lasting = {"asia": 1}.items() if setting == "tiers" else {"asia": "tub"}.items()
    learner = HC(**{setting: lasting})
    assert learner.fit(rows).dag_ == learner.fit(rows).dag_
    assert len(learner.report_["settings"][setting]) == 1


def test_the_preset_reaches_neighbours(rows: Table) -> None:
    with pytest.raises(ossature.SettingsError, match='there is no preset "r"'):
        ossature.neighbours(rows, "bronc", preset="r")
    # The presets differ in how HPC searches for neighbours.
    wide = ossature.load_network("alarm").sample(500, seed=1)
    asked = {preset: ossature.neighbours(wide, "HR", preset=preset).tests.asked for preset in ("paper", "bnlearn")}
    assert asked["paper"] != asked["bnlearn"]
    assert asked["bnlearn"] == ossature.neighbours(wide, "HR", weak_learner="fdr-iapc").tests.asked


def test_a_warning_is_shown_at_each_line_that_calls(rows: Table) -> None:
    settings: dict[str, Any] = {"restarts": 10**9, "time_limit": 1e-9}
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("default")
        ossature.hc(rows, **settings)
        ossature.hc(rows, **settings)
        HC(**settings).fit(rows)
    late = [warning for warning in shown if issubclass(warning.category, ossature.IncompleteWarning)]
    assert [pathlib.Path(warning.filename).name for warning in late] == ["test_given.py"] * 3
    assert len({warning.lineno for warning in shown}) == 3


class Mine(H2PC):
    """A learner with one more keyword, which passes on the others."""

    def __init__(self, *, more: int = 3, **rest: Any) -> None:
        super().__init__(**rest)
        self.more = more


class Fixed(HC):
    """A learner with a fixed score and a single keyword."""

    def __init__(self, patience: int = 2) -> None:
        super().__init__(criterion="bic")
        self.patience = patience


def test_a_learner_may_be_derived_from(rows: Table) -> None:
    mine = Mine(more=4, alpha=0.01)
    assert mine.fit(rows).dag_ == H2PC(alpha=0.01).fit(rows).dag_
    assert mine.get_params() == {**H2PC(alpha=0.01).get_params(), "more": 4}
    assert repr(mine) == "Mine(more=4, alpha=0.01)"
    assert mine.set_params(seed=3, more=5).get_params()["more"] == 5
    fixed = Fixed().fit(rows)
    assert fixed.get_params() == {"patience": 2}
    assert fixed.dag_ == HC(criterion="bic").fit(rows).dag_
    assert ossature.bootstrap(rows, 2, learner=fixed).report["settings"]["score"] == "bic"


def test_a_graph_of_networkx_has_the_directions_that_it_says(rows: Table, asia: Network) -> None:
    for setting in ("whitelist", "blacklist", "start"):
        with pytest.raises(ossature.DataError, match="edges without a direction"):
            HC(**{setting: nx.Graph([("asia", "tub")])}).fit(rows)
        graph = nx.MultiDiGraph([("asia", "tub"), ("asia", "tub")])
        assert HC(**{setting: graph}).fit(rows).report_["settings"][setting] == [["asia", "tub"]] * 2
    assert ossature.shd(nx.MultiDiGraph(asia.dag.arcs), asia) == 0
    assert ossature.shd(nx.MultiGraph(asia.dag.arcs), asia.dag.skeleton()) == 0


def test_knowledge_as_tables_of_arrow_and_of_ours(rows: Table, tmp_path: pathlib.Path) -> None:
    arcs = pa.table({"from": ["dysp"], "to": ["asia"]})
    tiers = pa.table({"variable": ["smoke", "bronc"], "tier": [2, 1]})
    expected = HC(whitelist=[("dysp", "asia")], tiers={"smoke": 2, "bronc": 1}).fit(rows)
    assert HC(whitelist=arcs, tiers=tiers).fit(rows).dag_ == expected.dag_
    assert HC(whitelist=Table(arcs), tiers=pd.Series({"smoke": 2, "bronc": 1})).fit(rows).dag_ == expected.dag_
    with pytest.raises(ossature.DataError, match="the columns from and to are needed; there are variable, tier"):
        HC(whitelist=tiers).fit(rows)


def test_a_cycle_is_no_class() -> None:
    circle = [("a", "b"), ("b", "c"), ("c", "a")]
    for make in (
        lambda: Cpdag(circle),
        lambda: Cpdag(circle, [("c", "d")]),
        lambda: ossature.shd(nx.DiGraph(circle), []),
        lambda: ossature.compare([], nx.DiGraph(circle)),
    ):
        with pytest.raises(ossature.DataError, match="the arcs form a cycle: "):
            make()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Dag(nodes=["a", "a"]), 'node "a" occurs twice'),
        (lambda: Dag([(None, "a")]), "None was given for a name"),
        (lambda: Dag([(NAN, "a")]), "nan was given for a name"),
        (lambda: Dag([("", "a")]), "a node has no name"),
        (lambda: Dag(nodes=[""]), "a node has no name"),
        (lambda: Dag([("\ud800", "a")]), "surrogate"),
        (lambda: Dag([("a\x00b", "z")]).to_graphml(), "which GraphML cannot hold"),
        (lambda: Dag(5), "5 is not a graph"),
        (lambda: Dag(nodes=5), "5 is not a graph"),
        (lambda: Dag([{"a", "b"}]), "is not a pair of names"),
        (lambda: Dag([1, 2]), "1 is not a pair of names"),
        (lambda: ossature.shd(None, []), "None is not a graph"),
        (lambda: ossature.shd(H2PC(), []), r"H2PC\(\) is not a graph"),
        (lambda: ossature.score({"a": [1, 2]}, None), "None is not a graph"),
    ],
)
def test_what_is_no_graph_is_refused(make: Any, said: str) -> None:
    with pytest.raises(ossature.DataError, match=said):
        make()


def test_a_learner_stands_for_what_it_has_learned(rows: Table, asia: Network) -> None:
    learner = H2PC().fit(rows)
    assert ossature.shd(asia, learner) == ossature.shd(asia, learner.dag_)
    assert ossature.score(rows, learner) == learner.score_
    assert ossature.shd(HPC().fit(rows), Skeleton(HPC().fit(rows).skeleton_.edges)) == 0
    assert HC(start=learner).fit(rows).report_["settings"]["start"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"preset": None}, "preset is None; a word"),
        ({"preset": 3}, "preset is 3; a word"),
        ({"n_jobs": "2"}, "n_jobs is '2'; a number of threads"),
        ({"n_jobs": 2.5}, "n_jobs is 2.5"),
        ({"n_jobs": NAN}, "n_jobs is nan"),
        ({"n_jobs": True}, "n_jobs is True"),
        ({"time_limit": "1"}, "time_limit is '1'; a number"),
        ({"time_limit": NAN}, "time_limit is NaN"),
        ({"progress": 0}, "progress is 0; True, False or a function"),
        ({"progress": 3.5}, "progress is 3.5"),
        ({"progress": "yes"}, "progress is 'yes'"),
        ({"whitelist": 5}, "5 is not a graph"),
        ({"whitelist": [1, 2]}, "1 is not a pair of names"),
        ({"whitelist": [{"asia", "tub"}]}, "is not a pair of names"),
        ({"tiers": [["asia"], ["tub"]]}, r"\['asia'\] is not a pair of a name and a whole number"),
        ({"tiers": {"asia": INF}}, "the tier of 'asia' is inf; a whole number"),
        ({"tiers": 5}, "tiers are 5"),
        ({"alpha": None, "test": 3}, "test is 3; one of mi, "),
        ({"seed": 2**64}, "seed is 18446744073709551616; a whole number"),
    ],
)
def test_settings_are_refused_in_the_words_of_the_package(settings: dict[str, Any], said: str, rows: Table) -> None:
    with pytest.raises(OssatureError, match=said):
        H2PC(**settings).fit(rows)
    with pytest.raises(OssatureError, match=said):
        ossature.bootstrap(rows, 2, learner=H2PC(**settings))


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda r: ossature.ci_test(r, "asia", "tub", power_rule=-1), "power_rule is -1; a whole number from 0 to 4294967295"),
        (lambda r: ossature.ci_test(r, "asia", "tub", power_rule=2**32), "power_rule is 4294967296"),
        (lambda r: ossature.ci_test(r, "asia", "tub", seed=-1), "seed is -1"),
        (lambda r: ossature.ci_test(r, "asia", "tub", None), "z is None; a list of names"),
        (lambda r: ossature.ci_test(r, "asia", "tub", alpha="x"), "alpha is 'x'; a number"),
        (lambda r: ossature.ci_test(r, "asia", None), "None was given for a name"),
        (lambda r: ossature.neighbours(r, "asia", learner=3), "learner is 3; a word"),
        (lambda r: ossature.neighbours(r, "asia", time_limit="1"), "time_limit is '1'"),
        (lambda r: ossature.load_network("asia").sample(2.5), "n is 2.5; a whole number, 1 or more"),
        (lambda r: ossature.load_network("asia").sample("3"), "n is '3'"),
        (lambda r: ossature.load_network("asia").sample(0), "n is 0"),
        (lambda r: ossature.load_network("asia").sample(10**30), "not too large"),
        (lambda r: ossature.load_network("asia").sample(1, seed=-1), "seed is -1"),
        (lambda r: ossature.load_network(3), "name is 3; a word"),
        (lambda r: Network(3), "bif is 3; a word"),
        (lambda r: Network.fit(r, [], iss="a"), "iss is 'a'; a number"),
        (lambda r: ossature.score(r, [], iss="1"), "iss is '1'; a number"),
        (lambda r: ossature.score(r, [], criterion=3), "criterion is 3; one of bdeu, "),
        (lambda r: ossature.bootstrap(r, 0), "samples is 0; a whole number, 1 or more"),
        (lambda r: ossature.bootstrap(r, -1), "samples is -1"),
        (lambda r: ossature.bootstrap(r, 10**7), "bootstrap is 10000000; a whole number from 1 to 1000000"),
        (lambda r: ossature.bootstrap(r, 2.5), "samples is 2.5"),
        (lambda r: ossature.read_bif(3), "path is 3; the name of a file"),
        (lambda r: r.levels("smoek"), 'did you mean "smoke"'),
        (lambda r: r.levels(None), "None was given"),
        (lambda r: H2PC().fit(r).fit_parameters(r, prior=3), "prior is 3"),
    ],
)
def test_questions_are_refused_in_the_words_of_the_package(ask: Any, said: str, rows: Table) -> None:
    with pytest.raises(OssatureError, match=said):
        ask(rows)


def test_whole_numbers_may_be_names() -> None:
    chance = np.random.default_rng(1)
    frame = pd.DataFrame(chance.integers(0, 2, size=(200, 3)))
    named = frame.rename(columns=str)
    assert ossature.ci_test(frame, 0, 1, 2) == ossature.ci_test(named, "0", "1", ["2"])  # type: ignore[arg-type]
    assert ossature.ci_test(frame, 0, 1, [2]) == ossature.ci_test(named, "0", "1", "2")  # type: ignore
    assert ossature.neighbours(frame, 0).target == "0"  # type: ignore[arg-type]
    network = Network.fit(frame, [(0, 1)])
    assert network.table(1).parents == ("0",) and network.dag.parents(1) == ["0"]  # type: ignore[arg-type]
    assert Table(frame).levels(0) == ["0", "1"]  # type: ignore[arg-type]


def test_what_may_be_given(rows: Table, tmp_path: pathlib.Path) -> None:
    assert HC(time_limit=INF, n_jobs=np.int64(2), seed=np.uint8(3)).fit(rows).complete_
    assert repr(Dag(np.array([["a", "b"]])).arcs) == "[('a', 'b')]"
    assert HC(n_jobs=10**9).fit(rows).dag_ == HC().fit(rows).dag_
    assert ossature.score(rows, [], iss=np.float32(10)) == ossature.score(rows, [], iss=10)
    path = tmp_path / "asia.bif"
    path.write_text(ossature.load_network("asia").to_bif())
    assert ossature.read_bif(str(path).encode()) == ossature.load_network("asia")


def test_columns_that_a_network_does_not_have_are_passed_over(rows: Table, asia: Network) -> None:
    expected = asia.log_likelihood(rows)
    frame = rows.to_pandas()
    numbers = np.arange(len(rows)) / 7
    strange = frame.assign(number=numbers, empty=None, infinite=np.inf, when=pd.Timestamp("2026-01-01"))
    plain = {name: frame[name] for name in frame} | {"number": numbers, "nothing": 3}
    arrow = rows.to_arrow().append_column("number", pa.array(numbers)).append_column("empty", pa.nulls(len(rows)))
    for given in (strange, plain, arrow, rows.to_polars().with_columns(number=numbers, empty=None)):
        assert np.array_equal(asia.log_likelihood(given), expected)
    assert len(asia.log_likelihood(strange, missing="drop")) == len(rows)
    for given in ({"other": [1]}, pa.table({"other": [1]})):
        with pytest.raises(ossature.DataError, match='there is no column "asia"'):
            asia.log_likelihood(given)


def test_tables_and_answers_are_compared(asia: Network) -> None:
    again = ossature.load_network("asia")
    assert asia.table("lung") == again.table("lung") != asia.table("tub")
    assert asia.table("lung") != 3
    compared = ossature.compare(asia, [])
    assert compared == ossature.compare(again, [])
    for unhashable in (asia.table("lung"), compared):
        with pytest.raises(TypeError, match=f"unhashable type: '{type(unhashable).__name__}'"):
            hash(unhashable)
