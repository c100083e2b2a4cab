"""How near learners come to the truth where values are missing: drop, level, available and em beside complete rows.

    python3 bench/missing/run.py target/release/ossature > rows.csv
    python3 bench/missing/run.py --table rows.csv

Samples are drawn by `ossature sample`, and a share of their values is taken away completely at random, from seeds. Each
table is learned by tabu (by score) and h2pc (by tests and score) with the defaults of each policy: bdeu for complete rows,
drop and level, pnal for available, bic for em, which h2pc refuses; complete rows also with pnal and bic. Needs nothing but Python and the command.
"""

import csv
import json
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import mean, median

NETWORKS = ["child", "insurance", "alarm"]
SHARES = [0.05, 0.10, 0.20]
SAMPLES = 10
ROWS = 1000
POLICIES = ["drop", "level", "available", "em"]
COMPLETE = {"complete": None, "complete, pnal": "pnal", "complete, bic": "bic"}
LEARNERS = ["tabu", "h2pc"]
FIELDS = ["network", "share", "sample", "learner", "policy", "shd", "seconds", "edges"]


def learn(
    command: str, data: Path, network: str, learner: str, policy: str | None = None, score: str | None = None
) -> dict | None:
    """The result of a run; nothing where no complete row is left."""
    words = [command, "learn", str(data), "--learner", learner, "--truth", network, "--levels", network,
             "--threads", "1", "--json", "--quiet", "--progress", "never"]
    words += ["--missing", policy] if policy else []
    words += ["--score", score] if score else []
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode == 0:
        return json.loads(done.stdout)
    if "at least one complete row" in done.stderr:
        return None
    raise SystemExit(f"{' '.join(words)}\n{done.stderr}")


def delete(complete: Path, gappy: Path, share: float, seed: str) -> None:
    chance = random.Random(seed)
    with complete.open(newline="") as source, gappy.open("w", newline="") as target:
        rows, out = csv.reader(source), csv.writer(target)
        out.writerow(next(rows))
        out.writerows(["NA" if chance.random() < share else field for field in row] for row in rows)


def measure(command: str) -> None:
    out = csv.DictWriter(sys.stdout, FIELDS)
    out.writeheader()
    with tempfile.TemporaryDirectory() as folder:
        complete, gappy = Path(folder, "complete.csv"), Path(folder, "gappy.csv")
        for network in NETWORKS:
            for sample in range(1, SAMPLES + 1):
                subprocess.run([command, "sample", network, "--rows", str(ROWS), "--seed", str(sample), "--quiet",
                                "-o", str(complete)], check=True)

                def row(share: float, learner: str, policy: str, found: dict | None) -> None:
                    shd = found["truth"]["shd"] if found else ""
                    seconds = f"{found['seconds']['total']:.4f}" if found else ""
                    edges = len(found["arcs"] or []) if found else ""
                    out.writerow(dict(zip(FIELDS, [network, share, sample, learner, policy, shd, seconds, edges])))
                    sys.stdout.flush()

                for learner in LEARNERS:
                    for policy, score in COMPLETE.items():
                        row(0.0, learner, policy, learn(command, complete, network, learner, score=score))
                for share in SHARES:
                    delete(complete, gappy, share, f"{network} {sample} {share}")
                    for learner in LEARNERS:
                        for policy in POLICIES:
                            if (learner, policy) != ("h2pc", "em"):
                                row(share, learner, policy, learn(command, gappy, network, learner, policy))


def table(path: str) -> None:
    shd, seconds = defaultdict(list), defaultdict(list)
    with open(path, newline="") as source:
        for row in csv.DictReader(source):
            key = (row["network"], row["learner"], row["policy"], float(row["share"]))
            shd[key].append(float(row["shd"]) if row["shd"] else None)
            seconds[key].append(float(row["seconds"]) if row["seconds"] else None)
    print("| network | learner | missing | " + " | ".join([*COMPLETE, *POLICIES]) + " |")
    print("|---|---|---|" + "---|" * len([*COMPLETE, *POLICIES]))

    def cell(values: list) -> str:
        known = [value for value in values if value is not None]
        if len(known) < len(values) or not values:
            return "–"
        return f"{mean(known):.1f}"

    for network in NETWORKS:
        for learner in LEARNERS:
            for share in SHARES:
                cells = [cell(shd[network, learner, policy, 0.0]) for policy in COMPLETE]
                cells += [cell(shd[network, learner, policy, share]) for policy in POLICIES]
                print(f"| {network} | {learner} | {share:.0%} | " + " | ".join(cells) + " |")
    print("\nSeconds, the median of the samples at 10 %:\n")
    for network in NETWORKS:
        for learner in LEARNERS:
            keys = [(policy, 0.0) for policy in COMPLETE] + [(policy, 0.10) for policy in POLICIES]
            known = {p: [s for s in seconds[network, learner, p, share] if s is not None] for p, share in keys}
            print(network, learner, ", ".join(f"{p} {median(values):.4f}" for p, values in known.items() if values))


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--table":
        table(sys.argv[2])
    elif len(sys.argv) == 2:
        measure(sys.argv[1])
    else:
        raise SystemExit(__doc__)
