"""Measures how long reading takes: python measure.py FOLDER ROUNDS NAME=COMMAND [NAME=COMMAND …]

FOLDER has the tables of make.py. Each COMMAND is a binary of ossature; they take turns in every round. `test` reads a table and makes one
test, so its time is that of reading; `neighbours` also learns. Prints CSV: time on the clock, processor time of all
threads, the largest memory of the process, and the answer.
"""

import hashlib
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


def measure(binary: str, table: Path, command: str, words: tuple[str, ...], threads: int) -> tuple[float, float, float, str]:
    begin = time.perf_counter()
    process = subprocess.Popen(
        [binary, command, str(table), *words, "--threads", str(threads), "-q"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    out = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    answer = hashlib.sha256(out).hexdigest()[:8] if status == 0 else "refused"
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / 1e6, answer


if __name__ == "__main__":
    folder, rounds = Path(sys.argv[1]), int(sys.argv[2])
    binaries = dict(word.split("=", 1) for word in sys.argv[3:])
    print("task,threads,binary,round,seconds,cpu_seconds,peak_mb,answer", flush=True)
    for turn in range(rounds):
        for task, (command, *words) in TASKS.items():
            for threads in (1, 2):
                for name, binary in binaries.items():
                    table = folder / task.removeprefix("neighbours ")
                    seconds, cpu, peak, answer = measure(binary, table, command, tuple(words), threads)
                    print(f"{task},{threads},{name},{turn},{seconds:.2f},{cpu:.2f},{peak:.0f},{answer}", flush=True)
