//! Networks in BIF, the text format in which the benchmark networks are exchanged.
//!
//! The format was never fixed in all its details, so the reader takes what is met in the wild:
//!
//! - `//` and `/* */` comments; commas are white space, as the format's author meant them.
//! - A name stands bare or in double quotes; in quotes it may hold anything, and a doubled quote is
//!   one quote. Names are kept byte for byte.
//! - `property` and what follows up to its `;` is passed over wherever it stands, but for the one that keeps the
//!   original names where safe ones are written ([`BifLabels`]).
//! - Blocks may come in any order, parents follow the child after `|` or just after white space.
//! - A block gives a `table`, or a row for each configuration of the parents, in any order;
//!   `default` stands for the rows that are not there.
//!
//! In a `table` the levels of the child change slowest and those of the last parent fastest, as
//! if it were the joint table of the variables in the order of the block's head. BIF 0.15 by its
//! author (`JavaBayes`) writes it so: `probability ( "light-on" "family-out" ) { table 0.6 0.05 0.4
//! 0.95; }` says 0.6 and 0.4 for the first level of the parent. A few programs have written the
//! transpose. Where only the transpose sums to 1 the error says so; it is never guessed, because
//! a table that sums to 1 both ways would then be read wrongly without a word.
//!
//! Probabilities that sum to 1 within 1e-9 are left alone, within 1e-2 they are divided by their
//! sum and counted in [`ReadNetwork::normalised_rows`], and anything worse is an error.
//!
//! Reading takes time and memory in proportion to the text. What a file merely claims, such as a
//! number of states or the size of a table, is compared with what it holds before anything is
//! allocated; only `default` can ask for more than is there, and has a limit.

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
    /// How many rows of probabilities missed the sum of 1 by more than 1e-9 and were divided by
    /// their sum.
    pub normalised_rows: usize,
}

/// Reads a network from a `.bif` or `.bif.gz` file.
pub fn read(path: &Path) -> Result<ReadNetwork> {
    parse(&file::read_text(path)?, &path.display().to_string())
}

/// Reads a network from a text; `file` is what error messages call it.
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

/// The text that is being read, which knows where in the file a byte of it is.
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
