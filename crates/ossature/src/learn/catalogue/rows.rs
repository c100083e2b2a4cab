//! The table of settings: a row defines everything about a setting except its use.

use super::super::setting::{Heading, Setting, Takes, Value, words};
use crate::ci::{TestKind, Underpowered};
use crate::learn::sparse_candidate::CandidateMeasure;
use crate::local::{PhaseOne, Share, Symmetry, WeakLearner};
use crate::orient::ColliderRule;
use crate::score::{LevelsOf, ScoreKind};
use crate::search::Phases;
use crate::word::Word;

/// A plain row; the others change what they need.
pub const PLAIN: Setting = Setting {
    name: "",
    takes: Takes::Whole { from: 0, to: u64::MAX },
    default: || None,
    without: "",
    value_name: "N",
    heading: Heading::Search,
    help: "",
    detail: "",
    only_with: None,
    keyword: None,
};

/// The default of a setting that takes a word.
fn usual<W: Word>() -> Option<Value> {
    Some(Value::word(W::default()))
}

/// Which independence test.
pub const TEST: Setting = Setting {
    name: "test",
    takes: Takes::Word(words::<TestKind>),
    default: usual::<TestKind>,
    value_name: "NAME",
    heading: Heading::Tests,
    help: "Independence test",
    ..PLAIN
};

/// The level of significance.
pub const ALPHA: Setting = Setting {
    name: "alpha",
    takes: Takes::Number { from: 0.0, to: 1.0, closed: false },
    default: || Some(Value::Number(0.05)),
    value_name: "P",
    heading: Heading::Tests,
    help: "Level of significance: dependent if p is at most this",
    ..PLAIN
};

/// The tests that use tables of counts, and so have cells.
const TABLE_TESTS: &[&str] = &["mi", "mi-adf", "x2", "x2-adf", "mi-sh", "mc-mi", "sp-mi"];

/// The rows that a test needs to have power.
pub const POWER_RULE: Setting = Setting {
    name: "power-rule",
    takes: Takes::Whole { from: 0, to: u32::MAX as u64 },
    without: "5 for the -adf tests, otherwise 0",
    heading: Heading::Tests,
    help: "Rows needed for each cell of the table; with fewer the test has no power (0: no rule)",
    only_with: Some(("test", TABLE_TESTS)),
    ..PLAIN
};

/// What a test without power means.
pub const UNDERPOWERED: Setting = Setting {
    name: "underpowered",
    takes: Takes::Word(words::<Underpowered>),
    default: usual::<Underpowered>,
    value_name: "POLICY",
    heading: Heading::Tests,
    help: "Verdict of a test without power",
    ..PLAIN
};

/// The largest conditioning set.
pub const MAX_CONDITIONING: Setting = Setting {
    name: "max-conditioning",
    without: "no limit",
    heading: Heading::Tests,
    help: "Largest number of variables to condition on in one test",
    ..PLAIN
};

/// The memory for the outcomes of all pairs.
pub const PAIR_MEMORY: Setting = Setting {
    name: "pair-memory",
    takes: Takes::Whole { from: 0, to: 1 << 30 },
    default: || Some(Value::Whole(1024)),
    value_name: "MB",
    heading: Heading::Tests,
    help: "Memory limit for the tests of all pairs, which are otherwise repeated for each target",
    detail: "A pair takes 16 bytes: 10,000 variables need 763 MB.",
    ..PLAIN
};

/// How to treat an edge that only one end has found.
pub const SYMMETRY: Setting = Setting {
    name: "symmetry",
    takes: Takes::Word(words::<Symmetry>),
    default: usual::<Symmetry>,
    value_name: "RULE",
    heading: Heading::Tests,
    help: "What to do when the two ends of an edge disagree about it",
    ..PLAIN
};

/// The weak learner inside HPC.
pub const WEAK_LEARNER: Setting = Setting {
    name: "weak-learner",
    takes: Takes::Word(words::<WeakLearner>),
    default: usual::<WeakLearner>,
    value_name: "NAME",
    heading: Heading::Tests,
    help: "Weak learner inside HPC",
    ..PLAIN
};

/// Whether the targets of HPC share results.
pub const SHARE: Setting = Setting {
    name: "share",
    takes: Takes::Word(words::<Share>),
    default: usual::<Share>,
    value_name: "YES|NO",
    heading: Heading::Tests,
    help: "Whether the targets of HPC share results: the same skeleton with fewer tests",
    only_with: Some(("symmetry", &["and"])),
    ..PLAIN
};

/// Whether the first phase of HPC controls the false discovery rate.
pub const PHASE_ONE_FDR: Setting = Setting {
    name: "phase-one-fdr",
    takes: Takes::Word(words::<PhaseOne>),
    default: usual::<PhaseOne>,
    value_name: "YES|NO",
    heading: Heading::Tests,
    help: "Whether HPC controls the false discovery rate among the first candidates of a target",
    detail: "Of n variables, about alpha times n seem to depend on a target by chance. With thousands of columns, \
             testing those takes most of the time.",
    ..PLAIN
};

