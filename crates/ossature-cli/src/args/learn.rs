//! The commands that learn and score, and the options they share.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, FromArgMatches, ValueHint};
use ossature::ScoreKind;
use ossature::score::LevelsOf;

use super::ask::CrossValidateArgs;
use super::settings::{later, word_parser};
use super::values::{arc_price, sample_size};
use super::{BifArgs, DataArgs};

/// Prior knowledge.
#[derive(Debug, Args)]
#[command(next_help_heading = "Prior knowledge")]
pub(crate) struct KnowledgeArgs {
    /// Required arcs: CSV with the columns from,to
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) whitelist: Option<PathBuf>,

    /// Forbidden arcs: CSV with the columns from,to
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
/// DATA may also be the name of an embedded network (`./NAME` is a file): then rows are drawn from it
/// with --seed, and the result is compared with it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ossature learn alarm
  ossature learn rows.csv -o net.bif -o net.html
  ossature learn rows.csv --blacklist no.csv --tiers tiers.csv --tie-orders 20 --json > learned.json
  ossature learn rows.csv --settings learned.json --alpha 0.01
  ossature learn rows.csv --bootstrap 200 -o sure.svg --plot-strengths strengths.svg
  ossature sample alarm -n 500 --seed 1 | ossature learn - --levels alarm --truth alarm")]
pub(crate) struct LearnArgs {
    /// The rows: .csv, .tsv, .csv.gz, .parquet, .arrow, .feather, - for CSV on stdin, or an embedded name; a folder or
    /// a pattern such as 'part-*.csv' is several files with the same columns
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) data: PathBuf,

    /// More files with the same columns, whose rows are appended
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) more: Vec<PathBuf>,

    /// Compare the result with this structure: a file or an embedded name
    #[arg(long, value_name = "NET", value_hint = ValueHint::FilePath)]
    pub(crate) truth: Option<PathBuf>,

    /// Write the result here; the extension determines the format (bif dot svg html graphml json csv); repeatable
    ///
    /// bif has tables fitted to the rows, svg draws the equivalence class (with --bootstrap, line width shows the
    /// strength of an edge), html is an interactive page with the evidence for each edge and what-if, json is the
    /// whole report, the others contain the arcs. hpc and mmpc give a skeleton, which bif cannot represent.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Vec<PathBuf>,

    /// Draw the strengths of all edges with the threshold here, as .svg (with --bootstrap)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) plot_strengths: Option<PathBuf>,

    /// Print the report as one JSON object
    ///
    /// Its keys are learner, complete, nodes, arcs, cpdag {directed, undirected}, skeleton, score {name,
    /// iss, total}, tests {asked, computed, without_power, by_order}, seconds {restrict, maximise, total},
    /// settings, data {rows, variables, sha256}, read (how the data was read), version and truth {shd, skeleton {tp, fp, fn}, precision,
    /// recall}; result (dag, cpdag, pdag or skeleton), losses (what the score would lose without an arc, and
    /// if it were reversed), separations (what separated pairs, by indices into nodes: x, y, set, statistic,
    /// df, ln p, power), optimal, bound, alternatives, strengths and concerns; with --bootstrap also
    /// bootstrap {samples, threshold, arcs}. Keys that do not apply are null.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) bif: BifArgs,
}

/// Explain why two variables are adjacent, or why they are not
///
/// Learns as `ossature learn` does and then explains in sentences: the edge, its strength and the reason for its
/// direction; or what separated the two. With the .json of an earlier result instead of DATA, nothing is
/// learned again.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ossature why rows.csv smoke lung
  ossature why learned.json smoke dysp
  ossature why alarm HR BP --learner mmhc --json")]
pub(crate) struct WhyArgs {
    /// The rows, as for `learn`; or the .json of an earlier result
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) data: PathBuf,

    /// A variable
    #[arg(value_name = "A")]
    pub(crate) x: String,

    /// Another variable
    #[arg(value_name = "B")]
    pub(crate) y: String,

    /// Print one JSON object
    ///
    /// Its keys are x, y, adjacent, direction, strength, separated_by (a list, empty for an unconditional
    /// test; null if none is known), statistic, df, p, without_power, orientation and sentences.
    #[arg(long)]
    pub(crate) json: bool,
}

