"""Two builds of the command compared, taking turns, one thread, learning time only: run.py OLD NEW OUT.csv

Each time is the least of several runs of a process of its own, from the report of the command. The number of arcs (for
MMPC of edges) stands beside each time.
"""

import csv
import json
import math
import subprocess
import sys
import tempfile

old, new, out = sys.argv[1:]
NETWORKS = ["child", "insurance", "alarm", "hailfinder", "mildew"]
CASES = [
    ("h2pc, default", ["--learner", "h2pc"]),
    ("h2pc, one tie order", ["--learner", "h2pc", "--tie-orders", "1"]),
    ("mmhc, default", ["--learner", "mmhc"]),
    ("mmhc, one tie order", ["--learner", "mmhc", "--tie-orders", "1"]),
    ("mmpc", ["--learner", "mmpc"]),
]
TIMES = 15


def learn(binary, path, words):
    command = [binary, "learn", path, "--threads", "1", "--json", "--quiet", *words]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return report["seconds"]["total"], len(report.get("arcs") or report.get("skeleton") or [])


rows = [("network", "case", "old_seconds", "new_seconds", "ratio", "old_arcs", "new_arcs")]
with tempfile.TemporaryDirectory() as folder:
    for case, words in CASES:
        ratios = []
        for network in NETWORKS:
            path = f"{folder}/{network}.csv"
            subprocess.run([new, "sample", network, "-n", "5000", "--seed", "1", "-o", path, "--quiet"], check=True)
            pairs = [(learn(old, path, words), learn(new, path, words)) for _ in range(TIMES)]
            before, after = min(p[0][0] for p in pairs), min(p[1][0] for p in pairs)
            ratios.append(before / after)
            rows.append((network, case, f"{before:.5f}", f"{after:.5f}", f"{before / after:.2f}", pairs[0][0][1], pairs[0][1][1]))
            print(*rows[-1], flush=True)
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        rows.append(("geometric mean", case, "", "", f"{mean:.2f}", "", ""))
        print(*rows[-1], flush=True)
with open(out, "w", newline="") as file:
    csv.writer(file).writerows(rows)
