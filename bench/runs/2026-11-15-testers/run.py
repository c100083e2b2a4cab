"""PC of several tools on the same rows, one thread, learning time only: run.py OSSATURE OUT.csv

Needs an environment with causal-learn 0.1.4.8, pyAgrum 3.3.1, pybnesian 0.5.1 and pandas. Every tool learns at alpha
0.05 with a test of plain degrees of freedom (G² or, PyBNesian, chi-square). Ours is the least of 9 runs of the command, by its
own clock; a peer's the least of 3, or 1 where a run takes over 20 seconds, by processor time. Beside each time is the number
of edges of the skeleton and how many of them are true.
"""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import time

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import numpy as np
import pandas as pd

ossature, out = sys.argv[1:]
NETWORKS = ["asia", "child", "insurance", "alarm"]


def command(*args):
    return subprocess.run([ossature, *args], check=True, capture_output=True, text=True).stdout


def edges(pairs):
    return {tuple(sorted(pair)) for pair in pairs}


def ours(path, frame):
    report = json.loads(command("learn", path, "--learner", "pc", "--test", "mi", "--alpha", "0.05", "--threads", "1", "--json"))
    return report["seconds"]["total"], edges(report["skeleton"])


def causal_learn(path, frame):
    from causallearn.search.ConstraintBased.PC import pc

    names = list(frame.columns)
    codes = np.column_stack([frame[name].astype("category").cat.codes for name in names])
    clock = time.process_time()
    found = pc(codes, 0.05, "gsq", stable=True, show_progress=False)
    seconds = time.process_time() - clock
    graph = found.G.graph
    n = len(names)
    return seconds, edges((names[i], names[j]) for i in range(n) for j in range(i) if graph[i, j] or graph[j, i])


def pyagrum(path, frame):
    import pyagrum

    learner = pyagrum.BNLearner(frame)
    learner.setNumberOfThreads(1)
    learner.usePC()
    learner.useG2Test()
    clock = time.process_time()
    found = learner.learnPDAG()
    seconds = time.process_time() - clock
    names = learner.names()
    return seconds, edges((names[a], names[b]) for a, b in list(found.arcs()) + list(found.edges()))


def pybnesian(path, frame):
    import pybnesian

    frame = frame.astype("category")
    clock = time.process_time()
    found = pybnesian.PC().estimate(pybnesian.ChiSquare(frame), alpha=0.05)
    seconds = time.process_time() - clock
    return seconds, edges(list(found.arcs()) + list(found.edges()))


rows = [("network", "tool", "seconds", "times_ours", "edges", "true_edges", "of")]
with tempfile.TemporaryDirectory() as folder:
    for network in NETWORKS:
        path = f"{folder}/{network}.csv"
        command("sample", network, "-n", "5000", "--seed", "1", "-o", path)
        graph = f"{folder}/{network}-true.csv"
        command("convert", network, graph)
        truth = edges((row["from"], row["to"]) for row in csv.DictReader(io.StringIO(open(graph).read())))
        frame = pd.read_csv(path, dtype=str, keep_default_na=False, na_filter=False)
        least = None
        for tool, run, times in [("ossature", ours, 9), ("causal-learn", causal_learn, 3), ("pyagrum", pyagrum, 3), ("pybnesian", pybnesian, 3)]:
            try:
                best = None
                for _ in range(times):
                    seconds, found = run(path, frame)
                    best = seconds if best is None else min(best, seconds)
                    if seconds > 20:
                        break
                least = least or best
                row = (network, tool, f"{best:.5f}", f"{best / least:.0f}", len(found), len(found & truth), len(truth))
            except Exception as error:  # a tool that fails has a row that says so
                row = (network, tool, "failed", type(error).__name__, str(error)[:60], "", "")
            print(*row, flush=True)
            rows.append(row)
csv.writer(open(out, "w", newline="")).writerows(rows)
