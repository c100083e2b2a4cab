"""Tables of what `cargo run --release --example held_out` printed.

    python bench/heldout/table.py rows.csv

For each structure and number of training rows: by network the mean log-likelihood of a new row with the
prior backoff, and how much better that is than each other prior; nats a row, the mean over the seeds.
"""

import collections
import csv
import sys


def main():
    found = collections.defaultdict(list)
    networks, sizes, structures, priors = [], [], [], []
    for row in csv.DictReader(open(sys.argv[1], encoding="utf-8")):
        for names, key in ((networks, "network"), (sizes, "rows"), (structures, "structure"), (priors, "prior")):
            if row[key] not in names:
                names.append(row[key])
        place = (row["structure"], row["rows"], row["network"], row["seed"])
        found[place].append((row["prior"], float(row["log_likelihood"])))
    for structure in structures:
        for other in [prior for prior in priors if prior != "backoff"]:
            print(f"\nStructure: {structure}; backoff less {other}, nats a row\n")
            print("| rows | " + " | ".join(networks) + " | mean | wins |\n|---" * 1 + "|---" * (len(networks) + 2) + "|")
            for rows in sizes:
                gains, wins, total = [], 0, 0
                for network in networks:
                    of = [dict(v) for k, v in found.items() if k[:3] == (structure, rows, network)]
                    each = [v["backoff"] - v[other] for v in of]
                    gains.append(sum(each) / len(each))
                    wins, total = wins + sum(gain > 0 for gain in each), total + len(each)
                figures = [f"{gain:+.3f}" for gain in [*gains, sum(gains) / len(gains)]]
                print(f"| {rows} | " + " | ".join(figures) + f" | {wins} of {total} |")


main()
