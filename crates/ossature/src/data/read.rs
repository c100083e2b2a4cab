//! Tables from files: the format goes by the name, everything else by [`ReadOptions`].

use std::io;
use std::path::Path;

use super::{Dataset, ReadOptions, csv};
use crate::error::{Error, Place, Result};
use crate::file;
use crate::progress::Progress;

/// A table that was read, and what there is to say about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The data.
    pub data: Dataset,
    /// What happened on the way.
    pub report: ReadReport,
}

/// What happened while a table was read.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ReadReport {
    /// The rows in the file.
    pub rows_read: u64,
    /// Those among them that were left out because a value was missing.
    pub rows_dropped: u64,
    /// The columns with missing values, by name, and how many each had before rows were left out.
    pub missing: Vec<(String, u64)>,
    /// The columns that were cut into intervals, by name, and the cuts.
    pub discretised: Vec<(String, Vec<f64>)>,
    /// The variables whose levels were declared but that are no columns, by name.
    pub levels_unused: Vec<String>,
    /// The columns in which missing values became a level, by name, and that level.
    pub missing_levels: Vec<(String, String)>,
    /// The fields that counted as missing because they were none of the declared levels.
    pub unknown: u64,
}

/// What a name says about a file.
#[derive(Debug, PartialEq, Eq)]
enum Format {
    Text,
    Parquet,
    ArrowIpc,
    Unknown,
}

/// Reads a table from a file; `-` is CSV on the standard input.
///
/// The name tells the format: `.csv` and `.tsv`, both also with `.gz` behind, `.parquet`, `.arrow`
/// and `.feather`. A name without extension is that of a CSV file, and so is any other when a
/// delimiter is given. The first row of a text file has the names of the columns.
///
/// ```
/// use ossature::data::{ReadOptions, read};
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("rain.csv");
/// std::fs::write(&path, "wet,rain\nyes,yes\nno,no\n")?;
/// let table = read(&path, &ReadOptions::default(), &ossature::Silent)?;
/// assert_eq!(table.data.variables()[0].name(), "rain");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(path: &Path, options: &ReadOptions, progress: &dyn Progress) -> Result<Table> {
    if path == Path::new("-") {
        return csv::read_csv(io::stdin().lock(), "<stdin>", options, progress);
    }
    let name = path.display().to_string();
    match format(path) {
        Format::Unknown if options.delimiter.is_none() => Err(Error::Delimiter {
            place: Place::file(name),
            found: "a name that does not tell the format".into(),
            expected: "a name that ends in .csv, .tsv, .csv.gz, .tsv.gz, .parquet, .arrow or .feather, or a given delimiter".into(),
        }),
        Format::Text | Format::Unknown => csv::read_csv(file::open(path)?, &name, options, progress),
        #[cfg(feature = "arrow")]
        Format::Parquet => super::arrow::read_parquet(file::open_plain(path)?, &name, options, progress),
        #[cfg(feature = "arrow")]
        Format::ArrowIpc => super::arrow::read_ipc(file::open_plain(path)?, &name, options, progress),
        #[cfg(not(feature = "arrow"))]
        Format::Parquet | Format::ArrowIpc => Err(Error::syntax(
            Place::file(name),
            "a Parquet or Arrow file, which this build cannot read",
            "a text file, or a build with the feature \"arrow\"",
        )),
    }
}

fn format(path: &Path) -> Format {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let (stem, zipped) = name.strip_suffix(".gz").map_or((name.as_str(), false), |stem| (stem, true));
    match stem.rsplit_once('.').map(|(_, extension)| extension) {
        None | Some("csv" | "tsv") => Format::Text,
        Some("parquet") if !zipped => Format::Parquet,
        Some("arrow" | "feather") if !zipped => Format::ArrowIpc,
        Some(_) => Format::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_the_format() {
        let text = ["a.csv", "a.TSV", "a.csv.gz", "a.b/data", "/dev/fd/63"];
        assert!(text.iter().all(|n| format(Path::new(n)) == Format::Text));
        assert_eq!(format(Path::new("a.parquet")), Format::Parquet);
        assert_eq!(format(Path::new("a.csv.Feather")), Format::ArrowIpc);
        assert_eq!(format(Path::new("a.parquet.gz")), Format::Unknown);
        assert_eq!(format(Path::new("a.xlsx")), Format::Unknown);
    }
}
