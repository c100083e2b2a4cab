"""A wide table to measure with: families of ten variables of three levels, each a child of the two before it."""

from __future__ import annotations

import numpy as np


def families(variables: int, rows: int) -> dict[str, np.ndarray]:
    """The columns, the same each time."""
    random = np.random.default_rng(1)
    columns: dict[str, np.ndarray] = {}
    before = [np.zeros(rows, np.int64), np.zeros(rows, np.int64)]
    for v in range(variables):
        source, codes = random.integers(0, 10, rows), random.integers(0, 3, rows)
        if v % 10 > 0:
            codes = np.where(source < 4, before[1], codes)
        if v % 10 > 1:
            codes = np.where((source >= 4) & (source < 7), before[0], codes)
        columns[f"v{v:06}"] = codes
        before = [before[1], codes]
    return columns