/// What makes a collider.
pub const COLLIDER_RULE: Setting = Setting {
    name: "collider-rule",
    takes: Takes::Word(words::<ColliderRule>),
    default: usual::<ColliderRule>,
    value_name: "RULE",
    heading: Heading::Tests,
    help: "Rule that decides whether two edges form a collider, if tests determine the directions",
    ..PLAIN
};

/// The mutual information at which two variables count as dependent.
pub const THRESHOLD_MI: Setting = Setting {
    name: "threshold-mi",
    takes: Takes::Number { from: 0.0, to: 1e6, closed: true },
    without: "the test decides",
    value_name: "EPS",
    heading: Heading::Tests,
    help: "Mutual information in nats below which TPDA treats two variables as independent, instead of using its test",
    ..PLAIN
};

/// The score.
pub const SCORE: Setting = Setting {
    name: "score",
    takes: Takes::Word(words::<ScoreKind>),
    default: usual::<ScoreKind>,
    value_name: "NAME",
    help: "Score to maximise",
    keyword: Some("criterion"),
    ..PLAIN
};

/// The equivalent sample size of the score.
pub const ISS: Setting = Setting {
    name: "iss",
    takes: Takes::Number { from: 1e-9, to: 1e9, closed: true },
    default: || Some(Value::Number(10.0)),
    help: "Weight of the prior of bdeu and bds, and of the tables in a .bif unless the score is bdh, as a number of imaginary rows",
    only_with: Some(("score", &["bdeu", "bds"])),
    ..PLAIN
};

/// The scores without an arc price of their own, for which the levels that count can be chosen.
const PLAIN_SCORES: &[&str] = &["bdeu", "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml", "pnal"];

/// The scores to which a price per arc can be added.
const PRICED_SCORES: &[&str] = &[
    "bdeu", "bic", "aic", "loglik", "k2", "bds", "bdj", "qnml", "pnal", "loglik-g", "bic-g", "bge", "bic-dg",
    "bic-cg", "pnal-g", "pnal-cg",
];

/// The price of an arc.
pub const ARC_PRICE: Setting = Setting {
    name: "arc-price",
    takes: Takes::Number { from: 0.0, to: 1e6, closed: true },
    default: || Some(Value::Number(0.0)),
    value_name: "G",
    help: "Price of each arc, in units of ln(number of variables)",
    only_with: Some(("score", PRICED_SCORES)),
    ..PLAIN
};

/// The levels that count for a score.
pub const LEVELS_OF: Setting = Setting {
    name: "levels-of",
    takes: Takes::Word(words::<LevelsOf>),
    default: usual::<LevelsOf>,
    value_name: "WHICH",
    help: "Which levels of a variable count for the score",
    only_with: Some(("score", PLAIN_SCORES)),
    ..PLAIN
};

/// The length of the tabu list.
pub const TABU: Setting = Setting {
    name: "tabu",
    takes: Takes::Whole { from: 0, to: 1_000_000 },
    default: || Some(Value::Whole(100)),
    help: "Number of structures that tabu search remembers and does not visit again",
    ..PLAIN
};

/// The moves without a new best score that end a tabu search.
pub const PATIENCE: Setting = Setting {
    name: "patience",
    takes: Takes::Whole { from: 1, to: 1_000_000 },
    default: || Some(Value::Whole(15)),
    help: "Number of moves without a new best score that end tabu search",
    ..PLAIN
};

/// The number of tie orders.
pub const TIE_ORDERS: Setting = Setting {
    name: "tie-orders",
    takes: Takes::Whole { from: 1, to: 10_000 },
    default: || Some(Value::Whole(10)),
    value_name: "K",
    help: "Number of searches, each with its own order among moves with the same gain; the best score wins",
    ..PLAIN
};

/// The number of random restarts.
pub const RESTARTS: Setting = Setting {
    name: "restarts",
    takes: Takes::Whole { from: 0, to: 1_000_000_000 },
    default: || Some(Value::Whole(0)),
    help: "Number of restarts from the best structure after random moves",
    ..PLAIN
};

/// The number of random starts.
pub const STARTS: Setting = Setting {
    name: "starts",
    takes: Takes::Whole { from: 0, to: 10_000 },
    default: || Some(Value::Whole(0)),
    value_name: "K",
    help: "Number of additional searches from random orders; the best score wins",
    ..PLAIN
};

/// The size of the windows of BOSS.
pub const WINDOW: Setting = Setting {
    name: "window",
    takes: Takes::Whole { from: 1, to: 16 },
    default: || Some(Value::Whole(1)),
    value_name: "W",
    help: "Largest number of variables moved together to another place in the order",
    ..PLAIN
};

/// How near a tie is.
pub const NEAR: Setting = Setting {
    name: "near",
    takes: Takes::Number { from: 0.0, to: 1e6, closed: true },
    default: || Some(Value::Number(10.0)),
    value_name: "NATS",
    help: "Distance from the best score within which a second score decides (0: the best score alone)",
    detail: "bdh cannot distinguish such graphs, so bds with a price per arc chooses among them.",
    only_with: Some(("score", &["bdh"])),
    ..PLAIN
};

