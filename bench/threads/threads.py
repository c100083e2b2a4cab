"""How much faster more threads are: the seconds of learning with 1, 2, 4, 8 and 16 threads, and whether the answers agree.

    python3 bench/threads/threads.py OSSATURE FOLDER [WIDE.csv]

Networks are drawn with 5000 rows, or so many as their name says, and seed 1. WIDE.csv, if it is given, is a table of many variables, such as the 3,000 of
bench/growth/growth.py. Each figure is the least of several runs. Writes threads.csv into the folder. For a machine of many cores.
"""

from __future__ import annotations

import csv
import hashlib
import json
import pathlib
import subprocess
import sys

THREADS = [1, 2, 4, 8, 16]
# Learner, network and runs; the networks of the first half of the list take tests, the others scores.
CASES = [
    ("h2pc", "alarm", 9), ("h2pc", "munin1", 3), ("h2pc", "pigs", 3), ("h2pc", "link", 3), ("h2pc", "wide", 1),
    ("mmhc", "munin1", 5), ("mmhc", "pigs", 5), ("mmhc", "link", 5), ("mmhc", "wide", 2), ("pc", "link", 2),
    ("tabu", "hailfinder", 5), ("tabu", "pigs", 2), ("tabu", "link:500", 1), ("hc", "link:500", 1), ("ges", "andes", 2),
    ("best", "alarm", 2), ("best", "hailfinder", 2), ("best", "mildew", 1),
]


def learned(ossature: str, learner: str, data: list[str], threads: int) -> tuple[float, str]:
    command = [ossature, "learn", *data, "--learner", learner, "--threads", str(threads), "--quiet", "--json"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    answer = hashlib.sha256(json.dumps([report["arcs"], report["skeleton"]]).encode()).hexdigest()
    return report["seconds"]["total"], answer[:12]


def main() -> None:
    ossature, folder, wide = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    with (folder / "threads.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["learner", "data", "threads", "seconds", "times", "answer"])
        for learner, data, runs in CASES:
            if data == "wide" and not wide:
                continue
            network, _, rows = data.partition(":")
            words = wide if data == "wide" else [network, "--rows", rows or "5000", "--seed", "1"]
            one, shown = 0.0, []
            for threads in THREADS:
                took, answer = min(learned(ossature, learner, words, threads) for _ in range(runs))
                one = one or took
                writer.writerow([learner, data, threads, f"{took:.4f}", f"{one / took:.2f}", answer])
                shown.append(f"{threads}: {took:.3f} s ({one / took:.2f})")
                file.flush()
            print(learner, data, ", ".join(shown), flush=True)


if __name__ == "__main__":
    main()
