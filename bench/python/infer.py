"""Questions to a network, beside pyAgrum's LazyPropagation, in one run: python bench/python/infer.py [OUT.json]

Three parts. Ten networks beside pyAgrum: the same 20 shapes of question (one target, three variables given), each with five different
rows of evidence drawn from the network itself; both sides keep what they build, ossature its trees, pyAgrum the propagation object of
the shape, and the answers are compared before the times are. Times are the median over the first question of each shape ("first", in
which the tree is built) and over the others ("again"), the best of three runs. Every embedded network: the posteriors of all its
variables at once, the most that one question can ask, and the slowest of the shapes. And 10,000 predictions. One thread.
"""

from __future__ import annotations

import json
import platform
import random
import statistics
import sys
import time
from pathlib import Path

import pyagrum

import ossature

NETWORKS = ["asia", "cancer", "child", "insurance", "alarm", "hailfinder", "hepar2", "win95pts", "mildew", "pigs"]
SHAPES, ROWS, RUNS = 20, 5, 3


def questions(network: ossature.Network, seed: int) -> list[list[tuple[str, dict[str, str]]]]:
    draw = random.Random(seed)
    rows = network.sample(SHAPES * ROWS, seed=seed)
    labels = {node: rows.labels(node) for node in network.nodes}
    shapes = []
    for shape in range(SHAPES):
        target, *given = draw.sample(network.nodes, 4)
        shapes.append(
            [(target, {v: str(labels[v][shape * ROWS + row]) for v in given}) for row in range(ROWS)]
        )
    return shapes


def measured(ask, shapes):
    first, again, answers = [], [], []
    for shape in shapes:
        state: dict = {}
        for i, (target, given) in enumerate(shape):
            begin = time.perf_counter()
            answer = ask(state, target, given)
            (again if i else first).append(time.perf_counter() - begin)
            answers.append(answer)
    return statistics.median(first), statistics.median(again), max(first), answers


def of_pyagrum(bn):
    def ask(state, target, given):
        ie = state.get("ie")
        if ie is None:
            ie = state["ie"] = pyagrum.LazyPropagation(bn)
            ie.setNumberOfThreads(1)
            ie.addTarget(target)
            ie.setEvidence(given)
        else:
            for variable, level in given.items():
                ie.chgEvidence(variable, level)
        ie.makeInference()
        return ie.posterior(target).tolist()

    return ask


def of_ossature(network):
    def ask(_state, target, given):
        return list(network.query(target, given=given, n_jobs=1)[target].values())

    return ask


def as_pyagrum(network):
    """The same network, to the last bit: what is read from BIF has single precision there."""
    bn = pyagrum.BayesNet()
    for node in network.nodes:
        bn.add(pyagrum.LabelizedVariable(node, node, network.levels(node)))
    for node in network.nodes:
        for parent in network.table(node).parents:
            bn.addArc(parent, node)
        table, cpt = network.table(node), bn.cpt(node)
        axes = [*table.parents, node]
        # The first of the names changes fastest.
        values = table.values.transpose([axes.index(name) for name in reversed(cpt.names)])
        cpt.fillWith(values.ravel().tolist())
    return bn


def beside_pyagrum(name: str) -> dict:
    network = ossature.load_network(name)
    bn, shapes = as_pyagrum(network), questions(network, seed=1)
    best = {}
    for _ in range(RUNS):
        # A new network each time: it keeps its trees.
        *mine, _, answers = measured(of_ossature(ossature.load_network(name)), shapes)
        *theirs, _, others = measured(of_pyagrum(bn), shapes)
        for key, seconds in zip(("first_ms", "again_ms", "pyagrum_first_ms", "pyagrum_again_ms"), [*mine, *theirs]):
            best[key] = min(best.get(key, float("inf")), seconds * 1e3)
    apart = max(abs(p - q) for a, b in zip(answers, others) for p, q in zip(a, b))
    return {"network": name, **best, "largest_difference": apart}


def alone(name: str) -> dict:
    shapes = questions(ossature.load_network(name), seed=1)
    best = {"network": name, "variables": len(ossature.load_network(name).nodes), "all_ms": float("inf"), "slowest_ms": float("inf")}
    for _ in range(RUNS):
        network = ossature.load_network(name)
        begin = time.perf_counter()
        try:
            answer = network.query(network.nodes)
            best["all_ms"] = min(best["all_ms"], (time.perf_counter() - begin) * 1e3)
            best["sums_to_one"] = all(abs(sum(p.values()) - 1) < 1e-9 for p in answer.posteriors.values())
        except ossature.TooLargeError as error:
            best["all_ms"], best["said"] = (time.perf_counter() - begin) * 1e3, str(error)
        best["slowest_ms"] = min(best["slowest_ms"], measured(of_ossature(network), shapes)[2] * 1e3)
    return best


def predictions() -> dict:
    alarm = ossature.load_network("alarm")
    rows, seconds = alarm.sample(10_000, seed=1), []
    for _ in range(RUNS):
        begin = time.perf_counter()
        predicted = alarm.predict(rows, "CVP", n_jobs=1)
        seconds.append(time.perf_counter() - begin)
    frame = rows.to_pandas().astype(object).mask(lambda f: f.index.to_series() % 3 == 0, axis=0)
    frame.loc[frame.index % 3 == 0, "HR"] = rows.labels("HR")[::3]
    begin = time.perf_counter()
    alarm.predict(frame, "CVP", n_jobs=1)
    with_gaps = time.perf_counter() - begin
    accuracy = float((predicted == rows.labels("CVP")).mean())
    return {"rows": 10_000, "seconds": min(seconds), "seconds_with_gaps": with_gaps, "accuracy": accuracy}


def main() -> None:
    beside = []
    for name in NETWORKS:
        beside.append(beside_pyagrum(name))
        print("{network:12} first {first_ms:8.3f} ms ({pyagrum_first_ms:8.3f})  again {again_ms:8.3f} ms "
              "({pyagrum_again_ms:8.3f})  differ by {largest_difference:.1e}".format(**beside[-1]), flush=True)
    every = []
    for name in ossature.network_names():
        every.append(alone(name))
        print("{network:12} all {variables:5} {all_ms:9.3f} ms  slowest {slowest_ms:9.3f} ms  {said}".format(
            **{"said": "", **every[-1]}), flush=True)
    predicted = predictions()
    print("10,000 predictions of CVP of alarm: {seconds:.3f} s ({seconds_with_gaps:.3f} s with gaps, from pandas), "
          "accuracy {accuracy:.4f}".format(**predicted))
    summary = {
        "machine": platform.processor() or platform.machine(), "python": platform.python_version(),
        "ossature": ossature.__version__, "pyagrum": pyagrum.__version__, "beside_pyagrum": beside, "every_network": every,
        "predictions": predicted,
    }
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
