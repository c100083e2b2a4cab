"""scikit-learn's own checks of an estimator.

The learners do not need scikit-learn; they keep to its manners. The checks that cannot hold for a learner of
categorical data are listed here with the reason.
"""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import check_is_fitted

from ossature import HC, H2PC, HPC, MMHC, MMPC, Table, Tabu

LEARNERS = [H2PC(), MMHC(), HC(), Tabu(), HPC(), MMPC()]

NOT_A_METHOD = "score is a setting, as in the command, and not a method: a structure predicts nothing to be scored"
REASONS = {
    "check_fit_score_takes_y": NOT_A_METHOD,
    "check_n_features_in_after_fitting": NOT_A_METHOD,
    "check_pipeline_consistency": NOT_A_METHOD,
}


def expected_failures(learner: Any) -> dict[str, str]:
    return REASONS if hasattr(learner, "score") else {}


@parametrize_with_checks(LEARNERS, expected_failed_checks=expected_failures)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def test_clone_and_pipeline(rows: Table) -> None:
    learner = H2PC(alpha=0.01, whitelist=[("asia", "tub")])
    assert clone(learner).get_params() == learner.get_params()
    with pytest.raises(NotFittedError):
        check_is_fitted(learner)
    pipeline = make_pipeline(FunctionTransformer(), learner)
    pipeline.fit(rows.to_pandas())
    check_is_fitted(learner)
    assert ("asia", "tub") in learner.dag_.arcs
