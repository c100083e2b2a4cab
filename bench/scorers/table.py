"""Score, SHD and time of the learners that score, over the paper's eight networks.

    python3 bench/scorers/table.py target/release/ossature FOLDER [SECONDS]

Draws 5000 rows (seed 1) of each network, runs each learner once with one thread and a time limit for each cell,
and writes FOLDER/rows.csv and FOLDER/table.md. Every graph is scored anew with BDeu and a sample size of
10, whatever the learner maximised. A cell that has a row already is not run again.
"""

import csv
import json
import os
import resource
import subprocess
import sys
import tempfile

NETWORKS = ["child", "insurance", "alarm", "mildew", "hailfinder", "munin1", "pigs", "link"]

# The name of the row, the learner's options, and whether its own score is BDeu.
LEARNERS = [
    ("h2pc", ["--learner", "h2pc"]),
    ("optimum inside hpc", ["--restrict", "hpc", "--maximise", "clustered"]),
    ("mmhc", ["--learner", "mmhc"]),
    ("optimum inside mmpc", ["--restrict", "mmpc", "--maximise", "clustered"]),
    ("ecos", ["--learner", "ecos"]),
    ("tabu", ["--learner", "tabu"]),
    ("ges", ["--learner", "ges"]),
    ("xges", ["--learner", "xges"]),
    ("boss", ["--learner", "boss"]),
    ("sparse-candidate", ["--learner", "sparse-candidate"]),
    ("optimal-reinsertion", ["--learner", "optimal-reinsertion"]),
    ("exact, 3 parents", ["--learner", "exact", "--max-parents", "3"]),
    ("best-quick", ["--learner", "best-quick"]),
]

FIELDS = ["network", "learner", "score", "bound", "optimal", "complete", "shd", "seconds", "wall", "note"]


def cell(program, network, data, options, limit):
    """One run as a row; what could not be had is empty."""
    row = dict.fromkeys(FIELDS, "")
    with tempfile.TemporaryDirectory() as folder:
        graph = os.path.join(folder, "graph.json")
        command = [program, "learn", data, "--levels", network, "--truth", network, "--threads", "1", "--quiet"]
        command += [*options, "--time-limit", f"{limit}s", "--json", "-o", graph]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=4 * limit + 10)
        except subprocess.TimeoutExpired:
            return row | {"note": "did not stop in time"}
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 4):
            return row | {"note": done.stderr.strip().splitlines()[0]}
        report = json.loads(done.stdout)
        scored = subprocess.run(
            [program, "score", data, graph, "--levels", network, "--json", "--quiet"],
            capture_output=True, text=True, check=True,
        )
        own = report["score"]["name"] == "bdeu"
        return row | {
            "score": f"{json.loads(scored.stdout)['total']:.2f}",
            "bound": f"{report['bound']:.2f}" if own and report["bound"] is not None else "",
            "optimal": report["optimal"] if own and report["optimal"] is not None else "",
            "complete": report["complete"],
            "shd": report["truth"]["shd"],
            "seconds": f"{after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.2f}",
            "wall": f"{report['seconds']['total']:.2f}",
        }


def table(rows):
    """A line for each learner, a column for each network."""
    found = {(row["network"], row["learner"]): row for row in rows}
    lines = ["| learner | " + " | ".join(NETWORKS) + " |", "|---" * (len(NETWORKS) + 1) + "|"]
    for name, _ in LEARNERS:
        cells = []
        for network in NETWORKS:
            row = found.get((network, name))
            if row is None or row["score"] == "":
                cells.append("-")
                continue
            text = f"{float(row['score']):.0f}, {row['shd']}, {float(row['seconds']):.1f} s"
            if str(row["optimal"]) == "True":
                text += ", proven"
            elif row["bound"]:
                gap = 100 * (float(row["bound"]) - float(row["score"])) / abs(float(row["score"]))
                text += f", gap {gap:.2f} %"
            elif str(row["complete"]) == "False":
                text += ", cut short"
            cells.append(text)
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    program, folder = sys.argv[1:3]
    limit = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "rows.csv")
    rows = []
    if os.path.exists(path):
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
    known = {(row["network"], row["learner"]) for row in rows}
    with tempfile.TemporaryDirectory() as samples:
        for network in NETWORKS:
            data = os.path.join(samples, f"{network}.csv")
            subprocess.run([program, "sample", network, "-n", "5000", "--seed", "1", "-o", data, "--quiet"], check=True)
            for name, options in LEARNERS:
                if (network, name) in known:
                    continue
                rows.append(cell(program, network, data, options, limit) | {"network": network, "learner": name})
                with open(path, "w", newline="") as file:
                    writer = csv.DictWriter(file, FIELDS)
                    writer.writeheader()
                    writer.writerows(rows)
                print(rows[-1], flush=True)
    with open(os.path.join(folder, "table.md"), "w") as file:
        file.write(table(rows))


if __name__ == "__main__":
    main()
