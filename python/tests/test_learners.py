"""The learners as estimators: what they store, find and refuse."""

from __future__ import annotations

import copy
import inspect
import pickle
import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ossature
from ossature import HC, H2PC, HPC, MMHC, Hybrid, Table
from ossature._learners import BY_NAME

ALL: list[Any] = list(BY_NAME.values())
DIRECTED = [kind for kind in ALL if issubclass(kind, ossature.DagLearner)]
SKELETONS = [kind for kind in ALL if kind not in DIRECTED]
KNOWN = {learner["name"]: learner for learner in ossature.learners()}


@pytest.mark.parametrize("kind", [*ALL, Hybrid])
def test_the_constructor_only_stores(kind: Any) -> None:
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
    assert list(inspect.signature(kind).parameters) == list(params), "help shows the keywords"


@pytest.mark.parametrize("kind", ALL)
def test_fit_gives_what_the_function_gives(kind: Any, rows: Table) -> None:
    learner = kind()
    assert learner.fit(rows) is learner
    function, row = getattr(ossature, kind._learner.replace("-", "_")), KNOWN[kind._learner]
    assert function(rows) == getattr(learner, row["result"] + "_")
    assert learner.feature_names_in_.tolist() == list(rows.columns)
    assert learner.n_features_in_ == 8
    assert learner.complete_
    assert (learner.report_["learner"], learner.report_["result"]) == (row["name"], row["result"])
    assert (learner.tests_.asked > 0) == ("alpha" in row["settings"])
    assert sum(learner.tests_.by_order) == learner.tests_.asked


@pytest.mark.parametrize("kind", DIRECTED)
def test_directions(kind: Any, rows: Table) -> None:
    learner = kind().fit(rows)
    assert learner.dag_.cpdag() == learner.cpdag_
    if learner.report_["score"] is not None:
        used = learner.report_["settings"]
        how = {name: used[name] for name in ("iss", "arc_price", "levels_of") if name in used}
        assert learner.score_ == ossature.score(rows, learner.dag_, criterion=used["score"], **how)
        # A class alone is scored by its canonical DAG, which may not be the best of it if the score differs within a class.
        of_class = ossature.score(rows, learner.cpdag_, criterion=used["score"], **how)
        assert of_class <= learner.score_ if used["score"] in ("bdh", "bds") else of_class == learner.score_
    learned = learner.dag_ if learner.report_["result"] == "dag" else learner.cpdag_
    assert np.array_equal(learner.adjacency_matrix_, learned.to_numpy())
    assert set(learner.dag_.skeleton().edges) <= set(learner.skeleton_.edges)


@pytest.mark.parametrize("kind", SKELETONS)
def test_skeletons_have_no_directions(kind: Any, rows: Table) -> None:
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
def test_learners_are_pickled_and_copied(kind: Any, rows: Table) -> None:
    fitted = kind(seed=3).fit(rows)
    for again in (pickle.loads(pickle.dumps(fitted)), copy.deepcopy(fitted)):
        assert again.get_params() == fitted.get_params()
        assert again.skeleton_ == fitted.skeleton_
        assert again.report_ == fitted.report_
    assert kind().fit(rows).report_["settings"]["seed"] == 0


def test_settings_reach_the_library(rows: Table) -> None:
    given = {
        "alpha": 0.01, "test": "x2", "power_rule": 3, "underpowered": "skip", "max_conditioning": 2,
        "pair_memory": 1, "symmetry": "or", "weak_learner": "fdr-iapc", "phase_one_fdr": "yes", "criterion": "bds", "iss": 2.5, "arc_price": 0.5,
        "levels_of": "data", "tabu": 7, "patience": 3,
        "tie_orders": 2, "restarts": 1, "max_parents": 2, "seed": 9, "start": [("smoke", "lung")],
        "whitelist": [("asia", "tub")], "blacklist": [("xray", "dysp")], "tiers": {"asia": 1, "tub": 2},
    }
    settings = H2PC(**given).fit(rows).report_["settings"]
    expected = {
        **given, "start": [["smoke", "lung"]], "whitelist": [["asia", "tub"]], "blacklist": [["xray", "dysp"]],
        "tiers": [["asia", 1], ["tub", 2]], "learner": "h2pc", "restrict": "hpc", "maximise": "tabu", "bootstrap": None,
    }
    expected["score"] = expected.pop("criterion")
    assert settings == expected
    assert H2PC(share="no").fit(rows).report_["settings"]["share"] == "no"
    assert H2PC(share=False).fit(rows).report_["settings"]["share"] == "no"


