//! What was typed: the commands, their options and their help.
//!
//! This part only describes: `learn` the commands that learn and score, `ask` those that ask a network,
//! `data` how tables are read, `bif` how a .bif is written, `settings` the options that come from the catalogue of learners,
//! `study` the experiment, this file the
//! others, and `values` which words an option takes. What a word means (is `alarm` a file or an embedded network, which
//! format is `a.svg`) is decided in [`crate::plan`].

mod ask;
mod bif;
mod completions;
mod data;
mod learn;
mod settings;
mod study;
mod values;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum, ValueHint};
use ossature::ci::TestKind;
use ossature::learn::Catalogue;

pub(crate) use self::ask::{Predict, Query};
pub(crate) use self::bif::BifArgs;
pub(crate) use self::completions::{Completions, Man};
pub(crate) use self::data::{ColumnArgs, DataArgs, Names};
pub(crate) use self::learn::{
    CrossValidate, KnowledgeArgs, Learn, LearnArgs, Learners, Neighbours, Score, Why,
};
pub(crate) use self::settings::Chosen;
use self::settings::word_parser;
pub(crate) use self::study::{Merge, Study, StudyCommand};
pub(crate) use self::values::PriorWord;
use self::values::{count, count_to, duration, positive, probability};

/// The version, and the commit where it is known.
const VERSION: &str = env!("OSSATURE_VERSION");

const OVERVIEW: &str = "\
Examples:
  ossature learn alarm                                 learn a network again from rows drawn from it
  ossature learn rows.csv -o net.bif -o net.html       learn from your own rows, and look at it
  ossature neighbours rows.csv --target HR --blanket   what one variable depends on, in a wide table
  ossature why rows.csv smoke lung                     why is there an edge, or none?
  ossature learners                                    the learners, and when each is described
  ossature networks                                    the networks that come with the command
  ossature convert alarm alarm.svg                     a drawing of one of them
  ossature sample alarm -n 1000 --seed 1 -o a.csv      a thousand rows drawn from it
  ossature test a.csv HR BP CO                         are two variables independent, given a third?
  ossature fit a.csv alarm --levels alarm -o fit.bif   its tables, estimated again from these rows
  ossature query fit.bif HR --given BP=LOW             the distribution of a variable, given another
  ossature compare alarm fit.bif                       two structures side by side
  ossature study --quick -o out                        the paper's experiment, small, with a report

Exit codes:
  0    done
  1    the run failed, an output could not be written, or the time limit was reached before there was
       a result
  2    the command line is not understood, or asks for an output format that does not exist
  3    an input is missing, unreadable or not what it should be
  4    a limit was hit in a search and the best result so far was written, in a study, whose rows so
       far are kept, or in a drawing, which was not written
  130  interrupted (Ctrl-C); no file is left half written";

/// Learn the structure of Bayesian networks from tables
///
/// Ossature learns the structure of a Bayesian network from a table of discrete, continuous or both kinds of columns:
/// first the skeleton, by tests of independence, then the directions, by a score. It also tests, scores, fits, compares,
/// samples, converts and draws networks.
#[derive(Debug, Parser)]
#[command(
    name = "ossature",
    version = VERSION,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = OVERVIEW
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Learn(Box<Learn>),
    Why(Box<Why>),
    Neighbours(Box<Neighbours>),
    Learners(Learners),
    Test(Test),
    Score(Score),
    Fit(Fit),
    Compare(Compare),
    Sample(Sample),
    Query(Query),
    Predict(Predict),
    CrossValidate(Box<CrossValidate>),
    Networks(Networks),
    Convert(Convert),
    Study(Box<Study>),
    Completions(Completions),
    Man(Man),
}

/// Adds its options to the description of a command.
type AddOptions = fn(clap::Command) -> clap::Command;

