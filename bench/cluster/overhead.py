"""What a cluster costs: H2PC by two workers of one thread each beside two threads of one process.

    python bench/cluster/overhead.py [variables] [rows] [turns]

The table is random: families of ten variables of three levels, each a child of the two before it. Both ways are run in turns,
and the minimum of each counts, since whatever else the machine does can only make a run longer.
"""

from __future__ import annotations

import pathlib
import sys
import time

from distributed import Client, LocalCluster

import ossature

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from families import families  # noqa: E402


def main() -> None:
    variables, rows, turns = (int(word) for word in [*sys.argv[1:], *("3000", "1000", "3")[len(sys.argv) - 1 :]])
    table = ossature.Table(families(variables, rows))
    took: dict[str, list[float]] = {"threads": [], "workers": []}
    answers = []
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as machines, Client(machines) as client:
        for _ in range(turns):
            for way, more in (("threads", {}), ("workers", {"client": client})):
                began = time.perf_counter()
                learner = ossature.H2PC(n_jobs=2).fit(table, **more)
                took[way].append(time.perf_counter() - began)
                seconds, tests = learner.report_["seconds"], learner.tests_
                answers.append((learner.score_, len(learner.dag_.arcs), tests.asked))
                print(f"{way}: {took[way][-1]:.2f} s, skeleton {seconds['restrict']:.2f} s; {tests.computed:,} tests computed", flush=True)
    assert len(set(answers)) == 1, answers
    score, arcs, asked = answers[0]
    threads, workers = min(took["threads"]), min(took["workers"])
    print(f"{variables} variables, {rows} rows: {arcs} arcs, score {score!r}, {asked:,} tests asked, the same each time")
    print(f"two threads {threads:.2f} s, two workers {workers:.2f} s: overhead {100 * (workers / threads - 1):.1f} %")


if __name__ == "__main__":
    main()