@pytest.mark.parametrize("kind", [*ALL, Hybrid])
def test_every_keyword_has_the_value_that_the_signature_shows(kind: Any, rows: Table) -> None:
    settings = kind().fit(rows).report_["settings"]
    renamed = {"criterion": "score"}
    for name, value in kind().get_params().items():
        key = renamed.get(name, name)
        if key in settings and value is not None:
            assert settings[key] == value, name


def test_what_is_not_used_is_refused_unless_it_is_as_it_was(rows: Table) -> None:
    assert "iss" not in HC(criterion="bic").fit(rows).report_["settings"]
    assert HC(criterion="bic", iss=10).fit(rows).dag_ == HC(criterion="bic", iss=None).fit(rows).dag_  # type: ignore
    with pytest.raises(ossature.SettingsError, match="iss is not used here; it is used when criterion is bdeu or bds"):
        HC(criterion="bic", iss=5.0).fit(rows)
    with pytest.raises(ossature.SettingsError, match=r"tabu is not used by hpc\+hc; h2pc, mmhc and tabu do"):
        H2PC(preset="bnlearn", tabu=50).fit(rows)
    with pytest.raises(ossature.SettingsError, match="share is not used here; it is used when symmetry is and"):
        H2PC(symmetry="or", share="yes").fit(rows)
    with pytest.raises(TypeError):
        HC(tabu=5)  # type: ignore[call-arg]


def test_the_keyword_of_the_command_says_what_it_is_called(rows: Table) -> None:
    for ask in (
        lambda: HC(score="bic"),  # type: ignore[call-arg]
        lambda: ossature.h2pc(rows, score="bic"),
        lambda: Hybrid(score="bic"),  # type: ignore[call-arg]
        lambda: ossature.score(rows, [], score="bic"),  # type: ignore[call-arg]
        lambda: ossature.score_by_node(rows, [], score="bic"),  # type: ignore[call-arg]
    ):
        with pytest.raises(TypeError, match="unexpected keyword argument 'score'; it is called 'criterion'"):
            ask()
    with pytest.raises(ossature.SettingsError, match="Invalid parameter 'score'.* 'score' is called 'criterion'"):
        HC().set_params(score="bic")


def test_presets(rows: Table) -> None:
    settings = H2PC(preset="bnlearn").fit(rows).report_["settings"]
    assert (settings["weak_learner"], settings["maximise"], settings["tie_orders"]) == ("fdr-iapc", "hc", 1)
    settings = H2PC(preset="bnlearn", tie_orders=4).fit(rows).report_["settings"]
    assert (settings["weak_learner"], settings["tie_orders"]) == ("fdr-iapc", 4)
    settings = H2PC(preset="paper").fit(rows).report_["settings"]
    assert (settings["weak_learner"], settings["tie_orders"], settings["share"]) == ("inter-iapc", 1, "no")
    assert H2PC().preset == "recommended"
    assert H2PC(preset="recommended").fit(rows).report_["settings"] == H2PC().fit(rows).report_["settings"]
    assert H2PC().fit(rows).report_["settings"]["tie_orders"] == 10


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"alpha": 0.0}, "alpha is 0.0; a number above 0 and below 1 is accepted"),
        ({"alpha": "low"}, "alpha is 'low'; a number above 0 and below 1 is accepted"),
        ({"alpha": float("nan")}, "alpha is nan; a number"),
        ({"alpha": [0.1]}, r"alpha is \[0.1\]; a number"),
        ({"test": "chi"}, 'test is "chi"; one of mi, mi-adf, x2, x2-adf, mi-sh, mc-mi, sp-mi, zf, cor, mi-g, dg, cg is accepted'),
        ({"criterion": "bdue"}, r'^criterion is "bdue" \(did you mean "bdeu"\?\); one of bdeu, '),
        ({"criterion": 3}, "^criterion is 3; one of bdeu, "),
        ({"iss": -1.0}, "iss is -1.0; a number from 0.000000001"),
        ({"iss": True}, "iss is True; a number"),
        ({"seed": -1}, "seed is -1; a whole number"),
        ({"tabu": 1.5}, "tabu is 1.5; a whole number"),
        ({"patience": 0}, "patience is 0; a whole number from 1"),
        ({"tie_orders": 0}, "tie_orders is 0; a whole number from 1 to 10000 is accepted"),
        ({"tie_orders": 10**18}, "tie_orders is 1000000000000000000; a whole number from 1"),
        ({"restarts": 10**10}, "restarts is 10000000000; a whole number from 0"),
        ({"start": [("asia", "tub"), ("smoke", "tub")], "max_parents": 1}, "max_parents is 1, but tub has 2 parents"),
        ({"whitelist": [("asia", "tub")], "max_parents": 0}, "max_parents is 0, but tub has 1 parents"),
        ({"preset": "r"}, 'there is no preset "r"'),
        ({"symmetry": "xor"}, "xor"),
        ({"missing": "ignore"}, "error, drop, level, available and em"),
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
    # On any machine, some limit is long enough for a first arc.
    for limit in (1e-9, *(0.05 * 2**i for i in range(14))):
        with pytest.warns(ossature.IncompleteWarning, match="time limit"):
            learner = HC(restarts=10**9, time_limit=limit).fit(rows)
        assert not learner.complete_
        if learner.dag_.arcs:
            break
    assert learner.dag_.arcs
    with warnings.catch_warnings():
        warnings.simplefilter("error", ossature.IncompleteWarning)
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
    assert learner.fit_parameters(rows, iss=3) == ossature.Network.fit(rows, learner.dag_, iss=3)
    by_bic = HC(criterion="bic").fit(rows)
    assert by_bic.fit_parameters(rows) == ossature.Network.fit(rows, by_bic.dag_)
    with pytest.raises(ossature.SettingsError, match="iss is not used with the prior mle"):
        learner.fit_parameters(rows, prior="mle", iss=3)
    plain = learner.fit_parameters(rows.to_polars(), prior="mle")
    assert plain == ossature.Network.fit(rows, learner.dag_, iss=None)
    with pytest.raises(ossature.SettingsError, match="unknown prior 'flat'"):
        learner.fit_parameters(rows, prior="flat")
    with pytest.raises(ossature.NotFittedError, match="call fit first"):
        H2PC().fit_parameters(rows)


