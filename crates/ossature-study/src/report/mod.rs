//! The report: one HTML file with everything, and beside it the figures and tables as files.
//!
//! All of it is computed from the rows and the manifest; the paper's numbers come from `paper` and are
//! labelled as such. The page needs no script and no network access.

mod files;
mod latex;
mod page;
mod sections;
mod tables;
pub(crate) mod text;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{fs, io};

use ossature::{Error, Result, file};

use crate::claims::Claim;
use crate::figure::{ByNetwork, Figure, drawn_rankings, ranks_file};
use crate::folder::{Folder, ROWS};
use crate::manifest::Manifest;
use crate::row::{Key, Row};
use crate::summary::Summary;

/// The name of the page.
pub const PAGE: &str = "report.html";

/// All files of a report besides the rows.
pub(crate) const FILES: [&str; 13] = [
    PAGE,
    "figure1.svg",
    "figure2.svg",
    "figure3.svg",
    "ranks.svg",
    "summary.csv",
    "values.csv",
    "table2.csv",
    "ranks.csv",
    "claims.csv",
    "increases.tex",
    "table2.tex",
    "shd.tex",
];

/// The files written, and the verdicts on the paper.
#[derive(Debug)]
pub struct Written {
    /// The page.
    pub page: PathBuf,
    /// The other files.
    pub files: Vec<PathBuf>,
    /// The paper's claims with our verdicts.
    pub claims: Vec<Claim>,
}

/// A file beside the page.
pub(crate) struct Attached {
    name: &'static str,
    title: &'static str,
    content: String,
}

/// Everything that the page shows.
pub(crate) struct Contents<'a> {
    manifest: &'a Manifest,
    rows: &'a [Row],
    summary: Summary,
    claims: Vec<Claim>,
    figures: [Figure; 2],
    by_network: ByNetwork,
    tables: Vec<Attached>,
    /// Cells that have no row.
    missing: usize,
}

impl<'a> Contents<'a> {
    /// Whether there is another learner to compare with the first.
    fn compares(&self) -> bool {
        self.manifest.learners.len() > 1
    }

    fn new(manifest: &'a Manifest, rows: &'a [Row], rows_csv: String) -> Contents<'a> {
        let summary = Summary::of(manifest, rows);
        let claims = Claim::all(manifest, &summary);
        let figures = Figure::both(manifest, &summary);
        let by_network = ByNetwork::new(manifest, &summary);
        let mut tables = vec![Attached { name: ROWS, title: "Every row", content: rows_csv }];
        tables.extend(files::tables(manifest, &summary, &claims));
        tables.extend(latex::tables(manifest, &summary));
        let done: BTreeSet<Key> = rows.iter().map(Row::key).collect();
        let missing = match manifest.shard {
            Some(_) => 0, // the others are elsewhere
            None => manifest.cells().filter(|key| !done.contains(key)).count(),
        };
        Contents { manifest, rows, summary, claims, figures, by_network, tables, missing }
    }
}

/// Removes the report of a folder whose rows are about to change.
pub(crate) fn remove(folder: &Folder) -> Result<()> {
    for path in FILES.map(|name| folder.path().join(name)) {
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(Error::Io { action: "remove", path, source });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Writes the report of a folder, whose rows are finished.
pub fn write(folder: &Folder) -> Result<Written> {
    let rows_csv = file::read_text(&folder.path().join(ROWS))?;
    let contents = Contents::new(&folder.manifest, &folder.rows, rows_csv);
    let mut files = Vec::new();
    let mut put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        file::write(&path, |out| out.write_all(text.as_bytes()))?;
        files.push(path);
        Result::Ok(())
    };
    for figure in contents.figures.iter().filter(|_| contents.compares()) {
        put(&format!("figure{}.svg", figure.number), &figure.file())?;
    }
    if !contents.by_network.panels.is_empty() {
        put("figure3.svg", &contents.by_network.file())?;
    }
    let rankings = drawn_rankings(&contents.summary);
    if !rankings.is_empty() {
        put("ranks.svg", &ranks_file(&rankings))?;
    }
    for table in contents.tables.iter().filter(|t| t.name != ROWS) {
        put(table.name, &table.content)?;
    }
    put(PAGE, &page::html(&contents))?;
    Ok(Written { page: folder.path().join(PAGE), files, claims: contents.claims })
}
