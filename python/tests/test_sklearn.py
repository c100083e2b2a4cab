"""scikit-learn's checks of estimators, and its tools.

The learners do not need scikit-learn; they follow its conventions.
"""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import estimator_checks_generator
from sklearn.utils.validation import check_is_fitted

from ossature import H2PC, HPC, Hybrid, Table
from ossature._learners import BY_NAME


def name(check: Any) -> str:
    return str(getattr(check, "func", check).__name__)


# The learners accept only numpy arrays, and do not claim otherwise.
NOT_ASKED = {"check_array_api_input"}

CHECKS = [
    (estimator, check)
    for learner in [*(kind() for kind in BY_NAME.values()), Hybrid()]
    for estimator, check in estimator_checks_generator(learner)
    if name(check) not in NOT_ASKED
]


def ids(value: Any) -> str:
    return name(value) if callable(value) else type(value).__name__


@pytest.mark.parametrize(("estimator", "check"), CHECKS, ids=ids)
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


def test_grid_search(rows: Table) -> None:
    frame = rows.to_pandas()

    def held_out(learner: Any, X: Any, y: object = None) -> float:
        return float(learner.fit_parameters(frame).log_likelihood(X).mean())

    grid = {"criterion": ["bdeu", "bic"], "alpha": [0.01, 0.05]}
    found = GridSearchCV(H2PC(), grid, scoring=held_out, cv=3).fit(frame)
    scores = found.cv_results_["mean_test_score"]
    assert len(scores) == 4 and all(-5 < score < 0 for score in scores)
    assert found.best_estimator_.get_params()["criterion"] == found.best_params_["criterion"]
    with pytest.raises(TypeError, match="'score' method"):
        GridSearchCV(HPC(), {"alpha": [0.01, 0.05]}).fit(frame)
