"""Learning time of two builds of the command, with one tie order and with ten.

usage: python3 bench/runs/2026-11-18-orders/run.py OLD NEW OUT.csv [RUNS]

The builds take turns, a process for each run, one thread. Written are the least learning time and the least CPU time of
the process, which contains the reading of the table.
"""

import csv
import json
import math
import os
import subprocess
import sys

NETWORKS = ["child", "insurance", "mildew", "alarm", "hailfinder", "pigs"]


def once(command, network, learner, orders):
    before = os.times()
    out = subprocess.run(
        [command, "learn", f"bench/data/{network}_5000.csv.gz", "--learner", learner, "--tie-orders", str(orders),
         "--threads", "1", "--json", "--quiet"],
        check=True, capture_output=True, text=True).stdout
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return json.loads(out)["seconds"]["total"], cpu


def main():
    commands = {"old": sys.argv[1], "new": sys.argv[2]}
    runs = int(sys.argv[4]) if len(sys.argv) > 4 else 15
    best = {}
    for network in NETWORKS:
        for _ in range(runs if network != "pigs" else max(3, runs // 3)):
            for learner in ("hc", "tabu"):
                for orders in (1, 10):
                    for name, command in commands.items():
                        key = (name, learner, orders, network)
                        found, known = once(command, network, learner, orders), best.get(key, (math.inf, math.inf))
                        best[key] = tuple(map(min, found, known))
    with open(sys.argv[3], "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["build", "learner", "orders", "network", "learning_ms", "cpu_of_process_ms"])
        for key, (wall, cpu) in best.items():
            rows.writerow([*key, round(wall * 1e3, 3), round(cpu * 1e3, 1)])
    for learner in ("hc", "tabu"):
        for name in commands:
            mean = {o: math.exp(sum(math.log(best[name, learner, o, n][0]) for n in NETWORKS) / len(NETWORKS))
                    for o in (1, 10)}
            print(learner, name, *(f"{o} orders {1e3 * t:.2f} ms" for o, t in mean.items()),
                  f"ratio {mean[10] / mean[1]:.2f}")


main()
