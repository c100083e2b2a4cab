//! Tables from files: the name determines the format, [`ReadOptions`] everything else.

use std::io;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use super::blocks::BlockSizes;
use super::joined::Joined;
use super::{Dataset, ReadOptions, csv};
use crate::error::{Error, Place, Result};
use crate::file::{self, Identity};
use crate::progress::Progress;

/// A table that was read, with a report.
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
    /// The rows left out because a value was missing.
    pub rows_dropped: u64,
    /// The columns with missing values, by name, and their number before rows were left out.
    pub missing: Vec<(String, u64)>,
    /// The columns that were cut into intervals, by name, and the cuts.
    pub discretised: Vec<(String, Vec<f64>)>,
    /// The variables with declared levels that are not columns, by name.
    pub levels_unused: Vec<String>,
    /// The columns in which missing values became a level, by name, and that level.
    pub missing_levels: Vec<(String, String)>,
    /// The number of fields that counted as missing because they were not declared levels.
    pub unknown: u64,
}

/// The format of a file, by its name.
#[derive(Debug, PartialEq, Eq)]
enum Format {
    Text,
    Parquet,
    ArrowIpc,
    Unknown,
}

/// Reads a table from a file; `-` is CSV on the standard input.
///
/// The name determines the format: `.csv` and `.tsv`, both optionally followed by `.gz`,
/// `.parquet`, `.arrow` and `.feather`. A name without extension means CSV, and so does any other
/// name if a delimiter is given. The first row of a text file has the names of the columns.
///
/// A folder, or a pattern such as `part-*.parquet`, stands for several files ([`table_files`]), which are read as
/// one table, as by [`read_files`].
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
    read_files(&[path], options, progress)
}

/// Reads several files as one table: the rows of the first, then those of the next.
///
/// All must have the same columns, in any order, and the same columns must be continuous by type. Each path
/// may be anything that [`read`] takes. The same file twice is refused, by whatever names.
///
/// ```
/// use ossature::data::{ReadOptions, read, read_files};
/// # let dir = tempfile::tempdir()?;
/// let [one, two] = ["part-1.csv", "part-2.csv"].map(|name| dir.path().join(name));
/// std::fs::write(&one, "wet,rain\nyes,yes\nno,no\n")?;
/// std::fs::write(&two, "rain,wet\nyes,no\n")?;
/// let table = read_files(&[one, two], &ReadOptions::default(), &ossature::Silent)?;
/// assert_eq!(table.data.rows(), 3);
/// assert_eq!(read(&dir.path().join("part-*.csv"), &ReadOptions::default(), &ossature::Silent)?, table);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_files<P: AsRef<Path>>(
    paths: &[P],
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Table> {
    let mut files = Vec::new();
    for path in paths {
        files.extend(table_files(path.as_ref())?);
    }
    if files.is_empty() {
        return Err(Error::Mismatch {
            what: "there is no file to read".into(),
            accepted: "at least one is needed".into(),
        });
    }
    if let Some((twice, _)) = same_files(&files) {
        let name = twice.display().to_string();
        return Err(Error::Duplicate { what: "file", name, place: None });
    }
    let mut joined = Joined::new(options, progress);
    files.iter().try_for_each(|file| append(file, &mut joined))?;
    joined.finish()
}

/// The first of some files that is the same as one before it, by its name or by what it stands for, and that one.
pub fn same_files(files: &[PathBuf]) -> Option<(&Path, &Path)> {
    let mut names: FxHashSet<&Path> = FxHashSet::default();
    let mut known: FxHashMap<Identity, &Path> = FxHashMap::default();
    for file in files.iter().map(PathBuf::as_path) {
        if !names.insert(file) {
            return Some((file, file));
        }
        if let Some(before) = Identity::of(file).and_then(|identity| known.insert(identity, file)) {
            return Some((file, before));
        }
    }
    None
}

/// The files that a path stands for.
///
/// A folder stands for the files in it with an extension that [`read`] knows; a name with `*`, `?` or `[…]` for the
/// files that match it, unless a file has exactly that name. Both are sorted bytewise by name, and leave out names that
/// begin with a dot. Any other path stands for itself, whether or not the file exists.
///
/// ```
/// use std::path::Path;
/// assert_eq!(ossature::data::table_files(Path::new("rain.csv"))?, [Path::new("rain.csv")]);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn table_files(path: &Path) -> Result<Vec<PathBuf>> {
    if path.is_dir() {
        let all = file::matching(&path.join("*"))?;
        let table =
            |file: &PathBuf| file.extension().is_some() && format(file) != Format::Unknown && file.is_file();
        let files: Vec<PathBuf> = all.into_iter().filter(table).collect();
        if files.is_empty() {
            let none = "it is a directory, and no file in it is a table (.csv, .tsv, .csv.gz, .tsv.gz, .parquet, .arrow or .feather)";
            return Err(Error::io("read", path, io::Error::new(io::ErrorKind::IsADirectory, none)));
        }
        return Ok(files);
    }
    if !file::is_pattern(path) || path.exists() {
        return Ok(vec![path.to_path_buf()]);
    }
    let files: Vec<PathBuf> = file::matching(path)?.into_iter().filter(|file| !file.is_dir()).collect();
    if files.is_empty() {
        let none = "no file has a name that matches";
        return Err(Error::io("read", path, io::Error::new(io::ErrorKind::NotFound, none)));
    }
    Ok(files)
}

/// Adds the rows of one file to a table.
fn append(path: &Path, joined: &mut Joined<'_>) -> Result<()> {
    let sizes = BlockSizes::default();
    if path == Path::new("-") {
        return csv::append(io::stdin().lock(), "<stdin>", joined, sizes);
    }
    let name = path.display().to_string();
    match format(path) {
        Format::Unknown if joined.options.delimiter.is_none() => Err(Error::Delimiter {
            place: Place::file(name),
            found: "a name without a known extension".into(),
            expected: "a name that ends in .csv, .tsv, .csv.gz, .tsv.gz, .parquet, .arrow or .feather, or a given delimiter".into(),
        }),
        Format::Text | Format::Unknown => csv::append(file::open(path)?, &name, joined, sizes),
        #[cfg(feature = "arrow")]
        Format::Parquet => super::parquet::append_parquet(file::open_plain(path)?, &name, joined),
        #[cfg(feature = "arrow")]
        Format::ArrowIpc => super::arrow::append_ipc(file::open_plain(path)?, &name, joined),
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
