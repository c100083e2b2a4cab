"""The learners as classes, and for each a function that learns in one line.

The constructor only stores its keywords, which are named like the options of the command and have the same
defaults; ``fit`` learns and returns the learner; what was learned is in attributes that end in ``_``.

Generated from the catalogue of the library and not to be edited: after a change of the catalogue,
``OSSATURE_BLESS=1 cargo test -p ossature --all-features --test it generated`` writes this file anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

from .base import DagLearner, Halves, Learner
from .given import Kinds, Missing, has_keywords_of
from .graphs import Cpdag, Dag, Skeleton
from .progress import Progress
from .table import Frame

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "BOSS",
    "Best",
    "BestQuick",
    "COS",
    "ECOS",
    "Exact",
    "FastIAMB",
    "GES",
    "GS",
    "H2PC",
    "HC",
    "HPC",
    "Hybrid",
    "IAMB",
    "IAMBFDR",
    "InterIAMB",
    "MMHC",
    "MMPC",
    "OptimalReinsertion",
    "PC",
    "SparseCandidate",
    "TPDA",
    "Tabu",
    "XGES",
    "best",
    "best_quick",
    "boss",
    "cos",
    "ecos",
    "exact",
    "fast_iamb",
    "ges",
    "gs",
    "h2pc",
    "hc",
    "hpc",
    "iamb",
    "iamb_fdr",
    "inter_iamb",
    "mmhc",
    "mmpc",
    "optimal_reinsertion",
    "pc",
    "sparse_candidate",
    "tabu",
    "tpda",
    "xges",
]

PresetWord = Literal["recommended", "paper", "bnlearn"]
SecondHalf = Literal["tabu", "hc", "ges", "xges", "exact", "clustered", "optimal-reinsertion", "boss", "best", "colliders"]
TestWord = Literal["mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi", "sp-mi", "zf", "cor", "mi-g", "dg", "cg"]
UnderpoweredWord = Literal["independent", "skip"]
SymmetryWord = Literal["and", "or"]
WeakLearnerWord = Literal["inter-iapc", "fdr-iapc"]
ShareWord = Literal["yes", "no"]
PhaseOneFdrWord = Literal["no", "yes"]
ColliderRuleWord = Literal["max-p", "majority", "sepset"]
CriterionWord = Literal["bdeu", "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml", "bdh", "loglik-g", "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g", "pnal-cg", "pnal"]
LevelsOfWord = Literal["declared", "data"]
PhasesWord = Literal["insert-delete", "insert-delete-turn"]
MeasureWord = Literal["mi", "shield", "score", "discrepancy"]


class H2PC(DagLearner):
    """The skeleton by HPC, then the directions by tabu search inside it; the paper's learner.

    Gasse, Aussem & Elghazel (2012), doi:10.1007/978-3-642-33460-3_9

    The tests:

    - ``test``: independence test; "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi", "sp-mi", "zf", "cor", "mi-g",
      "dg" or "cg"
    - ``alpha``: level of significance: dependent if p is at most this
    - ``power_rule``: rows needed for each cell of the table; with fewer the test has no power (0: no rule); only with
      test "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi" or "sp-mi"; None: 5 for the -adf tests, otherwise 0
    - ``underpowered``: verdict of a test without power; "independent" or "skip"
    - ``max_conditioning``: largest number of variables to condition on in one test; None: no limit
    - ``pair_memory``: memory limit for the tests of all pairs, which are otherwise repeated for each target
    - ``symmetry``: what to do when the two ends of an edge disagree about it; "and" or "or"
    - ``weak_learner``: weak learner inside HPC; "inter-iapc" or "fdr-iapc"; None: as the preset has it, inter-iapc,
      or fdr-iapc with bnlearn
    - ``share``: whether the targets of HPC share results: the same skeleton with fewer tests; "yes" or "no"; only
      with symmetry "and"; None: as the preset has it, yes, or no with paper
    - ``phase_one_fdr``: whether HPC controls the false discovery rate among the first candidates of a target; "no" or
      "yes"

    The search:

    - ``criterion``: score to maximise; "bdeu", "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml", "bdh", "loglik-g",
      "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g", "pnal-cg" or "pnal"
    - ``iss``: weight of the prior of bdeu and bds, and of the tables of ``fit_parameters`` unless the score is bdh,
      as a number of imaginary rows; only with criterion "bdeu" or "bds"
    - ``arc_price``: price of each arc, in units of ln(number of variables); only with criterion "bdeu", "bic", "aic",
      "loglik", "k2", "bds", "bdj", "qnml", "pnal", "loglik-g", "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g" or
      "pnal-cg"
    - ``levels_of``: which levels of a variable count for the score; "declared" or "data"; only with criterion "bdeu",
      "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml" or "pnal"
    - ``tabu``: number of structures that tabu search remembers and does not visit again
    - ``patience``: number of moves without a new best score that end tabu search
    - ``tie_orders``: number of searches, each with its own order among moves with the same gain; the best score wins;
      None: as the preset has it, 10, or 1 with paper and bnlearn
    - ``restarts``: number of restarts from the best structure after random moves
    - ``max_parents``: largest number of parents of a node; None: no limit
    - ``start``: graph to start the search from: a graph, a network, a learner that has learned, or pairs of names;
      None: the empty graph

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> learner = ossature.H2PC().fit(rows)
    >>> learner.dag_
    <Dag: 8 nodes, 6 arcs>
    >>> learner.cpdag_.undirected
    [('asia', 'tub'), ('bronc', 'dysp'), ('bronc', 'smoke')]
    """

    _learner = "h2pc"

    def __init__(
        self,
        *,
        test: TestWord = "mi-adf",
        alpha: float = 0.05,
        power_rule: int | None = None,
        underpowered: UnderpoweredWord = "independent",
        max_conditioning: int | None = None,
        pair_memory: int = 1024,
        symmetry: SymmetryWord = "and",
        weak_learner: WeakLearnerWord | None = None,
        share: ShareWord | None = None,
        phase_one_fdr: PhaseOneFdrWord = "no",
        criterion: CriterionWord = "bdeu",
        iss: float = 10.0,
        arc_price: float = 0.0,
        levels_of: LevelsOfWord = "declared",
        tabu: int = 100,
        patience: int = 15,
        tie_orders: int | None = None,
        restarts: int = 0,
        max_parents: int | None = None,
        start: Any = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.power_rule = power_rule
        self.underpowered = underpowered
        self.max_conditioning = max_conditioning
        self.pair_memory = pair_memory
        self.symmetry = symmetry
        self.weak_learner = weak_learner
        self.share = share
        self.phase_one_fdr = phase_one_fdr
        self.criterion = criterion
        self.iss = iss
        self.arc_price = arc_price
        self.levels_of = levels_of
        self.tabu = tabu
        self.patience = patience
        self.tie_orders = tie_orders
        self.restarts = restarts
        self.max_parents = max_parents
        self.start = start
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class MMHC(DagLearner):
    """The skeleton by MMPC, then the directions by tabu search inside it.

    Tsamardinos, Brown & Aliferis (2006), doi:10.1007/s10994-006-6889-7

    The tests:

    - ``test``: independence test; "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi", "sp-mi", "zf", "cor", "mi-g",
      "dg" or "cg"
    - ``alpha``: level of significance: dependent if p is at most this
    - ``power_rule``: rows needed for each cell of the table; with fewer the test has no power (0: no rule); only with
      test "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi" or "sp-mi"; None: 5 for the -adf tests, otherwise 0
    - ``underpowered``: verdict of a test without power; "independent" or "skip"
    - ``max_conditioning``: largest number of variables to condition on in one test; None: no limit
    - ``pair_memory``: memory limit for the tests of all pairs, which are otherwise repeated for each target
    - ``symmetry``: what to do when the two ends of an edge disagree about it; "and" or "or"

    The search:

    - ``criterion``: score to maximise; "bdeu", "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml", "bdh", "loglik-g",
      "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g", "pnal-cg" or "pnal"
    - ``iss``: weight of the prior of bdeu and bds, and of the tables of ``fit_parameters`` unless the score is bdh,
      as a number of imaginary rows; only with criterion "bdeu" or "bds"
    - ``arc_price``: price of each arc, in units of ln(number of variables); only with criterion "bdeu", "bic", "aic",
      "loglik", "k2", "bds", "bdj", "qnml", "pnal", "loglik-g", "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g" or
      "pnal-cg"
    - ``levels_of``: which levels of a variable count for the score; "declared" or "data"; only with criterion "bdeu",
      "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml" or "pnal"
    - ``tabu``: number of structures that tabu search remembers and does not visit again
    - ``patience``: number of moves without a new best score that end tabu search
    - ``tie_orders``: number of searches, each with its own order among moves with the same gain; the best score wins;
      None: as the preset has it, 10, or 1 with paper and bnlearn
    - ``restarts``: number of restarts from the best structure after random moves
    - ``max_parents``: largest number of parents of a node; None: no limit
    - ``start``: graph to start the search from: a graph, a network, a learner that has learned, or pairs of names;
      None: the empty graph

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.MMHC().fit(rows).dag_.parents("either")
    ['lung', 'tub']
    """

    _learner = "mmhc"

    def __init__(
        self,
        *,
        test: TestWord = "mi-adf",
        alpha: float = 0.05,
        power_rule: int | None = None,
        underpowered: UnderpoweredWord = "independent",
        max_conditioning: int | None = None,
        pair_memory: int = 1024,
        symmetry: SymmetryWord = "and",
        criterion: CriterionWord = "bdeu",
        iss: float = 10.0,
        arc_price: float = 0.0,
        levels_of: LevelsOfWord = "declared",
        tabu: int = 100,
        patience: int = 15,
        tie_orders: int | None = None,
        restarts: int = 0,
        max_parents: int | None = None,
        start: Any = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.power_rule = power_rule
        self.underpowered = underpowered
        self.max_conditioning = max_conditioning
        self.pair_memory = pair_memory
        self.symmetry = symmetry
        self.criterion = criterion
        self.iss = iss
        self.arc_price = arc_price
        self.levels_of = levels_of
        self.tabu = tabu
        self.patience = patience
        self.tie_orders = tie_orders
        self.restarts = restarts
        self.max_parents = max_parents
        self.start = start
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class HC(DagLearner):
    """Hill climbing without a skeleton, up to the first structure that no change improves.

    Heckerman, Geiger & Chickering (1995), doi:10.1007/BF00994016

    The search:

    - ``criterion``: score to maximise; "bdeu", "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml", "bdh", "loglik-g",
      "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g", "pnal-cg" or "pnal"
    - ``iss``: weight of the prior of bdeu and bds, and of the tables of ``fit_parameters`` unless the score is bdh,
      as a number of imaginary rows; only with criterion "bdeu" or "bds"
    - ``arc_price``: price of each arc, in units of ln(number of variables); only with criterion "bdeu", "bic", "aic",
      "loglik", "k2", "bds", "bdj", "qnml", "pnal", "loglik-g", "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g" or
      "pnal-cg"
    - ``levels_of``: which levels of a variable count for the score; "declared" or "data"; only with criterion "bdeu",
      "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml" or "pnal"
    - ``tie_orders``: number of searches, each with its own order among moves with the same gain; the best score wins;
      None: as the preset has it, 10, or 1 with paper and bnlearn
    - ``restarts``: number of restarts from the best structure after random moves
    - ``max_parents``: largest number of parents of a node; None: no limit
    - ``start``: graph to start the search from: a graph, a network, a learner that has learned, or pairs of names;
      None: the empty graph

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> learner = ossature.HC(criterion="bic", max_parents=2).fit(rows)
    >>> round(learner.score_ - ossature.score(rows, learner.dag_, criterion="bic"), 9)
    0.0
    """

    _learner = "hc"

    def __init__(
        self,
        *,
        criterion: CriterionWord = "bdeu",
        iss: float = 10.0,
        arc_price: float = 0.0,
        levels_of: LevelsOfWord = "declared",
        tie_orders: int | None = None,
        restarts: int = 0,
        max_parents: int | None = None,
        start: Any = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.criterion = criterion
        self.iss = iss
        self.arc_price = arc_price
        self.levels_of = levels_of
        self.tie_orders = tie_orders
        self.restarts = restarts
        self.max_parents = max_parents
        self.start = start
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class Tabu(DagLearner):
    """Tabu search without a skeleton.

    Glover (1989), doi:10.1287/ijoc.1.3.190

    The search:

    - ``criterion``: score to maximise; "bdeu", "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml", "bdh", "loglik-g",
      "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g", "pnal-cg" or "pnal"
    - ``iss``: weight of the prior of bdeu and bds, and of the tables of ``fit_parameters`` unless the score is bdh,
      as a number of imaginary rows; only with criterion "bdeu" or "bds"
    - ``arc_price``: price of each arc, in units of ln(number of variables); only with criterion "bdeu", "bic", "aic",
      "loglik", "k2", "bds", "bdj", "qnml", "pnal", "loglik-g", "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g" or
      "pnal-cg"
    - ``levels_of``: which levels of a variable count for the score; "declared" or "data"; only with criterion "bdeu",
      "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml" or "pnal"
    - ``tabu``: number of structures that tabu search remembers and does not visit again
    - ``patience``: number of moves without a new best score that end tabu search
    - ``tie_orders``: number of searches, each with its own order among moves with the same gain; the best score wins;
      None: as the preset has it, 10, or 1 with paper and bnlearn
    - ``restarts``: number of restarts from the best structure after random moves
    - ``max_parents``: largest number of parents of a node; None: no limit
    - ``start``: graph to start the search from: a graph, a network, a learner that has learned, or pairs of names;
      None: the empty graph

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.Tabu().fit(rows).score_ >= ossature.H2PC().fit(rows).score_
    True
    """

    _learner = "tabu"

    def __init__(
        self,
        *,
        criterion: CriterionWord = "bdeu",
        iss: float = 10.0,
        arc_price: float = 0.0,
        levels_of: LevelsOfWord = "declared",
        tabu: int = 100,
        patience: int = 15,
        tie_orders: int | None = None,
        restarts: int = 0,
        max_parents: int | None = None,
        start: Any = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.criterion = criterion
        self.iss = iss
        self.arc_price = arc_price
        self.levels_of = levels_of
        self.tabu = tabu
        self.patience = patience
        self.tie_orders = tie_orders
        self.restarts = restarts
        self.max_parents = max_parents
        self.start = start
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class GES(DagLearner):
    """Greedy equivalence search: inserts edges, then deletes some, over classes of DAGs.

    Chickering (2002), JMLR 3, 507-554

    The search:

    - ``criterion``: score to maximise; "bdeu", "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml", "bdh", "loglik-g",
      "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g", "pnal-cg" or "pnal"
    - ``iss``: weight of the prior of bdeu and bds, and of the tables of ``fit_parameters`` unless the score is bdh,
      as a number of imaginary rows; only with criterion "bdeu" or "bds"
    - ``arc_price``: price of each arc, in units of ln(number of variables); only with criterion "bdeu", "bic", "aic",
      "loglik", "k2", "bds", "bdj", "qnml", "pnal", "loglik-g", "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g" or
      "pnal-cg"
    - ``levels_of``: which levels of a variable count for the score; "declared" or "data"; only with criterion "bdeu",
      "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml" or "pnal"
    - ``phases``: phases of GES; "insert-delete" or "insert-delete-turn"
    - ``max_parents``: largest number of parents of a node; None: no limit
    - ``start``: graph to start the search from: a graph, a network, a learner that has learned, or pairs of names;
      None: the empty graph

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.GES().fit(rows).report_["learner"]
    'ges'
    """

    _learner = "ges"

    def __init__(
        self,
        *,
        criterion: CriterionWord = "bdeu",
        iss: float = 10.0,
        arc_price: float = 0.0,
        levels_of: LevelsOfWord = "declared",
        phases: PhasesWord = "insert-delete",
        max_parents: int | None = None,
        start: Any = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.criterion = criterion
        self.iss = iss
        self.arc_price = arc_price
        self.levels_of = levels_of
        self.phases = phases
        self.max_parents = max_parents
        self.start = start
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class XGES(DagLearner):
    """GES that deletes before it inserts, and at the end tries to remove each edge.

    Nazaret & Blei (2024), arXiv 2502.19551

    The search:

    - ``criterion``: score to maximise; "bdeu", "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml", "bdh", "loglik-g",
      "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g", "pnal-cg" or "pnal"
    - ``iss``: weight of the prior of bdeu and bds, and of the tables of ``fit_parameters`` unless the score is bdh,
      as a number of imaginary rows; only with criterion "bdeu" or "bds"
    - ``arc_price``: price of each arc, in units of ln(number of variables); only with criterion "bdeu", "bic", "aic",
      "loglik", "k2", "bds", "bdj", "qnml", "pnal", "loglik-g", "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g" or
      "pnal-cg"
    - ``levels_of``: which levels of a variable count for the score; "declared" or "data"; only with criterion "bdeu",
      "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml" or "pnal"
    - ``max_parents``: largest number of parents of a node; None: no limit
    - ``start``: graph to start the search from: a graph, a network, a learner that has learned, or pairs of names;
      None: the empty graph

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.XGES().fit(rows).report_["learner"]
    'xges'
    """

    _learner = "xges"

    def __init__(
        self,
        *,
        criterion: CriterionWord = "bdeu",
        iss: float = 10.0,
        arc_price: float = 0.0,
        levels_of: LevelsOfWord = "declared",
        max_parents: int | None = None,
        start: Any = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.criterion = criterion
        self.iss = iss
        self.arc_price = arc_price
        self.levels_of = levels_of
        self.max_parents = max_parents
        self.start = start
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class Exact(DagLearner):
    """The proven optimum; for small tables, or with few parents.

    Silander & Myllymäki (2006), arXiv 1206.6875; Yuan & Malone (2013), doi:10.1613/jair.4039

    The search:

    - ``criterion``: score to maximise; "bdeu", "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml", "bdh", "loglik-g",
      "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g", "pnal-cg" or "pnal"
    - ``iss``: weight of the prior of bdeu and bds, and of the tables of ``fit_parameters`` unless the score is bdh,
      as a number of imaginary rows; only with criterion "bdeu" or "bds"
    - ``arc_price``: price of each arc, in units of ln(number of variables); only with criterion "bdeu", "bic", "aic",
      "loglik", "k2", "bds", "bdj", "qnml", "pnal", "loglik-g", "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g" or
      "pnal-cg"
    - ``levels_of``: which levels of a variable count for the score; "declared" or "data"; only with criterion "bdeu",
      "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml" or "pnal"
    - ``how_many``: number of best equivalence classes to list with their scores, for tables of few variables
    - ``max_parents``: largest number of parents of a node; None: no limit

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.Exact().fit(rows).report_["learner"]
    'exact'
    """

    _learner = "exact"

    def __init__(
        self,
        *,
        criterion: CriterionWord = "bdeu",
        iss: float = 10.0,
        arc_price: float = 0.0,
        levels_of: LevelsOfWord = "declared",
        how_many: int = 1,
        max_parents: int | None = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.criterion = criterion
        self.iss = iss
        self.arc_price = arc_price
        self.levels_of = levels_of
        self.how_many = how_many
        self.max_parents = max_parents
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class COS(DagLearner):
    """The proven optimum inside a generous skeleton by MMPC.

    Perrier, Imoto & Miyano (2008), JMLR 9, 2251-2286

    The tests:

    - ``test``: independence test; "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi", "sp-mi", "zf", "cor", "mi-g",
      "dg" or "cg"
    - ``alpha``: level of significance: dependent if p is at most this
    - ``power_rule``: rows needed for each cell of the table; with fewer the test has no power (0: no rule); only with
      test "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi" or "sp-mi"; None: 5 for the -adf tests, otherwise 0
    - ``underpowered``: verdict of a test without power; "independent" or "skip"
    - ``max_conditioning``: largest number of variables to condition on in one test; None: no limit
    - ``pair_memory``: memory limit for the tests of all pairs, which are otherwise repeated for each target
    - ``symmetry``: what to do when the two ends of an edge disagree about it; "and" or "or"

    The search:

    - ``criterion``: score to maximise; "bdeu", "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml", "bdh", "loglik-g",
      "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g", "pnal-cg" or "pnal"
    - ``iss``: weight of the prior of bdeu and bds, and of the tables of ``fit_parameters`` unless the score is bdh,
      as a number of imaginary rows; only with criterion "bdeu" or "bds"
    - ``arc_price``: price of each arc, in units of ln(number of variables); only with criterion "bdeu", "bic", "aic",
      "loglik", "k2", "bds", "bdj", "qnml", "pnal", "loglik-g", "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g" or
      "pnal-cg"
    - ``levels_of``: which levels of a variable count for the score; "declared" or "data"; only with criterion "bdeu",
      "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml" or "pnal"
    - ``how_many``: number of best equivalence classes to list with their scores, for tables of few variables
    - ``max_parents``: largest number of parents of a node; None: no limit

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.COS().fit(rows).report_["learner"]
    'cos'
    """

    _learner = "cos"

    def __init__(
        self,
        *,
        test: TestWord = "mi-adf",
        alpha: float = 0.2,
        power_rule: int | None = None,
        underpowered: UnderpoweredWord = "independent",
        max_conditioning: int | None = None,
        pair_memory: int = 1024,
        symmetry: SymmetryWord = "and",
        criterion: CriterionWord = "bdeu",
        iss: float = 10.0,
        arc_price: float = 0.0,
        levels_of: LevelsOfWord = "declared",
        how_many: int = 1,
        max_parents: int | None = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.power_rule = power_rule
        self.underpowered = underpowered
        self.max_conditioning = max_conditioning
        self.pair_memory = pair_memory
        self.symmetry = symmetry
        self.criterion = criterion
        self.iss = iss
        self.arc_price = arc_price
        self.levels_of = levels_of
        self.how_many = how_many
        self.max_parents = max_parents
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class ECOS(DagLearner):
    """The same optimum as cos for hundreds of variables, by dividing the skeleton.

    Kojima, Perrier, Imoto & Miyano (2010), JMLR 11, 285-310

    The tests:

    - ``test``: independence test; "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi", "sp-mi", "zf", "cor", "mi-g",
      "dg" or "cg"
    - ``alpha``: level of significance: dependent if p is at most this
    - ``power_rule``: rows needed for each cell of the table; with fewer the test has no power (0: no rule); only with
      test "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi" or "sp-mi"; None: 5 for the -adf tests, otherwise 0
    - ``underpowered``: verdict of a test without power; "independent" or "skip"
    - ``max_conditioning``: largest number of variables to condition on in one test; None: no limit
    - ``pair_memory``: memory limit for the tests of all pairs, which are otherwise repeated for each target
    - ``symmetry``: what to do when the two ends of an edge disagree about it; "and" or "or"

    The search:

    - ``criterion``: score to maximise; "bdeu", "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml", "bdh", "loglik-g",
      "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g", "pnal-cg" or "pnal"
    - ``iss``: weight of the prior of bdeu and bds, and of the tables of ``fit_parameters`` unless the score is bdh,
      as a number of imaginary rows; only with criterion "bdeu" or "bds"
    - ``arc_price``: price of each arc, in units of ln(number of variables); only with criterion "bdeu", "bic", "aic",
      "loglik", "k2", "bds", "bdj", "qnml", "pnal", "loglik-g", "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g" or
      "pnal-cg"
    - ``levels_of``: which levels of a variable count for the score; "declared" or "data"; only with criterion "bdeu",
      "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml" or "pnal"
    - ``max_parents``: largest number of parents of a node; None: no limit

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.ECOS().fit(rows).report_["learner"]
    'ecos'
    """

    _learner = "ecos"

    def __init__(
        self,
        *,
        test: TestWord = "mi-adf",
        alpha: float = 0.2,
        power_rule: int | None = None,
        underpowered: UnderpoweredWord = "independent",
        max_conditioning: int | None = None,
        pair_memory: int = 1024,
        symmetry: SymmetryWord = "and",
        criterion: CriterionWord = "bdeu",
        iss: float = 10.0,
        arc_price: float = 0.0,
        levels_of: LevelsOfWord = "declared",
        max_parents: int | None = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.power_rule = power_rule
        self.underpowered = underpowered
        self.max_conditioning = max_conditioning
        self.pair_memory = pair_memory
        self.symmetry = symmetry
        self.criterion = criterion
        self.iss = iss
        self.arc_price = arc_price
        self.levels_of = levels_of
        self.max_parents = max_parents
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class SparseCandidate(DagLearner):
    """Sparse Candidate: a few candidate parents, a climb among them, repeated.

    Friedman, Nachman & Pe'er (1999), UAI-15, arXiv 1301.6696

    The search:

    - ``criterion``: score to maximise; "bdeu", "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml", "bdh", "loglik-g",
      "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g", "pnal-cg" or "pnal"
    - ``iss``: weight of the prior of bdeu and bds, and of the tables of ``fit_parameters`` unless the score is bdh,
      as a number of imaginary rows; only with criterion "bdeu" or "bds"
    - ``arc_price``: price of each arc, in units of ln(number of variables); only with criterion "bdeu", "bic", "aic",
      "loglik", "k2", "bds", "bdj", "qnml", "pnal", "loglik-g", "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g" or
      "pnal-cg"
    - ``levels_of``: which levels of a variable count for the score; "declared" or "data"; only with criterion "bdeu",
      "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml" or "pnal"
    - ``tie_orders``: number of searches, each with its own order among moves with the same gain; the best score wins;
      None: as the preset has it, 10, or 1 with paper and bnlearn
    - ``measure``: how Sparse Candidate rates candidate parents, after its first round; "mi", "shield", "score" or
      "discrepancy"
    - ``candidates``: number of candidate parents that Sparse Candidate allows each variable in a round
    - ``max_parents``: largest number of parents of a node; None: no limit
    - ``start``: graph to start the search from: a graph, a network, a learner that has learned, or pairs of names;
      None: the empty graph

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.SparseCandidate().fit(rows).report_["learner"]
    'sparse-candidate'
    """

    _learner = "sparse-candidate"

    def __init__(
        self,
        *,
        criterion: CriterionWord = "bdeu",
        iss: float = 10.0,
        arc_price: float = 0.0,
        levels_of: LevelsOfWord = "declared",
        tie_orders: int | None = None,
        measure: MeasureWord = "shield",
        candidates: int = 5,
        max_parents: int | None = None,
        start: Any = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.criterion = criterion
        self.iss = iss
        self.arc_price = arc_price
        self.levels_of = levels_of
        self.tie_orders = tie_orders
        self.measure = measure
        self.candidates = candidates
        self.max_parents = max_parents
        self.start = start
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class OptimalReinsertion(DagLearner):
    """Optimal Reinsertion of one variable at a time, up to three parents each, then a climb.

    Moore & Wong (2003), ICML-20, 552-559

    The search:

    - ``criterion``: score to maximise; "bdeu", "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml", "bdh", "loglik-g",
      "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g", "pnal-cg" or "pnal"
    - ``iss``: weight of the prior of bdeu and bds, and of the tables of ``fit_parameters`` unless the score is bdh,
      as a number of imaginary rows; only with criterion "bdeu" or "bds"
    - ``arc_price``: price of each arc, in units of ln(number of variables); only with criterion "bdeu", "bic", "aic",
      "loglik", "k2", "bds", "bdj", "qnml", "pnal", "loglik-g", "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g" or
      "pnal-cg"
    - ``levels_of``: which levels of a variable count for the score; "declared" or "data"; only with criterion "bdeu",
      "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml" or "pnal"
    - ``restarts``: number of restarts from the best structure after random moves
    - ``max_parents``: largest number of parents of a node
    - ``start``: graph to start the search from: a graph, a network, a learner that has learned, or pairs of names;
      None: the empty graph

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.OptimalReinsertion().fit(rows).report_["learner"]
    'optimal-reinsertion'
    """

    _learner = "optimal-reinsertion"

    def __init__(
        self,
        *,
        criterion: CriterionWord = "bdeu",
        iss: float = 10.0,
        arc_price: float = 0.0,
        levels_of: LevelsOfWord = "declared",
        restarts: int = 0,
        max_parents: int | None = 3,
        start: Any = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.criterion = criterion
        self.iss = iss
        self.arc_price = arc_price
        self.levels_of = levels_of
        self.restarts = restarts
        self.max_parents = max_parents
        self.start = start
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class BOSS(DagLearner):
    """Best order score search: finds the order in which each variable has its best parents.

    Andrews, Ramsey, Sanchez-Romero, Camchong & Kummerfeld (2023), NeurIPS 36

    The search:

    - ``criterion``: score to maximise; "bdeu", "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml", "bdh", "loglik-g",
      "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g", "pnal-cg" or "pnal"
    - ``iss``: weight of the prior of bdeu and bds, and of the tables of ``fit_parameters`` unless the score is bdh,
      as a number of imaginary rows; only with criterion "bdeu" or "bds"
    - ``arc_price``: price of each arc, in units of ln(number of variables); only with criterion "bdeu", "bic", "aic",
      "loglik", "k2", "bds", "bdj", "qnml", "pnal", "loglik-g", "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g" or
      "pnal-cg"
    - ``levels_of``: which levels of a variable count for the score; "declared" or "data"; only with criterion "bdeu",
      "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml" or "pnal"
    - ``window``: largest number of variables moved together to another place in the order
    - ``max_parents``: largest number of parents of a node; None: no limit
    - ``start``: graph to start the search from: a graph, a network, a learner that has learned, or pairs of names;
      None: the empty graph

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.BOSS().fit(rows).report_["learner"]
    'boss'
    """

    _learner = "boss"

    def __init__(
        self,
        *,
        criterion: CriterionWord = "bdeu",
        iss: float = 10.0,
        arc_price: float = 0.0,
        levels_of: LevelsOfWord = "declared",
        window: int = 1,
        max_parents: int | None = None,
        start: Any = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.criterion = criterion
        self.iss = iss
        self.arc_price = arc_price
        self.levels_of = levels_of
        self.window = window
        self.max_parents = max_parents
        self.start = start
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class Best(DagLearner):
    """The most accurate learner: classes and orders in turn, with the score bdh.

    ours, docs/best.md

    The search:

    - ``criterion``: score to maximise; "bdeu", "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml", "bdh", "loglik-g",
      "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g", "pnal-cg" or "pnal"
    - ``iss``: weight of the prior of bdeu and bds, and of the tables of ``fit_parameters`` unless the score is bdh,
      as a number of imaginary rows; only with criterion "bdeu" or "bds"
    - ``arc_price``: price of each arc, in units of ln(number of variables); only with criterion "bdeu", "bic", "aic",
      "loglik", "k2", "bds", "bdj", "qnml", "pnal", "loglik-g", "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g" or
      "pnal-cg"
    - ``levels_of``: which levels of a variable count for the score; "declared" or "data"; only with criterion "bdeu",
      "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml" or "pnal"
    - ``starts``: number of additional searches from random orders; the best score wins
    - ``window``: largest number of variables moved together to another place in the order
    - ``near``: distance from the best score within which a second score decides (0: the best score alone); only with
      criterion "bdh"
    - ``max_parents``: largest number of parents of a node; None: no limit
    - ``start``: graph to start the search from: a graph, a network, a learner that has learned, or pairs of names;
      None: the empty graph

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.Best().fit(rows).report_["learner"]
    'best'
    """

    _learner = "best"

    def __init__(
        self,
        *,
        criterion: CriterionWord = "bdh",
        iss: float = 10.0,
        arc_price: float = 0.0,
        levels_of: LevelsOfWord = "declared",
        starts: int = 0,
        window: int = 2,
        near: float = 10.0,
        max_parents: int | None = None,
        start: Any = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.criterion = criterion
        self.iss = iss
        self.arc_price = arc_price
        self.levels_of = levels_of
        self.starts = starts
        self.window = window
        self.near = near
        self.max_parents = max_parents
        self.start = start
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class BestQuick(DagLearner):
    """The same with a simpler score, bds with a price for each arc: less accurate and much faster.

    ours, docs/best.md

    The search:

    - ``criterion``: score to maximise; "bdeu", "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml", "bdh", "loglik-g",
      "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g", "pnal-cg" or "pnal"
    - ``iss``: weight of the prior of bdeu and bds, and of the tables of ``fit_parameters`` unless the score is bdh,
      as a number of imaginary rows; only with criterion "bdeu" or "bds"
    - ``arc_price``: price of each arc, in units of ln(number of variables); only with criterion "bdeu", "bic", "aic",
      "loglik", "k2", "bds", "bdj", "qnml", "pnal", "loglik-g", "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g" or
      "pnal-cg"
    - ``levels_of``: which levels of a variable count for the score; "declared" or "data"; only with criterion "bdeu",
      "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml" or "pnal"
    - ``starts``: number of additional searches from random orders; the best score wins
    - ``window``: largest number of variables moved together to another place in the order
    - ``near``: distance from the best score within which a second score decides (0: the best score alone); only with
      criterion "bdh"
    - ``max_parents``: largest number of parents of a node; None: no limit
    - ``start``: graph to start the search from: a graph, a network, a learner that has learned, or pairs of names;
      None: the empty graph

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.BestQuick().fit(rows).report_["learner"]
    'best-quick'
    """

    _learner = "best-quick"

    def __init__(
        self,
        *,
        criterion: CriterionWord = "bds",
        iss: float = 10.0,
        arc_price: float = 2.0,
        levels_of: LevelsOfWord = "data",
        starts: int = 0,
        window: int = 2,
        near: float = 10.0,
        max_parents: int | None = None,
        start: Any = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.criterion = criterion
        self.iss = iss
        self.arc_price = arc_price
        self.levels_of = levels_of
        self.starts = starts
        self.window = window
        self.near = near
        self.max_parents = max_parents
        self.start = start
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class HPC(Learner):
    """The skeleton alone, by HPC.

    Gasse, Aussem & Elghazel (2012), doi:10.1007/978-3-642-33460-3_9

    The tests:

    - ``test``: independence test; "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi", "sp-mi", "zf", "cor", "mi-g",
      "dg" or "cg"
    - ``alpha``: level of significance: dependent if p is at most this
    - ``power_rule``: rows needed for each cell of the table; with fewer the test has no power (0: no rule); only with
      test "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi" or "sp-mi"; None: 5 for the -adf tests, otherwise 0
    - ``underpowered``: verdict of a test without power; "independent" or "skip"
    - ``max_conditioning``: largest number of variables to condition on in one test; None: no limit
    - ``pair_memory``: memory limit for the tests of all pairs, which are otherwise repeated for each target
    - ``symmetry``: what to do when the two ends of an edge disagree about it; "and" or "or"
    - ``weak_learner``: weak learner inside HPC; "inter-iapc" or "fdr-iapc"; None: as the preset has it, inter-iapc,
      or fdr-iapc with bnlearn
    - ``share``: whether the targets of HPC share results: the same skeleton with fewer tests; "yes" or "no"; only
      with symmetry "and"; None: as the preset has it, yes, or no with paper
    - ``phase_one_fdr``: whether HPC controls the false discovery rate among the first candidates of a target; "no" or
      "yes"

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.HPC().fit(rows).skeleton_.neighbours("bronc")
    ['dysp', 'smoke']
    """

    _learner = "hpc"

    def __init__(
        self,
        *,
        test: TestWord = "mi-adf",
        alpha: float = 0.05,
        power_rule: int | None = None,
        underpowered: UnderpoweredWord = "independent",
        max_conditioning: int | None = None,
        pair_memory: int = 1024,
        symmetry: SymmetryWord = "and",
        weak_learner: WeakLearnerWord | None = None,
        share: ShareWord | None = None,
        phase_one_fdr: PhaseOneFdrWord = "no",
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.power_rule = power_rule
        self.underpowered = underpowered
        self.max_conditioning = max_conditioning
        self.pair_memory = pair_memory
        self.symmetry = symmetry
        self.weak_learner = weak_learner
        self.share = share
        self.phase_one_fdr = phase_one_fdr
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class MMPC(Learner):
    """The skeleton alone, by MMPC.

    Tsamardinos, Brown & Aliferis (2006), doi:10.1007/s10994-006-6889-7

    The tests:

    - ``test``: independence test; "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi", "sp-mi", "zf", "cor", "mi-g",
      "dg" or "cg"
    - ``alpha``: level of significance: dependent if p is at most this
    - ``power_rule``: rows needed for each cell of the table; with fewer the test has no power (0: no rule); only with
      test "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi" or "sp-mi"; None: 5 for the -adf tests, otherwise 0
    - ``underpowered``: verdict of a test without power; "independent" or "skip"
    - ``max_conditioning``: largest number of variables to condition on in one test; None: no limit
    - ``pair_memory``: memory limit for the tests of all pairs, which are otherwise repeated for each target
    - ``symmetry``: what to do when the two ends of an edge disagree about it; "and" or "or"

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.MMPC(alpha=0.01).fit(rows).skeleton_
    <Skeleton: 8 nodes, 4 edges>
    """

    _learner = "mmpc"

    def __init__(
        self,
        *,
        test: TestWord = "mi-adf",
        alpha: float = 0.05,
        power_rule: int | None = None,
        underpowered: UnderpoweredWord = "independent",
        max_conditioning: int | None = None,
        pair_memory: int = 1024,
        symmetry: SymmetryWord = "and",
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.power_rule = power_rule
        self.underpowered = underpowered
        self.max_conditioning = max_conditioning
        self.pair_memory = pair_memory
        self.symmetry = symmetry
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class PC(DagLearner):
    """The skeleton by PC, then the directions by colliders; uses only tests.

    Spirtes & Glymour (1991), Colombo & Maathuis (2014), doi:10.5555/2627435.2750365

    The tests:

    - ``test``: independence test; "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi", "sp-mi", "zf", "cor", "mi-g",
      "dg" or "cg"
    - ``alpha``: level of significance: dependent if p is at most this
    - ``power_rule``: rows needed for each cell of the table; with fewer the test has no power (0: no rule); only with
      test "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi" or "sp-mi"; None: 5 for the -adf tests, otherwise 0
    - ``underpowered``: verdict of a test without power; "independent" or "skip"
    - ``max_conditioning``: largest number of variables to condition on in one test; None: no limit
    - ``pair_memory``: memory limit for the tests of all pairs, which are otherwise repeated for each target
    - ``collider_rule``: rule that decides whether two edges form a collider, if tests determine the directions;
      "max-p", "majority" or "sepset"

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.PC().fit(rows).report_["learner"]
    'pc'
    """

    _learner = "pc"

    def __init__(
        self,
        *,
        test: TestWord = "mi-adf",
        alpha: float = 0.05,
        power_rule: int | None = None,
        underpowered: UnderpoweredWord = "independent",
        max_conditioning: int | None = None,
        pair_memory: int = 1024,
        collider_rule: ColliderRuleWord = "max-p",
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.power_rule = power_rule
        self.underpowered = underpowered
        self.max_conditioning = max_conditioning
        self.pair_memory = pair_memory
        self.collider_rule = collider_rule
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class GS(DagLearner):
    """The skeleton by GS, grow-shrink, then the directions by colliders.

    Margaritis (2003), CMU-CS-03-153

    The tests:

    - ``test``: independence test; "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi", "sp-mi", "zf", "cor", "mi-g",
      "dg" or "cg"
    - ``alpha``: level of significance: dependent if p is at most this
    - ``power_rule``: rows needed for each cell of the table; with fewer the test has no power (0: no rule); only with
      test "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi" or "sp-mi"; None: 5 for the -adf tests, otherwise 0
    - ``underpowered``: verdict of a test without power; "independent" or "skip"
    - ``max_conditioning``: largest number of variables to condition on in one test; None: no limit
    - ``pair_memory``: memory limit for the tests of all pairs, which are otherwise repeated for each target
    - ``symmetry``: what to do when the two ends of an edge disagree about it; "and" or "or"
    - ``collider_rule``: rule that decides whether two edges form a collider, if tests determine the directions;
      "max-p", "majority" or "sepset"

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.GS().fit(rows).report_["learner"]
    'gs'
    """

    _learner = "gs"

    def __init__(
        self,
        *,
        test: TestWord = "mi-adf",
        alpha: float = 0.05,
        power_rule: int | None = None,
        underpowered: UnderpoweredWord = "independent",
        max_conditioning: int | None = None,
        pair_memory: int = 1024,
        symmetry: SymmetryWord = "and",
        collider_rule: ColliderRuleWord = "max-p",
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.power_rule = power_rule
        self.underpowered = underpowered
        self.max_conditioning = max_conditioning
        self.pair_memory = pair_memory
        self.symmetry = symmetry
        self.collider_rule = collider_rule
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class IAMB(DagLearner):
    """The skeleton by IAMB, then the directions by colliders.

    Tsamardinos, Aliferis & Statnikov (2003), FLAIRS-16

    The tests:

    - ``test``: independence test; "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi", "sp-mi", "zf", "cor", "mi-g",
      "dg" or "cg"
    - ``alpha``: level of significance: dependent if p is at most this
    - ``power_rule``: rows needed for each cell of the table; with fewer the test has no power (0: no rule); only with
      test "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi" or "sp-mi"; None: 5 for the -adf tests, otherwise 0
    - ``underpowered``: verdict of a test without power; "independent" or "skip"
    - ``max_conditioning``: largest number of variables to condition on in one test; None: no limit
    - ``pair_memory``: memory limit for the tests of all pairs, which are otherwise repeated for each target
    - ``symmetry``: what to do when the two ends of an edge disagree about it; "and" or "or"
    - ``collider_rule``: rule that decides whether two edges form a collider, if tests determine the directions;
      "max-p", "majority" or "sepset"

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.IAMB().fit(rows).report_["learner"]
    'iamb'
    """

    _learner = "iamb"

    def __init__(
        self,
        *,
        test: TestWord = "mi-adf",
        alpha: float = 0.05,
        power_rule: int | None = None,
        underpowered: UnderpoweredWord = "independent",
        max_conditioning: int | None = None,
        pair_memory: int = 1024,
        symmetry: SymmetryWord = "and",
        collider_rule: ColliderRuleWord = "max-p",
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.power_rule = power_rule
        self.underpowered = underpowered
        self.max_conditioning = max_conditioning
        self.pair_memory = pair_memory
        self.symmetry = symmetry
        self.collider_rule = collider_rule
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class InterIAMB(DagLearner):
    """The skeleton by Inter-IAMB, then the directions by colliders.

    Tsamardinos, Aliferis & Statnikov (2003), FLAIRS-16

    The tests:

    - ``test``: independence test; "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi", "sp-mi", "zf", "cor", "mi-g",
      "dg" or "cg"
    - ``alpha``: level of significance: dependent if p is at most this
    - ``power_rule``: rows needed for each cell of the table; with fewer the test has no power (0: no rule); only with
      test "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi" or "sp-mi"; None: 5 for the -adf tests, otherwise 0
    - ``underpowered``: verdict of a test without power; "independent" or "skip"
    - ``max_conditioning``: largest number of variables to condition on in one test; None: no limit
    - ``pair_memory``: memory limit for the tests of all pairs, which are otherwise repeated for each target
    - ``symmetry``: what to do when the two ends of an edge disagree about it; "and" or "or"
    - ``collider_rule``: rule that decides whether two edges form a collider, if tests determine the directions;
      "max-p", "majority" or "sepset"

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.InterIAMB().fit(rows).report_["learner"]
    'inter-iamb'
    """

    _learner = "inter-iamb"

    def __init__(
        self,
        *,
        test: TestWord = "mi-adf",
        alpha: float = 0.05,
        power_rule: int | None = None,
        underpowered: UnderpoweredWord = "independent",
        max_conditioning: int | None = None,
        pair_memory: int = 1024,
        symmetry: SymmetryWord = "and",
        collider_rule: ColliderRuleWord = "max-p",
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.power_rule = power_rule
        self.underpowered = underpowered
        self.max_conditioning = max_conditioning
        self.pair_memory = pair_memory
        self.symmetry = symmetry
        self.collider_rule = collider_rule
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class FastIAMB(DagLearner):
    """The skeleton by Fast-IAMB, then the directions by colliders.

    Yaramakala & Margaritis (2005), doi:10.1109/ICDM.2005.134

    The tests:

    - ``test``: independence test; "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi", "sp-mi", "zf", "cor", "mi-g",
      "dg" or "cg"
    - ``alpha``: level of significance: dependent if p is at most this
    - ``power_rule``: rows needed for each cell of the table; with fewer the test has no power (0: no rule); only with
      test "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi" or "sp-mi"; None: 5 for the -adf tests, otherwise 0
    - ``underpowered``: verdict of a test without power; "independent" or "skip"
    - ``max_conditioning``: largest number of variables to condition on in one test; None: no limit
    - ``pair_memory``: memory limit for the tests of all pairs, which are otherwise repeated for each target
    - ``symmetry``: what to do when the two ends of an edge disagree about it; "and" or "or"
    - ``collider_rule``: rule that decides whether two edges form a collider, if tests determine the directions;
      "max-p", "majority" or "sepset"

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.FastIAMB().fit(rows).report_["learner"]
    'fast-iamb'
    """

    _learner = "fast-iamb"

    def __init__(
        self,
        *,
        test: TestWord = "mi-adf",
        alpha: float = 0.05,
        power_rule: int | None = None,
        underpowered: UnderpoweredWord = "independent",
        max_conditioning: int | None = None,
        pair_memory: int = 1024,
        symmetry: SymmetryWord = "and",
        collider_rule: ColliderRuleWord = "max-p",
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.power_rule = power_rule
        self.underpowered = underpowered
        self.max_conditioning = max_conditioning
        self.pair_memory = pair_memory
        self.symmetry = symmetry
        self.collider_rule = collider_rule
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class IAMBFDR(DagLearner):
    """The skeleton by IAMB-FDR, then the directions by colliders.

    Peña (2008), doi:10.1007/978-3-540-78757-0_15

    The tests:

    - ``test``: independence test; "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi", "sp-mi", "zf", "cor", "mi-g",
      "dg" or "cg"
    - ``alpha``: level of significance: dependent if p is at most this
    - ``power_rule``: rows needed for each cell of the table; with fewer the test has no power (0: no rule); only with
      test "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi" or "sp-mi"; None: 5 for the -adf tests, otherwise 0
    - ``underpowered``: verdict of a test without power; "independent" or "skip"
    - ``max_conditioning``: largest number of variables to condition on in one test; None: no limit
    - ``pair_memory``: memory limit for the tests of all pairs, which are otherwise repeated for each target
    - ``symmetry``: what to do when the two ends of an edge disagree about it; "and" or "or"
    - ``collider_rule``: rule that decides whether two edges form a collider, if tests determine the directions;
      "max-p", "majority" or "sepset"

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.IAMBFDR().fit(rows).report_["learner"]
    'iamb-fdr'
    """

    _learner = "iamb-fdr"

    def __init__(
        self,
        *,
        test: TestWord = "mi-adf",
        alpha: float = 0.05,
        power_rule: int | None = None,
        underpowered: UnderpoweredWord = "independent",
        max_conditioning: int | None = None,
        pair_memory: int = 1024,
        symmetry: SymmetryWord = "and",
        collider_rule: ColliderRuleWord = "max-p",
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.power_rule = power_rule
        self.underpowered = underpowered
        self.max_conditioning = max_conditioning
        self.pair_memory = pair_memory
        self.symmetry = symmetry
        self.collider_rule = collider_rule
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class TPDA(DagLearner):
    """The skeleton by TPDA in three phases, then the directions by the sets that separated.

    Cheng, Greiner, Kelly, Bell & Liu (2002), doi:10.1016/S0004-3702(02)00191-1

    The tests:

    - ``test``: independence test; "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi", "sp-mi", "zf", "cor", "mi-g",
      "dg" or "cg"
    - ``alpha``: level of significance: dependent if p is at most this
    - ``power_rule``: rows needed for each cell of the table; with fewer the test has no power (0: no rule); only with
      test "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi" or "sp-mi"; None: 5 for the -adf tests, otherwise 0
    - ``underpowered``: verdict of a test without power; "independent" or "skip"
    - ``max_conditioning``: largest number of variables to condition on in one test; None: no limit
    - ``pair_memory``: memory limit for the tests of all pairs, which are otherwise repeated for each target
    - ``collider_rule``: rule that decides whether two edges form a collider, if tests determine the directions;
      "max-p", "majority" or "sepset"
    - ``threshold_mi``: mutual information in nats below which TPDA treats two variables as independent, instead of
      using its test; None: the test decides

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.TPDA().fit(rows).report_["learner"]
    'tpda'
    """

    _learner = "tpda"

    def __init__(
        self,
        *,
        test: TestWord = "mi-adf",
        alpha: float = 0.05,
        power_rule: int | None = None,
        underpowered: UnderpoweredWord = "independent",
        max_conditioning: int | None = None,
        pair_memory: int = 1024,
        collider_rule: ColliderRuleWord = "sepset",
        threshold_mi: float | None = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.power_rule = power_rule
        self.underpowered = underpowered
        self.max_conditioning = max_conditioning
        self.pair_memory = pair_memory
        self.collider_rule = collider_rule
        self.threshold_mi = threshold_mi
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


class Hybrid(Halves):
    """Any two halves: the first finds which edges are possible, the second directs them.

    The halves:

    - ``restrict``: the first half by name, "hpc", "mmpc", "pc", "tpda", "gs", "iamb", "inter-iamb", "fast-iamb" or
      "iamb-fdr"; or a given skeleton, as a graph or as a list of edges; or None for a free search
    - ``maximise``: the second half by name, "tabu", "hc", "ges", "xges", "exact", "clustered", "optimal-reinsertion",
      "boss", "best" or "colliders"; or None for the skeleton alone, without a ``dag_``

    A setting that neither half uses is refused, unless it is left as it is.

    The tests:

    - ``test``: independence test; "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi", "sp-mi", "zf", "cor", "mi-g",
      "dg" or "cg"
    - ``alpha``: level of significance: dependent if p is at most this
    - ``power_rule``: rows needed for each cell of the table; with fewer the test has no power (0: no rule); only with
      test "mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi" or "sp-mi"; None: 5 for the -adf tests, otherwise 0
    - ``underpowered``: verdict of a test without power; "independent" or "skip"
    - ``max_conditioning``: largest number of variables to condition on in one test; None: no limit
    - ``pair_memory``: memory limit for the tests of all pairs, which are otherwise repeated for each target
    - ``symmetry``: what to do when the two ends of an edge disagree about it; "and" or "or"
    - ``weak_learner``: weak learner inside HPC; "inter-iapc" or "fdr-iapc"; None: as the preset has it, inter-iapc,
      or fdr-iapc with bnlearn
    - ``share``: whether the targets of HPC share results: the same skeleton with fewer tests; "yes" or "no"; only
      with symmetry "and"; None: as the preset has it, yes, or no with paper
    - ``phase_one_fdr``: whether HPC controls the false discovery rate among the first candidates of a target; "no" or
      "yes"
    - ``collider_rule``: rule that decides whether two edges form a collider, if tests determine the directions;
      "max-p", "majority" or "sepset"
    - ``threshold_mi``: mutual information in nats below which TPDA treats two variables as independent, instead of
      using its test; None: the test decides

    The search:

    - ``criterion``: score to maximise; "bdeu", "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml", "bdh", "loglik-g",
      "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g", "pnal-cg" or "pnal"
    - ``iss``: weight of the prior of bdeu and bds, and of the tables of ``fit_parameters`` unless the score is bdh,
      as a number of imaginary rows; only with criterion "bdeu" or "bds"
    - ``arc_price``: price of each arc, in units of ln(number of variables); only with criterion "bdeu", "bic", "aic",
      "loglik", "k2", "bds", "bdj", "qnml", "pnal", "loglik-g", "bic-g", "bge", "bic-dg", "bic-cg", "pnal-g" or
      "pnal-cg"
    - ``levels_of``: which levels of a variable count for the score; "declared" or "data"; only with criterion "bdeu",
      "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml" or "pnal"
    - ``tabu``: number of structures that tabu search remembers and does not visit again
    - ``patience``: number of moves without a new best score that end tabu search
    - ``tie_orders``: number of searches, each with its own order among moves with the same gain; the best score wins;
      None: as the preset has it, 10, or 1 with paper and bnlearn
    - ``restarts``: number of restarts from the best structure after random moves
    - ``starts``: number of additional searches from random orders; the best score wins
    - ``window``: largest number of variables moved together to another place in the order
    - ``near``: distance from the best score within which a second score decides (0: the best score alone); only with
      criterion "bdh"
    - ``phases``: phases of GES; "insert-delete" or "insert-delete-turn"
    - ``how_many``: number of best equivalence classes to list with their scores, for tables of few variables
    - ``max_parents``: largest number of parents of a node; None: no limit
    - ``start``: graph to start the search from: a graph, a network, a learner that has learned, or pairs of names;
      None: the empty graph

    Prior knowledge:

    - ``whitelist``: required arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``blacklist``: forbidden arcs: pairs of names, a directed graph, or a frame with the columns from and to
    - ``tiers``: a number for each variable: a mapping, pairs, or a frame with the columns variable and tier; no arc
      runs from a higher tier to a lower one

    How it is run:

    - ``preset``: a named set of settings: "recommended" (ten tie orders, results shared between targets), "paper"
      (exactly as in the paper: one tie order, nothing shared) or "bnlearn" (similar to the R package: FDR-IAPC inside
      HPC, hill climbing inside a skeleton, one tie order)
    - ``missing``: how to treat missing values; "error", "drop", "level", "available" or "em"
    - ``kinds``: kinds of columns by name, "discrete" or "continuous"; those of floats are continuous unless it says
      otherwise
    - ``seed``: seed of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which a search ends with its best structure so far (None: no limit)
    - ``progress``: True for a bar, or a function that is called with the phase, how much of it is done and the total
      (None if that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.Hybrid(restrict="mmpc", maximise="hc").fit(rows).report_["learner"]
    'mmpc+hc'
    >>> learner = ossature.Hybrid(restrict=[("smoke", "bronc"), ("bronc", "dysp")]).fit(rows)
    >>> learner.dag_.skeleton().edges
    [('bronc', 'dysp'), ('bronc', 'smoke')]
    """

    _learner = None

    def __init__(
        self,
        *,
        restrict: Any = "hpc",
        maximise: SecondHalf | None = "tabu",
        test: TestWord = "mi-adf",
        alpha: float = 0.05,
        power_rule: int | None = None,
        underpowered: UnderpoweredWord = "independent",
        max_conditioning: int | None = None,
        pair_memory: int = 1024,
        symmetry: SymmetryWord = "and",
        weak_learner: WeakLearnerWord | None = None,
        share: ShareWord | None = None,
        phase_one_fdr: PhaseOneFdrWord = "no",
        collider_rule: ColliderRuleWord = "max-p",
        threshold_mi: float | None = None,
        criterion: CriterionWord = "bdeu",
        iss: float = 10.0,
        arc_price: float = 0.0,
        levels_of: LevelsOfWord = "declared",
        tabu: int = 100,
        patience: int = 15,
        tie_orders: int | None = None,
        restarts: int = 0,
        starts: int = 0,
        window: int = 1,
        near: float = 10.0,
        phases: PhasesWord = "insert-delete",
        how_many: int = 1,
        max_parents: int | None = None,
        start: Any = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: PresetWord = "recommended",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self.restrict = restrict
        self.maximise = maximise
        self.test = test
        self.alpha = alpha
        self.power_rule = power_rule
        self.underpowered = underpowered
        self.max_conditioning = max_conditioning
        self.pair_memory = pair_memory
        self.symmetry = symmetry
        self.weak_learner = weak_learner
        self.share = share
        self.phase_one_fdr = phase_one_fdr
        self.collider_rule = collider_rule
        self.threshold_mi = threshold_mi
        self.criterion = criterion
        self.iss = iss
        self.arc_price = arc_price
        self.levels_of = levels_of
        self.tabu = tabu
        self.patience = patience
        self.tie_orders = tie_orders
        self.restarts = restarts
        self.starts = starts
        self.window = window
        self.near = near
        self.phases = phases
        self.how_many = how_many
        self.max_parents = max_parents
        self.start = start
        self.whitelist = whitelist
        self.blacklist = blacklist
        self.tiers = tiers
        self.preset = preset
        self.missing = missing
        self.kinds = kinds
        self.seed = seed
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress


BY_NAME: dict[str, type[Learner]] = {
    "h2pc": H2PC,
    "mmhc": MMHC,
    "hc": HC,
    "tabu": Tabu,
    "ges": GES,
    "xges": XGES,
    "exact": Exact,
    "cos": COS,
    "ecos": ECOS,
    "sparse-candidate": SparseCandidate,
    "optimal-reinsertion": OptimalReinsertion,
    "boss": BOSS,
    "best": Best,
    "best-quick": BestQuick,
    "hpc": HPC,
    "mmpc": MMPC,
    "pc": PC,
    "gs": GS,
    "iamb": IAMB,
    "inter-iamb": InterIAMB,
    "fast-iamb": FastIAMB,
    "iamb-fdr": IAMBFDR,
    "tpda": TPDA,
}
"""The classes by the names of the catalogue."""


class _H2PCKeywords(TypedDict, total=False):
    test: TestWord
    alpha: float
    power_rule: int | None
    underpowered: UnderpoweredWord
    max_conditioning: int | None
    pair_memory: int
    symmetry: SymmetryWord
    weak_learner: WeakLearnerWord | None
    share: ShareWord | None
    phase_one_fdr: PhaseOneFdrWord
    criterion: CriterionWord
    iss: float
    arc_price: float
    levels_of: LevelsOfWord
    tabu: int
    patience: int
    tie_orders: int | None
    restarts: int
    max_parents: int | None
    start: Any
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(H2PC)
def h2pc(X: Frame, **settings: Unpack[_H2PCKeywords]) -> Dag:
    """Learns a DAG by :class:`H2PC`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> print(ossature.h2pc(rows))
    Dag of 8 nodes, 6 arcs
      bronc -> smoke
      dysp -> bronc
      either -> xray
      lung -> either
      tub -> asia
      tub -> either
    """
    return H2PC(**settings).fit(X).dag_


class _MMHCKeywords(TypedDict, total=False):
    test: TestWord
    alpha: float
    power_rule: int | None
    underpowered: UnderpoweredWord
    max_conditioning: int | None
    pair_memory: int
    symmetry: SymmetryWord
    criterion: CriterionWord
    iss: float
    arc_price: float
    levels_of: LevelsOfWord
    tabu: int
    patience: int
    tie_orders: int | None
    restarts: int
    max_parents: int | None
    start: Any
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(MMHC)
def mmhc(X: Frame, **settings: Unpack[_MMHCKeywords]) -> Dag:
    """Learns a DAG by :class:`MMHC`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.mmhc(rows)
    <Dag: 8 nodes, 5 arcs>
    """
    return MMHC(**settings).fit(X).dag_


class _HCKeywords(TypedDict, total=False):
    criterion: CriterionWord
    iss: float
    arc_price: float
    levels_of: LevelsOfWord
    tie_orders: int | None
    restarts: int
    max_parents: int | None
    start: Any
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(HC)
def hc(X: Frame, **settings: Unpack[_HCKeywords]) -> Dag:
    """Learns a DAG by :class:`HC`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.hc(rows).nodes[0]
    'asia'
    """
    return HC(**settings).fit(X).dag_


class _TabuKeywords(TypedDict, total=False):
    criterion: CriterionWord
    iss: float
    arc_price: float
    levels_of: LevelsOfWord
    tabu: int
    patience: int
    tie_orders: int | None
    restarts: int
    max_parents: int | None
    start: Any
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(Tabu)
def tabu(X: Frame, **settings: Unpack[_TabuKeywords]) -> Dag:
    """Learns a DAG by :class:`Tabu`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.tabu(rows, max_parents=1).parents("xray")
    ['either']
    """
    return Tabu(**settings).fit(X).dag_


class _GESKeywords(TypedDict, total=False):
    criterion: CriterionWord
    iss: float
    arc_price: float
    levels_of: LevelsOfWord
    phases: PhasesWord
    max_parents: int | None
    start: Any
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(GES)
def ges(X: Frame, **settings: Unpack[_GESKeywords]) -> Cpdag:
    """Learns an equivalence class by :class:`GES`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.ges(rows).nodes[0]
    'asia'
    """
    return GES(**settings).fit(X).cpdag_


class _XGESKeywords(TypedDict, total=False):
    criterion: CriterionWord
    iss: float
    arc_price: float
    levels_of: LevelsOfWord
    max_parents: int | None
    start: Any
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(XGES)
def xges(X: Frame, **settings: Unpack[_XGESKeywords]) -> Cpdag:
    """Learns an equivalence class by :class:`XGES`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.xges(rows).nodes[0]
    'asia'
    """
    return XGES(**settings).fit(X).cpdag_


class _ExactKeywords(TypedDict, total=False):
    criterion: CriterionWord
    iss: float
    arc_price: float
    levels_of: LevelsOfWord
    how_many: int
    max_parents: int | None
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(Exact)
def exact(X: Frame, **settings: Unpack[_ExactKeywords]) -> Dag:
    """Learns a DAG by :class:`Exact`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.exact(rows).nodes[0]
    'asia'
    """
    return Exact(**settings).fit(X).dag_


class _COSKeywords(TypedDict, total=False):
    test: TestWord
    alpha: float
    power_rule: int | None
    underpowered: UnderpoweredWord
    max_conditioning: int | None
    pair_memory: int
    symmetry: SymmetryWord
    criterion: CriterionWord
    iss: float
    arc_price: float
    levels_of: LevelsOfWord
    how_many: int
    max_parents: int | None
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(COS)
def cos(X: Frame, **settings: Unpack[_COSKeywords]) -> Dag:
    """Learns a DAG by :class:`COS`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.cos(rows).nodes[0]
    'asia'
    """
    return COS(**settings).fit(X).dag_


class _ECOSKeywords(TypedDict, total=False):
    test: TestWord
    alpha: float
    power_rule: int | None
    underpowered: UnderpoweredWord
    max_conditioning: int | None
    pair_memory: int
    symmetry: SymmetryWord
    criterion: CriterionWord
    iss: float
    arc_price: float
    levels_of: LevelsOfWord
    max_parents: int | None
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(ECOS)
def ecos(X: Frame, **settings: Unpack[_ECOSKeywords]) -> Dag:
    """Learns a DAG by :class:`ECOS`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.ecos(rows).nodes[0]
    'asia'
    """
    return ECOS(**settings).fit(X).dag_


class _SparseCandidateKeywords(TypedDict, total=False):
    criterion: CriterionWord
    iss: float
    arc_price: float
    levels_of: LevelsOfWord
    tie_orders: int | None
    measure: MeasureWord
    candidates: int
    max_parents: int | None
    start: Any
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(SparseCandidate)
def sparse_candidate(X: Frame, **settings: Unpack[_SparseCandidateKeywords]) -> Dag:
    """Learns a DAG by :class:`SparseCandidate`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.sparse_candidate(rows).nodes[0]
    'asia'
    """
    return SparseCandidate(**settings).fit(X).dag_


class _OptimalReinsertionKeywords(TypedDict, total=False):
    criterion: CriterionWord
    iss: float
    arc_price: float
    levels_of: LevelsOfWord
    restarts: int
    max_parents: int | None
    start: Any
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(OptimalReinsertion)
def optimal_reinsertion(X: Frame, **settings: Unpack[_OptimalReinsertionKeywords]) -> Dag:
    """Learns a DAG by :class:`OptimalReinsertion`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.optimal_reinsertion(rows).nodes[0]
    'asia'
    """
    return OptimalReinsertion(**settings).fit(X).dag_


class _BOSSKeywords(TypedDict, total=False):
    criterion: CriterionWord
    iss: float
    arc_price: float
    levels_of: LevelsOfWord
    window: int
    max_parents: int | None
    start: Any
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(BOSS)
def boss(X: Frame, **settings: Unpack[_BOSSKeywords]) -> Cpdag:
    """Learns an equivalence class by :class:`BOSS`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.boss(rows).nodes[0]
    'asia'
    """
    return BOSS(**settings).fit(X).cpdag_


class _BestKeywords(TypedDict, total=False):
    criterion: CriterionWord
    iss: float
    arc_price: float
    levels_of: LevelsOfWord
    starts: int
    window: int
    near: float
    max_parents: int | None
    start: Any
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(Best)
def best(X: Frame, **settings: Unpack[_BestKeywords]) -> Cpdag:
    """Learns an equivalence class by :class:`Best`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.best(rows).nodes[0]
    'asia'
    """
    return Best(**settings).fit(X).cpdag_


class _BestQuickKeywords(TypedDict, total=False):
    criterion: CriterionWord
    iss: float
    arc_price: float
    levels_of: LevelsOfWord
    starts: int
    window: int
    near: float
    max_parents: int | None
    start: Any
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(BestQuick)
def best_quick(X: Frame, **settings: Unpack[_BestQuickKeywords]) -> Cpdag:
    """Learns an equivalence class by :class:`BestQuick`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.best_quick(rows).nodes[0]
    'asia'
    """
    return BestQuick(**settings).fit(X).cpdag_


class _HPCKeywords(TypedDict, total=False):
    test: TestWord
    alpha: float
    power_rule: int | None
    underpowered: UnderpoweredWord
    max_conditioning: int | None
    pair_memory: int
    symmetry: SymmetryWord
    weak_learner: WeakLearnerWord | None
    share: ShareWord | None
    phase_one_fdr: PhaseOneFdrWord
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(HPC)
def hpc(X: Frame, **settings: Unpack[_HPCKeywords]) -> Skeleton:
    """Learns a skeleton by :class:`HPC`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.hpc(rows).neighbours("bronc")
    ['dysp', 'smoke']
    """
    return HPC(**settings).fit(X).skeleton_


class _MMPCKeywords(TypedDict, total=False):
    test: TestWord
    alpha: float
    power_rule: int | None
    underpowered: UnderpoweredWord
    max_conditioning: int | None
    pair_memory: int
    symmetry: SymmetryWord
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(MMPC)
def mmpc(X: Frame, **settings: Unpack[_MMPCKeywords]) -> Skeleton:
    """Learns a skeleton by :class:`MMPC`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.mmpc(rows).neighbours("bronc")
    ['dysp', 'smoke']
    """
    return MMPC(**settings).fit(X).skeleton_


class _PCKeywords(TypedDict, total=False):
    test: TestWord
    alpha: float
    power_rule: int | None
    underpowered: UnderpoweredWord
    max_conditioning: int | None
    pair_memory: int
    collider_rule: ColliderRuleWord
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(PC)
def pc(X: Frame, **settings: Unpack[_PCKeywords]) -> Cpdag:
    """Learns an equivalence class by :class:`PC`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.pc(rows).nodes[0]
    'asia'
    """
    return PC(**settings).fit(X).cpdag_


class _GSKeywords(TypedDict, total=False):
    test: TestWord
    alpha: float
    power_rule: int | None
    underpowered: UnderpoweredWord
    max_conditioning: int | None
    pair_memory: int
    symmetry: SymmetryWord
    collider_rule: ColliderRuleWord
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(GS)
def gs(X: Frame, **settings: Unpack[_GSKeywords]) -> Cpdag:
    """Learns an equivalence class by :class:`GS`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.gs(rows).nodes[0]
    'asia'
    """
    return GS(**settings).fit(X).cpdag_


class _IAMBKeywords(TypedDict, total=False):
    test: TestWord
    alpha: float
    power_rule: int | None
    underpowered: UnderpoweredWord
    max_conditioning: int | None
    pair_memory: int
    symmetry: SymmetryWord
    collider_rule: ColliderRuleWord
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(IAMB)
def iamb(X: Frame, **settings: Unpack[_IAMBKeywords]) -> Cpdag:
    """Learns an equivalence class by :class:`IAMB`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.iamb(rows).nodes[0]
    'asia'
    """
    return IAMB(**settings).fit(X).cpdag_


class _InterIAMBKeywords(TypedDict, total=False):
    test: TestWord
    alpha: float
    power_rule: int | None
    underpowered: UnderpoweredWord
    max_conditioning: int | None
    pair_memory: int
    symmetry: SymmetryWord
    collider_rule: ColliderRuleWord
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(InterIAMB)
def inter_iamb(X: Frame, **settings: Unpack[_InterIAMBKeywords]) -> Cpdag:
    """Learns an equivalence class by :class:`InterIAMB`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.inter_iamb(rows).nodes[0]
    'asia'
    """
    return InterIAMB(**settings).fit(X).cpdag_


class _FastIAMBKeywords(TypedDict, total=False):
    test: TestWord
    alpha: float
    power_rule: int | None
    underpowered: UnderpoweredWord
    max_conditioning: int | None
    pair_memory: int
    symmetry: SymmetryWord
    collider_rule: ColliderRuleWord
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(FastIAMB)
def fast_iamb(X: Frame, **settings: Unpack[_FastIAMBKeywords]) -> Cpdag:
    """Learns an equivalence class by :class:`FastIAMB`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.fast_iamb(rows).nodes[0]
    'asia'
    """
    return FastIAMB(**settings).fit(X).cpdag_


class _IAMBFDRKeywords(TypedDict, total=False):
    test: TestWord
    alpha: float
    power_rule: int | None
    underpowered: UnderpoweredWord
    max_conditioning: int | None
    pair_memory: int
    symmetry: SymmetryWord
    collider_rule: ColliderRuleWord
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(IAMBFDR)
def iamb_fdr(X: Frame, **settings: Unpack[_IAMBFDRKeywords]) -> Cpdag:
    """Learns an equivalence class by :class:`IAMBFDR`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.iamb_fdr(rows).nodes[0]
    'asia'
    """
    return IAMBFDR(**settings).fit(X).cpdag_


class _TPDAKeywords(TypedDict, total=False):
    test: TestWord
    alpha: float
    power_rule: int | None
    underpowered: UnderpoweredWord
    max_conditioning: int | None
    pair_memory: int
    collider_rule: ColliderRuleWord
    threshold_mi: float | None
    whitelist: Any
    blacklist: Any
    tiers: Any
    preset: PresetWord
    missing: Missing
    kinds: Kinds | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    progress: Progress


@has_keywords_of(TPDA)
def tpda(X: Frame, **settings: Unpack[_TPDAKeywords]) -> Cpdag:
    """Learns an equivalence class by :class:`TPDA`, whose keywords it has.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.tpda(rows).nodes[0]
    'asia'
    """
    return TPDA(**settings).fit(X).cpdag_
