//! The table of learners: all halves, and which of them make up a named learner.

use super::rows::*;
use super::{Build, FirstHalf, How, LearnerRow, Preset, Returns, SecondHalf};
use crate::data::Var;
use crate::error::{Error, Result};
use crate::graph::Skeleton;
use crate::halves::GivenSkeleton;
use crate::learn::setting::Value;
use crate::learn::settings::Settings;
use crate::learn::sparse_candidate::SparseCandidate;
use crate::local::{BlanketLearner, Hpc, Mmpc, Pc, Share, Tpda, WeakLearner};
use crate::orient::{ColliderRule, Colliders};
use crate::score::{LevelsOf, ScoreKind};
use crate::search::{Algorithm, Best, Boss, Exact, Ges, OptimalReinsertion, Search};

const GASSE: &str = "Gasse, Aussem & Elghazel (2012), doi:10.1007/978-3-642-33460-3_9";
const TSAMARDINOS: &str = "Tsamardinos, Brown & Aliferis (2006), doi:10.1007/s10994-006-6889-7";
const COLOMBO: &str = "Spirtes & Glymour (1991), Colombo & Maathuis (2014), doi:10.5555/2627435.2750365";
const MARGARITIS: &str = "Margaritis (2003), CMU-CS-03-153";
const ALIFERIS: &str = "Tsamardinos, Aliferis & Statnikov (2003), FLAIRS-16";
const YARAMAKALA: &str = "Yaramakala & Margaritis (2005), doi:10.1109/ICDM.2005.134";
const PENA: &str = "Peña (2008), doi:10.1007/978-3-540-78757-0_15";
const CHENG: &str = "Cheng, Greiner, Kelly, Bell & Liu (2002), doi:10.1016/S0004-3702(02)00191-1";
const GLOVER: &str = "Glover (1989), doi:10.1287/ijoc.1.3.190";
const HECKERMAN: &str = "Heckerman, Geiger & Chickering (1995), doi:10.1007/BF00994016";

const CHICKERING: &str = "Chickering (2002), JMLR 3, 507-554";
const SILANDER: &str =
    "Silander & Myllymäki (2006), arXiv 1206.6875; Yuan & Malone (2013), doi:10.1613/jair.4039";
const PERRIER: &str = "Perrier, Imoto & Miyano (2008), JMLR 9, 2251-2286";
const MOORE: &str = "Moore & Wong (2003), ICML-20, 552-559";
const FRIEDMAN: &str = "Friedman, Nachman & Pe'er (1999), UAI-15, arXiv 1301.6696";
const KOJIMA: &str = "Kojima, Perrier, Imoto & Miyano (2010), JMLR 11, 285-310";
const ANDREWS: &str = "Andrews, Ramsey, Sanchez-Romero, Camchong & Kummerfeld (2023), NeurIPS 36";
const NAZARET: &str = "Nazaret & Blei (2024), arXiv 2502.19551";

