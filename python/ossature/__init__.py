"""Learns the structure of Bayesian networks from tables: first the skeleton, then the directions.

>>> import ossature
>>> alarm = ossature.load_network("alarm")
>>> rows = alarm.sample(5000, seed=1)  # or a DataFrame of yours
>>> learner = ossature.H2PC(alpha=0.01).fit(rows)
>>> ossature.compare(alarm, learner.dag_).precision
1.0

The classes :class:`H2PC`, :class:`MMHC`, :class:`HC`, :class:`Tabu` and so on follow scikit-learn's conventions; the
functions of the same names in lower case learn in one line. :func:`learners` lists them, and :class:`Hybrid`
combines any two halves.
"""

from . import _learners, errors
from ._learners import *
from ._ossature import __version__
from .asking import Answer, Effect, Effects
from .base import DagLearner, Learner
from .comparing import Comparison, compare, shd
from .cpt import Cpt
from .errors import (
    DataError,
    DataWarning,
    FileError,
    IncompleteWarning,
    NoFileError,
    NotFittedError,
    OssatureError,
    SettingsError,
    StoppedError,
    TooLargeError,
)
from .functions import (
    Bootstrap,
    CiResult,
    Neighbourhood,
    bootstrap,
    ci_test,
    learners,
    neighbours,
    score,
    score_by_node,
)
from .graph import Graph
from .graph_like import read_graph
from .graphs import Cpdag, Dag, Skeleton
from .matrix import Matrix
from .networks import Network, load_network, network_names, read_bif, read_network
from .regression import Regression
from .report import ArcStrength, Tests
from .table import Table, discretise, read_table
from .validation import HeldOut, cross_validate
from .why import Why

__all__ = [
    "Answer",
    "ArcStrength",
    "Bootstrap",
    "CiResult",
    "Comparison",
    "Cpdag",
    "Cpt",
    "Dag",
    "DagLearner",
    "DataError",
    "DataWarning",
    "Effect",
    "Effects",
    "FileError",
    "Graph",
    "HeldOut",
    "IncompleteWarning",
    "Learner",
    "Matrix",
    "Neighbourhood",
    "Network",
    "NoFileError",
    "NotFittedError",
    "OssatureError",
    "Regression",
    "SettingsError",
    "Skeleton",
    "StoppedError",
    "Table",
    "Tests",
    "TooLargeError",
    "Why",
    "__version__",
    "bootstrap",
    "ci_test",
    "compare",
    "cross_validate",
    "discretise",
    "errors",
    "learners",
    "load_network",
    "neighbours",
    "network_names",
    "read_bif",
    "read_graph",
    "read_network",
    "read_table",
    "score",
    "score_by_node",
    "shd",
]
__all__ += _learners.__all__
