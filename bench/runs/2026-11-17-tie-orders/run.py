#!/usr/bin/env python3
"""Compares the times and the answers of two versions, with one tie order and with ten.

usage: run.py times OLD NEW RAW.csv [TURNS]
       run.py answers OLD NEW

`times` takes two builds of time_orders.rs, which take turns: CPU time, one thread, 5000 rows, minimum of 5 runs in each
turn. `answers` takes two builds of the command, runs them with 1 and 10 tie orders, 500 and 5000 rows, 1 and 2 threads,
and fails if any key of the result differs but the times. Run in the root of the repository.
"""

import csv
import json
import math
import pathlib
import re
import subprocess
import sys

DATA = pathlib.Path(__file__).parents[2] / "data"
NETWORKS = ["child", "insurance", "alarm", "hailfinder", "mildew", "pigs"]
LEARNERS = ["hc", "tabu", "mmhc", "h2pc"]


def learn(program, network, rows, learner, orders, threads):
    """The result of a run, as plain data."""
    table = DATA / f"{network}_{rows}.csv.gz"
    command = [program, "learn", table, "--learner", learner, "--tie-orders", orders, "--threads", threads, "--json"]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def answer(result):
    """What two programs must agree on: everything but times and figures of performance."""
    if isinstance(result, dict):
        return {key: answer(value) for key, value in result.items() if key not in ("seconds", "computed")}
    return [answer(value) for value in result] if isinstance(result, list) else result


def answers(programs):
    compared = 0
    for learner in LEARNERS:
        for network in NETWORKS:
            for rows in [500, 5000]:
                for orders in [1, 10]:
                    for threads in [1, 2]:
                        cell = (network, rows, learner, orders, threads)
                        old, new = (answer(learn(program, *cell)) for program in programs)
                        assert old == new, cell
                        compared += 1
    print(f"{compared} answers are the same")


def times(programs, raw, turns):
    best = {}
    tables = ",".join(f"{network}_5000" for network in NETWORKS)
    with open(raw, "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["turn", "program", "learner", "network", "tie_orders", "cpu_ms"])
        for learner in ["hc", "tabu"]:
            for turn in range(turns):
                for name, program in zip(["old", "new"], programs):
                    command = [program, tables, learner, "1,10", "5", "1"]
                    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
                    for network, orders, ms in re.findall(r"(\w+)_5000|K=(\d+) cpu ([\d.]+)", text):
                        if network:
                            of = network
                            continue
                        table.writerow([turn, name, learner, of, orders, ms])
                        cell = (name, learner, of, int(orders))
                        best[cell] = min(float(ms), best.get(cell, math.inf))
            for network in NETWORKS:
                cells = [(orders, name) for orders in [1, 10] for name in ["old", "new"]]
                figures = " | ".join(f"{best[name, learner, network, orders]:.2f}" for orders, name in cells)
                print(f"| {learner} | {network} | {figures} |", flush=True)
            for name in ["old", "new"]:
                one, ten = (mean([best[name, learner, n, orders] for n in NETWORKS]) for orders in [1, 10])
                print(f"{learner} {name}: {one:.2f} and {ten:.2f} ms, ratio {ten / one:.3f}", flush=True)


def mean(values):
    """The geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["answers", old, new]:
            answers([old, new])
        case ["times", old, new, raw, *turns]:
            times([old, new], raw, int(turns[0]) if turns else 5)
        case _:
            sys.exit(__doc__)