def test_tables_shrink_for_what_bdh_has_chosen(rows: Table) -> None:
    best = ossature.Best().fit(rows)
    shrunk = ossature.Network.fit(rows, best.dag_, prior="backoff")
    assert best.network_ == shrunk == best.fit_parameters(rows)
    assert ossature.Network.fit(rows, best.dag_) == best.fit_parameters(rows, prior="bdeu") != shrunk
    assert best.fit_parameters(rows, iss=3) == ossature.Network.fit(rows, best.dag_, iss=3)
    learner = H2PC().fit(rows)
    assert learner.fit_parameters(rows, prior="backoff") != learner.network_
    for wrong in (lambda: learner.fit_parameters(rows, prior="backoff", iss=3),
                  lambda: ossature.Network.fit(rows, learner.dag_, prior="backoff", iss=3)):
        with pytest.raises(ossature.SettingsError, match="iss is not used with the prior backoff; bdeu has it"):
            wrong()
    with pytest.raises(ossature.SettingsError, match='unknown prior "flat"; use bdeu, backoff or mle'):
        ossature.Network.fit(rows, learner.dag_, prior="flat")


def test_best_says_how_sure_it_is(rows: Table) -> None:
    best = ossature.Best().fit(rows)
    assert all(0 < arc.strength <= 1 and 0.5 <= arc.direction <= 1 for arc in best.strengths_)
    assert [arc.strength for arc in best.strengths_] == sorted((a.strength for a in best.strengths_), reverse=True)
    pairs = {frozenset((arc.start, arc.end)) for arc in best.strengths_ if arc.strength > 0.9}
    assert pairs & {frozenset(arc) for arc in best.dag_.arcs}
    assert not hasattr(H2PC().fit(rows), "strengths_")
    assert ossature.Best(n_jobs=2).fit(rows).strengths_ == best.strengths_


def test_any_two_halves(rows: Table, asia: ossature.Network) -> None:
    assert Hybrid().fit(rows).dag_ == H2PC().fit(rows).dag_
    assert Hybrid(restrict=None, maximise="hc", criterion="bic").fit(rows).dag_ == HC(criterion="bic").fit(rows).dag_
    alone = Hybrid(maximise=None).fit(rows)
    assert alone.skeleton_ == HPC().fit(rows).skeleton_ and not hasattr(alone, "dag_")
    mixed = Hybrid(restrict="mmpc", maximise="hc", alpha=0.01).fit(rows)
    assert (mixed.report_["learner"], mixed.report_["settings"]["alpha"]) == ("mmpc+hc", 0.01)
    # A learner that is fitted again keeps nothing from before.
    assert not hasattr(mixed.set_params(maximise=None).fit(rows), "dag_")
    for refused, said in (
        ({"restrict": "given"}, "the skeleton itself is needed"),
        ({"restrict": "hcp"}, 'there is no first half "hcp" \\(did you mean "hpc"'),
        ({"maximise": "tbau"}, 'there is no second half "tbau"'),
        ({"maximise": 3}, "maximise is 3; a word"),
        ({"restrict": None, "maximise": None}, "at least one half is needed"),
        ({"restrict": None, "alpha": 0.01}, "alpha is not used by tabu"),
        ({"restrict": iter([("asia", "tub")])}, "restrict is an iterator"),
        ({"restrict": [("asia", "tbu")]}, 'there is no variable "tbu"'),
    ):
        with pytest.raises(ossature.SettingsError, match=said):
            Hybrid(**refused).fit(rows)


