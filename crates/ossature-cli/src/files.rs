//! The files that a command reads and writes, checked before any work.
//!
//! An output that is also an input, two outputs that are the same file, and a place that cannot be written
//! are refused here, for every command.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ossature::data::table_files;
use ossature::file::{Identity, check_writable};

use crate::args::{Chosen, Command, DataArgs, KnowledgeArgs, StudyCommand};
use crate::failure::Failure;
use crate::plan::embedded;

/// The files of a command, as they were named.
#[derive(Debug, Default)]
pub(crate) struct Files<'a> {
    inputs: Vec<PathBuf>,
    outputs: Vec<&'a Path>,
    /// The words that are names of embedded networks.
    embedded: BTreeSet<&'a str>,
    /// Whether the command needs its output.
    must_write: bool,
}

impl<'a> Files<'a> {
    /// The files on the command line.
    pub(crate) fn of(command: &'a Command, chosen: &'a Chosen) -> Files<'a> {
        let files = Files::default().opens(&chosen.settings).reads(&chosen.start);
        // A first half is a word or a graph.
        let files = files.reads(chosen.restrict.as_deref().map(Path::new));
        match command {
            Command::Learn(args) => {
                let files = files.reads([&args.own.data]).reads(&args.own.more).reads(&args.own.truth);
                let files = files.writes(&args.own.output).writes(&args.own.plot_strengths);
                files.knowledge(&args.knowledge).table(&args.reading)
            }
            Command::Why(args) => {
                files.reads([&args.own.data]).knowledge(&args.knowledge).table(&args.reading)
            }
            Command::Neighbours(args) => {
                let files = files.reads([&args.own.data]).reads(&args.own.more);
                files.knowledge(&args.knowledge).table(&args.reading)
            }
            Command::CrossValidate(args) => {
                let files = files.reads([&args.own.data]).reads(&args.own.more);
                files.knowledge(&args.knowledge).table(&args.reading)
            }
            Command::Test(args) => files.reads([&args.data]).table(&args.reading),
            Command::Score(args) => files.reads([&args.data, &args.graph]).table(&args.reading),
            Command::Fit(args) => {
                files.reads([&args.data, &args.graph]).table(&args.reading).writes(&args.output)
            }
            Command::Compare(args) => files.reads([&args.truth, &args.other]).writes(&args.output),
            Command::Sample(args) => files.reads([&args.net]).writes(&args.output),
            Command::Query(args) => files.reads([&args.net]),
            Command::Predict(args) => files.reads([&args.net]).opens([&args.rows]).writes(&args.output),
            Command::Convert(args) => {
                Files { must_write: true, ..files.reads([&args.input]).writes([&args.output]) }
            }
            // A study writes to a folder, which it looks after itself.
            Command::Study(args) => match &args.merge {
                Some(StudyCommand::Merge(_)) => files,
                None => files.opens(&args.config).reads(args.networks.iter().flatten().map(Path::new)),
            },
            Command::Learners(_) | Command::Networks(_) | Command::Completions(_) | Command::Man(_) => files,
        }
    }

    /// Words that are files, or names of embedded networks.
    fn reads<P: AsRef<Path> + ?Sized + 'a>(mut self, paths: impl IntoIterator<Item = &'a P>) -> Files<'a> {
        for path in paths.into_iter().map(AsRef::as_ref) {
            match embedded(path) {
                Some(name) => _ = self.embedded.insert(name),
                None => self = self.opens([path]),
            }
        }
        self
    }

    /// Files, whatever their names.
    fn opens<P: AsRef<Path> + ?Sized + 'a>(mut self, paths: impl IntoIterator<Item = &'a P>) -> Files<'a> {
        for path in paths.into_iter().map(AsRef::as_ref) {
            // What cannot be read is said when it is.
            self.inputs.extend(table_files(path).unwrap_or_else(|_| vec![path.to_path_buf()]));
        }
        self
    }

    fn writes(mut self, paths: impl IntoIterator<Item = &'a PathBuf>) -> Files<'a> {
        self.outputs.extend(paths.into_iter().map(PathBuf::as_path));
        self
    }

    fn table(self, args: &'a DataArgs) -> Files<'a> {
        self.reads(&args.levels)
    }

    fn knowledge(self, args: &'a KnowledgeArgs) -> Files<'a> {
        self.opens(&args.whitelist).opens(&args.blacklist).opens(&args.tiers)
    }

    /// The names of embedded networks that are also names of files here.
    pub(crate) fn ambiguous(&self) -> impl Iterator<Item = &'a str> {
        self.embedded.iter().copied().filter(|name| Path::new(name).is_file())
    }

    /// Refuses outputs that would destroy an input or another output, or that cannot be written, so that no
    /// work is wasted.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let inputs: Vec<(Identity, &Path)> =
            self.inputs.iter().filter_map(|path| Some((Identity::of(path)?, path.as_path()))).collect();
        let mut outputs: Vec<(Identity, &Path)> = Vec::new();
        for &path in &self.outputs {
            if path == Path::new("-") {
                let failure = Failure::usage("an output needs a file name with an extension; - has none");
                return Err(failure.help(match self.must_write {
                    true => "the extension determines the format: .bif, .dot, .svg, .html, .graphml, .json or .csv",
                    false => "without -o the answer goes to standard output",
                }));
            }
            let Some(identity) = Identity::of(path) else { continue };
            let shown = path.display();
            if let Some((_, input)) = inputs.iter().find(|(other, _)| *other == identity) {
                let also = if *input == path { String::new() } else { format!(" (as {})", input.display()) };
                return Err(Failure::usage(format!("{shown} is an input{also}, and would be overwritten"))
                    .help("give another name for the output"));
            }
            if let Some((_, other)) = outputs.iter().find(|(other, _)| *other == identity) {
                let also =
                    if *other == path { String::new() } else { format!(" (also as {})", other.display()) };
                return Err(Failure::usage(format!("{shown} is given as an output twice{also}"))
                    .help("each output needs a separate file"));
            }
            outputs.push((identity, path));
        }
        self.outputs.iter().try_for_each(|path| Ok(check_writable(path)?))
    }
}
