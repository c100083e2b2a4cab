"""The learners as estimators: what they store, what they find, what they refuse."""

from __future__ import annotations

import copy
import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ossature
from ossature import HC, H2PC, HPC, MMHC, MMPC, Table, Tabu

ALL = [H2PC, MMHC, HC, Tabu, HPC, MMPC]
DIRECTED = [H2PC, MMHC, HC, Tabu]


@pytest.mark.parametrize("kind", ALL)
def test_the_constructor_only_stores(kind: type) -> None:
    params = kind().get_params()
    strange = {name: object() for name in params}
    assert kind(**strange).get_params() == strange
    learner = kind()
    assert learner.set_params(seed=7) is learner
    assert learner.get_params()["seed"] == 7
    assert repr(learner) == f"{kind.__name__}(seed=7)"
    with pytest.raises(ossature.SettingsError, match="Invalid parameter 'alhpa'"):
        learner.set_params(alhpa=0.1)
    with pytest.raises(TypeError):
        kind(alhpa=0.1)


@pytest.mark.parametrize("kind", ALL)
def test_fit_gives_what_the_function_gives(kind: type, rows: Table) -> None:
    learner = kind()
    assert learner.fit(rows) is learner
    function = getattr(ossature, kind.__name__.lower())
    assert function(rows) == (learner.dag_ if kind in DIRECTED else learner.skeleton_)
    assert learner.feature_names_in_.tolist() == list(rows.columns)
    assert learner.n_features_in_ == 8
    assert learner.complete_
    assert learner.report_["learner"] == kind.__name__.lower()
    assert (learner.tests_.asked > 0) == (kind not in (HC, Tabu))
    assert sum(learner.tests_.by_order) == learner.tests_.asked


@pytest.mark.parametrize("kind", DIRECTED)
def test_directions(kind: type, rows: Table) -> None:
    learner = kind().fit(rows)
    assert learner.dag_.cpdag() == learner.cpdag_
    assert learner.score_ == ossature.score(rows, learner.dag_) == ossature.score(rows, learner.cpdag_)
    assert np.array_equal(learner.adjacency_matrix_, learner.dag_.to_numpy())
    assert set(learner.dag_.skeleton().edges) <= set(learner.skeleton_.edges)


@pytest.mark.parametrize("kind", [HPC, MMPC])
def test_skeletons_have_no_directions(kind: type, rows: Table) -> None:
    learner = kind().fit(rows)
    assert not hasattr(learner, "dag_")
    assert not hasattr(learner, "fit_parameters")
    assert np.array_equal(learner.adjacency_matrix_, learner.adjacency_matrix_.T)


def test_the_matrix_follows_the_columns_of_the_frame(rows: Table) -> None:
    frame = rows.to_pandas()[["xray", "either", "asia", "tub", "dysp", "bronc", "lung", "smoke"]]
    learner = H2PC().fit(frame)
    assert learner.feature_names_in_.tolist() == list(frame.columns)
    matrix = pd.DataFrame(learner.adjacency_matrix_, index=frame.columns, columns=frame.columns)
    assert matrix.equals(learner.dag_.to_pandas())
    assert matrix.loc["either", "xray"] == 1
    assert H2PC().fit(rows).dag_ == learner.dag_


@pytest.mark.parametrize("kind", ALL)
def test_learners_are_pickled_and_copied(kind: type, rows: Table) -> None:
    fitted = kind(seed=3).fit(rows)
    for again in (pickle.loads(pickle.dumps(fitted)), copy.deepcopy(fitted)):
        assert again.get_params() == fitted.get_params()
        assert again.skeleton_ == fitted.skeleton_
        assert again.report_ == fitted.report_
    assert kind().fit(rows).report_["settings"]["seed"] == 0


def test_settings_reach_the_library(rows: Table) -> None:
    given = {
        "alpha": 0.01, "test": "x2", "power_rule": 3, "underpowered": "skip", "max_conditioning": 2,
        "symmetry": "or", "weak_learner": "fdr-iapc", "score": "bds", "iss": 2.5, "tabu": 7, "patience": 3,
        "tie_orders": 2, "restarts": 1, "max_parents": 2, "seed": 9, "start": [("smoke", "lung")],
        "whitelist": [("asia", "tub")], "blacklist": [("xray", "dysp")], "tiers": {"asia": 1, "tub": 2},
    }
    settings = H2PC(**given).fit(rows).report_["settings"]
    expected = {
        **given, "start": [["smoke", "lung"]], "whitelist": [["asia", "tub"]], "blacklist": [["xray", "dysp"]],
        "tiers": [["asia", 1], ["tub", 2]], "restrict": "hpc", "maximise": "tabu", "bootstrap": None,
    }
    assert settings == expected