/// The first halves.
pub(super) const FIRST: &[FirstHalf] = &[
    FirstHalf {
        name: "hpc",
        title: "HPC, an ensemble of weak learners: finds more of a large neighbourhood",
        settings: &[SYMMETRY, WEAK_LEARNER, SHARE, PHASE_ONE_FDR],
        build: Build::Local(|s| {
            let hpc = Hpc::new(s.word(&WEAK_LEARNER)).with_phase_one(s.word(&PHASE_ONE_FDR));
            Box::new(if s.word::<Share>(&SHARE) == Share::Yes { hpc.with_sharing() } else { hpc })
        }),
    },
    FirstHalf {
        name: "mmpc",
        title: "MMPC, max-min parents and children",
        settings: &[SYMMETRY],
        build: Build::Local(|_| Box::new(Mmpc)),
    },
    FirstHalf {
        name: "pc",
        title: "PC, conditioning sets of increasing size, in the order-independent form",
        settings: &[],
        build: Build::Whole(|_| Box::new(Pc)),
    },
    FirstHalf {
        name: "tpda",
        title: "TPDA: drafts by mutual information, thickens, and thins",
        settings: &[THRESHOLD_MI],
        build: Build::Whole(|s| Box::new(Tpda { threshold: s.optional(&THRESHOLD_MI) })),
    },
    FirstHalf {
        name: "gs",
        title: "GS, grow-shrink: Markov blankets; adds the first dependent variable",
        settings: &[SYMMETRY],
        build: Build::Blanket(BlanketLearner::Gs),
    },
    FirstHalf {
        name: "iamb",
        title: "IAMB: Markov blankets; adds the strongest variable",
        settings: &[SYMMETRY],
        build: Build::Blanket(BlanketLearner::Iamb),
    },
    FirstHalf {
        name: "inter-iamb",
        title: "Inter-IAMB: IAMB that shrinks after each addition",
        settings: &[SYMMETRY],
        build: Build::Blanket(BlanketLearner::InterIamb),
    },
    FirstHalf {
        name: "fast-iamb",
        title: "Fast-IAMB: IAMB that adds several variables at once",
        settings: &[SYMMETRY],
        build: Build::Blanket(BlanketLearner::FastIamb),
    },
    FirstHalf {
        name: "iamb-fdr",
        title: "IAMB-FDR: IAMB with control of the false discovery rate",
        settings: &[SYMMETRY],
        build: Build::Blanket(BlanketLearner::IambFdr),
    },
    FirstHalf {
        name: "given",
        title: "A given skeleton",
        settings: &[SKELETON],
        build: Build::Given(|s, names| Ok(Box::new(GivenSkeleton(skeleton(s.pairs(&SKELETON), names)?)))),
    },
];

/// What the two climbs have in common.
const CLIMB: [crate::learn::Setting; 4] = [TIE_ORDERS, RESTARTS, MAX_PARENTS, START];

