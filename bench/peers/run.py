"""Times ossature beside its peers, on one thread of one machine and in one run.

    cargo build --release
    python3 bench/peers/run.py --out bench/runs/DATE-peers

ossature (h2pc, mmhc, tabu; one tie order), PyBNesian's MMHC and pyAgrum's hill climbing and tabu search run on the same files;
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
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
NETWORKS = ["child", "insurance", "mildew", "alarm", "hailfinder", "munin1", "pigs", "link"]
OURS = ["h2pc", "mmhc", "tabu"]
PEERS = ["pybnesian-mmhc", "pyagrum-hc", "pyagrum-tabu"]
FIELDS = "tool,network,rows,seconds,peak_mb,skeleton_tp,skeleton_fp,skeleton_fn,shd,note".split(",")


def peers_python():
    """The interpreter of the peers' own environment, made when it is not there."""
    home = HERE / ".venv"
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(home, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", HERE / "requirements.txt"], check=True)
    return python


def timed(command, limit):
    """Runs a command; returns its output, or None and why there is none."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        try:
            child.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            return None, f"not done after {limit} s"
        out.seek(0)
        text = out.read().decode()
    return (text, "") if child.returncode == 0 else (None, f"exit code {child.returncode}")


def peak_mb(command):
    """The peak resident memory of a command, measured by a child of its own."""
    script = (
        "import resource,subprocess,sys\n"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"
    )
    return float(subprocess.run([sys.executable, "-c", script, *map(str, command)], capture_output=True, text=True).stdout)


def ours(binary, learner, network, data):
    command = [binary, "learn", data, "--levels", network, "--truth", network, "--learner", learner,
               "--tie-orders", "1", "--threads", "1", "--json", "--quiet"]
    runs = [json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(3)]
    best = min(runs, key=lambda run: run["seconds"]["total"])
    truth = best["truth"]
    return {"seconds": best["seconds"]["total"], "peak_mb": round(peak_mb(command), 1), "shd": truth["shd"],
            **{f"skeleton_{k}": truth["skeleton"][k] for k in ("tp", "fp", "fn")}, "note": "fastest of 3"}


def peer(binary, python, tool, network, data, limit):
    with tempfile.TemporaryDirectory() as folder:
        arcs = Path(folder) / "arcs.csv"
        text, note = timed([python, HERE / "worker.py", tool, data, arcs], limit)
        if text is None:
            return {"note": note}
        compared = subprocess.run([binary, "compare", network, arcs, "--json"], check=True, capture_output=True)
        result = json.loads(compared.stdout)
    return {"seconds": float(text), "shd": result["shd"],
            **{f"skeleton_{k}": result["skeleton"][k] for k in ("tp", "fp", "fn")}}


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def report(rows, recorded, options):
    seconds = {(r["tool"], r["network"], r["rows"]): r.get("seconds") for r in rows}
    lines = [f"Machine: {options.machine}; Python {platform.python_version()}.", ""]
    for size in options.rows:
        lines += [f"## {size} rows", "", "| network | " + " | ".join(OURS + PEERS) + " | bnlearn h2pc | ratio | bnlearn mmhc | ratio |",
                  "|---" * (len(OURS + PEERS) + 5) + "|"]
        ratios = {"bnlearn h2pc / h2pc": [], "bnlearn mmhc / mmhc": [], "pybnesian mmhc / mmhc": [], "pyagrum tabu / tabu": [], "pyagrum hc / tabu": []}
        for network in options.networks:
            mine = {t: seconds.get((t, network, size)) for t in OURS + PEERS}
            cells = [f"{mine[t]:.4f}" if mine[t] else "–" for t in OURS + PEERS]
            for learner in ("h2pc", "mmhc"):
                theirs = recorded[(learner, network, size)]
                cells += [f"{theirs:.3f}", f"{theirs / mine[learner]:.0f} ×"]
                ratios[f"bnlearn {learner} / {learner}"].append(theirs / mine[learner])
            for name, a, b in (("pybnesian mmhc / mmhc", "pybnesian-mmhc", "mmhc"), ("pyagrum tabu / tabu", "pyagrum-tabu", "tabu"), ("pyagrum hc / tabu", "pyagrum-hc", "tabu")):
                if mine[a] and mine[b]:
                    ratios[name].append(mine[a] / mine[b])
            lines.append(f"| {network} | " + " | ".join(cells) + " |")
        lines += ["", "Geometric means of the ratios (networks that both finished):", ""]
        lines += [f"- {name}: {geometric_mean(v):.1f} × over {len(v)} networks" for name, v in ratios.items()]
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
    recorded = {(r["learner"], r["network"], int(r["rows"])): float(r["cpu_seconds"])
                for r in csv.DictReader(open(HERE / "bnlearn.csv"))}
    rows = []
    for network in options.networks:
        for size in options.rows:
            data = options.data / f"{network}_{size}.csv.gz"
            for tool in OURS + ([] if options.without_peers else PEERS):
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
