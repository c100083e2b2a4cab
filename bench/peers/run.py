"""Times ossature beside its peers, on one thread of one machine and in one run.

    cargo build --release
    python3 bench/peers/run.py --out bench/runs/DATE-peers

ossature (h2pc with both weak learners, mmhc and tabu), PyBNesian's MMHC and pyAgrum's hill climbing and tabu search run on the same files;
bnlearn's figures are the recorded ones of bnlearn.csv. The peers go into a virtual environment beside this script.
Seconds are those of the learning alone: wall time of ossature (reading excluded), CPU time of the Python packages.
"""

import argparse
import csv
import json
import math
import os
import platform
import subprocess
import sys
import tempfile
import threading
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
NETWORKS = ["child", "insurance", "mildew", "alarm", "hailfinder", "munin1", "pigs", "link"]
# Our learners and their flags. One tie order is the paper's search; the default takes the best of ten.
OURS = {
    "h2pc": ["--learner", "h2pc", "--tie-orders", "1"],
    "h2pc-default": ["--learner", "h2pc"],
    "h2pc-fdr": ["--learner", "h2pc", "--tie-orders", "1", "--weak-learner", "fdr-iapc"],
    "mmhc": ["--learner", "mmhc", "--tie-orders", "1"],
    "tabu": ["--learner", "tabu", "--tie-orders", "1"],
}
PEERS = ["pybnesian-mmhc", "pyagrum-hc", "pyagrum-tabu"]
FIELDS = "tool,network,rows,seconds,peak_mb,skeleton_tp,skeleton_fp,skeleton_fn,shd,tests,note".split(",")


def peers_python():
    """The interpreter of the peers' own environment, made when it is not there."""
    home = HERE / ".venv"
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(home, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", HERE / "requirements.txt"], check=True)
    return python


def measured(command, limit=math.inf):
    """Runs a command; returns its output (None, and why, when there is none) and its peak memory in MB."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        late = []
        timer = threading.Timer(min(limit, threading.TIMEOUT_MAX), lambda: (late.append(True), child.kill()))
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode()
    note = f"not done after {limit:.0f} s" if late else f"exit code {child.returncode}"
    return (None if child.returncode else text), note, round(usage.ru_maxrss / 1024, 1)


def ours(binary, tool, network, data):
    command = [binary, "learn", data, "--levels", network, "--truth", network, *OURS[tool], "--threads", "1", "--json", "--quiet"]
    best, peaks = None, []
    for _ in range(3):
        text, note, peak = measured(command)
        if text is None:
            sys.exit(f"{' '.join(map(str, command))}: {note}")
        run = json.loads(text)
        peaks.append(peak)
        if best is None or run["seconds"]["total"] < best["seconds"]["total"]:
            best = run
    truth = best["truth"]
    return {"seconds": best["seconds"]["total"], "peak_mb": min(peaks), "shd": truth["shd"], "tests": best["tests"]["asked"],
            **{f"skeleton_{k}": truth["skeleton"][k] for k in ("tp", "fp", "fn")}, "note": "fastest of 3"}


def peer(binary, python, tool, network, data, limit):
    with tempfile.TemporaryDirectory() as folder:
        arcs = Path(folder) / "arcs.csv"
        text, note, peak = measured([python, HERE / "worker.py", tool, data, arcs], limit)
        if text is None:
            return {"note": note}
        compared = subprocess.run([binary, "compare", network, arcs, "--json"], check=True, capture_output=True)
        result = json.loads(compared.stdout)
    return {"seconds": float(text), "peak_mb": peak, "shd": result["shd"],
            **{f"skeleton_{k}": result["skeleton"][k] for k in ("tp", "fp", "fn")}}


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


# What is compared with what, by the tools' names; "bnlearn" are the recorded figures.
RATIOS = [("bnlearn h2pc", "h2pc"), ("bnlearn h2pc", "h2pc-default"), ("bnlearn mmhc", "mmhc"), ("pybnesian-mmhc", "mmhc"),
          ("pyagrum-tabu", "tabu"), ("pyagrum-hc", "tabu")]


def report(rows, recorded, options):
    lines = [f"Machine: {options.machine}; Python {platform.python_version()}.", ""]
    tools = [*OURS, *PEERS, "bnlearn h2pc", "bnlearn mmhc"]
    by_cell = {(r["tool"], r["network"], r["rows"]): r for r in rows + recorded}
    for size in options.rows:
        lines += [f"## {size} rows", ""]
        for title, show in (("Seconds", lambda r: f"{float(r['seconds']):.4g}"), ("Peak memory, MB", lambda r: f"{r['peak_mb']:.0f}"),
                            ("SHD (edges found + extra edges)", lambda r: f"{r['shd']} ({r['skeleton_tp']}+{r['skeleton_fp']})")):
            lines += [title + ":", "", "| network | " + " | ".join(tools) + " |", "|---" * (len(tools) + 1) + "|"]
            for network in options.networks:
                cells = [by_cell.get((tool, network, size), {}) for tool in tools]
                wanted = "peak_mb" if "memory" in title else "seconds"
                lines.append(f"| {network} | " + " | ".join(show(c) if c.get(wanted) is not None else "–" for c in cells) + " |")
            lines.append("")
        lines += ["Ratios of the seconds, geometric mean over the networks that both finished:", ""]
        for theirs, mine in RATIOS:
            pairs = [[by_cell.get((tool, n, size), {}).get("seconds") for tool in (theirs, mine)] for n in options.networks]
            ratios = [float(a) / float(b) for a, b in pairs if a and b]
            if ratios:
                lines.append(f"- {theirs} / {mine}: {geometric_mean(ratios):.1f} × over {len(ratios)} networks "
                             f"({min(ratios):.1f} to {max(ratios):.1f})")
        lines.append("")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder for raw.csv and tables.md")
    parser.add_argument("--data", type=Path, default=HERE.parent / "data", help="folder of NETWORK_ROWS.csv.gz")
    parser.add_argument("--binary", type=Path, default=HERE.parent.parent / "target/release/ossature")
    parser.add_argument("--networks", nargs="+", default=NETWORKS)
    parser.add_argument("--rows", nargs="+", type=int, default=[500, 5000])
    parser.add_argument("--limit", type=float, default=120, help="seconds for one run of a peer")
    parser.add_argument("--machine", default=platform.processor() or platform.machine())
    parser.add_argument("--without-peers", action="store_true", help="only ossature and the recorded figures")
    options = parser.parse_args()
    python = None if options.without_peers else peers_python()
    with open(HERE / "bnlearn.csv") as recorded_file:
        recorded = [{**r, "tool": "bnlearn " + r["learner"], "rows": int(r["rows"]), "seconds": r["cpu_seconds"]}
                    for r in csv.DictReader(recorded_file)]
    rows = []
    for network in options.networks:
        for size in options.rows:
            data = options.data / f"{network}_{size}.csv.gz"
            for tool in [*OURS, *([] if options.without_peers else PEERS)]:
                result = ours(options.binary, tool, network, data) if tool in OURS else peer(options.binary, python, tool, network, data, options.limit)
                rows.append({"tool": tool, "network": network, "rows": size, **result})
                print(rows[-1], file=sys.stderr, flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    with open(options.out / "raw.csv", "w", newline="") as out:
        writer = csv.DictWriter(out, FIELDS)
        writer.writeheader()
        writer.writerows(rows)
    (options.out / "tables.md").write_text(report(rows, recorded, options))


if __name__ == "__main__":
    main()
