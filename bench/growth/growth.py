"""How the time of a learner grows with the rows and with the variables, on one thread.

    python bench/growth/growth.py OSSATURE FOLDER [learner ...]

Rows: alarm, drawn with seed 1. Variables: families of ten variables of three levels, each a child of the two before it
(bench/families.py), with 1000 rows. The seconds are those that the report has for learning. Writes growth.csv and
growth.svg into the folder; the exponent is the slope between the last two points, of log seconds over log size.
"""

from __future__ import annotations

import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from families import families  # noqa: E402

ROWS = [1_000, 10_000, 100_000, 1_000_000, 10_000_000]
VARIABLES = [300, 1_000, 3_000]


def written(variables: int, rows: int, path: pathlib.Path) -> None:
    columns = families(variables, rows)
    with path.open("w") as file:
        file.write(",".join(columns) + "\n")
        np.savetxt(file, np.column_stack(list(columns.values())), fmt="%d", delimiter=",")


def seconds(ossature: str, learner: str, words: list[str]) -> tuple[float, int]:
    command = [ossature, "learn", *words, "--learner", learner, "--threads", "1", "--quiet", "--json"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return report["seconds"]["total"], len(report["skeleton"] or report["arcs"])


def main() -> None:
    ossature, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    learners = sys.argv[3:] or ["h2pc", "mmhc"]
    found: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as temporary:
        for by, sizes in (("rows", ROWS), ("variables", VARIABLES)):
            for size in sizes:
                words = ["alarm", "--rows", str(size), "--seed", "1"]
                if by == "variables":
                    path = pathlib.Path(temporary) / f"{size}.csv"
                    written(size, 1000, path)
                    words = [str(path)]
                for learner in learners:
                    took, edges = min(seconds(ossature, learner, words) for _ in range(3 if size < 100_000 else 1))
                    found.append({"by": by, "learner": learner, "size": size, "seconds": f"{took:.4f}", "edges": edges})
                    print(found[-1], flush=True)
    with (folder / "growth.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(found[0]))
        writer.writeheader()
        writer.writerows(found)
    (folder / "growth.svg").write_text(drawn(found, learners))


def drawn(found: list[dict[str, object]], learners: list[str]) -> str:
    """Two plots side by side, both axes logarithmic, with the exponent at the end of each line."""
    colours = ["#1f5fa8", "#c2571a", "#3a7d44", "#7a3b8f"]
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="860" height="380" font-family="sans-serif" font-size="13">',
             '<rect width="860" height="380" fill="white"/>']
    for panel, by in enumerate(("rows", "variables")):
        points = [row for row in found if row["by"] == by]
        xs = [math.log10(float(row["size"])) for row in points]
        ys = [math.log10(float(row["seconds"])) for row in points]
        low_x, high_x, low_y, high_y = min(xs), max(xs), math.floor(min(ys)), math.ceil(max(ys))
        left, top, width, height = 70 + 430 * panel, 40, 250, 270
        at_x = lambda x: left + width * (x - low_x) / (high_x - low_x)  # noqa: E731
        at_y = lambda y: top + height * (high_y - y) / (high_y - low_y)  # noqa: E731
        parts.append(f'<text x="{left}" y="22" font-weight="bold">seconds by {by}, one thread</text>')
        parts.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#888"/>')
        for y in range(low_y, high_y + 1):
            parts.append(f'<line x1="{left}" x2="{left + width}" y1="{at_y(y):.1f}" y2="{at_y(y):.1f}" stroke="#ddd"/>')
            parts.append(f'<text x="{left - 8}" y="{at_y(y) + 4:.1f}" text-anchor="end">{10.0**y:g}</text>')
        for size in sorted({int(str(row["size"])) for row in points}):
            parts.append(f'<text x="{at_x(math.log10(size)):.1f}" y="{top + height + 20}" text-anchor="middle">{size:,}</text>')
        for colour, learner in zip(colours, learners):
            line = sorted((float(row["size"]), float(row["seconds"])) for row in points if row["learner"] == learner)
            places = [(at_x(math.log10(x)), at_y(math.log10(y))) for x, y in line]
            (x0, y0), (x1, y1) = line[-2:]
            slope = math.log(y1 / y0) / math.log(x1 / x0)
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
            parts.extend(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places)
            x, y = places[-1]
            parts.append(f'<text x="{x + 8:.1f}" y="{y + 4:.1f}" fill="{colour}">{learner}: {slope:.2f}</text>')
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    main()
