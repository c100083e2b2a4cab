"""Rows that stay where they are: H2PC on alarm by two workers that count their partitions, beside two threads of one process.

    python bench/cluster/rows.py [rows] [partitions] [turns] [learner]

Both ways are run in turns, and the minimum of each counts. The time of the cluster is that of ``fit``: coding the partitions,
agreeing on levels, all rounds and the search.
"""

from __future__ import annotations

import json
import sys
import time

import dask.dataframe
from distributed import Client, LocalCluster

import ossature


def structure(report: dict) -> dict:
    kept = ("arcs", "cpdag", "skeleton", "score", "separations", "nodes")
    return json.loads(json.dumps({key: report[key] for key in kept}))


def main() -> None:
    given = [*sys.argv[1:], *("1000000", "8", "2", "H2PC")[len(sys.argv) - 1 :]]
    rows, partitions, turns = (int(word) for word in given[:3])
    learner = getattr(ossature, given[3])
    frame = ossature.load_network("alarm").sample(rows, seed=1).to_pandas()
    took: dict[str, list[float]] = {"threads": [], "workers": []}
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as machines, Client(machines) as client:
        elsewhere = dask.dataframe.from_pandas(frame, npartitions=partitions).persist()
        for _ in range(turns):
            began = time.perf_counter()
            here = learner(n_jobs=2).fit(frame)
            took["threads"].append(time.perf_counter() - began)
            began = time.perf_counter()
            there = learner(n_jobs=2).fit(elsewhere, client=client)
            took["workers"].append(time.perf_counter() - began)
            assert structure(here.report_) == structure(there.report_)
            print(f"threads {took['threads'][-1]:.2f} s, workers {took['workers'][-1]:.2f} s; {there.report_['cluster']}", flush=True)
    threads, workers = min(took["threads"]), min(took["workers"])
    print(f"{given[3]}, {rows:,} rows in {partitions} partitions: {len(here.report_['skeleton'])} edges, the same each time")
    print(f"two threads {threads:.2f} s, two workers {workers:.2f} s: {workers / threads:.2f} times as long")


if __name__ == "__main__":
    main()
