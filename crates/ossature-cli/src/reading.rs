//! How a table is read or drawn, and the record of that in the result.

use std::path::{Path, PathBuf};

use ossature::data::{self, Continuous, ReadOptions, ReadReport, Table};
use ossature::network::catalogue;
use ossature::{Dataset, Place};
use serde_json::{Value, json};

use crate::args::{ColumnArgs, DataArgs, Names};
use crate::failure::{Failure, named};
use crate::plan::{Source, each_once, embedded, extension, model_of, unknown};
use crate::render::{count, thousands};
use crate::session::Session;

/// The default number of rows drawn from an embedded network.
const ROWS: usize = 5000;

/// A table, a report, and a record of how it was read.
pub(crate) struct Read {
    pub(crate) data: Dataset,
    pub(crate) report: ReadReport,
    /// As recorded in a result, see [`ReadOptions::to_record`].
    pub(crate) record: Value,
    /// The fields that meant a missing value.
    pub(crate) missing_tokens: Vec<String>,
}

/// Reads the named table as requested, or draws it with the seed if the name is that of an embedded
/// network. Options that are not given are taken from the earlier result, if there is one.
pub(crate) fn read_data(
    path: &Path,
    args: &DataArgs,
    seed: u64,
    session: &Session<'_>,
) -> Result<Read, Failure> {
    read_all(path, &[], args, seed, session)
}

/// The same for a table that continues in other files.
pub(crate) fn read_all(
    path: &Path,
    more: &[PathBuf],
    args: &DataArgs,
    seed: u64,
    session: &Session<'_>,
) -> Result<Read, Failure> {
    read_with(path, more, args, options(args, session)?, seed, session)
}

/// The same for only these columns, unless the options choose others.
pub(crate) fn read_columns(
    path: &Path,
    columns: &[&str],
    args: &DataArgs,
    seed: u64,
    session: &Session<'_>,
) -> Result<Read, Failure> {
    let mut options = options(args, session)?;
    let looks_at_others = options.discretise.iter().any(|wish| wish.method.looks_at_others());
    if options.columns.is_none() && !looks_at_others {
        options.columns = Some(columns.iter().map(|&name| name.to_owned()).collect());
    }
    read_with(path, &[], args, options, seed, session)
}

fn read_with(
    path: &Path,
    more: &[PathBuf],
    args: &DataArgs,
    mut options: ReadOptions,
    seed: u64,
    session: &Session<'_>,
) -> Result<Read, Failure> {
    each_once("--discretise", args.discretise.iter().map(|wish| wish.column.as_deref().unwrap_or("*")))?;
    if let Some(name) = embedded(path).or_else(|| more.iter().find_map(|path| embedded(path))) {
        if !more.is_empty() {
            let said = format!("{name} is an embedded network: its rows cannot be combined with others");
            return Err(Failure::usage(said).help(format!("./{name} is the file of that name")));
        }
        return draw_data(name, args, &options, seed, session);
    }
    if args.rows.is_some() {
        return Err(Failure::usage(format!(
            "--rows is for rows drawn from an embedded network, and {} is not one",
            path.display()
        ))
        .help("`ossature networks` lists the embedded networks"));
    }
    let mut files = Vec::new();
    for path in std::iter::once(path).chain(more.iter().map(PathBuf::as_path)) {
        let stands_for = data::table_files(path)?;
        let itself = stands_for == [path] && path != Path::new("-");
        if itself && extension(path).is_none() && !path.exists() {
            return Err(unknown(path));
        }
        files.extend(stands_for);
    }
    if let Some((again, before)) = data::same_files(&files) {
        let said = match again == before {
            true => format!("{} is given twice", named(again)),
            false => format!("{} and {} are the same file", named(before), named(again)),
        };
        return Err(Failure::usage(said).help("each file is read once"));
    }
    let shown = match files.len() {
        1 => path.display().to_string(),
        n => format!("{} ({n} files)", path.display()),
    };
    if let Some(word) = &args.levels {
        declare_levels(word, &mut options, session)?;
    }
    let Table { data, report } = data::read_files(&files, &options, session.progress())
        .map_err(|e| session.failure(e).about_any(&files))?;
    if report.rows_dropped > 0 {
        let (dropped, all) = (thousands(report.rows_dropped), count(report.rows_read, "row"));
        session.warn(format!("{shown}: left out {dropped} of {all} because of missing values"));
    }
    let gaps: usize = data.vars().map(|v| data.gaps(v)).sum();
    if gaps > 0 {
        let (gaps, how) = (count(gaps as u64, "missing value"), options.missing.word());
        session.note(format!("{shown}: {gaps} ({how})"));
    }
    let (rows, variables) = (data.rows() as u64, data.variables().len() as u64);
    session.detail(format!("{shown}: {} of {}", count(rows, "row"), count(variables, "variable")));
    if options.weights.is_some() {
        let (rows, total) = (count(rows, "row"), count(data.total() as u64, "row"));
        session.note(format!("{shown}: {rows} that count as {total}"));
    }
    let mut record = options.to_record();
    // Where columns were cut, beside how that was wished.
    record["cuts"] = report.discretised.iter().map(|(name, cuts)| (name.clone(), json!(cuts))).collect();
    Ok(Read { data, report, record, missing_tokens: options.missing_tokens })
}

