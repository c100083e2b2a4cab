"""Fixtures that several tests use: small tables whose structure is known."""

from __future__ import annotations

import gzip
import pathlib
import signal

import pytest

import ossature

# If the tests run in the background, interrupts may be ignored, and every child process would ignore them too.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = pathlib.Path(__file__).resolve().parents[2]

PATIENCE = 1200
"""Seconds after which something that hangs is a failure; no load makes an event take this long."""


@pytest.fixture(scope="session")
def asia() -> ossature.Network:
    return ossature.load_network("asia")


@pytest.fixture(scope="session")
def rows(asia: ossature.Network) -> ossature.Table:
    return asia.sample(1000, seed=1)


@pytest.fixture(scope="session")
def alarm_csv(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A file that both the command and pandas read."""
    path = tmp_path_factory.mktemp("data") / "alarm.csv"
    path.write_bytes(gzip.decompress((ROOT / "bench/data/alarm_500.csv.gz").read_bytes()))
    return path
