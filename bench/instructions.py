"""Instructions for one test, by kernel: counted by callgrind, so they repeat on any machine.

    cargo build --release -p ossature --features bench-internals --example kernel_grid
    python3 bench/instructions.py > instructions.csv

The same work is done 2 and 12 times; the difference is what ten turns take, without setting up. Callgrind knows no AVX-512.
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "target/release/examples/kernel_grid"
SHAPES = [("headline", order) for order in range(4)] + [("munin1", order) for order in range(3)]
CONTENDERS = ["naive", "Portable", "Avx2"]


def count(contender, section, order, turns):
    """The instructions of a run and the tests it made."""
    with tempfile.NamedTemporaryFile() as profile:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile.name}", PROGRAM, "work", contender, section, order, turns]
        tests = int(subprocess.run(map(str, command), check=True, capture_output=True, text=True).stdout)
        total = next(line for line in open(profile.name) if line.startswith("summary:"))
    return int(total.split()[1]), tests


def main():
    writer = csv.writer(sys.stdout)
    writer.writerow(["section", "order", "contender", "instructions_per_test", "times_naive"])
    for section, order in SHAPES:
        naive = None
        for contender in CONTENDERS:
            (few, few_tests), (many, many_tests) = (count(contender, section, order, turns) for turns in (2, 12))
            each = (many - few) / (many_tests - few_tests)
            naive = naive or each
            writer.writerow([section, order, contender, round(each), round(naive / each, 1)])
            sys.stdout.flush()


if __name__ == "__main__":
    main()
