"""How the second half of MMHC grows with the variables, builds taking turns: halves.py FOLDER NAME=OSSATURE ... > halves.csv

One thread, ten tie orders, default settings. The folder has w1k.csv, w3k.csv and w10k.csv, the 1,000, 3,000 and 10,000 variables of bench/growth/growth.py with
1000 rows. Each time is the least of many runs of a process of its own; the exponent is the slope from the line before, of log seconds over log edges.
"""

import json
import math
import subprocess
import sys

TABLES = {"w1k": 4, "w3k": 2, "w10k": 1}
folder, *builds = sys.argv[1:]
builds = dict(build.split("=", 1) for build in builds)


def second_half(ossature, table):
    command = [ossature, "learn", f"{folder}/{table}.csv", "--learner", "mmhc", "--threads", "1", "--json", "--quiet"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return report["seconds"]["maximise"], len(report["skeleton"])


least = {}
for _ in range(6):
    for name, ossature in builds.items():
        for table, runs in TABLES.items():
            for _ in range(runs):
                found = second_half(ossature, table)
                least[name, table] = min(found, least.get((name, table), found))
print("build,table,edges,seconds,us_per_edge,exponent")
for name in builds:
    before = None
    for table in TABLES:
        seconds, edges = least[name, table]
        slope = f"{math.log(seconds / before[0]) / math.log(edges / before[1]):.2f}" if before else ""
        print(f"{name},{table},{edges},{seconds:.4f},{1e6 * seconds / edges:.1f},{slope}")
        before = seconds, edges