/// Applies the choice of columns from the options: columns to read replace an earlier choice, columns to leave out are
/// added to it.
pub(crate) fn choose(args: &ColumnArgs, options: &mut ReadOptions) -> Result<(), Failure> {
    let (columns, drop) = (Names::all(&args.columns), Names::all(&args.drop));
    each_once("--columns", columns.iter().flatten())?;
    each_once("--drop", drop.iter().flatten())?;
    if columns.is_some() {
        (options.columns, options.drop) = (columns, Vec::new());
    }
    for name in drop.into_iter().flatten() {
        if !options.drop.contains(&name) {
            options.drop.push(name);
        }
    }
    Ok(())
}

/// The typed options, and otherwise those of an earlier result.
fn options(args: &DataArgs, session: &Session<'_>) -> Result<ReadOptions, Failure> {
    let mut options = match session.earlier()? {
        Some((path, earlier)) => {
            let record = earlier.read.as_ref().unwrap_or(&Value::Null);
            ReadOptions::from_record(record, Place::file(path.display().to_string()))?
        }
        None => ReadOptions::default(),
    };
    choose(&args.choice, &mut options)?;
    options.delimiter = args.delimiter.or(options.delimiter);
    options.missing = args.missing.unwrap_or(options.missing);
    if let Some(tokens) = &args.missing_tokens {
        options.missing_tokens.clone_from(tokens);
    }
    if !args.discretise.is_empty() {
        options.discretise.clone_from(&args.discretise);
    }
    if let Some(continuous) = &args.continuous {
        options.continuous.clone_from(continuous);
    }
    if args.weights.is_some() {
        options.weights.clone_from(&args.weights);
    }
    Ok(options)
}

/// Rows drawn from an embedded network, with the levels that it declares.
fn draw_data(
    name: &str,
    args: &DataArgs,
    options: &ReadOptions,
    seed: u64,
    session: &Session<'_>,
) -> Result<Read, Failure> {
    let of_files = args.levels.is_some() || args.delimiter.is_some() || args.continuous.is_some();
    if of_files || args.weights.is_some() || !args.discretise.is_empty() {
        return Err(Failure::usage(format!(
            "{name} is an embedded network: its rows are drawn, not read, and have the levels of the network"
        ))
        .help("--levels, --delimiter, --continuous, --weights and --discretise are for files"));
    }
    let before = session.earlier()?.and_then(|(_, earlier)| earlier.read.as_ref()?.get("rows")?.as_u64());
    let rows = args.rows.or(before.and_then(|rows| usize::try_from(rows).ok())).unwrap_or(ROWS);
    let data =
        catalogue::load(name)?.sample(rows, seed, session.progress()).map_err(|e| session.failure(e))?;
    let data = options.chosen(data)?;
    session.note(format!("drew {} from {name} (seed {seed})", count(rows as u64, "row")));
    let record = json!({ "network": name, "rows": rows, "seed": seed, "columns": options.columns, "drop": options.drop });
    let missing_tokens = options.missing_tokens.clone();
    Ok(Read { data, report: ReadReport::default(), record, missing_tokens })
}

/// The levels that `--levels` declares, from a JSON schema or from a network. A model file also gives the
/// cuts, unless they are given for the column itself.
fn declare_levels(word: &Path, options: &mut ReadOptions, session: &Session<'_>) -> Result<(), Failure> {
    if extension(word).as_deref() == Some("json") && model_of(word)?.is_none() {
        let text = ossature::file::read_text(word)?;
        options.levels = Some(data::read_levels_json(&text, &word.display().to_string())?);
        return Ok(());
    }
    let model = Source::new(word)?.model(session)?;
    let said: Vec<Option<String>> = options.discretise.iter().map(|wish| wish.column.clone()).collect();
    options.discretise.extend(model.discretise().into_iter().filter(|wish| !said.contains(&wish.column)));
    options.levels = Some(model.declared());
    if options.continuous == Continuous::default() {
        options.continuous = model.continuous();
    }
    Ok(())
}