def test_presets(rows: Table) -> None:
    settings = H2PC(preset="bnlearn").fit(rows).report_["settings"]
    assert (settings["weak_learner"], settings["maximise"], settings["tie_orders"]) == ("fdr-iapc", "hc", 1)
    settings = H2PC(preset="bnlearn", tie_orders=4).fit(rows).report_["settings"]
    assert (settings["weak_learner"], settings["tie_orders"]) == ("fdr-iapc", 4)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"alpha": 0.0}, "alpha is 0; a number between 0 and 1"),
        ({"alpha": "low"}, "alpha is 'low'; a number is needed"),
        ({"test": "g2"}, 'there is no test "g2"'),
        ({"score": "bdue"}, 'did you mean "bdeu"'),
        ({"iss": -1.0}, "the equivalent sample size is -1"),
        ({"seed": -1}, "seed is -1; a whole number"),
        ({"tabu": 1.5}, "tabu is 1.5; a whole number"),
        ({"preset": "r"}, 'there is no preset "r"'),
        ({"symmetry": "xor"}, "xor"),
        ({"missing": "ignore"}, "error, drop and level"),
        ({"n_jobs": 0}, "n_jobs is 0"),
        ({"time_limit": -1.0}, "time_limit is -1"),
        ({"whitelist": [("smoke", "lnug")]}, 'there is no variable "lnug" \\(did you mean "lung"\\?\\)'),
        ({"whitelist": [("smoke", "lung"), ("lung", "smoke")]}, "both required"),
        ({"whitelist": [("smoke", "lung")], "blacklist": [("smoke", "lung")]}, "required and also forbidden"),
        ({"tiers": {"smoke": 1, "x": 2}}, 'there is no variable "x"'),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object], said: str, rows: Table) -> None:
    with pytest.raises(ossature.SettingsError, match=said):
        H2PC(**settings).fit(rows.to_pandas())


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_knowledge_as_pairs_or_frames(frame: type, rows: Table) -> None:
    required, forbidden = [("dysp", "asia")], [("either", "xray"), ("xray", "either")]
    tiers = [("smoke", 2), ("bronc", 1)]

    def columns(names: tuple[str, str], pairs: list[tuple[str, object]]) -> object:
        return frame(dict(zip(names, map(list, zip(*pairs)))))

    as_pairs = H2PC(whitelist=required, blacklist=forbidden, tiers=tiers).fit(rows).dag_
    as_frames = H2PC(
        whitelist=columns(("from", "to"), required),
        blacklist=columns(("from", "to"), forbidden),
        tiers=columns(("variable", "tier"), tiers),
    ).fit(rows)
    assert as_pairs == as_frames.dag_
    assert ("dysp", "asia") in as_pairs.arcs
    assert ("bronc", "smoke") in as_pairs.arcs
    assert not {("either", "xray"), ("xray", "either")} & set(as_pairs.arcs)
    for tier in (1.5, "first", None):
        with pytest.raises(ossature.DataError, match="the tier of 'smoke' is .*; a whole number is needed"):
            H2PC(tiers=columns(("variable", "tier"), [("smoke", tier)])).fit(rows)
    with pytest.raises(ossature.DataError, match="the columns from and to are needed"):
        H2PC(whitelist=columns(("a", "b"), required)).fit(rows)


def test_a_start_may_be_a_graph_or_a_network(rows: Table, asia: ossature.Network) -> None:
    for start in (asia, asia.dag, asia.dag.arcs, asia.dag.to_networkx(), asia.dag.cpdag()):
        found = HC(start=start).fit(rows)
        assert len(found.report_["settings"]["start"]) == 8
    with pytest.raises(ossature.DataError, match="edges without a direction"):
        HC(whitelist=asia.dag.skeleton()).fit(rows)


def test_threads_never_change_a_result(rows: Table) -> None:
    alarm = ossature.load_network("alarm").sample(500, seed=3)
    one = H2PC(n_jobs=1).fit(alarm)
    for n_jobs in (2, 7, -1, None):
        more = H2PC(n_jobs=n_jobs).fit(alarm)
        assert more.dag_ == one.dag_
        assert more.score_ == one.score_
        assert more.tests_.asked == one.tests_.asked


def test_a_time_limit_gives_the_best_so_far() -> None:
    rows = ossature.load_network("asia").sample(500, seed=1)
    # However slow the machine, some limit is long enough for a first arc.
    for limit in (1e-9, *(0.05 * 2**i for i in range(14))):
        with pytest.warns(ossature.IncompleteWarning, match="time limit"):
            learner = HC(restarts=10**9, time_limit=limit).fit(rows)
        assert not learner.complete_
        if learner.dag_.arcs:
            break
    assert learner.dag_.arcs
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert HC().fit(rows).complete_


def test_a_time_limit_before_the_skeleton_is_an_error(rows: Table) -> None:
    with pytest.raises(ossature.StoppedError, match="time limit of 0.000000001 s"):
        H2PC(time_limit=1e-9).fit(rows)
    assert issubclass(ossature.StoppedError, TimeoutError)


def test_parameters_are_fitted(rows: Table) -> None:
    learner = H2PC(iss=1.0).fit(rows)
    network = learner.fit_parameters(rows)
    assert network.dag == learner.dag_
    assert network == ossature.Network.fit(rows, learner.dag_, iss=1.0)
    plain = learner.fit_parameters(rows.to_polars(), prior="mle")
    assert plain == ossature.Network.fit(rows, learner.dag_, iss=None)
    with pytest.raises(ossature.SettingsError, match="there is no prior 'flat'"):
        learner.fit_parameters(rows, prior="flat")
    with pytest.raises(ossature.NotFittedError, match="call fit first"):
        H2PC().fit_parameters(rows)
