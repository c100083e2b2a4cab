"""Makes the tables that measure.py reads: python make.py OSSATURE FOLDER [ROWS]

Long: ROWS rows (10,000,000) of alarm, 37 columns, drawn by the command given as OSSATURE. Wide: 1000 rows of 100,000
columns of three levels, where the first ten columns are noisy copies of the eleventh. Each as CSV and as Parquet, the long
one also as ten files of Parquet. Needs numpy and pyarrow.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

WIDE = 100_000


def long(ossature: str, folder: Path, rows: int) -> None:
    text = folder / "long.csv"
    subprocess.run([ossature, "sample", "alarm", "-n", str(rows), "--seed", "1", "-o", str(text)], check=True)
    parts = folder / "long"
    parts.mkdir(exist_ok=True)
    writer, part, written, number = None, None, 0, 0
    for batch in pc.open_csv(text, read_options=pc.ReadOptions(block_size=1 << 26)):
        # Booleans would be written as true and false; the labels of alarm are TRUE and FALSE.
        batch = pa.record_batch([c.cast(pa.string()) if c.type != pa.bool_() else upper(c) for c in batch.columns], batch.schema.names)
        writer = writer or pq.ParquetWriter(folder / "long.parquet", batch.schema)
        if part is None or written * 10 >= number * rows:
            if part is not None:
                part.close()
            part = pq.ParquetWriter(parts / f"part-{number:02}.parquet", batch.schema)
            number += 1
        writer.write_batch(batch)
        part.write_batch(batch)
        written += batch.num_rows
    writer.close()
    part.close()


def upper(column: pa.Array) -> pa.Array:
    return pa.array(np.where(column.to_numpy(zero_copy_only=False), "TRUE", "FALSE"))


def wide(folder: Path) -> None:
    random = np.random.default_rng(1)
    codes = random.integers(0, 3, size=(1000, WIDE), dtype=np.uint8)
    for column in range(10):
        same = random.random(1000) < 0.8 - 0.05 * column
        codes[same, column] = codes[same, 10]
    names = [f"v{column:05}" for column in range(WIDE)]
    letters = np.array([b"a", b"b", b"c"], dtype="S1")
    with open(folder / "wide.csv", "wb") as out:
        out.write(",".join(names).encode() + b"\n")
        for row in codes:
            fields = np.full(2 * WIDE, ord(","), dtype=np.uint8)
            fields[::2] = letters[row].view(np.uint8)
            fields[-1] = ord("\n")
            out.write(fields.tobytes())
    levels = np.array(["a", "b", "c"], dtype=object)
    columns = [pa.array(levels[codes[:, column]], pa.string()) for column in range(WIDE)]
    pq.write_table(pa.table(columns, names=names), folder / "wide.parquet")


if __name__ == "__main__":
    ossature, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    wide(folder)
    long(ossature, folder, int(sys.argv[3]) if len(sys.argv) > 3 else 10_000_000)