/// The commands by name, with their options.
const COMMANDS: [(&str, AddOptions); 17] = [
    ("learn", Learn::augment_args),
    ("why", Why::augment_args),
    ("neighbours", Neighbours::augment_args),
    ("learners", Learners::augment_args),
    ("test", Test::augment_args),
    ("score", Score::augment_args),
    ("fit", Fit::augment_args),
    ("compare", Compare::augment_args),
    ("sample", Sample::augment_args),
    ("query", Query::augment_args),
    ("predict", Predict::augment_args),
    ("cross-validate", CrossValidate::augment_args),
    ("networks", Networks::augment_args),
    ("convert", Convert::augment_args),
    ("study", Study::augment_args),
    ("completions", Completions::augment_args),
    ("man", Man::augment_args),
];

/// Describes the whole command line.
pub(crate) fn describe(catalogue: &Catalogue) -> clap::Command {
    settings::add(Cli::command(), catalogue)
}

/// Describes the command line with the first command among these words alone, if there is one.
///
/// This takes a fraction of the time and memory. Words that are understood so mean the same as in the description of
/// the whole command line; for any others, and for help, that one is needed.
pub(crate) fn describe_one(words: &[OsString], catalogue: &Catalogue) -> Option<clap::Command> {
    let called = |word: &OsString| COMMANDS.iter().find(|(name, _)| word == name);
    let (name, options) = words.iter().skip(1).find_map(called)?;
    let command = Common::augment_args(clap::Command::new("ossature")).subcommand_required(true);
    Some(settings::add(command.subcommand(options(clap::Command::new(*name))), catalogue))
}

/// The options that every command takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub(crate) struct Common {
    /// Seed of everything random; the same seed gives the same bytes on any machine [default: 0]
    #[arg(long, global = true, value_name = "N", value_parser = count::<u64>(0))]
    pub(crate) seed: Option<u64>,

    /// Threads to use; never changes a result [default: all cores]
    #[arg(long, global = true, value_name = "N", value_parser = count_to::<usize>(1, 1024))]
    pub(crate) threads: Option<usize>,

    /// Stop after this time: 90, 90s, 500ms, 5m or 1.5h; a search then returns its best result so far
    ///
    /// A drawing of what was learned (.svg, .html) may take a tenth of this time longer, and at least a second; one that
    /// takes more is not written.
    #[arg(long, global = true, value_name = "TIME", value_parser = duration)]
    pub(crate) time_limit: Option<Duration>,

    /// Show progress on stderr
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) progress: When,

    /// Print only errors on stderr
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Print more on stderr: what was read, how long it took
    #[arg(long, short, global = true)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum When {
    /// If stderr is a terminal
    #[default]
    Auto,
    /// A bar on a terminal, otherwise a line per second
    Always,
    /// No progress
    Never,
}

/// Which independence test is used: shared by every command that tests.
#[derive(Debug, Args)]
#[command(next_help_heading = "The test")]
pub(crate) struct TestArgs {
    /// Independence test
    /// [default: mi-adf; zf for continuous columns, dg for both kinds]
    #[arg(long, value_name = "NAME", value_parser = word_parser::<TestKind>())]
    pub(crate) test: Option<TestKind>,

    /// Level of significance: dependent if p is at most this
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = probability)]
    pub(crate) alpha: f64,

    /// Rows needed for each cell of the table; with fewer the test has no power (0: no rule)
    /// [default: 5 for the -adf tests, otherwise 0]
    #[arg(long, value_name = "N", value_parser = count_to::<u32>(0, u64::from(u32::MAX)))]
    pub(crate) power_rule: Option<u32>,
}

/// Test whether X and Y are independent, given Z
///
/// Runs one test of the kind that structure learning runs by the thousand: are X and Y independent in
/// each configuration of the columns Z? A test without power, because there are too few rows for its
/// table, counts as independent. Other columns are not read.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ossature test rows.csv smoke lung
  ossature test rows.csv smoke dysp lung bronc --alpha 0.01
  ossature test rows.csv smoke dysp --test mc-mi --seed 7 --json")]
