"""Times the Python package beside its peers: the same frames, one thread, one machine, one run.

    python3 bench/python/run.py --out bench/runs/DATE-python

ossature, pgmpy, PyBNesian and pyAgrum learn from the same pandas frames of categoricals, each run in a process
of its own with a time limit. Seconds are CPU time of the learning alone, for ossature with the conversion of the
frame. The packages go into a virtual environment beside this script; the wheel is built for release unless
--wheel gives one. Also writes what the package costs over the library (overhead.py).
"""

import argparse
import csv
import json
import os
import platform
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "peers"))
from run import geometric_mean, measured  # noqa: E402

ROOT = HERE.parent.parent
NETWORKS = ["child", "insurance", "mildew", "alarm", "hailfinder", "munin1", "pigs", "link"]
OURS = ["ossature-h2pc", "ossature-mmhc", "ossature-hc", "ossature-tabu"]
PEERS = ["pgmpy-mmhc", "pgmpy-hc", "pybnesian-mmhc", "pyagrum-hc", "pyagrum-tabu"]
# Which of ours does the same as a peer.
PAIRS = [("pgmpy-mmhc", "ossature-mmhc"), ("pgmpy-hc", "ossature-hc"), ("pybnesian-mmhc", "ossature-mmhc"),
         ("pyagrum-hc", "ossature-hc"), ("pyagrum-tabu", "ossature-tabu")]
FIELDS = "tool,network,rows,seconds,shd,skeleton_tp,skeleton_fp,skeleton_fn,note".split(",")


def environment(wheel):
    """The folder with the programs of the environment, with everything installed."""
    home = HERE / ".venv"
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    if not programs.exists():
        venv.create(home, with_pip=True)
    pip = [programs / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "-r", HERE.parent / "peers/requirements.txt", "-r", HERE / "requirements.txt"], check=True)
    if wheel is None:
        wheels = ROOT / "target/bench-wheels"
        for old in wheels.glob("*.whl"):
            old.unlink()
        subprocess.run([programs / "maturin", "build", "--release", "--locked", "--out", wheels], cwd=ROOT, check=True)
        (wheel,) = wheels.glob("*.whl")
    subprocess.run([*pip, "--force-reinstall", "--no-deps", wheel], check=True)
    return programs


def learn(programs, tool, network, data, limit, runs):
    """The fastest of some runs, and how far its answer is from the truth."""
    best = None
    with tempfile.TemporaryDirectory() as folder:
        arcs = Path(folder) / "arcs.csv"
        for _ in range(runs):
            text, note, _ = measured([programs / "python", HERE.parent / "peers/worker.py", tool, data, arcs], limit)
            if text is None:
                return {"note": note}
            best = min(best or float("inf"), float(text.split()[-1]))
        compared = subprocess.run([programs / "ossature", "compare", network, arcs, "--json"], check=True, capture_output=True)
    result = json.loads(compared.stdout)
    return {"seconds": round(best, 5), "shd": result["shd"],
            **{f"skeleton_{k}": result["skeleton"][k] for k in ("tp", "fp", "fn")}}


def tables(rows, options):
    found = {(r["tool"], r["network"], r["rows"]): r for r in rows}
    tools = OURS + PEERS
    lines = []
    for size in options.rows:
        for title, cell in (
            ("CPU seconds", lambda r: f"{r['seconds']:.3f}"),
            ("SHD from the truth", lambda r: str(r["shd"])),
            ("edges right + superfluous, of all", lambda r: f"{r['skeleton_tp']}+{r['skeleton_fp']} of {r['skeleton_tp'] + r['skeleton_fn']}"),
        ):
            lines += [f"## {size} rows: {title}", "", "| network | " + " | ".join(tools) + " |", "|---" * (len(tools) + 1) + "|"]
            for network in options.networks:
                cells = [found[t, network, size] for t in tools]
                lines.append(f"| {network} | " + " | ".join(cell(r) if "seconds" in r else "–" for r in cells) + " |")
            lines.append("")
        lines += ["Geometric means of the times, peer by ours, over the networks that the peer finished:", ""]
        for peer, our in PAIRS:
            both = [(found[peer, n, size], found[our, n, size]) for n in options.networks]
            ratios = [a["seconds"] / b["seconds"] for a, b in both if "seconds" in a and "seconds" in b]
            mean = f"{geometric_mean(ratios):.1f} ×" if ratios else "–"
            lines.append(f"- {peer} / {our}: {mean} over {len(ratios)} of {len(both)}")
        lines.append("")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder for README.md, raw.csv and overhead.json")
    parser.add_argument("--wheel", type=Path, help="a release wheel; built when not given")
    parser.add_argument("--networks", nargs="+", default=NETWORKS)
    parser.add_argument("--rows", nargs="+", type=int, default=[500, 5000])
    parser.add_argument("--limit", type=float, default=120, help="seconds for one run")
    parser.add_argument("--runs", type=int, default=3, help="runs of ours, of which the fastest counts; peers run once")
    parser.add_argument("--machine", default=platform.processor() or platform.machine())
    options = parser.parse_args()
    programs = environment(options.wheel)
    rows = []
    for network in options.networks:
        for size in options.rows:
            data = HERE.parent / f"data/{network}_{size}.csv.gz"
            for tool in OURS + PEERS:
                runs = options.runs if tool in OURS else 1
                rows.append({"tool": tool, "network": network, "rows": size, **learn(programs, tool, network, data, options.limit, runs)})
                print(rows[-1], file=sys.stderr, flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    with open(options.out / "raw.csv", "w", newline="") as out:
        writer = csv.DictWriter(out, FIELDS)
        writer.writeheader()
        writer.writerows(rows)
    overhead = subprocess.run([programs / "python", HERE / "overhead.py"], check=True, capture_output=True, text=True).stdout
    (options.out / "overhead.json").write_text(overhead)
    ask = "from importlib.metadata import version as v; import sys; print(', '.join(f'{n} {v(n)}' for n in sys.argv[1:]))"
    packages = ["ossature", "pgmpy", "pybnesian", "pyagrum", "pandas", "numpy"]
    versions = subprocess.run([programs / "python", "-c", ask, *packages], check=True, capture_output=True, text=True).stdout.strip()
    head = ["# The Python package beside its peers", "",
            f"`python3 bench/python/run.py --out … --limit {options.limit:g} --runs {options.runs}`",
            "", f"Machine: {options.machine}; Python {platform.python_version()}; {versions}.",
            f"One thread. Ours: the fastest of {options.runs}; – is what did not end within {options.limit:g} s or failed (raw.csv says which).", ""]
    tail = ["## Overhead over the library", "", "```json", overhead.strip(), "```", ""]
    (options.out / "README.md").write_text("\n".join(head + tables(rows, options) + tail))


if __name__ == "__main__":
    main()
