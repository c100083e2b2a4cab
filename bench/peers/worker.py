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
elif tool == "pybnesian-hc":
    import pybnesian

    frame = frame.astype("category")
    varying = [c for c in frame.columns if frame[c].nunique() > 1]
    frame = frame[varying]
    clock = time.process_time()
    start = pybnesian.DiscreteBN(varying)
    network = pybnesian.GreedyHillClimbing().estimate(
        pybnesian.ArcOperatorSet(), pybnesian.BDe(frame, 10.0), start
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
elif tool == "pyagrum-miic":
    import pyagrum

    learner = pyagrum.BNLearner(frame)
    learner.setNumberOfThreads(1)
    learner.useMIIC()
    clock = time.process_time()
    graph = learner.learnPDAG()
    seconds = time.process_time() - clock
    names = learner.names()
    arcs = [(names[a], names[b]) for a, b in graph.arcs()]
    arcs += [pair for a, b in graph.edges() for pair in ((names[a], names[b]), (names[b], names[a]))]
elif tool in ("causal-learn-ges", "causal-learn-pc"):
    names = list(frame.columns)
    codes = frame.apply(lambda column: pd.factorize(column, sort=True)[0]).to_numpy()
    from causallearn.search.ConstraintBased.PC import pc
    from causallearn.search.ScoreBased.GES import ges

    levels = {i: int(codes[:, i].max()) + 1 for i in range(len(names))}
    prior = {"sample_prior": 10.0, "structure_prior": 1.0, "r_i_map": levels}
    clock = time.process_time()
    if tool == "causal-learn-ges":
        graph = ges(codes, score_func="local_score_BDeu", parameters=prior)["G"].graph
    else:
        graph = pc(codes, 0.05, "gsq", stable=True, uc_rule=0, show_progress=False).G.graph
    seconds = time.process_time() - clock
    # -1 is a tail, 1 an arrowhead; an edge without direction, or with two heads, is written both ways.
    pairs = [(i, j) for i in range(len(names)) for j in range(len(names)) if graph[i, j] and graph[j, i]]
    arcs = [(names[i], names[j]) for i, j in pairs if graph[i, j] == graph[j, i] or graph[i, j] == -1]
elif tool == "pgmpy-ges":
    from pgmpy.estimators import GES

    frame = frame.astype("category")
    clock = time.process_time()
    found = GES(frame).estimate(scoring_method="bdeu")
    seconds = time.process_time() - clock
    arcs = list(found.directed_edges)
    arcs += [pair for x, y in found.undirected_edges for pair in ((x, y), (y, x))]
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