/// The second halves.
pub(super) const SECOND: &[SecondHalf] = &[
    SecondHalf {
        name: "tabu",
        title: "Tabu search: continues past the first local optimum, to structures not visited recently",
        settings: &[TABU, PATIENCE, CLIMB[0], CLIMB[1], CLIMB[2], CLIMB[3]],
        uses_score: true,
        asks_tests: false,
        returns: Returns::Dag,
        build: |s| {
            let (list, patience) = (s.count(&TABU), s.count(&PATIENCE));
            Box::new(climb(s, Algorithm::Tabu { list, patience }))
        },
    },
    SecondHalf {
        name: "hc",
        title: "Hill climbing: up to the first local optimum",
        settings: &CLIMB,
        uses_score: true,
        asks_tests: false,
        returns: Returns::Dag,
        build: |s| Box::new(climb(s, Algorithm::HillClimb)),
    },
    SecondHalf {
        name: "ges",
        title: "Greedy equivalence search: climbs over classes instead of DAGs",
        settings: &[PHASES, MAX_PARENTS, START],
        uses_score: true,
        asks_tests: false,
        returns: Returns::Cpdag,
        build: |s| {
            let (phases, max_parents) = (s.word(&PHASES), s.limit(&MAX_PARENTS));
            Box::new(Ges { phases, extremely: false, max_parents })
        },
    },
    SecondHalf {
        name: "xges",
        title: "GES that deletes first, and at the end tries to remove each edge",
        settings: &[MAX_PARENTS, START],
        uses_score: true,
        asks_tests: false,
        returns: Returns::Cpdag,
        build: |s| {
            let max_parents = s.limit(&MAX_PARENTS);
            Box::new(Ges { extremely: true, max_parents, ..Ges::default() })
        },
    },
    SecondHalf {
        name: "exact",
        title: "The proven optimum; under a limit, the best found and a bound",
        settings: &[HOW_MANY, MAX_PARENTS],
        uses_score: true,
        asks_tests: false,
        returns: Returns::Dag,
        build: |s| {
            let (max_parents, how_many) = (s.limit(&MAX_PARENTS), s.count(&HOW_MANY));
            Box::new(Exact { max_parents, clustered: false, how_many })
        },
    },
    SecondHalf {
        name: "clustered",
        title: "The same optimum for hundreds of variables, by dividing them and by prices of clusters",
        settings: &[MAX_PARENTS],
        uses_score: true,
        asks_tests: false,
        returns: Returns::Dag,
        build: |s| Box::new(Exact { max_parents: s.limit(&MAX_PARENTS), clustered: true, how_many: 1 }),
    },
    SecondHalf {
        name: "optimal-reinsertion",
        title: "Removes one variable at a time and reinserts it in the best way, then climbs",
        settings: &[RESTARTS, MAX_PARENTS, START],
        uses_score: true,
        asks_tests: false,
        returns: Returns::Dag,
        build: |s| {
            let (restarts, max_parents) = (s.count(&RESTARTS), s.limit(&MAX_PARENTS));
            Box::new(OptimalReinsertion { restarts, max_parents, seed: s.whole(&SEED) })
        },
    },
    SecondHalf {
        name: "boss",
        title: "BOSS: a climb over orders, starting from that of GES",
        settings: &[WINDOW, MAX_PARENTS, START],
        uses_score: true,
        asks_tests: false,
        returns: Returns::Cpdag,
        build: |s| Box::new(Boss { window: s.count(&WINDOW), max_parents: s.limit(&MAX_PARENTS) }),
    },
    SecondHalf {
        name: "best",
        title: "Classes and orders in turn, from several starts",
        settings: &[STARTS, WINDOW, NEAR, MAX_PARENTS, START],
        uses_score: true,
        asks_tests: false,
        returns: Returns::Cpdag,
        build: |s| {
            let (starts, window) = (s.count(&STARTS), s.count(&WINDOW));
            let near = s.number(&NEAR);
            Box::new(Best { starts, window, near, max_parents: s.limit(&MAX_PARENTS), seed: s.whole(&SEED) })
        },
    },
    SecondHalf {
        name: "colliders",
        title: "Directions by tests: colliders, and what follows from them by Meek's rules",
        settings: &[COLLIDER_RULE],
        uses_score: false,
        asks_tests: true,
        returns: Returns::Cpdag,
        build: |s| Box::new(Colliders { rule: s.word(&COLLIDER_RULE) }),
    },
];

