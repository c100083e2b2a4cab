//! How a table is read.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueHint};
use ossature::data::{Continuous, Discretise, MissingPolicy};

use super::values::{delimiter, missing_policy};

/// Which columns of a table are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading data")]
pub(crate) struct ColumnArgs {
    /// Read these columns and no others, with commas between; may be given several times
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "drop")]
    pub(crate) columns: Option<Vec<String>>,

    /// Leave these columns out, with commas between; may be given several times
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) drop: Vec<String>,
}

/// How a table is read: shared by every command that takes DATA.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading data")]
pub(crate) struct DataArgs {
    #[command(flatten)]
    pub(crate) choice: ColumnArgs,

    /// What to do with missing values [default: error]
    #[arg(long, value_name = "POLICY", value_parser = missing_policy())]
    pub(crate) missing: Option<MissingPolicy>,

    /// Fields that mean "missing", with commas between; an empty item is the empty field
    /// [default: ,NA,NaN,null,?]
    ///
    /// A declared level (--levels) is never missing, whatever stands here.
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) missing_tokens: Option<Vec<String>>,

    /// Cut a numeric column into intervals; may be given several times
    ///
    /// COL=quantile:5 makes 5 intervals of equally many rows, COL=width:4 makes 4 of equal width,
    /// COL=cuts:0,1.5,3 cuts there. With * as COL: every numeric column that has more values than that.
    ///
    /// Two ways look at other columns. COL=hartemink:3 makes 3 intervals that keep what COL tells of the others: it starts with
    /// 20 of equally many rows (hartemink:3:60 with 60) and joins neighbours. COL=mdl:TARGET makes as many intervals as are worth
    /// it to tell the levels of the column TARGET; there may be one only.
    #[arg(long, alias = "discretize", value_name = "COL=HOW")]
    pub(crate) discretise: Vec<Discretise>,

    /// Take these columns as numbers, with commas between; auto, or none
    /// [default: columns of floats in .parquet and .arrow, none in text]
    ///
    /// With auto every column is taken as numbers in which all values are numbers and more than ten of them
    /// differ. A column that is discretised has levels, whatever stands here.
    #[arg(long, value_name = "COLS|auto")]
    pub(crate) continuous: Option<Continuous>,

    /// Count each row as often as this column says; it is no variable
    ///
    /// For rows that were put together, as GROUP BY does in a database. The column has whole numbers, and what is
    /// learned is what would be learned from the rows written out.
    #[arg(long, value_name = "COL")]
    pub(crate) weights: Option<String>,

    /// Take the levels of the variables from a network or a JSON schema
    ///
    /// A network is a .bif file or an embedded name such as alarm; a schema is a .json file with
    /// {"variable": ["level", ...]}. A value outside them is an error that names its line.
    #[arg(long, value_name = "NET|FILE", value_hint = ValueHint::FilePath)]
    pub(crate) levels: Option<PathBuf>,

    /// The character between fields of a text file [default: a comma; a tab in .tsv]
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    pub(crate) delimiter: Option<u8>,

    /// How many rows to draw where DATA is the name of an embedded network [default: 5000]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub(crate) rows: Option<usize>,
}
