"""Times ossature beside its peers, on one thread of one machine and in one run.

    cargo build --release
    python3 bench/peers/run.py --out bench/runs/DATE-peers [--before OLD_BINARY]

Our learners run with one tie order, which is the paper's search, and with the default of ten; an older binary, if one is given, runs
beside the new one. PyBNesian's MMHC and hill climbing, pyAgrum's hill climbing, tabu search and MIIC, causal-learn's GES and PC and pgmpy's GES
get the same files, in a virtual environment beside this script; `--tools` runs some of them, which for accuracy is
`--tools best h2pc pybnesian-hc pyagrum-tabu pyagrum-miic causal-learn-ges causal-learn-pc pgmpy-ges --runs 1`. Every figure is the learning alone, without reading and without making the peers' own tables, and the least of several runs: CPU time
of one thread. A peer that takes more than ten seconds runs once.

bnlearn cannot be installed from a package registry. Its figures in bnlearn.csv were recorded on another machine: they are shown beside the others and
enter no ratio.

    python3 bench/peers/run.py --table RAW.csv [RAW.csv ...]

makes the tables again, and refuses files of different commits or machines.
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
ONE = ["--tie-orders", "1"]
OURS = {
    "h2pc": ["--learner", "h2pc", *ONE],
    "h2pc-default": ["--learner", "h2pc"],
    "mmhc": ["--learner", "mmhc", *ONE],
    "mmhc-default": ["--learner", "mmhc"],
    "mmpc": ["--learner", "mmpc"],
    "hc": ["--learner", "hc", *ONE],
    "hc-default": ["--learner", "hc"],
    "tabu": ["--learner", "tabu", *ONE],
    "tabu-default": ["--learner", "tabu"],
    "best": ["--learner", "best"],
    "best-quick": ["--learner", "best-quick"],
    "ges": ["--learner", "ges"],
    "pc": ["--learner", "pc"],
}
PEERS = ["pybnesian-mmhc", "pybnesian-hc", "pyagrum-hc", "pyagrum-tabu", "pyagrum-miic", "causal-learn-ges", "causal-learn-pc", "pgmpy-ges"]
FIELDS = "tool,network,rows,seconds,peak_mb,skeleton_tp,skeleton_fp,skeleton_fn,shd,tests,note,commit,machine".split(",")
# A run that is repeated takes at most so long.
QUICK = 10.0
RUNS = 5


def commit():
    """The commit that is measured; a tree with changes says so."""
    git = lambda *words: subprocess.run(["git", "-C", HERE, *words], capture_output=True, text=True, check=True).stdout.strip()
    return git("rev-parse", "--short", "HEAD") + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


def machine():
    """The processor, its cores and the system."""
    name = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        name = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), name)
    return f"{name}, {os.cpu_count()} cores, {platform.system()}"


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
    command = [binary, "learn", data, "--levels", network, *OURS[tool], "--threads", "1", "--json", "--quiet"]
    text, note, peak = measured(command)
    if text is None:
        sys.exit(f"{' '.join(map(str, command))}: {note}")
    run = json.loads(text)
    return run["seconds"]["total"], run, peak


def peer(python, tool, data, limit, arcs):
    text, note, peak = measured([python, HERE / "worker.py", tool, data, arcs], limit)
    return (None, note, peak) if text is None else (float(text), None, peak)


def compared(binary, network, structure):
    """How near a structure is to the truth."""
    result = subprocess.run([binary, "compare", network, structure, "--json"], check=True, capture_output=True)
    result = json.loads(result.stdout)
    return {"shd": result["shd"], **{f"skeleton_{k}": result["skeleton"][k] for k in ("tp", "fp", "fn")}}


def cell(options, python, network, size):
    """A row for each tool on one file. The tools take turns, so that none has the quiet minutes for itself."""
    data = options.data / f"{network}_{size}.csv.gz"
    binaries = {"": options.binary, **({"before " : options.before} if options.before else {})}
    known = lambda tool: not options.tools or tool in options.tools
    mine = [(prefix, tool) for tool in OURS if known(tool) for prefix in binaries]
    tools = [*mine, *(("", tool) for tool in PEERS if python and known(tool))]
    rows, done = {}, set()
    with tempfile.TemporaryDirectory() as folder:
        arcs = Path(folder) / "arcs.csv"
        for _ in range(options.runs):
            for prefix, tool in tools:
                name = prefix + tool
                if name in done:
                    continue
                if tool in OURS:
                    seconds, run, peak = ours(binaries[prefix], tool, network, data)
                    answer = {"tests": run["tests"]["asked"] if run["tests"] else 0}
                    rows.setdefault(name, {}).update(answer)
                    edges = run["arcs"] or run["skeleton"]
                    with open(arcs, "w", newline="") as out:
                        csv.writer(out).writerows([("from", "to"), *edges])
                else:
                    seconds, note, peak = peer(python, tool, data, options.limit, arcs)
                    if seconds is None:
                        rows[name] = {"note": note}
                        done.add(name)
                        continue
                row = rows.setdefault(name, {})
                if "shd" not in row and tool != "mmpc":
                    row.update(compared(options.binary, network, arcs))
                row["seconds"] = min(seconds, row.get("seconds", math.inf))
                row["peak_mb"] = min(peak, row.get("peak_mb", math.inf))
                row["note"] = "one run" if seconds > QUICK else f"least of {options.runs}"
                if seconds > QUICK:
                    done.add(name)
    fixed = {"network": network, "rows": size, "commit": commit(), "machine": machine()}
    return [{"tool": tool, **fixed, **row} for tool, row in rows.items()]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


# What is compared with what, by the tools' names.
RATIOS = [("pybnesian-mmhc", "mmhc"), ("pybnesian-mmhc", "mmhc-default"), ("pyagrum-hc", "hc"), ("pyagrum-hc", "hc-default"),
          ("pyagrum-tabu", "tabu"), ("pyagrum-tabu", "tabu-default"), ("causal-learn-ges", "ges"), ("pgmpy-ges", "ges"), ("causal-learn-pc", "pc"), *((f"before {tool}", tool) for tool in OURS),
          *((f"{tool}-default", tool) for tool in ("h2pc", "mmhc", "hc", "tabu"))]


def tables(rows, recorded):
    """The tables in Markdown; rows of several commits or machines make none."""
    for what in ("commit", "machine"):
        if len(found := sorted({row[what] for row in rows})) > 1:
            sys.exit(f"these rows are of more than one {what}: {'; '.join(found)}. Figures of one run make a table.")
    lines = [f"Commit {rows[0]['commit']} on {rows[0]['machine']}. Seconds of learning, one thread, least of several runs.", ""]
    tools = list(dict.fromkeys(row["tool"] for row in rows))
    networks = list(dict.fromkeys(row["network"] for row in rows))
    by_cell = {(r["tool"], r["network"], int(r["rows"])): r for r in rows + recorded}
    shows = {"Milliseconds": ("seconds", lambda r: f"{1000 * float(r['seconds']):.4g}"),
             "Peak memory of the process, MB": ("peak_mb", lambda r: f"{float(r['peak_mb']):.0f}"),
             "SHD (edges found + extra edges)": ("shd", lambda r: f"{r['shd']} ({r['skeleton_tp']}+{r['skeleton_fp']})")}
    old = [tool for tool in ("bnlearn h2pc", "bnlearn mmhc")]
    for size in sorted({int(row["rows"]) for row in rows}):
        lines += [f"## {size} rows", ""]
        for title, (wanted, show) in shows.items():
            lines += [title + ":", "", "| tool | " + " | ".join(networks) + " |", "|---" * (len(networks) + 1) + "|"]
            for tool in [*tools, *old]:
                cells = [by_cell.get((tool, network, size), {}) for network in networks]
                name = f"{tool}, recorded on another machine" if tool in old else tool
                if any(cell.get(wanted) for cell in cells):
                    lines.append(f"| {name} | " + " | ".join(show(c) if c.get(wanted) not in (None, "") else "–" for c in cells) + " |")
            lines.append("")
        lines += ["Ratios of the seconds, geometric mean over the networks that both finished:", ""]
        for theirs, mine in RATIOS:
            pairs = [[by_cell.get((tool, n, size), {}).get("seconds") for tool in (theirs, mine)] for n in networks]
            ratios = [float(a) / float(b) for a, b in pairs if a and b]
            if ratios:
                lines.append(f"- {theirs} / {mine}: {geometric_mean(ratios):.2f} × over {len(ratios)} networks "
                             f"({min(ratios):.2f} to {max(ratios):.2f})")
        lines.append("")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="folder for raw.csv and tables.md")
    parser.add_argument("--table", type=Path, nargs="+", metavar="RAW", help="files whose rows make the tables; nothing is run")
    parser.add_argument("--data", type=Path, default=HERE.parent / "data", help="folder of NETWORK_ROWS.csv.gz")
    parser.add_argument("--binary", type=Path, default=HERE.parent.parent / "target/release/ossature")
    parser.add_argument("--before", type=Path, help="an older binary, to run beside")
    parser.add_argument("--networks", nargs="+", default=NETWORKS)
    parser.add_argument("--rows", nargs="+", type=int, default=[500, 5000])
    parser.add_argument("--limit", type=float, default=120, help="seconds for one run of a peer")
    parser.add_argument("--tools", nargs="+", help="only these of ours and of the peers")
    parser.add_argument("--runs", type=int, default=RUNS, help="how often each tool runs, if it is quick")
    parser.add_argument("--without-peers", action="store_true", help="only ossature")
    options = parser.parse_args()
    with open(HERE / "bnlearn.csv") as recorded_file:
        recorded = [{**r, "tool": "bnlearn " + r["learner"], "seconds": r["cpu_seconds"]} for r in csv.DictReader(recorded_file)]
    if options.table:
        rows = [row for path in options.table for row in csv.DictReader(open(path, newline=""))]
        print(tables(rows, recorded))
        return
    if not options.out:
        parser.error("--out or --table is needed")
    python = None if options.without_peers else peers_python()
    rows = []
    for network in options.networks:
        for size in options.rows:
            rows += cell(options, python, network, size)
            print(f"{network} {size}", file=sys.stderr, flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    with open(options.out / "raw.csv", "w", newline="") as out:
        writer = csv.DictWriter(out, FIELDS)
        writer.writeheader()
        writer.writerows(rows)
    (options.out / "tables.md").write_text(tables(rows, recorded))


if __name__ == "__main__":
    main()
