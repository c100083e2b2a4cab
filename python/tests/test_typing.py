"""mypy and pyright report no problems in the package and its use."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest
from conftest import PATIENCE

ROOT = pathlib.Path(__file__).resolve().parents[2]


CHECKERS = {"mypy": [], "pyright": ["--pythonpath", sys.executable]}


@pytest.mark.parametrize("checker", CHECKERS)
def test_types(checker: str) -> None:
    command = [sys.executable, "-m", checker, *CHECKERS[checker]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stubs_say_what_the_module_has() -> None:
    command = [sys.executable, "-m", "mypy.stubtest", "ossature._ossature"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
