"""PC of several tools on the same rows, one thread, learning time only: pc.py OSSATURE OUT.csv

Needs an environment with causal-learn 0.1.4.8, pyAgrum 3.3.1, pybnesian 0.5.1, pandas and the package of Ossature; the
command draws the rows and compares graphs. All tools run in this one process, warm. Every tool learns at alpha 0.05, in
the form that depends on no order; causal-learn, PyBNesian and Ossature direct by the sets that were noted, which asks no
more tests, pyAgrum in its own way. Ossature runs twice: with the degrees of freedom of causal-learn (mi-adf without a rule
of power), and with those of bnlearn (mi). Its time is the learning time of its own report, which includes what the tests
prepare; a peer's is its processor time without loading. Each is the least of several runs, ours of more because it is wall
time. Beside each time stand the edges of the skeleton, how many of them are true, the SHD from the true class, and how
many edges differ from those of causal-learn.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import numpy as np
import pandas as pd

ossature, out = sys.argv[1:]
NETWORKS = ["asia", "child", "insurance", "alarm"]


def command(*args):
    return subprocess.run([ossature, *args], check=True, capture_output=True, text=True).stdout


def ours(test, **settings):
    def run(path, frame):
        import ossature

        learner = ossature.PC(test=test, alpha=0.05, collider_rule="sepset", n_jobs=1, **settings)
        with warnings.catch_warnings(action="ignore"):
            report = learner.fit(frame).report_
        return report["seconds"]["total"], report["cpdag"]["directed"], report["cpdag"]["undirected"]

    return run


def causal_learn(path, frame):
    from causallearn.search.ConstraintBased.PC import pc

    names = list(frame.columns)
    codes = np.column_stack([frame[name].astype("category").cat.codes for name in names])
    clock = time.process_time()
    graph = pc(codes, 0.05, "gsq", stable=True, uc_rule=0, show_progress=False).G.graph
    seconds = time.process_time() - clock
    pairs = [(i, j) for i in range(len(names)) for j in range(len(names)) if graph[i, j] and graph[j, i]]
    # An arc i -> j is -1 at i and 1 at j; the same mark at both ends has no direction.
    directed = [(names[i], names[j]) for i, j in pairs if graph[i, j] == -1 and graph[j, i] == 1]
    undirected = [(names[i], names[j]) for i, j in pairs if i < j and graph[i, j] == graph[j, i]]
    return seconds, directed, undirected


def pyagrum(path, frame):
    import pyagrum

    learner = pyagrum.BNLearner(frame)
    learner.setNumberOfThreads(1)
    learner.usePC()
    learner.useG2Test()
    learner.setPCAlpha(0.05)
    learner.setPCStable(True)
    clock = time.process_time()
    found = learner.learnPDAG()
    seconds = time.process_time() - clock
    names = learner.names()
    return seconds, [(names[a], names[b]) for a, b in found.arcs()], [(names[a], names[b]) for a, b in found.edges()]


def pybnesian(path, frame):
    import pybnesian

    test = pybnesian.ChiSquare(frame.astype("category"))
    clock = time.process_time()
    found = pybnesian.PC().estimate(test, alpha=0.05, use_sepsets=True)
    return time.process_time() - clock, list(found.arcs()), list(found.edges())


def edges(directed, undirected):
    return {tuple(sorted(pair)) for pair in [*directed, *undirected]}


def shd(network, directed, undirected, path):
    """From the true class; a cycle, which some tools return, has none."""
    with open(path, "w") as file:
        pairs = [*directed, *undirected, *[(y, x) for x, y in undirected]]
        file.write("".join(f"{x},{y}\n" for x, y in [("from", "to"), *pairs]))
    try:
        return json.loads(command("compare", network, path, "--json"))["shd"]
    except subprocess.CalledProcessError:
        return "none"


TOOLS = [
    ("causal-learn", causal_learn, 3),
    ("ossature mi-adf", ours("mi-adf", power_rule=0), 60),
    ("ossature mi", ours("mi"), 60),
    ("pyagrum", pyagrum, 3),
    ("pybnesian", pybnesian, 5),
]
rows = [("network", "tool", "seconds", "edges", "true_edges", "of", "shd", "unlike_causal_learn")]
with tempfile.TemporaryDirectory() as folder:
    for network in NETWORKS:
        path = f"{folder}/{network}.csv"
        command("sample", network, "-n", "5000", "--seed", "1", "-o", path)
        command("convert", network, f"{folder}/true.csv")
        with open(f"{folder}/true.csv") as file:
            truth = edges([(row["from"], row["to"]) for row in csv.DictReader(file)], [])
        frame = pd.read_csv(path, dtype=str, keep_default_na=False, na_filter=False)
        first = None
        for tool, run, times in TOOLS:
            try:
                seconds, directed, undirected = min((run(path, frame) for _ in range(times)), key=lambda found: found[0])
                found = edges(directed, undirected)
                first = found if first is None else first
                distance = shd(network, directed, undirected, f"{folder}/found.csv")
                row = (network, tool, f"{seconds:.5f}", len(found), len(found & truth), len(truth), distance, len(found ^ first))
            except Exception as error:  # a tool that fails has a row that says so
                row = (network, tool, "failed", type(error).__name__, str(error)[:60], "", "", "")
            print(*row, flush=True)
            rows.append(row)
with open(out, "w", newline="") as file:
    csv.writer(file).writerows(rows)