pub(crate) struct Test {
    /// The rows: .csv, .tsv, .csv.gz, .parquet, .arrow, .feather, - for CSV on stdin, or an embedded name; a folder or
    /// a pattern such as 'part-*.csv' is several files with the same columns
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) data: PathBuf,

    /// A column
    #[arg(value_name = "X")]
    pub(crate) x: String,

    /// Another column
    #[arg(value_name = "Y")]
    pub(crate) y: String,

    /// The columns to condition on, if any
    #[arg(value_name = "Z")]
    pub(crate) z: Vec<String>,

    /// Print one JSON object
    ///
    /// Its keys are statistic, df, p, ln_p, has_power and independent; and the question: x, y, z,
    /// test, alpha, power_rule, seed, rows.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) test: TestArgs,

    #[command(flatten)]
    pub(crate) reading: DataArgs,
}

/// Estimate the tables of a network from data
///
/// Counts how often each level occurs for each configuration of the parents. With the prior bdeu every
/// configuration starts with a few imaginary rows; with --mle none does, and a configuration that never
/// occurs gets the uniform distribution. With the prior backoff a table shrinks towards those of fewer
/// parents, with a strength that the rows determine; it predicts new rows best if rows are few. Without
/// --prior, --iss and --mle the prior is backoff for a result of `learn --learner best` (or of another learner with
/// the score bdh), and bdeu for everything else. Columns that the graph does not have become isolated nodes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ossature fit rows.csv graph.dot -o net.bif
  ossature fit rows.csv net.dot --prior backoff -o net.bif
  ossature fit rows.csv learned.json --discretise age=quantile:4 -o model.json
  ossature fit rows.csv.gz alarm --levels alarm --mle -o net.bif -o net.svg
  ossature sample asia -n 500 | ossature fit - asia --json")]
pub(crate) struct Fit {
    /// The rows: .csv, .tsv, .csv.gz, .parquet, .arrow, .feather, - for CSV on stdin, or an embedded name; a folder or
    /// a pattern such as 'part-*.csv' is several files with the same columns
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) data: PathBuf,

    /// The structure: .bif, .dot, .graphml, .json, .csv (from,to), or an embedded network's name
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) graph: PathBuf,

    /// Prior of the tables
    #[arg(long, value_name = "NAME", value_parser = values::prior())]
    pub(crate) prior: Option<PriorWord>,

    /// Weight of the prior bdeu, as a number of imaginary rows [default: 10]
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) iss: Option<f64>,

    /// Maximum likelihood: no prior at all
    #[arg(long, conflicts_with_all = ["iss", "prior"])]
    pub(crate) mle: bool,

    /// Write the network here; the extension determines the format (bif dot svg html graphml json csv); repeatable
    ///
    /// json is the model file: the network with the cuts, levels and missing fields of its columns, so that
    /// `ossature predict` takes raw rows. bif has only the network with its tables, the others only the arcs.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Vec<PathBuf>,

    /// Print the summary as one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) bif: BifArgs,

    #[command(flatten)]
    pub(crate) reading: DataArgs,
}

/// Compare two structures; A is the truth
///
/// Prints the structural Hamming distance between the two equivalence classes, how the skeletons
/// agree, and every edge that differs. Nodes are matched by name; a name that one side lacks is an
/// isolated node there.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ossature compare alarm learned.dot
  ossature compare alarm learned.json -o diff.html
  ossature compare truth.bif learned.csv --json")]
pub(crate) struct Compare {
    /// The true structure: .bif, .dot, .graphml, .json, .csv (from,to), or an embedded name
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    pub(crate) truth: PathBuf,

    /// The structure to compare with it, in any of the same formats
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    pub(crate) other: PathBuf,

    /// Draw both structures, overlaid, here: .svg, or an interactive .html; repeatable
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Vec<PathBuf>,

