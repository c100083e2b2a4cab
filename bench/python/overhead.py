"""What the package costs over the library: `H2PC().fit(frame)` beside the time that the library reports.

The frames are pandas categoricals. The library's own time is `report_["seconds"]["total"]` of the same run; what is
beyond it is conversion of the frame, the threads, the report and the graphs. Of several runs, the one with the least
of that. Also the memory: the coded copy, and what the process grew by at most while it was made (Linux).
"""

import json
import sys
import threading
import time
from pathlib import Path

import numpy as np
import ossature
import pandas as pd

CASES = [("pigs", 5000, 5), ("alarm", 5000, 20)]


MEMORY = (2_000_000, 20)


def measure(name, rows, runs):
    frame = ossature.load_network(name).sample(rows, seed=1).to_pandas()
    clock = time.perf_counter()
    ossature.Table(frame)
    coding = time.perf_counter() - clock
    best = None
    for _ in range(runs):
        learner = ossature.H2PC(n_jobs=1)
        clock = time.perf_counter()
        learner.fit(frame)
        whole = time.perf_counter() - clock
        library = learner.report_["seconds"]["total"]
        if best is None or whole - library < best[0] - best[1]:
            best = (whole, library)
    whole, library = best
    return {
        "network": name,
        "rows": rows,
        "seconds": round(whole, 5),
        "library_seconds": round(library, 5),
        "overhead_ms": round(1000 * (whole - library), 3),
        "overhead_percent": round(100 * (whole - library) / library, 2),
        "coding_ms": round(1000 * coding, 3),
    }


def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def memory(rows, columns):
    """Of a frame that numpy makes: nothing here has left memory behind that could be used again."""
    random = np.random.default_rng(0)
    codes = {f"v{i}": random.integers(0, 4, rows, dtype=np.int8) for i in range(columns)}
    frame = pd.DataFrame({k: pd.Categorical.from_codes(v, categories=list("abcd")) for k, v in codes.items()})
    before = peak = resident()
    over = threading.Event()

    def watch():
        nonlocal peak
        while not over.wait(0.001):
            peak = max(peak, resident())

    watcher = threading.Thread(target=watch)
    watcher.start()
    table = ossature.Table(frame)
    over.set()
    watcher.join()
    peak = max(peak, resident())
    return {"rows": rows, "columns": columns, "coded_bytes": table.nbytes, "grown_bytes": peak - before}


found = [memory(*MEMORY)] if sys.platform == "linux" else []
found += [measure(*case) for case in CASES]
print(json.dumps(found, indent=1))
