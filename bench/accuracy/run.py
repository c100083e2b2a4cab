"""Accuracy of learners on fresh samples of the embedded networks.

    python bench/accuracy/run.py --command target/release/ossature --learners best,h2pc --out rows.csv

A row for each network, number of rows, seed and learner: SHD of the classes, edges of the truth, the
structure's score and the seconds of learning with one thread. A learner may carry options of its own:
"best --starts 0". `--summary rows.csv` prints the means of what was measured.
"""

import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

NETWORKS = "child,insurance,mildew,alarm,hailfinder,win95pts,hepar2,water,barley"
FIELDS = ["network", "rows", "seed", "learner", "shd", "edges", "fp", "fn", "score", "seconds", "complete"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--command", default="target/release/ossature")
    parser.add_argument("--learners", default="best,h2pc")
    parser.add_argument("--networks", default=NETWORKS)
    parser.add_argument("--sizes", default="500,1500,5000")
    parser.add_argument("--seeds", default="401,402,403")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", default="", help="time limit of one run, as the command takes it")
    parser.add_argument("--out")
    parser.add_argument("--summary", help="print the means of a file of rows, and run nothing")
    return parser.parse_args()


def learn(args, folder, network, rows, seed, learner):
    data = pathlib.Path(folder) / f"{network}_{rows}_{seed}.csv"
    options = learner.split()
    command = [args.command, "learn", data, "--learner", *options, "--truth", network, "--threads", "1", "--json"]
    if args.limit:
        command += ["--time-limit", args.limit]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode not in (0, 4):
        sys.exit(f"{' '.join(map(str, command))}: {run.stderr}")
    found = json.loads(run.stdout)
    truth = found["truth"]
    skeleton = truth["skeleton"]
    return {
        "network": network,
        "rows": rows,
        "seed": seed,
        "learner": learner,
        "shd": truth["shd"],
        "edges": skeleton["tp"] + skeleton["fn"],
        "fp": skeleton["fp"],
        "fn": skeleton["fn"],
        "score": found["score"] and found["score"]["total"],
        "seconds": round(found["seconds"]["total"], 4),
        "complete": found["complete"],
    }


def measure(args):
    cells = [
        (network, int(rows), int(seed))
        for network in args.networks.split(",")
        for rows in args.sizes.split(",")
        for seed in args.seeds.split(",")
    ]
    # The long ones first, so that no core waits for one at the end.
    cells.sort(key=lambda cell: -cell[1])
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:

        def sample(cell):
            network, rows, seed = cell
            out = pathlib.Path(folder) / f"{network}_{rows}_{seed}.csv"
            subprocess.run(
                [args.command, "sample", network, "-n", str(rows), "--seed", str(seed), "-o", out],
                check=True,
                capture_output=True,
            )

        list(pool.map(sample, cells))
        work = [(*cell, learner) for cell in cells for learner in args.learners.split(",")]
        return list(pool.map(lambda item: learn(args, folder, *item), work))


def summary(rows):
    def mean(values):
        values = list(values)
        return sum(values) / len(values) if values else float("nan")

    learners = list(dict.fromkeys(row["learner"] for row in rows))
    sizes = sorted({int(row["rows"]) for row in rows})
    networks = list(dict.fromkeys(row["network"] for row in rows))
    share = lambda row: float(row["shd"]) / float(row["edges"])
    for learner in learners:
        own = [row for row in rows if row["learner"] == learner]
        by_size = [mean(share(r) for r in own if int(r["rows"]) == size) for size in sizes]
        seconds = [mean(float(r["seconds"]) for r in own if int(r["rows"]) == size) for size in sizes]
        print(f"{learner}: SHD/edges {mean(map(share, own)):.3f}", *[f"{s}: {x:.3f}" for s, x in zip(sizes, by_size)])
        print("  mean seconds", *[f"{s}: {x:.2f}" for s, x in zip(sizes, seconds)])
        for size in sizes:
            means = {n: mean(float(r["shd"]) for r in own if int(r["rows"]) == size and r["network"] == n) for n in networks}
            print(f"  SHD at {size}:", *[f"{n} {x:.1f}" for n, x in sorted(means.items())])


def main():
    args = arguments()
    if args.summary:
        with open(args.summary, newline="") as file:
            summary(list(csv.DictReader(file)))
        return
    rows = measure(args)
    rows.sort(key=lambda r: (r["network"], r["rows"], r["seed"], r["learner"]))
    if args.out:
        with open(args.out, "w", newline="") as file:
            writer = csv.DictWriter(file, FIELDS)
            writer.writeheader()
            writer.writerows(rows)
    summary(rows)


if __name__ == "__main__":
    main()