    /// Print one JSON object
    ///
    /// Its keys are shd, skeleton {tp, fp, fn}, precision, recall, f1 and arcs. The last has lists of
    /// [from, to] pairs, each edge in one of them: same; missing (in A only); extra (in B only);
    /// reversed; undirected (an arc of A that is undirected in B); directed (an undirected edge of A that
    /// is an arc in B).
    #[arg(long)]
    pub(crate) json: bool,
}

/// Draw rows from a network
///
/// Every variable is drawn after its parents from its table. Without -o the rows go to stdout as
/// CSV. The rows depend only on the network, their number and the seed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ossature sample alarm -n 1000 --seed 1 -o a.csv
  ossature sample net.bif -n 1000000 -o rows.csv.gz
  ossature sample asia -n 5
  ossature sample alarm -n 1000 --linear-gaussian -o numbers.csv")]
pub(crate) struct Sample {
    /// A .bif file, a model file (.json), or the name of an embedded network
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) net: PathBuf,

    /// Number of rows
    #[arg(short = 'n', long, value_name = "ROWS", value_parser = count::<usize>(1))]
    pub(crate) rows: usize,

    /// Make every variable continuous: the structure of the network or graph, with coefficients drawn from a seed
    ///
    /// Each variable is the sum of its parents, each times a coefficient, and a standard normal error. Coefficients
    /// are drawn uniformly from 0.5 to 1.5, with either sign. They come from the seed after the `=`, or else from the
    /// seed of the rows: with `--linear-gaussian=7`, different seeds give different rows of the same network.
    #[arg(long, value_name = "SEED", num_args = 0..=1, require_equals = true, value_parser = count::<u64>(0))]
    pub(crate) linear_gaussian: Option<Option<u64>>,

    /// Write the rows here: .csv or .tsv, each also with .gz; repeatable
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Vec<PathBuf>,

    /// Print a summary as one JSON object (the rows then need -o)
    #[arg(long, requires = "output")]
    pub(crate) json: bool,
}

/// List the embedded benchmark networks
///
/// Prints Table 1 of the paper for all networks that come with the command. Their names can be
/// used wherever a command takes a network or a graph.
///
/// PC is the number of parents and children of a variable: smallest, median and largest.
#[derive(Debug, Args)]
pub(crate) struct Networks {
    /// Print a JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

/// Convert a network or a graph to another format, or draw it
///
/// The extensions determine the formats: bif dot graphml json csv are read and written, svg and html (an
/// interactive page with what-if) are only written.
/// Only bif and json (the model file) contain probability tables; to get them for a bare graph use `ossature fit`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ossature convert alarm alarm.svg
  ossature convert alarm alarm.html
  ossature convert learned.json learned.dot
  ossature convert net.bif.gz net.bif")]
pub(crate) struct Convert {
    /// .bif, .dot, .graphml, .json, .csv (from,to), each also with .gz, or an embedded name
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,

    /// .bif, .dot, .svg, .html, .graphml, .json, .csv, each also with .gz
    #[arg(value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,

    /// Print a summary as one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) bif: BifArgs,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_of_the_commands_holds_together() {
        describe(&Catalogue::standard()).debug_assert();
    }

    #[test]
    fn each_command_alone_is_described_as_among_the_others() {
        let catalogue = Catalogue::standard();
        let mut whole = describe(&catalogue);
        whole.build();
        let names = |name: &str| COMMANDS.iter().any(|(known, _)| *known == name) || name == "help";
        assert!(whole.get_subcommands().all(|command| names(command.get_name())));
        for (name, _) in COMMANDS {
            let words = ["ossature", "--quiet", name].map(OsString::from);
            let mut alone = describe_one(&words, &catalogue).expect("it is a command");
            alone.build();
            let help = |command: &clap::Command| {
                let mut command = command.find_subcommand(name).expect("it is described").clone();
                command.render_long_help().to_string()
            };
            assert_eq!(help(&alone), help(&whole));
        }
    }
}