/// List the learners
///
/// Every learner with its name, what it returns and what it does. Pass the name to --learner; pass the halves of
/// learners that have two to --restrict and --maximise, in any combination.
#[derive(Debug, Args)]
pub(crate) struct Learners {
    /// Print a JSON array
    ///
    /// Each learner has the keys name, title, citation, restrict, maximise, result and settings.
    #[arg(long)]
    pub(crate) json: bool,
}

/// A command whose options come from three places: its own, the catalogue's, and those that stand after
/// these in the help.
macro_rules! with_settings {
    ($name:ident, $own:ident) => {
        /// What was typed; the options of the catalogue are in [`Chosen`](super::Chosen).
        #[derive(Debug)]
        pub(crate) struct $name {
            pub(crate) own: $own,
            pub(crate) knowledge: KnowledgeArgs,
            pub(crate) reading: DataArgs,
        }

        impl Args for $name {
            fn augment_args(command: Command) -> Command {
                $own::augment_args(command)
            }

            fn augment_args_for_update(command: Command) -> Command {
                $own::augment_args_for_update(command)
            }
        }

        impl FromArgMatches for $name {
            fn from_arg_matches(matches: &ArgMatches) -> Result<$name, clap::Error> {
                let (knowledge, reading) = later(matches)?;
                Ok($name { own: $own::from_arg_matches(matches)?, knowledge, reading })
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
                *self = $name::from_arg_matches(matches)?;
                Ok(())
            }
        }
    };
}

with_settings!(Learn, LearnArgs);
with_settings!(CrossValidate, CrossValidateArgs);
with_settings!(Why, WhyArgs);
with_settings!(Neighbours, NeighboursArgs);

/// Find the parents and children of one variable, or its Markov blanket
///
/// Looks at only one variable and never builds the whole network, so it is fast on very wide tables.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ossature neighbours rows.csv --target HR
  ossature neighbours genes.parquet --target outcome --blanket --json
  ossature neighbours alarm --target HR --blanket --learner iamb")]
pub(crate) struct NeighboursArgs {
    /// The rows: .csv, .tsv, .csv.gz, .parquet, .arrow, .feather, - for CSV on stdin, or an embedded name; a folder or
    /// a pattern such as 'part-*.csv' is several files with the same columns
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) data: PathBuf,

    /// More files with the same columns, whose rows are appended
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) more: Vec<PathBuf>,

    /// The variable, a column of the table
    #[arg(long, value_name = "COL")]
    pub(crate) target: String,

    /// Also find its Markov blanket: these, and the other parents of its children
    #[arg(long)]
    pub(crate) blanket: bool,

    /// Print one JSON object
    ///
    /// Its keys are target, parents_and_children, blanket (null without --blanket), tests {asked, computed,
    /// without_power, by_order}, seconds and version.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Score a structure on data
///
/// Higher is better. Columns that the graph does not have count as isolated nodes; nodes that are not
/// columns are left out with their edges, with a warning. An equivalence class is scored by one of its
/// DAGs.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ossature score rows.csv learned.json
  ossature score alarm alarm --rows 1000 --seed 2 --score bic
  ossature score rows.csv net.bif --iss 1 --by-node")]
pub(crate) struct Score {
    /// The rows: .csv, .tsv, .csv.gz, .parquet, .arrow, .feather, - for CSV on stdin, or an embedded name; a folder or
    /// a pattern such as 'part-*.csv' is several files with the same columns
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) data: PathBuf,

    /// The structure: .bif, .dot, .graphml, .json, .csv (from,to), or an embedded network's name
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) graph: PathBuf,

    /// Score
    /// [default: bdeu; bic-g for continuous columns, bic-dg for both kinds]
    #[arg(long, value_name = "NAME", value_parser = word_parser::<ScoreKind>())]
    pub(crate) score: Option<ScoreKind>,

    /// Weight of the prior of bdeu and bds, as a number of imaginary rows
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = sample_size)]
    pub(crate) iss: f64,

    /// Price of each arc, in units of ln(number of variables); not for bdh, which has its own price
    #[arg(long, value_name = "G", default_value_t = 0.0, value_parser = arc_price)]
    pub(crate) arc_price: f64,

    /// Which levels of a variable count; bdh always uses those of the data
    #[arg(long, value_name = "WHICH", default_value = "declared", value_parser = word_parser::<LevelsOf>())]
    pub(crate) levels_of: LevelsOf,

    /// Also print the contribution of each node
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
