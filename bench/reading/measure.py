"""Measures how long reading takes: python measure.py FOLDER ROUNDS NAME=COMMAND [NAME=COMMAND …] [-- TASK …]

FOLDER has the tables of make.py. Each COMMAND is a binary of ossature; they take turns in every round, with one thread and with two, or with
one only if NAME ends in @1. `test` reads a table and makes one test, so its time is that of reading; `neighbours` also learns. Prints
CSV: time on the clock, processor time of all threads, the largest memory of the process, and the answer.
"""

import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

TASKS = {
    "long.csv": ("test", "HR", "BP"),
    "long.parquet": ("test", "HR", "BP"),
    "long": ("test", "HR", "BP"),
    "wide.csv": ("test", "v00001", "v00010"),
    "wide.parquet": ("test", "v00001", "v00010"),
    "neighbours wide.csv": ("neighbours", "--target", "v00010"),
    "neighbours wide.parquet": ("neighbours", "--target", "v00010"),
}


def untimed(found):
    """An answer without the times it took."""
    return {key: value for key, value in found.items() if key != "seconds"}


def measure(binary: str, table: Path, command: str, words: tuple[str, ...], threads: int) -> tuple[float, float, float, str]:
    begin = time.perf_counter()
    process = subprocess.Popen(
        [binary, command, str(table), *words, "--threads", str(threads), "--json", "-q"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    out = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    answer = hashlib.sha256(json.dumps(untimed(json.loads(out))).encode()).hexdigest()[:8] if status == 0 else "refused"
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / 1e6, answer


if __name__ == "__main__":
    folder, rounds, words = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    tasks = words[words.index("--") + 1 :] if "--" in words else list(TASKS)
    binaries = dict(word.split("=", 1) for word in words if "=" in word)
    print("task,threads,binary,round,seconds,cpu_seconds,peak_mb,answer", flush=True)
    for turn in range(rounds):
        for task in tasks:
            command, *rest = TASKS[task]
            for threads in (1, 2):
                for name, binary in binaries.items():
                    if name.endswith("@1") and threads > 1:
                        continue
                    table = folder / task.removeprefix("neighbours ")
                    seconds, cpu, peak, answer = measure(binary, table, command, tuple(rest), threads)
                    name = name.removesuffix("@1")
                    print(f"{task},{threads},{name},{turn},{seconds:.2f},{cpu:.2f},{peak:.0f},{answer}", flush=True)
