//! The commands that learn and score, and the options they share.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueHint};
use ossature::ci::TestKind;
use ossature::{ScoreKind, Settings};

use super::DataArgs;
use super::values::{
    learner, local_learner, maximisation, probability, restriction, sample_size, score_kind, symmetry,
    test_kind, underpowered, weak_learner,
};

/// Which learner: by name, or by its two halves.
#[derive(Debug, Args)]
#[command(next_help_heading = "The learner")]
pub(crate) struct LearnerArgs {
    /// Which learner [default: h2pc]
    #[arg(long, value_name = "NAME", value_parser = learner(), conflicts_with_all = ["restrict", "maximise"])]
    pub(crate) learner: Option<String>,

    /// How the skeleton is found that the search keeps to [default: hpc]
    #[arg(long, value_name = "NAME", value_parser = restriction())]
    pub(crate) restrict: Option<String>,

    /// How the directions are found inside it [default: tabu]
    #[arg(long, value_name = "NAME", value_parser = maximisation())]
    pub(crate) maximise: Option<String>,

    /// The settings of the paper, or some that resemble those of the R package bnlearn [default: paper]
    ///
    /// bnlearn: false discovery rate in the weak learner (--weak-learner fdr-iapc) and plain hill
    /// climbing (--maximise hc) where the learner has a skeleton.
    #[arg(long, value_name = "NAME", value_parser = ["paper", "bnlearn"], conflicts_with = "settings")]
    pub(crate) preset: Option<String>,

    /// Take every setting from an earlier result: what `learn --json` or `-o FILE.json` wrote
    ///
    /// Options given beside it win. How the data is read is not among the settings.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) settings: Option<PathBuf>,
}

/// How the skeleton is found.
#[derive(Debug, Args)]
#[command(next_help_heading = "The tests")]
pub(crate) struct LocalArgs {
    /// Which independence test [default: mi-adf]
    #[arg(long, value_name = "NAME", value_parser = test_kind())]
    pub(crate) test: Option<TestKind>,

    /// Level of significance: dependent if p is at most this [default: 0.05]
    #[arg(long, value_name = "P", value_parser = probability)]
    pub(crate) alpha: Option<f64>,

    /// Rows needed for each cell of the table; with fewer the test has no power (0: no rule)
    /// [default: 5 for the -adf tests, otherwise 0]
    #[arg(long, value_name = "N")]
    pub(crate) power_rule: Option<u32>,

    /// What a test without power says [default: independent]
    #[arg(long, value_name = "POLICY", value_parser = underpowered())]
    pub(crate) underpowered: Option<String>,

    /// The most variables to condition on in one test [default: no limit]
    #[arg(long, value_name = "N")]
    pub(crate) max_conditioning: Option<usize>,

    /// The weak learner inside HPC [default: inter-iapc]
    #[arg(long, value_name = "NAME", value_parser = weak_learner())]
    pub(crate) weak_learner: Option<String>,
}

/// How the directions are found.
#[derive(Debug, Args)]
#[command(next_help_heading = "The search")]
pub(crate) struct SearchArgs {
    /// The score to maximise [default: bdeu]
    #[arg(long, value_name = "NAME", value_parser = score_kind())]
    pub(crate) score: Option<ScoreKind>,

    /// Weight of the prior of bdeu and bds, and of the tables in a .bif, as a number of rows [default: 10]
    #[arg(long, value_name = "N", value_parser = sample_size)]
    pub(crate) iss: Option<f64>,

    /// How many structures tabu remembers and does not visit again [default: 100]
    #[arg(long, value_name = "N")]
    pub(crate) tabu: Option<usize>,

    /// So many changes without a new best score end tabu [default: 15]
    #[arg(long, value_name = "N")]
    pub(crate) patience: Option<usize>,

    #[arg(
        long,
        value_name = "K",
        value_parser = RangedU64ValueParser::<usize>::new().range(1..),
        help = format!(
            "So many searches, each with its own order among changes that gain the same; the best score \
             wins [default: {}]",
            Settings::DEFAULT_TIE_ORDERS
        )
    )]
    pub(crate) tie_orders: Option<usize>,

    /// Start the search from this graph: a file or an embedded name [default: the empty graph]
    #[arg(long, value_name = "GRAPH", value_hint = ValueHint::FilePath)]
    pub(crate) start: Option<PathBuf>,

    /// So many times, search again from the best structure after changes at random [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) restarts: Option<usize>,

    /// The most parents of a node [default: no limit]
    #[arg(long, value_name = "N")]
    pub(crate) max_parents: Option<usize>,

    /// Learn from N samples of the rows and average: how sure is each arc?
    ///
    /// Each sample has as many rows as the table, drawn with replacement. The result is the averaged
    /// network of the arcs whose strength is above a threshold that is found from the strengths.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000_000))]
    pub(crate) bootstrap: Option<usize>,
}

/// What is known beforehand.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is known beforehand")]
pub(crate) struct KnowledgeArgs {
    /// Arcs that must be there: CSV with the columns from,to
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) whitelist: Option<PathBuf>,

    /// Arcs that must not be there: CSV with the columns from,to
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) blacklist: Option<PathBuf>,

    /// Tiers: CSV with the columns variable,tier; no arc runs from a higher tier to a lower one
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) tiers: Option<PathBuf>,
}

