"""Questions to a network, and the comparison of learners."""

from __future__ import annotations

import itertools
import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import ossature
from ossature import H2PC, HC, HPC, DataError, Network, SettingsError, Table, cross_validate, load_network

ASIA = load_network("asia")


def joint(network: Network) -> dict[tuple[str, ...], float]:
    """The definition: the product of the tables."""
    tables = [network.table(node) for node in network.nodes]
    places = {node: i for i, node in enumerate(network.nodes)}
    found = {}
    for levels in itertools.product(*(network.levels(node) for node in network.nodes)):
        p = 1.0
        for cpt in tables:
            at = [of.index(levels[places[parent]]) for parent, of in zip(cpt.parents, cpt.parent_levels)]
            p *= cpt.values[(*at, cpt.levels.index(levels[places[cpt.node]]))]
        found[levels] = p
    return found


def test_a_query_is_the_definition() -> None:
    all_rows, at = joint(ASIA), {node: i for i, node in enumerate(ASIA.nodes)}
    given = {"dysp": "yes", "xray": "no"}
    kept = {row: p for row, p in all_rows.items() if all(row[at[v]] == level for v, level in given.items())}
    answer = ASIA.query({"lung", "bronc"}, given=given)
    assert math.isclose(answer.p_evidence, sum(kept.values()), rel_tol=1e-12)
    for target in ("lung", "bronc"):
        for level, p in answer[target].items():
            exact = sum(q for row, q in kept.items() if row[at[target]] == level) / sum(kept.values())
            assert math.isclose(p, exact, abs_tol=1e-12)


def test_setting_soft_evidence_and_estimates() -> None:
    assert ASIA.query("smoke", do={"bronc": "no"})["smoke"]["yes"] == pytest.approx(0.5, abs=1e-12)
    soft = ASIA.query("lung", given={"smoke": {"yes": 0.9, "no": 0.1}})
    assert soft["lung"]["yes"] == pytest.approx(0.9 * 0.1 + 0.1 * 0.01, abs=1e-12)
    estimate = ASIA.query("lung", given={"dysp": "yes"}, samples=20_000, seed=5)
    assert estimate.standard_errors is not None and estimate.effective is not None
    exact = ASIA.query("lung", given={"dysp": "yes"})["lung"]["yes"]
    assert abs(estimate["lung"]["yes"] - exact) < 4 * estimate.standard_errors["lung"]["yes"]
    assert estimate == ASIA.query("lung", given={"dysp": "yes"}, samples=20_000, seed=5, n_jobs=1)


def test_what_cannot_be_asked() -> None:
    with pytest.raises(DataError, match="rules this out: either = no, tub = yes"):
        ASIA.query("lung", given={"tub": "yes", "either": "no"})
    with pytest.raises(DataError, match="did you mean"):
        ASIA.query("lungs")
    with pytest.raises(DataError, match="is not a level of smoke"):
        ASIA.query("lung", given={"smoke": "maybe"})
    for bad in ([], ["lung", "lung"], 3.5):
        with pytest.raises((SettingsError, DataError)):
            ASIA.query(bad)
    with pytest.raises(SettingsError, match="likelihoods of 'smoke'"):
        ASIA.query("lung", given={"smoke": {"yes": 1}})
    with pytest.raises(SettingsError, match="leave out what is not known"):
        ASIA.query("lung", given={"smoke": None})
    with pytest.raises(SettingsError, match="itself"):
        ASIA.effects("lung", "lung")


def test_predictions_are_queries() -> None:
    rows = ASIA.sample(200, seed=3).to_pandas().astype(object)
    rows.loc[::3, "bronc"] = None
    rows["more"] = range(200)
    proba = ASIA.predict_proba(rows, "dysp")
    labels = ASIA.predict(rows, "dysp")
    assert proba.shape == (200, 2) and np.allclose(proba.sum(axis=1), 1)
    for i in range(0, 200, 7):
        given = {v: level for v, level in rows.iloc[i].items() if v not in ("dysp", "more") and level is not None}
        answer = ASIA.query("dysp", given=given)["dysp"]
        assert np.allclose(proba[i], list(answer.values()), atol=1e-12)
        assert labels[i] == max(answer, key=lambda level: answer[level])


