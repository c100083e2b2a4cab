"""The functions for single questions."""

from __future__ import annotations

import numpy as np
import pytest

import ossature
from ossature import H2PC, MMHC, Table


def test_neighbours(rows: Table) -> None:
    found = ossature.neighbours(rows, "bronc")
    assert found.parents_and_children == ("dysp", "smoke")
    assert found.blanket is None and found.tests.asked > 0
    wide = ossature.neighbours(rows.to_pandas(), "bronc", blanket=True, learner="mmpc", alpha=0.01, n_jobs=2)
    assert set(wide.parents_and_children) <= set(wide.blanket or ())
    assert ossature.neighbours(rows, "bronc", whitelist=[("asia", "bronc")]).parents_and_children[0] == "asia"
    with pytest.raises(ossature.SettingsError, match='did you mean "bronc"'):
        ossature.neighbours(rows, "brnoc")
    assert ossature.neighbours(rows, "bronc", learner="h2pc") == found
    with pytest.raises(ossature.SettingsError, match="there is no learner 'hcp'; h2pc, "):
        ossature.neighbours(rows, "bronc", learner="hcp")
    with pytest.raises(ossature.SettingsError, match="this learner does not work on a single variable"):
        ossature.neighbours(rows, "bronc", learner="hc")


def test_ci_test(rows: Table) -> None:
    alone = ossature.ci_test(rows, "smoke", "dysp")
    assert alone.p == pytest.approx(np.exp(alone.ln_p)) and not alone.independent
    assert ossature.ci_test(rows, "smoke", "dysp", "bronc") == ossature.ci_test(rows, "smoke", "dysp", ["bronc"])
    assert ossature.ci_test(rows, "smoke", "dysp", ["bronc", "lung"]).independent
    few = ossature.ci_test(rows, "smoke", "dysp", ["bronc", "lung"], power_rule=10**6)
    assert few.independent and not few.has_power
    seeds = [ossature.ci_test(rows, "asia", "smoke", test="mc-mi", seed=seed).p for seed in (1, 1, 2)]
    assert seeds[0] == seeds[1] != seeds[2]
    for bad in ({"x": "smoke", "y": "smoke"}, {"x": "smoke", "y": "nobody"}):
        with pytest.raises(ossature.SettingsError):
            ossature.ci_test(rows, **bad)
    with pytest.raises(ossature.SettingsError, match="alpha is 1"):
        ossature.ci_test(rows, "smoke", "dysp", alpha=1.0)
    with pytest.raises(ossature.SettingsError, match='^test is "chi"; one of mi, '):
        ossature.ci_test(rows, "smoke", "dysp", test="chi")


def test_score(rows: Table, asia: ossature.Network) -> None:
    by_node = ossature.score_by_node(rows, asia.dag)
    assert sum(by_node.values()) == ossature.score(rows, asia) == ossature.score(rows, asia.dag.cpdag())
    assert set(by_node) == set(asia.nodes)
    assert ossature.score(rows, [], criterion="bic") < ossature.score(rows, asia, criterion="bic")
    with pytest.raises(ossature.OssatureError, match='no column "rain"'):
        ossature.score(rows, [("rain", "smoke")])
    with pytest.raises(ossature.SettingsError, match='^criterion is "best"; one of bdeu, bic'):
        ossature.score(rows, asia, criterion="best")


def test_compare() -> None:
    found = ossature.compare([("a", "c"), ("b", "c"), ("c", "d")], [("a", "c"), ("c", "d"), ("d", "e")])
    assert found.shd == 4
    assert (found.true_positives, found.false_positives, found.false_negatives) == (2, 1, 1)
    assert found.missing == [("b", "c")] and found.extra == [("d", "e")]
    assert found.undirected == [("a", "c"), ("c", "d")]
    assert found.precision == found.recall == found.f1 == pytest.approx(2 / 3)
    assert ossature.shd([], []) == 0


def test_bootstrap(rows: Table) -> None:
    sure = ossature.bootstrap(rows, 10, learner=MMHC(seed=4, n_jobs=2))
    assert sure.samples == 10 and 0 <= sure.threshold <= 1
    assert [arc.strength for arc in sure.arcs] == sorted((arc.strength for arc in sure.arcs), reverse=True)
    strong = {frozenset((arc.start, arc.end)) for arc in sure.arcs if arc.strength > sure.threshold}
    assert {frozenset(arc) for arc in sure.dag.arcs} <= strong
    assert sure.to_pandas().columns.tolist() == ["from", "to", "strength", "direction"]
    again = ossature.bootstrap(rows, 10, learner=MMHC(seed=4))
    assert (again.arcs, again.dag) == (sure.arcs, sure.dag), "whatever the number of threads"
    assert sure.directed and sure.skeleton == sure.dag.skeleton()
    with pytest.raises(ossature.SettingsError, match="learner is 'h2pc'; a learner"):
        ossature.bootstrap(rows, 10, learner="h2pc")  # type: ignore[arg-type]
    assert ossature.bootstrap(rows, 5).report["settings"]["bootstrap"] == 5
    assert H2PC().fit(rows).report_["settings"]["bootstrap"] is None


def test_bootstrap_of_a_skeleton(rows: Table) -> None:
    sure = ossature.bootstrap(rows, 10, learner=ossature.HPC(whitelist=[("asia", "smoke")]))
    assert not sure.directed and sure.report["result"] == "skeleton"
    strong = {(min(a.start, a.end), max(a.start, a.end)) for a in sure.arcs if a.strength > sure.threshold}
    assert set(sure.skeleton.edges) == strong | {("asia", "smoke")}
    assert all(arc.direction == 0.5 for arc in sure.arcs)
    assert ossature.compare(sure, sure.skeleton).shd == 0, "it stands for its skeleton"
    with pytest.raises(AttributeError, match="the edges are in skeleton"):
        _ = sure.dag
