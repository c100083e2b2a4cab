"""Peak memory of whole processes, taking turns: memory.py OLD NEW FOLDER > memory.csv

The folder has NETWORK_5000.csv, drawn with seed 1. Each program is copied first, so that both are in the system's memory in the same way. One thread, default
settings; the least of five runs (link with tabu: two), in MB.
"""

import os
import shutil
import subprocess
import sys
import tempfile

CASES = [(network, learner) for network in ("alarm", "pigs", "link") for learner in ("h2pc", "mmhc", "tabu")] + [("munin1", "h2pc"), ("alarm", "hc"), ("pigs", "hc")]


def peak(program, path, learner):
    command = ["/usr/bin/time", "-f", "%M", program, "learn", path, "--learner", learner, "--threads", "1", "--quiet"]
    done = subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return int(done.stderr.split()[-1]) * 1024 / 1e6


old, new, folder = sys.argv[1:]
with tempfile.TemporaryDirectory() as copies:
    programs = {}
    for name, program in (("old", old), ("new", new)):
        programs[name] = shutil.copy(program, os.path.join(copies, name))
    print("network,learner,old_mb,new_mb,ratio")
    for network, learner in CASES:
        least = {name: float("inf") for name in programs}
        for _ in range(2 if (network, learner) == ("link", "tabu") else 5):
            for name, program in programs.items():
                least[name] = min(least[name], peak(program, f"{folder}/{network}_5000.csv", learner))
        print(f"{network},{learner},{least['old']:.1f},{least['new']:.1f},{least['new'] / least['old']:.2f}", flush=True)
