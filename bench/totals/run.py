"""Totals of one score by learner: does `best` end at the highest, and how far is the proven optimum?

    python bench/totals/run.py --command target/release/ossature --out rows.csv
    python bench/totals/run.py --summary rows.csv

A row for each network, number of rows, seed and learner: the total of the learner's own graph, which is what is compared,
and that of the canonical DAG of its equivalence class (bdh is not the same for all DAGs of a class). `exact` is left out
above `--most` variables, unless `--max-parents` keeps its tables small.
"""

import argparse
import collections
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

LEARNERS = "best --near 0,best,ges,xges,boss,hc,tabu,h2pc,mmhc,optimal-reinsertion,sparse-candidate,exact"
FIELDS = ["network", "rows", "seed", "max_parents", "learner", "total", "class_total", "proven", "complete", "seconds"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--command", default="target/release/ossature")
    parser.add_argument("--score", default="bdh")
    parser.add_argument("--learners", default=LEARNERS)
    parser.add_argument("--networks", default="asia,cancer,earthquake,survey,sachs")
    parser.add_argument("--sizes", default="500")
    parser.add_argument("--seeds", default="801,802,803")
    parser.add_argument("--max-parents")
    parser.add_argument("--most", type=int, default=12, help="variables for exact without --max-parents")
    parser.add_argument("--limit", default="60s")
    parser.add_argument("--out")
    parser.add_argument("--summary", help="print what a file of rows says, and run nothing")
    return parser.parse_args()


def run(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode not in (0, 4):
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


def measure(args, folder, network, rows, seed, learner):
    data = folder / f"{network}_{rows}_{seed}.csv"
    limit = ["--max-parents", args.max_parents] if args.max_parents else []
    reading = ["--levels", network, "--json", "-q"]
    found = json.loads(run([
        args.command, "learn", data, *reading, "--learner", *learner.split(), "--score", args.score, *limit,
        "--time-limit", args.limit,
    ]))
    graph = folder / "class.csv"
    pairs = found["cpdag"]["directed"] + [p for x, y in found["cpdag"]["undirected"] for p in ((x, y), (y, x))]
    graph.write_text("from,to\n" + "".join(f"{x},{y}\n" for x, y in pairs), encoding="utf-8")
    scored = json.loads(run([args.command, "score", data, graph, "--score", args.score, *reading]))
    return {
        "network": network, "rows": rows, "seed": seed, "max_parents": args.max_parents or "", "learner": learner,
        "total": found["score"]["total"], "class_total": scored["total"], "proven": found["optimal"],
        "complete": found["complete"], "seconds": round(found["seconds"]["total"], 3),
    }


def summary(path):
    cells = collections.defaultdict(dict)
    for row in csv.DictReader(open(path, encoding="utf-8")):
        cells[row["network"], row["rows"], row["seed"], row["max_parents"]][row["learner"]] = row
    above, gaps = collections.Counter(), []
    for cell, found in cells.items():
        best = float(found["best --near 0"]["total"])
        for learner, row in found.items():
            if learner not in ("best", "best --near 0", "exact") and float(row["total"]) > best + 1e-6:
                above[learner] += 1
                print(f"{' '.join(cell)}: {learner} is {float(row['total']) - best:.4f} above best")
        exact = found.get("exact")
        if exact and exact["proven"] == "True":
            gaps.append((cell, float(exact["total"]) - best))
    print(f"{len(cells)} samples; another heuristic learner above best: {dict(above) or 'none'}")
    print("| network | rows | max parents | proven | largest gap |\n|---|---|---|---|---|")
    groups = collections.defaultdict(list)
    for (network, rows, _, limit), gap in gaps:
        groups[network, rows, limit].append(gap)
    for (network, rows, limit), found in groups.items():
        print(f"| {network} | {rows} | {limit or 'any'} | {len(found)} | {max(found):.3f} |")


def main():
    args = arguments()
    if args.summary:
        return summary(args.summary)
    with tempfile.TemporaryDirectory() as folder, open(args.out, "a", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, FIELDS)
        if out.tell() == 0:
            writer.writeheader()
        for network in args.networks.split(","):
            listed = json.loads(run([args.command, "networks", "--json"]))
            wide = next(row["variables"] for row in listed if row["name"] == network)
            for rows in args.sizes.split(","):
                for seed in args.seeds.split(","):
                    data = pathlib.Path(folder) / f"{network}_{rows}_{seed}.csv"
                    run([args.command, "sample", network, "-n", rows, "--seed", seed, "-o", data, "-q"])
                    for learner in args.learners.split(","):
                        if learner == "exact" and wide > args.most and not args.max_parents:
                            continue
                        writer.writerow(measure(args, pathlib.Path(folder), network, rows, seed, learner))
                        out.flush()


main()
