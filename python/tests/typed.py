"""The package as a type checker sees it; checked by test_typing.py, and never run."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd
from typing_extensions import assert_type

import ossature


def use(frame: pd.DataFrame) -> None:
    learner = ossature.H2PC(alpha=0.01, criterion="bic", n_jobs=-1, whitelist=[("a", "b")])
    assert_type(learner.fit(frame), ossature.H2PC)
    assert_type(learner.dag_, ossature.Dag)
    assert_type(learner.cpdag_, ossature.Cpdag)
    assert_type(learner.skeleton_, ossature.Skeleton)
    assert_type(learner.score_, float)
    assert_type(learner.tests_.asked, int)
    assert_type(learner.adjacency_matrix_, ossature.Matrix)
    assert_type(learner.adjacency_matrix_.names, tuple[str, ...] | None)
    assert_type(learner.dag_.markov_blanket("a"), list[str])
    assert_type(learner.dag_.d_separated("a", "b", ["c"]), bool)
    assert_type(learner.to_html(), str)
    assert_type(learner.dag_.arcs, list[tuple[str, str]])
    assert_type(learner.dag_.to_pandas(), pd.DataFrame)
    assert_type(learner.fit_parameters(frame), ossature.Network)
    assert_type(ossature.HPC().fit(frame).skeleton_.edges, list[tuple[str, str]])
    assert_type(ossature.h2pc(frame), ossature.Dag)
    assert_type(ossature.mmpc(frame), ossature.Skeleton)
    assert_type(ossature.neighbours(frame, "a").parents_and_children, tuple[str, ...])
    assert_type(ossature.neighbours(frame, ["a", "b"]), list[ossature.Neighbourhood])
    assert_type(ossature.ci_test(frame, "a", "b", ["c"]).p, float)
    assert_type(ossature.score(frame, learner.dag_), float)
    assert_type(ossature.shd(learner.dag_, [("a", "b")]), int)
    assert_type(learner.alpha, float)
    assert_type(learner.why("a", "b", X=frame), ossature.Why)
    assert_type(ossature.Hybrid(restrict=[("a", "b")], maximise="hc").fit(frame).dag_, ossature.Dag)
    assert_type(ossature.score(frame, [], criterion="bic"), float)
    assert_type(ossature.bootstrap(frame, 10).dag, ossature.Dag)
    assert_type(ossature.bootstrap(frame, 10, learner=ossature.HPC()).skeleton, ossature.Skeleton)
    network = ossature.load_network("alarm")
    assert_type(network.sample(10, seed=1), ossature.Table)
    assert_type(network.sample(10).to_pandas(), pd.DataFrame)
    assert_type(network.log_likelihood(frame), npt.NDArray[np.float64])
    assert_type(network.table("HR").values, npt.NDArray[np.float64])
    ossature.H2PC(progress=lambda phase, done, total: print(phase, done, total))
    ossature.H2PC(alpah=0.01)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    # Unknown words.
    ossature.H2PC(test="g2")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ossature.h2pc(frame, criterion="bdue")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ossature.ci_test(frame, "a", "b", test="g2")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ossature.Table(frame, missing="dorp")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ossature.h2pc(frame, alpah=0.01)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    learner.dag  # type: ignore[attr-defined]  # pyright: ignore
