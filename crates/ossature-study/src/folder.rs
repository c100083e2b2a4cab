//! The folder of a study: `study.json`, `rows.csv` and later the report.
//!
//! A row is appended and flushed as soon as it is done, so whatever ends a run, the rows before stay. On
//! resuming, an unfinished last line is dropped, and so are rows with an error or without a result: their cells
//! are tried again. At the end the rows are sorted and the file is replaced, so that the table is the same
//! however often the study was interrupted.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ossature::error::Place;
use ossature::text::count;
use ossature::{Error, Result, file};

use crate::manifest::{Manifest, RunInfo};
use crate::plan::Grid;
use crate::report;
use crate::row::{Key, Row};
use crate::sample::derived_seed;

/// The name of the file of rows.
pub const ROWS: &str = "rows.csv";
const MANIFEST: &str = "study.json";
const LOCK: &str = ".study.lock";

/// A folder that rows are added to. Only one run can have it at a time.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// How it was made.
    pub manifest: Manifest,
    /// The rows so far, in the order in which they were done.
    pub rows: Vec<Row>,
    appending: Option<File>,
    _lock: File,
}

impl Folder {
    /// Opens a folder for a study, which may have been started there earlier with the same
    /// settings.
    pub fn open(path: &Path, grid: &Grid, run_info: RunInfo) -> Result<Folder> {
        let mut manifest = Manifest::new(grid);
        refuse_foreign(path)?;
        let earlier = |manifest: &Manifest| -> Result<Option<Manifest>> {
            if !path.join(MANIFEST).exists() {
                return Ok(None);
            }
            let old = read_manifest(path)?;
            old.require_fits(manifest, &path.display().to_string())?;
            Ok(Some(old))
        };
        // A folder of another study is refused before anything is written to it.
        earlier(&manifest)?;
        fs::create_dir_all(path).map_err(|e| io_error("write", path, e))?;
        let lock = lock(path)?;
        remove_parts(path);
        if let Some(old) = earlier(&manifest)? {
            manifest.runs = old.runs;
        }
        manifest.runs.push(run_info);
        let mut rows = if path.join(ROWS).exists() { read_rows(path, &manifest)? } else { Vec::new() };
        rows.retain(Row::has_result);
        let mut folder = Folder { path: path.to_owned(), manifest, rows, appending: None, _lock: lock };
        folder.write_manifest()?;
        folder.write_rows()?;
        folder.appending = Some(append_to(&path.join(ROWS))?);
        Ok(folder)
    }