/// The learners.
pub(super) const LEARNERS: &[LearnerRow] = &[
    LearnerRow {
        name: "h2pc",
        class: "H2PC",
        title: "The skeleton by HPC, then the directions by tabu search inside it; the paper's learner",
        citation: GASSE,
        how: How::Halves { restrict: Some("hpc"), maximise: Some("tabu") },
        defaults: &[],
    },
    LearnerRow {
        name: "mmhc",
        class: "MMHC",
        title: "The skeleton by MMPC, then the directions by tabu search inside it",
        citation: TSAMARDINOS,
        how: How::Halves { restrict: Some("mmpc"), maximise: Some("tabu") },
        defaults: &[],
    },
    LearnerRow {
        name: "hc",
        class: "HC",
        title: "Hill climbing without a skeleton, up to the first structure that no change improves",
        citation: HECKERMAN,
        how: How::Halves { restrict: None, maximise: Some("hc") },
        defaults: &[],
    },
    LearnerRow {
        name: "tabu",
        class: "Tabu",
        title: "Tabu search without a skeleton",
        citation: GLOVER,
        how: How::Halves { restrict: None, maximise: Some("tabu") },
        defaults: &[],
    },
    LearnerRow {
        name: "ges",
        class: "GES",
        title: "Greedy equivalence search: inserts edges, then deletes some, over classes of DAGs",
        citation: CHICKERING,
        how: How::Halves { restrict: None, maximise: Some("ges") },
        defaults: &[],
    },
    LearnerRow {
        name: "xges",
        class: "XGES",
        title: "GES that deletes before it inserts, and at the end tries to remove each edge",
        citation: NAZARET,
        how: How::Halves { restrict: None, maximise: Some("xges") },
        defaults: &[],
    },
    LearnerRow {
        name: "exact",
        class: "Exact",
        title: "The proven optimum; for small tables, or with few parents",
        citation: SILANDER,
        how: How::Halves { restrict: None, maximise: Some("exact") },
        defaults: &[],
    },
    LearnerRow {
        name: "cos",
        class: "COS",
        title: "The proven optimum inside a generous skeleton by MMPC",
        citation: PERRIER,
        how: How::Halves { restrict: Some("mmpc"), maximise: Some("exact") },
        defaults: &[("alpha", || Value::Number(0.2))],
    },
    LearnerRow {
        name: "ecos",
        class: "ECOS",
        title: "The same optimum as cos for hundreds of variables, by dividing the skeleton",
        citation: KOJIMA,
        how: How::Halves { restrict: Some("mmpc"), maximise: Some("clustered") },
        defaults: &[("alpha", || Value::Number(0.2))],
    },
    LearnerRow {
        name: "sparse-candidate",
        class: "SparseCandidate",
        title: "Sparse Candidate: a few candidate parents, a climb among them, repeated",
        citation: FRIEDMAN,
        how: How::Rounds {
            settings: &[MEASURE, CANDIDATES, TIE_ORDERS, MAX_PARENTS, START],
            uses_score: true,
            asks_tests: false,
            returns: Returns::Dag,
            build: |s, data, constraints| {
                Ok(Box::new(SparseCandidate {
                    measure: s.word(&MEASURE),
                    candidates: s.count(&CANDIDATES),
                    search: Search { restarts: 0, ..climb(s, Algorithm::HillClimb) },
                    score: s.score(),
                    constraints,
                    start: super::start(s, data)?,
                }))
            },
        },
        defaults: &[],
    },
    LearnerRow {
        name: "optimal-reinsertion",
        class: "OptimalReinsertion",
        title: "Optimal Reinsertion of one variable at a time, up to three parents each, then a climb",
        citation: MOORE,
        how: How::Halves { restrict: None, maximise: Some("optimal-reinsertion") },
        defaults: &[("max-parents", || Value::Whole(3))],
    },
    LearnerRow {
        name: "boss",
        class: "BOSS",
        title: "Best order score search: finds the order in which each variable has its best parents",
        citation: ANDREWS,
        how: How::Halves { restrict: None, maximise: Some("boss") },
        defaults: &[],
    },
    LearnerRow {
        name: "best",
        class: "Best",
        title: "The most accurate learner: classes and orders in turn, with the score bdh",
        citation: "ours, docs/best.md",
        how: How::Halves { restrict: None, maximise: Some("best") },
        defaults: &[("score", || Value::word(ScoreKind::Bdh)), ("window", || Value::Whole(2))],
    },
    LearnerRow {
        name: "best-quick",
        class: "BestQuick",
        title: "The same with a simpler score, bds with a price for each arc: less accurate and much faster",
        citation: "ours, docs/best.md",
        how: How::Halves { restrict: None, maximise: Some("best") },
        defaults: &[
            ("score", || Value::word(ScoreKind::Bds)),
            ("arc-price", || Value::Number(2.0)),
            ("levels-of", || Value::word(LevelsOf::Data)),
            ("window", || Value::Whole(2)),
        ],
    },
    LearnerRow {
        name: "hpc",
        class: "HPC",
        title: "The skeleton alone, by HPC",
        citation: GASSE,
        how: How::Halves { restrict: Some("hpc"), maximise: None },
        defaults: &[],
    },
    LearnerRow {
        name: "mmpc",
        class: "MMPC",
        title: "The skeleton alone, by MMPC",
        citation: TSAMARDINOS,
        how: How::Halves { restrict: Some("mmpc"), maximise: None },
        defaults: &[],
    },
    LearnerRow {
        name: "pc",
        class: "PC",
        title: "The skeleton by PC, then the directions by colliders; uses only tests",
        citation: COLOMBO,
        how: How::Halves { restrict: Some("pc"), maximise: Some("colliders") },
        defaults: &[],
    },
    LearnerRow {
        name: "gs",
        class: "GS",
        title: "The skeleton by GS, grow-shrink, then the directions by colliders",
        citation: MARGARITIS,
        how: How::Halves { restrict: Some("gs"), maximise: Some("colliders") },
        defaults: &[],
    },
    LearnerRow {
        name: "iamb",
        class: "IAMB",
        title: "The skeleton by IAMB, then the directions by colliders",
        citation: ALIFERIS,
        how: How::Halves { restrict: Some("iamb"), maximise: Some("colliders") },
        defaults: &[],
    },
    LearnerRow {
        name: "inter-iamb",
        class: "InterIAMB",
        title: "The skeleton by Inter-IAMB, then the directions by colliders",
        citation: ALIFERIS,
        how: How::Halves { restrict: Some("inter-iamb"), maximise: Some("colliders") },
        defaults: &[],
    },
    LearnerRow {
        name: "fast-iamb",
        class: "FastIAMB",
        title: "The skeleton by Fast-IAMB, then the directions by colliders",
        citation: YARAMAKALA,
        how: How::Halves { restrict: Some("fast-iamb"), maximise: Some("colliders") },
        defaults: &[],
    },
    LearnerRow {
        name: "iamb-fdr",
        class: "IAMBFDR",
        title: "The skeleton by IAMB-FDR, then the directions by colliders",
        citation: PENA,
        how: How::Halves { restrict: Some("iamb-fdr"), maximise: Some("colliders") },
        defaults: &[],
    },
    LearnerRow {
        name: "tpda",
        class: "TPDA",
        title: "The skeleton by TPDA in three phases, then the directions by the sets that separated",
        citation: CHENG,
        how: How::Halves { restrict: Some("tpda"), maximise: Some("colliders") },
        defaults: &[("collider-rule", || Value::word(ColliderRule::Sepset))],
    },
];

