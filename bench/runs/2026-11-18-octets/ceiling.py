"""What sixteen threads could reach at most on a machine, and what they reach: ceiling.py OSSATURE FOLDER

Sixteen processes of one thread each learn at the same time; if each takes longer than one alone does, that is the machine's doing. The folder has
munin1.csv, pigs.csv and link.csv, drawn with 5000 rows and seed 1, and wide.csv, the 3,000 variables of bench/growth/growth.py. Learning time, the least
of three rounds, of each round the mean of the sixteen; with sixteen threads the least of twelve runs (wide: one round of four).
"""

import json
import subprocess
import sys

CASES = [("h2pc", "munin1"), ("h2pc", "pigs"), ("h2pc", "link"), ("h2pc", "wide"), ("mmhc", "link")]
ossature, folder = sys.argv[1:]


def at_once(learner, data, processes, threads):
    command = [ossature, "learn", f"{folder}/{data}.csv", "--learner", learner, "--threads", str(threads), "--json", "--quiet"]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(processes)]
    seconds = [json.loads(process.communicate()[0])["seconds"]["total"] for process in running]
    return sum(seconds) / processes


print("learner,data,alone_s,each_of_sixteen_s,ceiling,sixteen_threads_s,sixteen,share_of_ceiling")
for learner, data in CASES:
    alone, each, threads = [], [], []
    for _ in range(1 if data == "wide" else 3):
        alone.append(at_once(learner, data, 1, 1))
        each.append(at_once(learner, data, 16, 1))
        threads += [at_once(learner, data, 1, 16) for _ in range(4)]
    one, sixteen = min(alone), min(threads)
    ceiling = 16 * one / min(each)
    print(f"{learner},{data},{one:.4f},{min(each):.4f},{ceiling:.2f},{sixteen:.4f},{one / sixteen:.2f},{one / sixteen / ceiling:.2f}", flush=True)
