"""Compares two builds of the command: the same answers, and what they cost.

    python3 bench/commits/compare.py OLD NEW [--runs 5] [--networks asia,child] > raw.csv

Every learner learns from the same samples of ten networks with both programs, in turn, on one thread. What was
learned (arcs, class, skeleton, score, tests asked) must be the same; times and memory are those of the learning
alone as the programs report it, the minimum of several runs, and the peak of the whole process. The last line on
standard error has the geometric means; the exit code is 1 if any answer differs.
"""

import argparse
import json
import math
import os
import subprocess
import sys

NETWORKS = "asia,child,insurance,mildew,alarm,hailfinder,win95pts,hepar2,andes,pigs"
LEARNERS = "h2pc,mmhc,tabu,hc,hpc,mmpc"


def run(program, network, learner, rows, extra):
    """What was learned, the seconds of learning, and the peak memory in MB."""
    words = [program, "learn", network, "--learner", learner, "--rows", str(rows), "--seed", "1", "--threads", "1"]
    with subprocess.Popen(words + ["--json", "-q", *extra], stdout=subprocess.PIPE) as process:
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(words)} ended with {process.returncode}")
    report = json.loads(text)
    found = {key: report[key] for key in ("arcs", "cpdag", "skeleton", "truth", "complete")}
    found["score"] = report["score"] and report["score"]["total"]
    found["asked"] = report["tests"]["asked"]
    found["by_order"] = report["tests"]["by_order"]
    found["without_power"] = report["tests"]["without_power"]
    return found, report["seconds"]["total"], usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--networks", default=NETWORKS)
    parser.add_argument("--learners", default=LEARNERS)
    parser.add_argument("--rows", default="500,2000")
    parser.add_argument("--options", default="", help="further options for both programs")
    args = parser.parse_args()
    extra = args.options.split()
    print("network,learner,rows,same,shd,score,asked,old_seconds,new_seconds,ratio,old_mb,new_mb")
    ratios, memory, differing = [], [], 0
    for network in args.networks.split(","):
        for learner in args.learners.split(","):
            for rows in map(int, args.rows.split(",")):
                times, peaks, found = ([], []), ([], []), [None, None]
                for _ in range(args.runs):
                    for side, program in enumerate((args.old, args.new)):
                        found[side], seconds, peak = run(program, network, learner, rows, extra)
                        times[side].append(seconds)
                        peaks[side].append(peak)
                old, new = min(times[0]), min(times[1])
                same = found[0] == found[1]
                differing += not same
                ratios.append(math.log(new / old))
                memory.append(math.log(min(peaks[1]) / min(peaks[0])))
                answer = found[1]
                print(
                    f"{network},{learner},{rows},{same},{answer['truth']['shd']},{answer['score']},{answer['asked']},"
                    f"{old:.6f},{new:.6f},{new / old:.3f},{min(peaks[0]):.1f},{min(peaks[1]):.1f}",
                    flush=True,
                )
    mean = lambda logs: math.exp(sum(logs) / len(logs))
    print(
        f"{len(ratios)} cells, {differing} differ; new over old: time {mean(ratios):.3f}, memory {mean(memory):.3f}",
        file=sys.stderr,
    )
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