/// What a preset sets, over the defaults.
pub(super) fn of_preset(preset: Preset) -> Vec<(&'static str, Value)> {
    match preset {
        Preset::Recommended => Vec::new(),
        Preset::Paper => vec![("tie-orders", Value::Whole(1)), ("share", Value::word(Share::No))],
        Preset::Bnlearn => {
            vec![("tie-orders", Value::Whole(1)), ("weak-learner", Value::word(WeakLearner::FdrIapc))]
        }
    }
}

fn climb(s: &Settings, algorithm: Algorithm) -> Search {
    Search {
        algorithm,
        tie_orders: s.count(&TIE_ORDERS),
        max_parents: s.limit(&MAX_PARENTS),
        restarts: s.count(&RESTARTS),
        seed: s.whole(&SEED),
    }
}

/// The skeleton of these edges over variables with these names.
fn skeleton(edges: &[(String, String)], names: &[&str]) -> Result<Skeleton> {
    let var = |name: &String| {
        let known = || names.iter().copied();
        let place = names.binary_search(&name.as_str());
        place.map(Var::new).map_err(|_| Error::unknown_name("variable", name, known(), None))
    };
    let mut skeleton = Skeleton::empty(names.len());
    for (x, y) in edges {
        let (x, y) = (var(x)?, var(y)?);
        if x == y {
            return Err(Error::Mismatch {
                what: format!("the skeleton has an edge from {} to itself", names[x.index()]),
                accepted: "an edge joins two variables".into(),
            });
        }
        skeleton.insert(x, y);
    }
    Ok(skeleton)
}
