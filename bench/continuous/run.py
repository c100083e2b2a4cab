"""Learning from continuous columns, beside causal-learn, in one run on one machine.

    python bench/continuous/run.py --ossature target/release/ossature -o bench/runs/DATE-continuous

The table is linear Gaussian: a random DAG of a given mean degree, coefficients of ±[0.5, 1.5] drawn from the seed, noise of
deviation 1. Times are those of learning alone, the least of several runs, on one thread: what `ossature learn --json` says it
took, and the time around causal-learn's `pc` without its drawing. The skeletons are compared.

causal-learn is optional: `pip install causal-learn==0.1.4.3`.
"""

import argparse
import csv
import json
import pathlib
import platform
import subprocess
import tempfile
import time

import numpy as np

THREADS = "1"


def linear_gaussian(variables, rows, degree, seed):
    """A table along a random DAG, and its edges."""
    random = np.random.default_rng(seed)
    edges = set()
    while len(edges) < variables * degree // 2:
        x, y = sorted(random.choice(variables, 2, replace=False).tolist())
        edges.add((x, y))
    table = np.zeros((rows, variables))
    for y in range(variables):
        table[:, y] = random.normal(size=rows)
        for x, to in sorted(edges):
            if to == y:
                table[:, y] += random.uniform(0.5, 1.5) * random.choice([-1, 1]) * table[:, x]
    return table, {(f"v{x:04}", f"v{y:04}") for x, y in edges}


def write(table, path):
    with open(path, "w", newline="") as out:
        lines = csv.writer(out)
        lines.writerow([f"v{i:04}" for i in range(table.shape[1])])
        lines.writerows(table.tolist())


def ossature(command, path, options, runs):
    """The least time of several runs, and the skeleton."""
    best, report = None, None
    for _ in range(runs):
        said = subprocess.run(
            [command, "learn", str(path), "--continuous", "auto", "--threads", THREADS, "--json", "--quiet", *options],
            check=True, capture_output=True, text=True,
        ).stdout
        report = json.loads(said)
        best = min(best or 1e9, report["seconds"]["total"])
    edges = report["skeleton"] if report["skeleton"] is not None else report["arcs"]
    return best, {tuple(sorted(edge)) for edge in edges}, report


def causal_learn(table, alpha, runs):
    from causallearn.search.ConstraintBased.PC import pc

    best = None
    for _ in range(runs):
        start = time.perf_counter()
        found = pc(table, alpha, "fisherz", stable=True, show_progress=False)
        best = min(best or 1e9, time.perf_counter() - start)
    adjacent = found.G.graph
    n = adjacent.shape[0]
    return best, {(f"v{i:04}", f"v{j:04}") for i in range(n) for j in range(i + 1, n) if adjacent[i, j] or adjacent[j, i]}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--ossature", required=True)
    arguments.add_argument("-o", "--output", type=pathlib.Path)
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--without-causal-learn", action="store_true")
    arguments.add_argument("--wide", action="store_true", help="also 5000 variables of 200 rows")
    given = arguments.parse_args()
    lines = []

    def note(what, tool, seconds, edges, more=""):
        lines.append([what, tool, f"{seconds:.4f}", edges, more])
        print(*lines[-1], sep=",", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "table.csv"
        table, _ = linear_gaussian(200, 1000, 3, 1)
        write(table, path)
        what = "pc zf alpha 0.01, 200 x 1000, mean degree 3"
        ours, edges, _ = ossature(given.ossature, path, ["--learner", "pc", "--alpha", "0.01"], given.runs)
        note(what, "ossature", ours, len(edges))
        if not given.without_causal_learn:
            theirs, others = causal_learn(table, 0.01, 1)
            note(what, "causal-learn", theirs, len(others), f"{theirs / ours:.0f} x; {len(edges ^ others)} edges differ")
        for learner in ("h2pc", "mmhc", "tabu", "ges", "best"):
            seconds, found, _ = ossature(given.ossature, path, ["--learner", learner], 1)
            note("200 x 1000, mean degree 3", learner, seconds, len(found))
        alarm = pathlib.Path(folder) / "alarm.csv"
        drawn = subprocess.run(
            [given.ossature, "sample", "alarm", "--linear-gaussian", "-n", "5000", "--seed", "1", "-o", str(alarm)]
        )
        if drawn.returncode == 0:
            for rows in ("5000",):
                seconds, found, _ = ossature(given.ossature, alarm, ["--learner", "h2pc"], given.runs)
                note(f"linear-Gaussian alarm, {rows} rows", "h2pc zf", seconds, len(found))
        if given.wide:
            table, truth = linear_gaussian(5000, 200, 2, 2)
            write(table, path)
            for learner in ("pc", "hpc"):
                seconds, found, report = ossature(given.ossature, path, ["--learner", learner, "--alpha", "0.001"], 1)
                note("5000 x 200, mean degree 2, alpha 0.001", learner, seconds, len(found), f"{len(found & truth)} true")
    if given.output:
        given.output.mkdir(parents=True, exist_ok=True)
        with open(given.output / "results.csv", "w", newline="") as out:
            csv.writer(out).writerows([["table", "tool", "seconds", "edges", "remarks"], *lines])
        version = subprocess.run([given.ossature, "--version"], capture_output=True, text=True).stdout.strip()
        (given.output / "README.md").write_text(
            f"# Continuous columns\n\n{version}, one thread, the least of {given.runs} runs, {platform.machine()}; "
            "made by `bench/continuous/run.py`, which says what is measured.\n"
        )


if __name__ == "__main__":
    main()
