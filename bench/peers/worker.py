"""One run of one tool: worker.py TOOL DATA.csv.gz ARCS.csv, in the virtual environment of ../peers/run.py or ../python/run.py.

Prints the seconds of the learning alone (one thread) and writes the arcs found.
"""

import csv
import sys
import time

import pandas as pd

tool, data, arcs_file = sys.argv[1:]
# Every field is a label, so nothing is missing and nothing is a number.
frame = pd.read_csv(data, dtype=str, keep_default_na=False, na_filter=False)

if tool == "pybnesian-mmhc":
    import pybnesian

    frame = frame.astype("category")
    varying = [c for c in frame.columns if frame[c].nunique() > 1]
    frame = frame[varying]
    clock = time.process_time()
    network = pybnesian.MMHC().estimate(
        pybnesian.ChiSquare(frame),
        pybnesian.ArcOperatorSet(),
        pybnesian.BDe(frame, 10.0),
        bn_type=pybnesian.DiscreteBNType(),
        alpha=0.05,
    )
    seconds = time.process_time() - clock
    arcs = network.arcs()
elif tool in ("pyagrum-hc", "pyagrum-tabu"):
    import pyagrum

    learner = pyagrum.BNLearner(frame)
    learner.setNumberOfThreads(1)
    learner.useScoreBDeu()
    if tool == "pyagrum-hc":
        learner.useGreedyHillClimbing()
    else:
        learner.useLocalSearchWithTabuList(100, 15)
    # Loading is not learning.
    clock = time.process_time()
    dag = learner.learnDAG()
    seconds = time.process_time() - clock
    names = learner.names()
    arcs = [(names[a], names[b]) for a, b in dag.arcs()]
elif tool in ("pgmpy-mmhc", "pgmpy-hc"):
    from pgmpy.estimators import BDeu, HillClimbSearch, MmhcEstimator

    frame = frame.astype("category")
    clock = time.process_time()
    score = BDeu(frame, equivalent_sample_size=10)
    if tool == "pgmpy-mmhc":
        found = MmhcEstimator(frame).estimate(scoring_method=score, significance_level=0.05)
    else:
        found = HillClimbSearch(frame).estimate(scoring_method=score, show_progress=False)
    seconds = time.process_time() - clock
    arcs = list(found.edges())
elif tool.startswith("ossature-"):
    import ossature

    frame = frame.astype("category")
    # One search, as the peers make one.
    learner = {"h2pc": ossature.H2PC, "mmhc": ossature.MMHC, "hc": ossature.HC, "tabu": ossature.Tabu}[tool[9:]](tie_orders=1)
    clock = time.process_time()
    arcs = learner.fit(frame).dag_.arcs
    seconds = time.process_time() - clock
else:
    sys.exit(f"no such tool: {tool}")

with open(arcs_file, "w", newline="") as out:
    csv.writer(out).writerows([("from", "to"), *sorted(arcs)])
print(seconds)