def test_levels_that_the_network_does_not_know() -> None:
    rows = {"smoke": ["yes", "seldom"], "dysp": ["yes", "yes"]}
    with pytest.raises(DataError, match="row 2: \"seldom\" is not a level of smoke"):
        ASIA.predict(rows, "lung")
    found = ASIA.predict_proba(rows, "lung", unseen="missing")
    assert found[1, 0] == pytest.approx(ASIA.query("lung", given={"dysp": "yes"})["lung"]["yes"], abs=1e-12)
    with pytest.raises(SettingsError, match="unseen is 'drop'"):
        ASIA.predict(rows, "lung", unseen="drop")
    logs = ASIA.log_likelihood({"smoke": ["yes", None, "seldom"]}, missing="sum", unseen="missing")
    assert np.allclose(logs, [math.log(0.5), 0, 0], atol=1e-12)
    with pytest.raises(SettingsError, match="missing=\"sum\""):
        ASIA.log_likelihood({"smoke": ["yes"]}, unseen="missing")


def test_a_model_file_cuts_numbers(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("age,ill\n30,no\n35,no\n45,yes\n50,yes\n61,no\n66,yes\n")
    graph = tmp_path / "g.csv"
    graph.write_text("from,to\nage,ill\n")
    model = tmp_path / "m.json"
    words = ["ossature", "fit", str(rows), str(graph), "--discretise", "age=cuts:40,60", "--iss", "6", "-q", "-o", str(model)]
    assert ossature._ossature.run_command(words) == 0
    network = ossature.read_network(model)
    frame = pandas.DataFrame({"age": [7.5, 45, np.nan]})
    assert network.predict_proba(frame, "ill")[:, 1].tolist() == pytest.approx([0.25, 0.75, 0.5])
    assert network.predict_proba({"age": ["[40,60)"]}, "ill")[0, 1] == pytest.approx(0.75)
    ages: Any = [7.5, 45, None]
    numbers = np.random.default_rng(1).normal(50, 20, 70_000)
    whole = network.predict_proba({"age": numbers}, "ill")
    for make in (pandas.DataFrame, polars.DataFrame, pyarrow.table):
        assert network.predict_proba(make({"age": ages}), "ill")[:, 1].tolist() == pytest.approx([0.25, 0.75, 0.5])
        assert np.array_equal(network.predict_proba(make({"age": numbers}), "ill"), whole)
        assert network.predict_proba(make({"age": ["61", "39"]}), "ill")[:, 1].tolist() == pytest.approx([0.5, 0.25])
        assert network.predict_proba(make({"age": ["[40,60)", None]}), "ill")[:, 1].tolist() == pytest.approx([0.75, 0.5])
        with pytest.raises(DataError, match="column \"age\" has a number that is not finite in row 2"):
            network.predict(make({"age": [1.0, math.inf]}), "ill")
        with pytest.raises(DataError, match="\"old\" is not a level of age"):
            network.predict(make({"age": ["old"]}), "ill")
        assert network.log_likelihood(make({"age": [30], "ill": ["no"]})).tolist() == pytest.approx([math.log(0.25)])
    nullable = pandas.DataFrame({"age": pandas.array([7, 45, None], dtype="Int64")})
    masked = {"age": np.ma.array([7, 45, 0], mask=[False, False, True])}
    for given in (nullable, masked, {"age": pandas.array([7, 45, None], dtype="double[pyarrow]")}):
        assert network.predict_proba(given, "ill")[:, 1].tolist() == pytest.approx([0.25, 0.75, 0.5])
    again = pickle.loads(pickle.dumps(network))
    assert again == network and again.predict_proba(frame, "ill")[0, 1] == pytest.approx(0.25)
    with pytest.raises(DataError, match="a model file"):
        Network.from_model("{}")


def test_the_order_of_the_intervals_does_not_matter() -> None:
    variables = [
        {"name": "age", "kind": "discrete", "levels": ["[60,inf)", "(-inf,40)", "[40,60)"], "cuts": [40, 60],
         "missing_level": None, "parents": [], "table": [[0.5, 0.3, 0.2]]},
        {"name": "ill", "kind": "discrete", "levels": ["no", "yes"], "cuts": None, "missing_level": None,
         "parents": ["age"], "table": [[0.1, 0.9], [0.8, 0.2], [0.6, 0.4]]},
    ]
    text = {"model": "ossature", "format": 1, "version": "0", "nodes": [], "arcs": [], "missing_tokens": [""]}
    network = Network.from_model(json.dumps({**text, "variables": variables}))
    assert network.predict_proba({"age": [39, 40, 60.5]}, "ill")[:, 1].tolist() == pytest.approx([0.2, 0.4, 0.9])


def test_what_is_too_large_is_said_beforehand_and_can_be_estimated() -> None:
    munin = load_network("munin1")
    with pytest.raises(ossature.TooLargeError, match="would need .* entries; the limit is 134,217,728"):
        munin.query(munin.nodes)
    found = munin.query(munin.nodes, samples=1000, seed=1)
    assert found.standard_errors is not None
    exact = munin.query(munin.nodes[0])[munin.nodes[0]]
    for level, error in found.standard_errors[munin.nodes[0]].items():
        assert abs(found[munin.nodes[0]][level] - exact[level]) < 5 * error < 0.1


def test_soft_evidence_that_says_nothing() -> None:
    for bad in ({"yes": 0, "no": 0}, {"yes": -1, "no": 1}, {"yes": math.nan, "no": 1}, {"yes": math.inf, "no": 1}):
        with pytest.raises((DataError, SettingsError), match="smoke"):
            ASIA.query("lung", given={"smoke": bad})


def test_a_learner_has_its_network_and_its_score(rows: Table) -> None:
    learner = H2PC().fit(rows)
    by_hand = learner.fit_parameters(rows)
    assert learner.network_ == by_hand
    unseen = ASIA.sample(500, seed=9)
    assert learner.score(unseen) == by_hand.log_likelihood(unseen).mean()
    fresh = H2PC().fit(rows)
    assert pickle.loads(pickle.dumps(fresh)).network_ == by_hand
    assert learner.fit(unseen).network_ != by_hand
    with pytest.raises(ossature.NotFittedError):
        H2PC().network_
    assert not hasattr(HPC(), "score")


def test_grid_search_chooses_by_held_out_likelihood(rows: Table) -> None:
    frame = rows.to_pandas()
    folds = KFold(3)
    found = GridSearchCV(H2PC(), {"alpha": [0.01, 0.05]}, cv=folds).fit(frame)
    by_hand = []
    for alpha in (0.01, 0.05):
        scores = []
        for train, test in folds.split(frame):
            network = H2PC(alpha=alpha).fit(frame.iloc[train]).fit_parameters(frame.iloc[train])
            scores.append(network.log_likelihood(frame.iloc[test]).mean())
        by_hand.append(np.mean(scores))
    assert np.allclose(found.cv_results_["mean_test_score"], by_hand, atol=1e-12)
    assert found.best_params_["alpha"] == (0.01, 0.05)[int(np.argmax(by_hand))]
    scores = cross_val_score(make_pipeline(FunctionTransformer(), H2PC(alpha=0.01)), frame, cv=folds)
    assert np.mean(scores) == pytest.approx(by_hand[0], abs=1e-12)


def test_cross_validation(rows: Table) -> None:
    both = cross_validate(rows, [H2PC(), HC(max_parents=0)], folds=4, seed=2)
    assert [one.name for one in both] == ["H2PC()", "HC(max_parents=0)"]
    assert both[0].mean > both[1].mean and both[0].mean == pytest.approx(np.mean(both[0].by_fold))
    assert both[0].sd == pytest.approx(np.std(both[0].by_fold, ddof=1))
    shuffled = rows.to_pandas().sample(frac=1, random_state=1)
    assert cross_validate(shuffled, H2PC(), folds=4, seed=2, n_jobs=2)[0] == both[0]
    loss = cross_validate(rows, HC(), folds=4, target="lung")[0]
    assert -0.7 < loss.mean < 0
    bad: Any
    for bad in ([], HPC(), "hc"):
        with pytest.raises(SettingsError, match="finds directions"):
            cross_validate(rows, bad)


def test_effects_of_a_class() -> None:
    found = ASIA.effects("smoke", "lung")
    assert not found.identified and found.effects[0].distributions["yes"] == pytest.approx({"yes": 0.1, "no": 0.9})
    assert ASIA.effects("either", "xray").identified
