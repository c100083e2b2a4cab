"""The second half inside skeletons of other shapes, builds taking turns: shapes.py FOLDER NAME=OSSATURE ... > shapes.csv

The folder has w1k.csv, w3k.csv and w10k.csv, the 1,000, 3,000 and 10,000 variables of bench/growth/growth.py with 1000 rows. Ten tie orders, default settings. The
skeletons: what MMPC finds; the same in one piece, with an edge between each family of ten and an earlier one, drawn at random; and pairs of neighbours. Each time is the least
of several runs of a process of its own, on one thread and on two.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

TABLES = {"w1k": 1_000, "w3k": 3_000, "w10k": 10_000}
folder, *builds = sys.argv[1:]
builds = dict(build.split("=", 1) for build in builds)


def report(ossature, words):
    command = [ossature, "learn", *words, "--json", "--quiet"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def skeletons(table, variables):
    found = report(next(iter(builds.values())), [f"{folder}/{table}.csv", "--learner", "mmpc"])["skeleton"]
    name = "v{:06d}".format
    draw = random.Random(1)
    links = [(name(10 * f + draw.randrange(10)), name(10 * draw.randrange(f) + draw.randrange(10))) for f in range(1, variables // 10)]
    return {"found": found, "in one piece": found + links, "pairs": [(name(i), name(i + 1)) for i in range(0, variables, 2)]}


print("table,skeleton,edges,threads,build,seconds,us_per_edge")
with tempfile.TemporaryDirectory() as temporary:
    for table, variables in TABLES.items():
        for shape, edges in skeletons(table, variables).items():
            path = pathlib.Path(temporary) / "skeleton.csv"
            path.write_text("from,to\n" + "".join(f"{x},{y}\n" for x, y in edges))
            words = [f"{folder}/{table}.csv", "--restrict", str(path), "--maximise", "tabu"]
            least, totals = {}, set()
            for _ in range(8):
                for threads in (1, 2):
                    for name, ossature in builds.items():
                        found = report(ossature, [*words, "--threads", str(threads)])
                        totals.add(found["score"]["total"])
                        least[threads, name] = min(found["seconds"]["maximise"], least.get((threads, name), 1e9))
            assert len(totals) == 1, totals
            for (threads, name), seconds in least.items():
                print(f"{table},{shape},{len(edges)},{threads},{name},{seconds:.4f},{1e6 * seconds / len(edges):.1f}", flush=True)
