"""Ten tie orders against one, taking turns, one thread, learning time: orders.py OSSATURE FOLDER

The folder has NETWORK_5000.csv, drawn with seed 1. Each time is the least of several runs of a process of its own.
"""

import json
import math
import subprocess
import sys

NETWORKS = ["child", "insurance", "alarm", "hailfinder", "mildew", "pigs"]


def seconds(ossature, path, learner, orders):
    command = [ossature, "learn", path, "--learner", learner, "--tie-orders", str(orders), "--threads", "1", "--json", "--quiet"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["seconds"]["total"]


ossature, folder = sys.argv[1:]
print("learner,network,one_ms,ten_ms,ratio")
for learner in ("hc", "tabu", "mmhc", "h2pc"):
    ratios = []
    for network in NETWORKS:
        path, least = f"{folder}/{network}_5000.csv", {1: math.inf, 10: math.inf}
        for _ in range(4 if network == "pigs" else 15):
            for orders in least:
                least[orders] = min(least[orders], seconds(ossature, path, learner, orders))
        ratios.append(least[10] / least[1])
        print(f"{learner},{network},{1e3 * least[1]:.2f},{1e3 * least[10]:.2f},{ratios[-1]:.2f}", flush=True)
    print(f"{learner},geometric mean,,,{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}", flush=True)
