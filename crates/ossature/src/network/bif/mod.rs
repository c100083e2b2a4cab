//! Networks in BIF, the text format in which the benchmark networks are exchanged.
//!
//! The format was never specified in full, so the reader accepts what occurs in practice:
//!
//! - `//` and `/* */` comments; commas are white space, as the format's author intended.
//! - A name is bare or in double quotes; in quotes it may contain anything, and a doubled quote is
//!   one quote. Names are kept byte for byte.
//! - `property` and everything up to its `;` is ignored, except for the property that keeps the original names
//!   if safe ones are written ([`BifLabels`]).
//! - Blocks may be in any order; parents follow the child after `|` or just white space.
//! - A block gives a `table`, or a row for each configuration of the parents, in any order;
//!   `default` stands for the absent rows.
//!
//! In a `table` the levels of the child change slowest and those of the last parent fastest, like a
//! joint table of the variables in the order of the block's head. BIF 0.15 by its author
//! (`JavaBayes`) does so: `probability ( "light-on" "family-out" ) { table 0.6 0.05 0.4 0.95; }`
//! says 0.6 and 0.4 for the first level of the parent. A few programs have written the transpose.
//! If only the transpose sums to 1 the error says so; the reader never guesses, because a table
//! that sums to 1 both ways would then silently be read wrongly.
//!
//! Probabilities that sum to 1 within 1e-9 are kept, within 1e-2 they are divided by their sum and
//! counted in [`ReadNetwork::normalised_rows`], and anything worse is an error.
//!
//! Reading takes time and memory proportional to the text. What a file claims, such as a number of
//! states or the size of a table, is compared with its content before anything is allocated; only
//! `default` can require more than the file contains, and has a limit.

mod build;
mod lexer;
mod safe;
mod syntax;
mod tables;
mod write;

use std::path::Path;

use crate::error::{Place, Result};
use crate::file;
use crate::network::Network;

pub use safe::BifLabels;
pub use write::{write, write_with};

/// A network as it was read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadNetwork {
    /// The network.
    pub network: Network,
    /// The number of rows of probabilities whose sum differed from 1 by more than 1e-9 and that
    /// were divided by it.
    pub normalised_rows: usize,
}

/// Reads a network from a `.bif` or `.bif.gz` file.
pub fn read(path: &Path) -> Result<ReadNetwork> {
    parse(&file::read_text(path)?, &path.display().to_string())
}

/// Reads a network from a text; `file` is its name in error messages.
///
/// ```
/// use ossature::network::bif;
///
/// let text = r#"
///     network "a garden" { }
///     variable rain { type discrete [ 2 ] { no, yes }; }
///     variable "wet grass" { type discrete [ 2 ] { no, yes }; }
///     probability ( rain ) { table 0.8, 0.2; }
///     probability ( "wet grass" | rain ) { (yes) 0.1, 0.9; default 0.95, 0.05; }
/// "#;
/// let network = bif::parse(text, "garden.bif")?.network;
/// let wet = network.dag().vars().find(|&v| network.variable(v).name() == "wet grass").unwrap();
/// assert_eq!(network.table(wet).row(1), [0.1, 0.9]);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn parse(text: &str, file: &str) -> Result<ReadNetwork> {
    let source = BifText { text, file };
    let mut blocks = syntax::parse(source)?;
    safe::restore(&mut blocks);
    build::network(&blocks, source)
}

/// The text that is being read, with the position of each byte in the file.
#[derive(Clone, Copy)]
struct BifText<'a> {
    text: &'a str,
    file: &'a str,
}

impl BifText<'_> {
    /// The line and column of a byte.
    fn place(&self, at: usize) -> Place {
        Place::in_text(self.file, self.text, at)
    }
}
