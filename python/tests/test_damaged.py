"""Damaged files: an error, and nothing printed before it."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

# Reads every file, and prints how many of them were refused.
READ_ALL = """
import pathlib, sys
import ossature
refused = 0
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    try:
        ossature.read_table(path)
    except (ossature.OssatureError, OSError):
        refused += 1
print(refused)
"""


@pytest.mark.parametrize("extension", ["parquet", "arrow"])
def test_a_damaged_file_is_refused_and_nothing_else_is_printed(tmp_path: Path, extension: str) -> None:
    whole = tmp_path / f"whole.{extension}"
    table = pyarrow.table({"a": ["x", "y", None] * 40, "b": [1, 2, 3] * 40, "c": [0.5, 1.5, 2.5] * 40})
    if extension == "parquet":
        pyarrow.parquet.write_table(table, whole)
    else:
        pyarrow.feather.write_feather(table, whole, compression="uncompressed")
    content = whole.read_bytes()
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    draw = random.Random(1)
    for number in range(150):
        changed = bytearray(content)
        for _ in range(draw.randrange(1, 6)):
            changed[draw.randrange(len(changed))] = draw.randrange(256)
        end = draw.randrange(len(changed)) if number % 5 == 0 else len(changed)
        (damaged / f"{number}.{extension}").write_bytes(changed[:end])
    command = [sys.executable, "-c", READ_ALL, str(damaged)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    # Some changes only affect values or unused bytes; a truncated file is always refused.
    assert int(run.stdout) >= 30