def test_a_skeleton_from_elsewhere(rows: Table, asia: ossature.Network) -> None:
    edges = set(asia.dag.skeleton().edges)
    networkx_graph = asia.dag.to_networkx().to_undirected()
    for given in (asia, asia.dag, asia.dag.cpdag(), asia.dag.skeleton(), list(edges), networkx_graph):
        learner = Hybrid(restrict=given).fit(rows)
        assert set(learner.skeleton_.edges) == edges >= set(learner.dag_.skeleton().edges)
        assert (learner.report_["settings"]["restrict"], learner.tests_.asked) == ("given", 0)
    # A cycle is not a DAG, but it is a skeleton.
    circle = [("asia", "tub"), ("tub", "smoke"), ("smoke", "asia")]
    assert set(Hybrid(restrict=circle).fit(rows).skeleton_.edges) == {tuple(sorted(edge)) for edge in circle}
    assert Hybrid(restrict=[]).fit(rows).dag_.arcs == []
    frame = pd.DataFrame(sorted(edges), columns=["from", "to"])
    assert set(Hybrid(restrict=frame).fit(rows).skeleton_.edges) == edges
    again = Hybrid(restrict=asia).fit(rows)
    assert again.why("either", "xray", rows).adjacent and not again.why("asia", "smoke", rows).adjacent
    learned = HPC().fit(rows)
    assert Hybrid(restrict=learned).fit(rows).dag_ == H2PC().fit(rows).dag_


def test_why(rows: Table) -> None:
    learner = H2PC().fit(rows)
    edge = learner.why("either", "xray")
    assert edge.adjacent and edge.direction in ("either -> xray", "either - xray")
    assert edge.strength is not None and edge.strength > 0 and edge.p is None
    with_rows = learner.why("either", "xray", X=rows.to_pandas())
    assert with_rows.p is not None and with_rows.p < 0.05 and len(with_rows.sentences) > len(edge.sentences)
    apart = learner.why("smoke", "dysp")
    assert not apart.adjacent and apart.separated_by and apart.direction is None
    assert str(apart) == "\n".join(apart.sentences) and "independent given" in str(apart)
    # A separation by the empty set is not kept, but found again.
    assert MMHC().fit(rows).why("asia", "smoke").separated_by is None
    assert MMHC().fit(rows).why("asia", "smoke", rows).separated_by == ()
    assert HPC().fit(rows).why("either", "xray").direction == "either - xray"
    assert "would be" in str(HC().fit(rows).why("asia", "dysp", rows))
    assert pickle.loads(pickle.dumps(learner)).why("smoke", "dysp") == apart
    wider = rows.to_pandas().assign(more="x")
    assert learner.why("either", "xray", wider) == with_rows, "columns that were not learned from are passed over"
    with pytest.raises(ossature.SettingsError, match="the rows have other columns than the result"):
        learner.why("either", "xray", rows.to_pandas().drop(columns="asia"))
    with pytest.raises(ossature.SettingsError, match='there is no variable "eihter"'):
        learner.why("eihter", "xray")
    with pytest.raises(ossature.SettingsError, match="two different variables"):
        learner.why("xray", "xray")
    with pytest.raises(ossature.NotFittedError, match="call fit first"):
        H2PC().why("either", "xray")


def test_a_class_and_what_is_none(rows: Table, asia: ossature.Network) -> None:
    learner = ossature.PC().fit(rows)
    assert learner.report_["result"] == "cpdag" and learner.cpdag_.skeleton() == learner.skeleton_
    assert ossature.pc(rows) == learner.cpdag_ and ossature.shd(asia, learner) == ossature.shd(asia, learner.cpdag_)
    # Tests that contradict each other may leave a graph that has no DAG.
    learner._take({**learner.report_, "result": "pdag", "arcs": None}, list(rows.columns))
    assert not hasattr(learner, "dag_") and np.array_equal(learner.adjacency_matrix_, learner.cpdag_.to_numpy())
    with pytest.raises(ossature.DataError, match="what this PC has learned has no DAG"):
        learner.fit_parameters(rows)


def test_the_catalogue() -> None:
    assert set(KNOWN) == set(BY_NAME)
    assert {"name", "title", "citation", "restrict", "maximise", "result", "settings"} == set(KNOWN["h2pc"])
    for name, kind in BY_NAME.items():
        assert kind.__name__ in ossature.__all__ and name.replace("-", "_") in ossature.__all__
        assert KNOWN[name]["title"] in (kind.__doc__ or "").replace("\n    ", " ")
