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
from sklearn.utils.estimator_checks import estimator_checks_generator
from sklearn.utils.validation import check_is_fitted

from ossature import HC, H2PC, HPC, MMHC, MMPC, Table, Tabu

LEARNERS = [H2PC(), MMHC(), HC(), Tabu(), HPC(), MMPC()]

NOT_A_METHOD = "score is a setting, as in the command, and not a method: a structure predicts nothing to be scored"
REASONS = {
    "check_fit_score_takes_y": NOT_A_METHOD,
    "check_n_features_in_after_fitting": NOT_A_METHOD,
    "check_pipeline_consistency": NOT_A_METHOD,
}


def name(check: Any) -> str:
    return str(getattr(check, "func", check).__name__)


# The learners do not take the arrays of other libraries than numpy, and do not say they would.
NOT_ASKED = {"check_array_api_input"}

CHECKS = [
    (estimator, check)
    for learner in LEARNERS
    for estimator, check in estimator_checks_generator(learner)
    if name(check) not in NOT_ASKED
]
EXPECTED = [(learner, check) for learner, check in CHECKS if hasattr(learner, "score") and name(check) in REASONS]


def ids(value: Any) -> str:
    return name(value) if callable(value) else type(value).__name__


@pytest.mark.parametrize(("estimator", "check"), [case for case in CHECKS if case not in EXPECTED], ids=ids)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize(("estimator", "check"), EXPECTED, ids=ids)
def test_what_cannot_hold_is_still_so(estimator: Any, check: Any) -> None:
    with pytest.raises(Exception):
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
