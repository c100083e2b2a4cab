"""The package with only numpy installed."""

from __future__ import annotations

import subprocess
import sys

from conftest import PATIENCE

BARE = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {refused}:
            raise ImportError(name + " is not there")

sys.meta_path.insert(0, Refuse())
import numpy as np
import ossature

table = ossature.load_network("asia").sample(1000, seed=1)
dag = ossature.h2pc(table)
assert ossature.h2pc({{name: table.labels(name).tolist() for name in table.columns}}) == dag
assert ossature.h2pc(ossature.Table(table.to_numpy(), names=table.columns)) == dag
learner = ossature.H2PC(progress=True).fit(table)
assert learner.get_params()["alpha"] == 0.05
assert learner.fit_parameters(table).log_likelihood(table).sum() < 0
assert len(dag.to_svg()) > 100 and "digraph" in dag.to_dot()
for out in (table.to_pandas, table.to_arrow, table.to_polars, dag.to_pandas, dag.to_networkx,):
    try:
        out()
    except ImportError as e:
        assert "is not there" in str(e)
    else:
        raise AssertionError(out)
for ask in (
    lambda client: learner.fit(table, client=client),
    lambda client: ossature.bootstrap(table, 2, client=client),
    lambda client: ossature.cross_validate(table, learner, client=client),
    lambda client: ossature.neighbours(table, ["xray"], client=client),
    lambda client: ossature.cluster.study(client=client, out="nowhere"),
):
    try:
        ask("a client")
    except ImportError as e:
        assert "pip install 'ossature[cluster]'" in str(e), e
    else:
        raise AssertionError(ask)
{more}
print(dag)
"""

ALL = ["pandas", "pyarrow", "polars", "networkx", "sklearn", "tqdm", "scipy", "dask", "distributed"]
# pandas alone: its columns are converted one by one, and none of them needs pyarrow.
WITH_PANDAS = """
import pandas as pd
frame = table.to_pandas()
strings = pd.DataFrame({name: pd.Series(table.labels(name), dtype=object) for name in table.columns})
for given in (frame, strings, strings == "yes", (strings == "yes").astype(int), (strings == "yes").astype("boolean")):
    assert ossature.h2pc(given) == dag
assert ossature.Table(frame) == table
"""


def run(refused: list[str], more: str = "") -> str:
    code = BARE.format(refused=set(refused), more=more)
    if "pandas" not in refused:
        code = code.replace("(table.to_pandas, table.to_arrow, table.to_polars, dag.to_pandas, ", "(")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_numpy_alone() -> None:
    assert run(ALL).startswith("Dag of 8 nodes, 6 arcs\n")


def test_pandas_without_pyarrow() -> None:
    assert run([name for name in ALL if name != "pandas"], WITH_PANDAS).startswith("Dag of 8 nodes")