/// Learn the structure of a network from data
///
/// First the skeleton is learned by tests of independence, then the directions by a search for the
/// best score inside it (H2PC, unless another learner is chosen). The answer is the same for any number
/// of threads and any order of rows and columns.
///
/// DATA may also be the name of an embedded network (unless there is a file of that name): then rows
/// are drawn from it with --seed, and what is learned is compared with it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ossature learn alarm
  ossature learn rows.csv -o net.bif -o net.svg
  ossature learn rows.csv --blacklist no.csv --tiers tiers.csv --tie-orders 20 --json > learned.json
  ossature learn rows.csv --settings learned.json --alpha 0.01
  ossature learn rows.csv --bootstrap 200 -o sure.svg
  ossature sample alarm -n 500 --seed 1 | ossature learn - --levels alarm --truth alarm")]
pub(crate) struct Learn {
    /// The rows: .csv, .tsv, .csv.gz, .parquet, .arrow, .feather, - for CSV on stdin, or an embedded name
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) data: PathBuf,

    /// Compare the result with this structure: a file or an embedded name
    #[arg(long, value_name = "NET", value_hint = ValueHint::FilePath)]
    pub(crate) truth: Option<PathBuf>,

    /// Write the result here; the extension says how (bif dot svg graphml json csv); repeatable
    ///
    /// bif has tables fitted to the rows, svg draws the equivalence class, json is the whole report, the
    /// others hold the arcs. hpc and mmpc give a skeleton, which bif cannot hold.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Vec<PathBuf>,

    /// Print the report as one JSON object
    ///
    /// Its keys are learner, complete, nodes, arcs, cpdag {directed, undirected}, skeleton, score {name,
    /// iss, total}, tests {asked, computed, without_power, by_order}, seconds {restrict, maximise, total},
    /// settings, data {rows, variables, sha256}, version and truth {shd, skeleton {tp, fp, fn}, precision,
    /// recall}; with --bootstrap also bootstrap {samples, threshold, arcs}. What does not apply is null.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) learner: LearnerArgs,

    #[command(flatten)]
    pub(crate) local: LocalArgs,

    /// When the two ends of an edge disagree about it [default: and]
    #[arg(long, value_name = "RULE", value_parser = symmetry(), help_heading = "The tests")]
    pub(crate) symmetry: Option<String>,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) knowledge: KnowledgeArgs,

    #[command(flatten)]
    pub(crate) reading: DataArgs,
}

/// Find the parents and children of one variable, or its Markov blanket
///
/// Looks at one variable only and never builds the whole network, so it is quick on tables of very
/// many columns.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ossature neighbours rows.csv --target HR
  ossature neighbours genes.parquet --target outcome --blanket --json
  ossature neighbours alarm --target HR --learner mmpc")]
pub(crate) struct Neighbours {
    /// The rows: .csv, .tsv, .csv.gz, .parquet, .arrow, .feather, - for CSV on stdin, or an embedded name
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) data: PathBuf,

    /// The variable, a column of the table
    #[arg(long, value_name = "COL")]
    pub(crate) target: String,

    /// Also find its Markov blanket: these, and the other parents of its children
    #[arg(long)]
    pub(crate) blanket: bool,

    /// Which learner
    #[arg(long, value_name = "NAME", default_value = "hpc", value_parser = local_learner())]
    pub(crate) learner: String,

    /// Print one JSON object
    ///
    /// Its keys are target, parents_and_children, blanket (null without --blanket), tests {asked, computed,
    /// without_power, by_order}, seconds and version.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) local: LocalArgs,

    #[command(flatten)]
    pub(crate) knowledge: KnowledgeArgs,

    #[command(flatten)]
    pub(crate) reading: DataArgs,
}

/// Score a structure on data
///
/// Higher is better. Columns that the graph does not have count as isolated nodes; nodes that are no
/// columns are left out with their edges, and that is said. An equivalence class is scored by one of
/// its DAGs.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ossature score rows.csv learned.json
  ossature score alarm alarm --rows 1000 --seed 2 --score bic
  ossature score rows.csv net.bif --iss 1 --by-node")]
pub(crate) struct Score {
    /// The rows: .csv, .tsv, .csv.gz, .parquet, .arrow, .feather, - for CSV on stdin, or an embedded name
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) data: PathBuf,

    /// The structure: .bif, .dot, .graphml, .json, .csv (from,to), or an embedded network's name
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) graph: PathBuf,

    /// Which score
    #[arg(long, value_name = "NAME", default_value = "bdeu", value_parser = score_kind())]
    pub(crate) score: ScoreKind,

    /// Weight of the prior of bdeu and bds, as a number of imaginary rows
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = sample_size)]
    pub(crate) iss: f64,

    /// Also what each node contributes
    #[arg(long)]
    pub(crate) by_node: bool,

    /// Print one JSON object
    ///
    /// Its keys are name, iss (null where the score has none), total, by_node (an object with the value of
    /// each node; null without --by-node) and version.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) reading: DataArgs,
}
