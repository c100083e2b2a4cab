"""One thread against several, builds taking turns, learning time: threads.py THREADS FOLDER NAME=OSSATURE ... > threads.csv

Everything by its defaults. The folder has NETWORK_5000.csv for pigs, munin1, link and alarm, link_500.csv, all drawn with seed 1, and wide_1000.csv, the 3,000
variables of bench/growth/growth.py; what is missing is left out. Each time is the least of several runs of a process of its own.
"""

import json
import math
import pathlib
import subprocess
import sys

CASES = [
    ("h2pc", "alarm_5000", 20),
    ("h2pc", "munin1_5000", 4),
    ("h2pc", "pigs_5000", 6),
    ("h2pc", "link_5000", 3),
    ("h2pc", "wide_1000", 1),
    ("mmhc", "munin1_5000", 20),
    ("mmhc", "pigs_5000", 15),
    ("mmhc", "link_5000", 10),
    ("tabu", "link_500", 3),
    ("hc", "link_500", 3),
    ("tabu", "pigs_5000", 6),
    ("hc", "pigs_5000", 6),
]
several, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
builds = dict(argument.split("=", 1) for argument in sys.argv[3:])


def seconds(ossature, learner, data, threads):
    command = [ossature, "learn", str(folder / f"{data}.csv"), "--learner", learner, "--threads", str(threads), "--json", "--quiet"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["seconds"]["total"]


print("build,learner,data,threads,one_s,several_s,ratio")
for learner, data, runs in CASES:
    if not (folder / f"{data}.csv").exists():
        continue
    least = {(name, threads): math.inf for name in builds for threads in (1, several)}
    # With many threads more of the runs are disturbed, and each is short.
    for turn in range(runs if several <= 4 else 4 * runs):
        for name, threads in least:
            if threads > 1 or turn < runs:
                least[name, threads] = min(least[name, threads], seconds(builds[name], learner, data, threads))
    for name in builds:
        one, more = least[name, 1], least[name, several]
        print(f"{name},{learner},{data},{several},{one:.4f},{more:.4f},{one / more:.2f}", flush=True)