    /// A new folder with existing rows.
    pub(crate) fn create(path: &Path, manifest: Manifest, rows: Vec<Row>) -> Result<Folder> {
        refuse_foreign(path)?;
        if path.join(MANIFEST).exists() {
            return Err(Error::Mismatch {
                what: format!("{} already holds a study", path.display()),
                accepted: "the shards are joined in a new folder".into(),
            });
        }
        fs::create_dir_all(path).map_err(|e| io_error("write", path, e))?;
        let lock = lock(path)?;
        Ok(Folder { path: path.to_owned(), manifest, rows, appending: None, _lock: lock })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a row; it is in the file when this returns.
    pub(crate) fn append(&mut self, row: Row) -> Result<()> {
        let path = self.path.join(ROWS);
        let out = self
            .appending
            .as_mut()
            .ok_or_else(|| io_error("write", &path, io::Error::other("the table is finished")))?;
        // One write for the whole line: what ends the process ends it before or after.
        let line = lines(std::slice::from_ref(&row), false)?;
        out.write_all(&line).and_then(|()| out.flush()).map_err(|e| io_error("write", &path, e))?;
        self.rows.push(row);
        Ok(())
    }

    /// Sorts the rows in the order of the study and rewrites them and the settings, with the time
    /// this run took.
    pub fn finish(&mut self, seconds: Option<f64>) -> Result<()> {
        self.appending = None;
        let order = Order::of(&self.manifest);
        self.rows.sort_by_cached_key(|row| order.place(row));
        if let Some(run_info) = self.manifest.runs.last_mut() {
            run_info.seconds = seconds.or(run_info.seconds);
        }
        self.write_rows()?;
        self.write_manifest()
    }

    fn write_rows(&self) -> Result<()> {
        let bytes = lines(&self.rows, true)?;
        file::write(&self.path.join(ROWS), |out| out.write_all(&bytes))
    }

    fn write_manifest(&self) -> Result<()> {
        file::write(&self.path.join(MANIFEST), |out| {
            serde_json::to_writer_pretty(&mut *out, &self.manifest)?;
            out.write_all(b"\n")
        })
    }
}

/// Refuses a folder without a study that has files which a study would replace; other files are
/// fine.
fn refuse_foreign(path: &Path) -> Result<()> {
    if path.join(MANIFEST).exists() {
        return Ok(());
    }
    let ours = [ROWS].into_iter().chain(report::FILES);
    match ours.into_iter().find(|name| path.join(name).symlink_metadata().is_ok()) {
        None => Ok(()),
        Some(name) => Err(Error::Mismatch {
            what: format!(
                "{} has the file {name} but no {MANIFEST}: it does not belong to a study",
                path.display()
            ),
            accepted: "use a new folder, or the folder of this study".into(),
        }),
    }
}

/// Refuses rows that do not belong to the study.
fn refuse_strangers(rows: &[Row], manifest: &Manifest, path: &Path) -> Result<()> {
    let refuse = |what: String, accepted: String| {
        Err(Error::Mismatch { what: format!("{} has {what}", path.display()), accepted })
    };
    for row in rows {
        let key = row.key();
        if !manifest.has(&key) {
            return refuse(format!("a row for {key}"), "the study has no such cell".into());
        }
        let seed = derived_seed(manifest.seed, &key.network, key.size, key.sample);
        if row.seed != seed {
            return refuse(format!("the seed {} for {key}", row.seed), format!("in this study it is {seed}"));
        }
        if !row.is_finite() {
            return refuse(
                format!("a number that is not finite for {key}"),
                "a study writes only finite numbers".into(),
            );
        }
    }
    Ok(())
}

/// The position of a row in the sorted table.
struct Order {
    networks: BTreeMap<String, usize>,
    sizes: BTreeMap<usize, usize>,
    learners: BTreeMap<String, usize>,
}

impl Order {
    fn of(manifest: &Manifest) -> Order {
        Order {
            networks: manifest.networks.iter().enumerate().map(|(i, n)| (n.name.clone(), i)).collect(),
            sizes: manifest.sizes.iter().enumerate().map(|(i, &n)| (n, i)).collect(),
            learners: manifest.learners.iter().enumerate().map(|(i, l)| (l.name.clone(), i)).collect(),
        }
    }