/// The phases of GES.
pub const PHASES: Setting = Setting {
    name: "phases",
    takes: Takes::Word(words::<Phases>),
    default: usual::<Phases>,
    value_name: "WHICH",
    help: "Phases of GES",
    ..PLAIN
};

/// How Sparse Candidate values candidates.
pub const MEASURE: Setting = Setting {
    name: "measure",
    takes: Takes::Word(words::<CandidateMeasure>),
    default: usual::<CandidateMeasure>,
    value_name: "NAME",
    help: "How Sparse Candidate rates candidate parents, after its first round",
    ..PLAIN
};

/// The candidates of Sparse Candidate.
pub const CANDIDATES: Setting = Setting {
    name: "candidates",
    takes: Takes::Whole { from: 1, to: 1_000_000 },
    default: || Some(Value::Whole(5)),
    value_name: "K",
    help: "Number of candidate parents that Sparse Candidate allows each variable in a round",
    ..PLAIN
};

/// The number of classes to list.
pub const HOW_MANY: Setting = Setting {
    name: "how-many",
    takes: Takes::Whole { from: 1, to: 10_000 },
    default: || Some(Value::Whole(1)),
    value_name: "K",
    help: "Number of best equivalence classes to list with their scores, for tables of few variables",
    ..PLAIN
};

/// The largest number of parents of a node.
pub const MAX_PARENTS: Setting = Setting {
    name: "max-parents",
    without: "no limit",
    help: "Largest number of parents of a node",
    ..PLAIN
};

/// The arcs of the graph that the search starts from.
pub const START: Setting = Setting {
    name: "start",
    takes: Takes::Pairs,
    without: "the empty graph",
    value_name: "GRAPH",
    help: "Graph to start the search from: a file or an embedded name",
    ..PLAIN
};

/// The edges of a given skeleton.
pub const SKELETON: Setting = Setting {
    name: "skeleton",
    takes: Takes::Pairs,
    heading: Heading::Knowledge,
    help: "Edges that the search may use",
    ..PLAIN
};

/// Required arcs.
pub const WHITELIST: Setting = Setting {
    name: "whitelist",
    takes: Takes::Pairs,
    value_name: "FILE",
    heading: Heading::Knowledge,
    help: "Required arcs: CSV with the columns from,to",
    ..PLAIN
};

/// Forbidden arcs.
pub const BLACKLIST: Setting = Setting {
    name: "blacklist",
    takes: Takes::Pairs,
    value_name: "FILE",
    heading: Heading::Knowledge,
    help: "Forbidden arcs: CSV with the columns from,to",
    ..PLAIN
};

/// Variables with their tiers.
pub const TIERS: Setting = Setting {
    name: "tiers",
    takes: Takes::Tiers,
    value_name: "FILE",
    heading: Heading::Knowledge,
    help: "Tiers: CSV with the columns variable,tier; no arc runs from a higher tier to a lower one",
    ..PLAIN
};

/// The number of samples of a bootstrap.
pub const BOOTSTRAP: Setting = Setting {
    name: "bootstrap",
    takes: Takes::Whole { from: 1, to: 1_000_000 },
    without: "no bootstrap",
    heading: Heading::Run,
    help: "Number of samples of the rows to learn from and average, to find how certain each arc is",
    detail: "Each sample has as many rows as the table, drawn with replacement. The result is the averaged \
             network of the arcs whose strength is above a threshold that is found from the strengths.",
    ..PLAIN
};

/// The seed of everything random.
pub const SEED: Setting = Setting {
    name: "seed",
    default: || Some(Value::Whole(0)),
    heading: Heading::Run,
    help: "Seed of everything random",
    ..PLAIN
};

/// Every setting, in the order in which the help and a report list them.
pub(in crate::learn) const ALL: &[Setting] = &[
    TEST,
    ALPHA,
    POWER_RULE,
    UNDERPOWERED,
    MAX_CONDITIONING,
    PAIR_MEMORY,
    SYMMETRY,
    WEAK_LEARNER,
    SHARE,
    PHASE_ONE_FDR,
    COLLIDER_RULE,
    THRESHOLD_MI,
    SCORE,
    ISS,
    ARC_PRICE,
    LEVELS_OF,
    TABU,
    PATIENCE,
    TIE_ORDERS,
    RESTARTS,
    STARTS,
    WINDOW,
    NEAR,
    PHASES,
    MEASURE,
    CANDIDATES,
    HOW_MANY,
    MAX_PARENTS,
    START,
    SKELETON,
    WHITELIST,
    BLACKLIST,
    TIERS,
    BOOTSTRAP,
    SEED,
];

/// The settings that every learner uses.
pub(super) const BY_ALL: &[Setting] = &[WHITELIST, BLACKLIST, TIERS, BOOTSTRAP, SEED];

/// The settings of everything that runs tests.
pub(super) const BY_TESTS: &[Setting] =
    &[TEST, ALPHA, POWER_RULE, UNDERPOWERED, MAX_CONDITIONING, PAIR_MEMORY];

/// The settings of everything that maximises a score.
pub(super) const BY_SCORE: &[Setting] = &[SCORE, ISS, ARC_PRICE, LEVELS_OF];
