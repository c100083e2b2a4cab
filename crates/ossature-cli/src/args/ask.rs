//! The commands that ask a network.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use ossature::infer::Unseen;

use super::ColumnArgs;
use super::values::{count, delimiter, unseen};

/// Query a network: the distribution of variables, given evidence
///
/// The answer is exact. If that would be too expensive, the command says so before any work; --samples then
/// gives an estimate with standard errors.
///
/// --do sets a variable by intervention: the arcs into it are removed. The answer is the effect of that
/// action if the arcs of the network are causes and no common cause of two of its variables is left out.
/// Rows alone cannot confirm that: other networks explain the rows equally well, and --class gives the
/// effects in all of them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ossature query asia lung tub --given dysp=yes --given smoke=no
  ossature query net.bif HR --given 'BP=LOW' --json
  ossature query asia lung --do smoke=no --class
  ossature query link N1_d_g --samples 100000 --seed 1")]
pub(crate) struct Query {
    /// The network: .bif, a model file (.json), or the name of an embedded network
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) net: PathBuf,

    /// The variables to query
    #[arg(value_name = "T", required = true)]
    pub(crate) targets: Vec<String>,

    /// Evidence: a variable and its level; repeatable
    #[arg(long, value_name = "A=a")]
    pub(crate) given: Vec<String>,

    /// Intervention: a variable and its level; repeatable
    #[arg(long = "do", value_name = "A=a")]
    pub(crate) set: Vec<String>,

    /// Also print the effects in all members of the equivalence class (needs one --do and no --given)
    #[arg(long, requires = "set", conflicts_with_all = ["given", "samples"])]
    pub(crate) class: bool,

    /// Estimate by likelihood weighting with this many samples, and give standard errors
    #[arg(long, value_name = "N", value_parser = count::<u64>(1))]
    pub(crate) samples: Option<u64>,

    /// Print one JSON object
    ///
    /// Its keys are given, do, p_evidence, posteriors {variable: {level: probability}}, sampling {samples,
    /// seed, effective, p_evidence_error, standard_errors} (null where the answer is exact) and effects
    /// [{of, on, identified, effects}] (null without --class).
    #[arg(long)]
    pub(crate) json: bool,
}

/// Predict a column from the others, with a network
///
/// For each row the distribution of the target, given the other fields of the row: missing fields are not part
/// of the evidence, and columns that the network does not have are ignored. If the rows contain the target too,
/// it is not used, and accuracy and log loss are printed on stderr. A row that the network rules out has no prediction:
/// its fields are empty, and a warning gives the number of such rows.
///
/// A model file, written by `ossature fit -o model.json`, knows the cuts and which fields mean a missing value,
/// so it takes raw rows.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ossature predict net.bif rows.csv --target HR -o predicted.csv
  ossature predict model.json rows.csv --target ill --unseen missing
  ossature sample asia -n 100 | ossature predict asia - --target lung --json")]
pub(crate) struct Predict {
    /// The network: .bif, a model file (.json), or the name of an embedded network
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) net: PathBuf,

    /// The rows: .csv, .tsv, .csv.gz, .parquet, .arrow, .feather, or - for CSV on stdin
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) rows: PathBuf,

    /// The variable to predict
    #[arg(long, value_name = "T")]
    pub(crate) target: String,

    /// Write the predictions here: .csv or .tsv, each also with .gz; repeatable
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Vec<PathBuf>,

    /// What to do with a level that the network does not know
    #[arg(long, value_name = "WHAT", default_value = "error", value_parser = unseen())]
    pub(crate) unseen: Unseen,

    /// Fields that mean "missing", separated by commas [default: those of the model file, or ,NA,NaN,null,?]
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) missing_tokens: Option<Vec<String>>,

    /// The character between fields of a text file [default: a comma; a tab in .tsv]
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    pub(crate) delimiter: Option<u8>,

    #[command(flatten)]
    pub(crate) choice: ColumnArgs,

    /// Print one JSON object; the predictions are then written only with -o
    ///
    /// Its keys are target, rows, accuracy and log_loss (both null where no row has the target), and ruled_out, the
    /// number of rows without a prediction.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Compare learners on held-out rows
///
/// The rows are divided into folds; each learner learns from all folds but one, with tables, and is evaluated on
/// that one: by the mean logarithm of the probability of its rows, or with --target by that of one variable
/// given the rest of its row (minus the log loss). Higher is better. All learners get the same folds, which
/// depend on --seed and on the set of rows, not on their order.
///
/// A setting goes to the learners that use it; one that none of them uses is refused.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ossature cross-validate rows.csv --learners h2pc,mmhc,tabu
  ossature cross-validate rows.csv --learners hc --score bic --folds 5 --json
  ossature cross-validate rows.csv --learners h2pc,hc --target ill")]
pub(crate) struct CrossValidateArgs {
    /// The rows: .csv, .tsv, .csv.gz, .parquet, .arrow, .feather, - for CSV on stdin, or an embedded name; a folder or
    /// a pattern such as 'part-*.csv' is several files with the same columns
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) data: PathBuf,

    /// More files with the same columns, whose rows are appended
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) more: Vec<PathBuf>,

    /// The learners, by name, separated by commas (see `ossature learners`)
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "h2pc")]
    pub(crate) learners: Vec<String>,

    /// The number of folds
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = count::<usize>(2))]
    pub(crate) folds: usize,

    /// Evaluate the prediction of this variable, given the rest of its row, instead of whole rows
    #[arg(long, value_name = "T")]
    pub(crate) target: Option<String>,

    /// Print one JSON object
    ///
    /// Its keys are folds, rows, target, seed and learners [{name, mean, sd, by_fold}].
    #[arg(long)]
    pub(crate) json: bool,
}