    fn place(&self, row: &Row) -> impl Ord + use<> {
        let (network, size) = (self.networks.get(&row.network).copied(), self.sizes.get(&row.size).copied());
        (network, size, row.sample, self.learners.get(&row.learner).copied(), row.key())
    }
}

/// The manifest of a folder. Learners of the earlier form of 0.1.0 are brought up to date.
pub(crate) fn read_manifest(folder: &Path) -> Result<Manifest> {
    let path = folder.join(MANIFEST);
    let text = file::read_text(&path)?;
    let damaged = |place: Place, found: String| Error::Syntax {
        place,
        found,
        expected: "the settings of a study, as `ossature study` writes them".into(),
    };
    let name = path.display().to_string();
    let mut manifest: Manifest = serde_json::from_str(&text)
        .map_err(|e| Error::json(&e, &name, "the settings of a study, as `ossature study` writes them"))?;
    let learners = std::mem::take(&mut manifest.learners).into_iter();
    manifest.learners = learners
        .map(|learner| learner.brought_up_to_date().map_err(|e| damaged(Place::file(&name), e.to_string())))
        .collect::<Result<_>>()?;
    Ok(manifest)
}

/// The rows of a folder with this manifest, each cell once; an unfinished last line is left out.
pub(crate) fn read_rows(folder: &Path, manifest: &Manifest) -> Result<Vec<Row>> {
    let path = &folder.join(ROWS);
    // Bytes: what ended a run may have cut a character in two.
    let bytes = fs::read(path).map_err(|e| io_error("read", path, e))?;
    let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let damaged = |line: u64, e: csv::Error| Error::Syntax {
        place: Place::line(path.display().to_string(), line),
        found: match e.kind() {
            csv::ErrorKind::UnequalLengths { len, .. } => count(*len as usize, "field"),
            _ => format!("fields that cannot be read ({e})"),
        },
        expected: "a row of a study, as `ossature study` writes it".into(),
    };
    let mut reader = csv::Reader::from_reader(&bytes[..end]);
    let names = reader.headers().map_err(|e| damaged(1, e))?;
    if end > 0 && names.iter().ne(Row::columns()) {
        return Err(Error::Syntax {
            place: Place::line(path.display().to_string(), 1),
            found: format!("the columns {}", names.iter().collect::<Vec<_>>().join(",")),
            expected: Row::columns().join(","),
        });
    }
    let mut cells: BTreeMap<Key, usize> = BTreeMap::new();
    let mut rows: Vec<Row> = Vec::new();
    for (i, row) in reader.deserialize::<Row>().enumerate() {
        let row = row.map_err(|e| damaged(i as u64 + 2, e))?;
        match cells.get(&row.key()) {
            Some(&at) if !rows[at].has_result() => rows[at] = row,
            Some(_) => {}
            None => {
                cells.insert(row.key(), rows.len());
                rows.push(row);
            }
        }
    }
    refuse_strangers(&rows, manifest, path)?;
    Ok(rows)
}

/// Rows as lines of CSV, with or without the line of names before them.
fn lines(rows: &[Row], names: bool) -> Result<Vec<u8>> {
    let failed = |e: csv::Error| io_error("write", Path::new(ROWS), io::Error::other(e));
    let mut out = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    if names {
        out.write_record(Row::columns()).map_err(failed)?;
    }
    for row in rows {
        out.serialize(row).map_err(failed)?;
    }
    out.into_inner().map_err(|e| io_error("write", Path::new(ROWS), io::Error::other(e.to_string())))
}

fn append_to(path: &Path) -> Result<File> {
    OpenOptions::new().append(true).open(path).map_err(|e| io_error("write", path, e))
}

/// Keeps other runs out as long as the file is open; the system releases the lock whatever ends the
/// process.
fn lock(folder: &Path) -> Result<File> {
    let path = folder.join(LOCK);
    let failed = |e| io_error("write", &path, e);
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::Mismatch {
            what: format!("another run is writing to {}", folder.display()),
            accepted: "wait for it, or give another folder".into(),
        }),
        // Some file systems know no locks; then it is up to the user.
        Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// Removes files that a killed run left half written. If that fails they stay, and do no harm.
fn remove_parts(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(".ossature-") && name.ends_with(".part") {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn io_error(action: &'static str, path: &Path, source: io::Error) -> Error {
    Error::Io { action, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use ossature::learn::{Catalogue, Preset};

    use super::*;
    use crate::learner::NamedLearner;
    use crate::learner::tests::earlier;
    use crate::plan::{NetworkSource, Study};

    fn open(path: &Path, preset: Preset) -> Result<Folder> {
        let catalogue = Catalogue::standard();
        let learners = ["h2pc", "mmhc"].map(|name| NamedLearner::of(name, preset, &catalogue).unwrap());
        let networks = vec![NetworkSource::new("asia").unwrap()];
        let study = Study { networks, learners: learners.to_vec(), ..Study::default() };
        Folder::open(path, &Grid::new(study, &catalogue)?, RunInfo::now("test".into(), 1))
    }

    /// It is understood: all that it was run with is known, and the rows come out the same today.
    #[test]
    fn a_folder_of_the_earlier_form_goes_on_and_can_be_joined() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path();
        let mut manifest = open(path, Preset::Recommended).unwrap().manifest.clone();
        let new = manifest.learners.clone();
        manifest.learners = vec![earlier("h2pc", "hpc"), earlier("mmhc", "mmpc")];
        let write = |manifest: &Manifest| {
            fs::write(path.join(MANIFEST), serde_json::to_string(manifest).unwrap()).unwrap();
        };
        write(&manifest);
        // It had ten tie orders and shared between targets, which is not the preset of the paper.
        let refused = open(path, Preset::Paper).unwrap_err().to_string();
        assert!(refused.contains("share of h2pc is \"yes\", now \"no\""), "{refused}");
        assert!(refused.contains("tie-orders of mmhc is 10, now 1"), "{refused}");
        let merged = crate::merge(&[path.to_owned()], &path.join("merged")).unwrap();
        assert_eq!(merged.folder.manifest.learners, new);
        let resumed = open(path, Preset::Recommended).unwrap();
        assert_eq!((&resumed.manifest.learners, resumed.manifest.runs.len()), (&new, 2));
        drop(resumed);
        assert_eq!(read_manifest(path).unwrap().learners, new);
        // A setting that no version had.
        manifest.learners[1].settings.insert("weight".into(), 3.into());
        write(&manifest);
        let refused = open(path, Preset::Recommended).unwrap_err().to_string();
        for part in ["study.json", "the learner \"mmhc\"", "weight"] {
            assert!(refused.contains(part), "{part:?} is not in {refused:?}");
        }
    }
}
