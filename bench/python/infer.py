"""Questions to a network, beside pyAgrum's LazyPropagation, in one run: python bench/python/infer.py [OUT.json]

For each network the same 20 shapes of question (one target, three variables given), each with five different rows of evidence drawn
from the network itself. Both sides keep what they build: ossature its trees, pyAgrum the propagation object of the shape. The answers are
compared before the times are. Times are the median over all questions after the first of its shape ("again"), and of the first ("first",
in which the tree is built). One thread.
"""

from __future__ import annotations

import json
import platform
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import pyagrum

import ossature

NETWORKS = ["asia", "cancer", "child", "insurance", "alarm", "hailfinder", "hepar2", "win95pts", "mildew", "pigs"]
SHAPES, ROWS = 20, 5


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
    return statistics.median(first), statistics.median(again), answers


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


def main() -> None:
    found = []
    for name in NETWORKS:
        if name not in ossature.network_names():
            continue
        network = ossature.load_network(name)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "net.bif"
            path.write_text(network.to_bif(), encoding="utf-8")
            bn = pyagrum.loadBN(str(path))
        shapes = questions(network, seed=1)
        first, again, mine = measured(of_ossature(network), shapes)
        first_peer, again_peer, theirs = measured(of_pyagrum(bn), shapes)
        apart = max(abs(p - q) for a, b in zip(mine, theirs) for p, q in zip(a, b))
        found.append(
            {"network": name, "first_ms": first * 1e3, "again_ms": again * 1e3, "pyagrum_first_ms": first_peer * 1e3,
             "pyagrum_again_ms": again_peer * 1e3, "largest_difference": apart}
        )
        print(f"{name:12} first {first * 1e3:8.3f} ms ({first_peer * 1e3:8.3f})  again {again * 1e3:8.3f} ms "
              f"({again_peer * 1e3:8.3f})  differ by {apart:.1e}", flush=True)
    alarm = ossature.load_network("alarm")
    rows = alarm.sample(10_000, seed=1)
    alarm.predict(alarm.sample(10, seed=2), "CVP")
    begin = time.perf_counter()
    predicted = alarm.predict(rows, "CVP", n_jobs=1)
    seconds = time.perf_counter() - begin
    accuracy = float((predicted == rows.labels("CVP")).mean())
    print(f"10,000 predictions of CVP of alarm: {seconds:.3f} s, accuracy {accuracy:.4f}")
    summary = {
        "machine": platform.processor() or platform.machine(), "python": platform.python_version(),
        "ossature": ossature.__version__, "pyagrum": pyagrum.__version__, "networks": found,
        "predictions": {"rows": 10_000, "seconds": seconds, "accuracy": accuracy},
    }
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
