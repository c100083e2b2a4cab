//! How a table is read.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use ossature::data::{Continuous, Discretise, MissingPolicy, names_in};

use super::values::{count, delimiter, missing_policy};

/// Which columns of a table are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading data")]
pub(crate) struct ColumnArgs {
    /// Read only these columns, separated by commas; may be given several times
    ///
    /// A name with a comma is quoted, as in a CSV file: --columns '"rate, %",age'.
    #[arg(long, value_name = "LIST", value_parser = names, conflicts_with = "drop")]
    pub(crate) columns: Option<Vec<Names>>,

    /// Leave out these columns, separated by commas; may be given several times
    ///
    /// A name with a comma is quoted, as in a CSV file: --drop '"rate, %",age'. A column without a name, as R and pandas
    /// write for row names, is --drop '""'. With --settings these columns are left out in addition to the earlier ones.
    #[arg(long, value_name = "LIST", value_parser = names)]
    pub(crate) drop: Option<Vec<Names>>,
}

/// The names of columns in one list.
#[derive(Debug, Clone)]
pub(crate) struct Names(Vec<String>);

impl Names {
    /// The names in all lists of an option, if it was given.
    pub(crate) fn all(lists: &Option<Vec<Names>>) -> Option<Vec<String>> {
        lists.as_ref().map(|lists| lists.iter().flat_map(|list| list.0.iter().cloned()).collect())
    }
}

fn names(list: &str) -> Result<Names, String> {
    names_in(list).map(Names).map_err(|e| e.to_string())
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

    /// Fields that mean "missing", separated by commas; an empty item is the empty field
    /// [default: ,NA,NaN,null,?]
    ///
    /// A declared level (--levels) is never missing, whatever this option says.
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) missing_tokens: Option<Vec<String>>,

    /// Cut a numeric column into intervals; may be given several times
    ///
    /// COL=quantile:5 makes 5 intervals of equally many rows, COL=width:4 makes 4 of equal width,
    /// COL=cuts:0,1.5,3 cuts there. With * as COL: every numeric column with more values than intervals.
    ///
    /// Two methods look at other columns. COL=hartemink:3 makes 3 intervals that preserve the information of COL about
    /// the others: it starts with 20 of equally many rows (hartemink:3:60 with 60) and joins neighbours. COL=mdl:TARGET
    /// makes as many intervals as the information about the column TARGET justifies; there may be only one.
    #[arg(long, alias = "discretize", value_name = "COL=HOW")]
    pub(crate) discretise: Vec<Discretise>,

    /// Treat these columns as numbers, separated by commas; auto, or none
    /// [default: columns of floats in .parquet and .arrow, none in text]
    ///
    /// With auto, a column is numeric if all its values are numbers and more than ten of them differ. A column
    /// that is discretised has levels, whatever this option says.
    #[arg(long, value_name = "COLS|auto")]
    pub(crate) continuous: Option<Continuous>,

    /// Column with the number of rows that each row stands for; it is not a variable
    ///
    /// For rows that were grouped, as GROUP BY does in a database. The column has whole numbers, and the result is
    /// the same as from the rows written out.
    #[arg(long, value_name = "COL")]
    pub(crate) weights: Option<String>,

    /// Take the levels of the variables from a network or a JSON schema
    ///
    /// A network is a .bif file or an embedded name such as alarm; a schema is a .json file with
    /// {"variable": ["level", ...]}. Any other value is an error that names its line.
    #[arg(long, value_name = "NET|FILE", value_hint = ValueHint::FilePath)]
    pub(crate) levels: Option<PathBuf>,

    /// The character between fields of a text file [default: a comma; a tab in .tsv]
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    pub(crate) delimiter: Option<u8>,

    /// Number of rows to draw if DATA is the name of an embedded network [default: 5000]
    #[arg(long, value_name = "N", value_parser = count::<usize>(1))]
    pub(crate) rows: Option<usize>,
}
