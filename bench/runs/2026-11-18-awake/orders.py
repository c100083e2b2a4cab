"""Ten tie orders against one, two builds taking turns, learning time: orders.py BEFORE NOW FOLDER > orders.csv

On one thread, and on as many as there are cores. The folder has NETWORK_5000.csv, drawn with seed 1. Each time is the least of several runs of a process of
its own.
"""

import itertools
import json
import math
import os
import subprocess
import sys

NETWORKS = ["child", "insurance", "alarm", "hailfinder", "mildew", "pigs"]
before, now, folder = sys.argv[1:]
BUILDS = {"before": before, "now": now}


def seconds(build, network, learner, orders, threads):
    words = ["--learner", learner, "--tie-orders", str(orders), "--threads", str(threads), "--json", "--quiet"]
    command = [BUILDS[build], "learn", f"{folder}/{network}_5000.csv", *words]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["seconds"]["total"]


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


print("learner,threads,network,build,one_ms,ten_ms,ratio")
for learner, threads in itertools.product(("hc", "tabu", "mmhc", "h2pc"), (1, os.cpu_count())):
    all_of = {build: ([], []) for build in BUILDS}
    for network in NETWORKS:
        least = dict.fromkeys(itertools.product(BUILDS, (1, 10)), math.inf)
        for _ in range(5 if network == "pigs" else 20):
            for build, orders in least:
                least[build, orders] = min(least[build, orders], seconds(build, network, learner, orders, threads))
        for build in BUILDS:
            one, ten = 1e3 * least[build, 1], 1e3 * least[build, 10]
            print(f"{learner},{threads},{network},{build},{one:.2f},{ten:.2f},{ten / one:.2f}", flush=True)
            all_of[build][0].append(one)
            all_of[build][1].append(ten)
    for build, (one, ten) in all_of.items():
        print(f"{learner},{threads},geometric mean,{build},{mean(one):.2f},{mean(ten):.2f},{mean(ten) / mean(one):.2f}", flush=True)
