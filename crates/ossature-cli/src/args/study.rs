//! The study and the joining of its shards.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueHint};
use ossature_study::Shard;

use super::values::count;

/// Run the experiment of the paper
///
/// Draws samples from networks, runs every learner on each, and compares the results: one row for each
/// cell of networks × sizes × samples × learners, then tables, figures and a report. Without
/// options it is the paper's: 8 networks, sizes from 50 to 5000, 10 samples, h2pc against mmhc.
///
/// Every row is written when it is done. The same command resumes a stopped study, which may also grow
/// (more networks, sizes, samples or learners). Samples depend only on the seed, the network, the size and
/// the number of the sample.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  ossature study --quick -o out
  ossature study --timing -o full
  ossature study --networks alarm,own.bif --sizes 500,5000 --samples 20 --learners h2pc,mmhc,tabu -o out
  ossature study --config study.toml -o out
  ossature study --shard 1/2 -o one
  ossature study merge one two -o both

A file for --config has the names of the options, and learners with their own settings:
  networks = [\"child\", \"own.bif\"]
  sizes = [100, 1000]
  [[learner]]
  name = \"strict\"
  learner = \"h2pc\"
  alpha = 0.01

Exit codes 4 (time limit) and 130 (Ctrl-C): finished rows are kept, and the same command resumes the study."
)]
pub(crate) struct Study {
    #[command(subcommand)]
    pub(crate) merge: Option<StudyCommand>,

    /// The folder of the rows, the report, the figures and the tables
    #[arg(short, long, value_name = "DIR", required = true, value_hint = ValueHint::DirPath)]
    pub(crate) output: Option<PathBuf>,

    /// A study of a minute or so: the five smaller networks, three samples, timed
    #[arg(long)]
    pub(crate) quick: bool,

    /// Networks, separated by commas: embedded names or .bif files [default: the paper's eight]
    ///
    /// alarm:gaussian is the structure of alarm with continuous variables, as `ossature sample --linear-gaussian` draws them.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) networks: Option<Vec<String>>,

    /// Rows of a sample, separated by commas [default: 50,100,200,500,1500,5000]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = count::<usize>(1))]
    pub(crate) sizes: Option<Vec<usize>>,

    /// Samples of each network and size [default: 10]
    #[arg(long, value_name = "N", value_parser = count::<usize>(1))]
    pub(crate) samples: Option<usize>,

    /// Learners, separated by commas; the first is compared with the others [default: h2pc,mmhc]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) learners: Option<Vec<String>>,

    /// New rows on which the scores on new data are computed [default: 5000]
    #[arg(long, value_name = "N", value_parser = count::<usize>(1))]
    pub(crate) new_rows: Option<usize>,

    /// Also time every cell, one at a time and on one thread
    #[arg(long)]
    pub(crate) timing: bool,

    /// Stop a cell after this time (90, 90s, 5m or 1.5h): its row says so and has no result
    #[arg(long, value_name = "TIME", value_parser = super::values::duration)]
    pub(crate) cell_limit: Option<Duration>,

    /// Run the i-th of N equal parts; `ossature study merge` joins them
    #[arg(long, value_name = "i/N")]
    pub(crate) shard: Option<Shard>,

    /// Read the study from a TOML file; other options override it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,

    /// Print the result as one JSON object
    ///
    /// Its keys are complete, cells, failed, missing, report, claims (a list of title, verdict, exceptions
    /// and numbers, as the report shows them) and version.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StudyCommand {
    Merge(Merge),
}

/// Join the shards of a study in a new folder, and write the report
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  ossature study merge one two three -o whole")]
pub(crate) struct Merge {
    /// The folders of the shards
    #[arg(value_name = "DIR", required = true, value_hint = ValueHint::DirPath)]
    pub(crate) parts: Vec<PathBuf>,

    /// The new folder
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: PathBuf,

    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
