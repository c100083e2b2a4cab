//! Joins the results of several machines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ossature::{Error, Result};

use crate::folder::{Folder, read_manifest, read_rows};
use crate::manifest::Manifest;
use crate::row::{Key, Row};

/// A joined study.
#[derive(Debug)]
pub struct Merged {
    /// The folder it is in.
    pub folder: Folder,
    /// The cells missing from all parts, in words.
    pub missing: Vec<String>,
}

/// Joins the rows of folders in a new one. Parts with different settings are refused, and so are
/// parts that have the same cell with different results.
pub fn merge(parts: &[PathBuf], into: &Path) -> Result<Merged> {
    let Some((first, others)) = parts.split_first() else {
        return Err(Error::Mismatch {
            what: "there is nothing to join".into(),
            accepted: "name the folders of the shards".into(),
        });
    };
    let whole = |folder: &Path| Ok(Manifest { shard: None, ..read_manifest(folder)? });
    let mut manifest = whole(first)?;
    let mut rows = BTreeMap::new();
    add(&mut rows, first, &manifest)?;
    // A folder that is named twice worked once.
    let place = |folder: &Path| folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let mut seen = BTreeSet::from([place(first)]);
    for part in others {
        if !seen.insert(place(part)) {
            continue;
        }
        let other = whole(part)?;
        other.require_fits(&manifest, &part.display().to_string())?;
        manifest.require_fits(&other, &first.display().to_string())?;
        add(&mut rows, part, &other)?;
        manifest.runs.extend(other.runs);
    }
    let missing = manifest.cells().filter(|key| !rows.contains_key(key)).map(|key| key.to_string()).collect();
    let rows = rows.into_values().map(|(row, _)| row).collect();
    Ok(Merged { folder: Folder::create(into, manifest, rows)?, missing })
}

/// Adds the rows of a folder to those of others; a result replaces an error.
fn add(rows: &mut BTreeMap<Key, (Row, PathBuf)>, folder: &Path, manifest: &Manifest) -> Result<()> {
    for row in read_rows(folder, manifest)?.into_iter().filter(|row| row.error.is_some() || row.has_result())
    {
        let key = row.key();
        match rows.get(&key) {
            Some((old, _)) if old.error.is_some() => {}
            Some(_) if row.error.is_some() => continue,
            Some((old, from)) if old.timeless() != row.timeless() => {
                return Err(Error::Mismatch {
                    what: format!(
                        "{} and {} have different results for {key}",
                        from.display(),
                        folder.display()
                    ),
                    accepted: "shards of one study agree in all but times".into(),
                });
            }
            Some(_) => continue,
            None => {}
        }
        rows.insert(key, (row, folder.to_owned()));
    }
    Ok(())
}
