//! From a network to text.

use std::io::{self, Write};

use super::lexer::stands_bare;
use super::safe::{self, BifLabels, SafeNames};
use crate::data::{Var, Variable};
use crate::network::{Network, next_configuration};

/// Writes a network in BIF, with names in safe form if one of them would need quotes ([`BifLabels::Auto`]).
///
/// The numbers are the shortest that read back exactly, so that reading the text gives an equal
/// network.
///
/// ```
/// use ossature::network::{bif, catalogue};
///
/// let asia = catalogue::load("asia")?;
/// let mut text = Vec::new();
/// bif::write(&asia, &mut text).unwrap();
/// let text = String::from_utf8(text).unwrap();
/// assert!(text.contains("probability ( tub | asia ) {\n  (yes) 0.05, 0.95;\n"));
/// assert_eq!(bif::parse(&text, "asia.bif")?.network, asia);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn write(network: &Network, out: &mut dyn Write) -> io::Result<()> {
    write_with(network, BifLabels::Auto, out)
}

/// The same, with the names of variables and levels in the chosen form.
///
/// ```
/// use ossature::network::{ProbabilityTable, bif, bif::BifLabels};
/// use ossature::{Dag, Network, Variable};
///
/// let age = Variable::new("age", ["(-inf,40)", "[40,inf)"])?;
/// let network = Network::new(vec![age], Dag::empty(1), vec![ProbabilityTable::new(vec![0.5, 0.5], 2)])?;
/// let mut text = Vec::new();
/// bif::write_with(&network, BifLabels::Safe, &mut text).unwrap();
/// let text = String::from_utf8(text).unwrap();
/// assert!(text.contains("{ inf_40, l_40_inf }"));
/// assert_eq!(bif::parse(&text, "age.bif")?.network, network); // the originals come back
/// # Ok::<(), ossature::Error>(())
/// ```
///
/// A network with continuous variables is refused: BIF cannot express them.
pub fn write_with(network: &Network, labels: BifLabels, out: &mut dyn Write) -> io::Result<()> {
    if let Err(e) = network.require_tables("BIF") {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{e}; a .json holds such a network"),
        ));
    }
    let bare = |v: &Variable| stands_bare(v.name()) && v.levels().iter().all(|l| stands_bare(l));
    let safe = match labels {
        BifLabels::Safe => true,
        BifLabels::Auto => !network.variables().iter().all(bare),
        BifLabels::Quoted => false,
    };
    let words = if safe { safe::of_network(network) } else { in_quotes(network) };
    // The name that the repository of the benchmark networks gives to all of them.
    writeln!(out, "network unknown {{\n}}")?;
    for SafeNames { name, levels, property } in &words {
        writeln!(out, "variable {name} {{")?;
        writeln!(out, "  type discrete [ {} ] {{ {} }};", levels.len(), levels.join(", "))?;
        if let Some(property) = property {
            writeln!(out, "  property {property};")?;
        }
        writeln!(out, "}}")?;
    }
    network.dag().vars().try_for_each(|v| write_table(network, &words, v, out))
}

/// The names unchanged, in quotes if necessary.
fn in_quotes(network: &Network) -> Vec<SafeNames> {
    let of = |v: &Variable| SafeNames {
        name: quoted(v.name()),
        levels: v.levels().iter().map(|l| quoted(l)).collect(),
        property: None,
    };
    network.variables().iter().map(of).collect()
}

fn write_table(network: &Network, words: &[SafeNames], v: Var, out: &mut dyn Write) -> io::Result<()> {
    let name = |v: Var| words[v.index()].name.as_str();
    let parents = network.dag().parents(v);
    if parents.is_empty() {
        writeln!(out, "probability ( {} ) {{", name(v))?;
        write!(out, "  table ")?;
        write_row(network.table(v).row(0), out)?;
    } else {
        writeln!(out, "probability ( {} | {} ) {{", name(v), joined(parents.iter().map(name)))?;
        let parents: Vec<&SafeNames> = parents.iter().map(|p| &words[p.index()]).collect();
        let mut codes = vec![0; parents.len()];
        for row in network.table(v).rows() {
            let labels = parents.iter().zip(&codes).map(|(p, &code): (_, &usize)| p.levels[code].as_str());
            write!(out, "  ({}) ", joined(labels))?;
            write_row(row, out)?;
            next_configuration(&mut codes, |i| parents[i].levels.len());
        }
    }
    writeln!(out, "}}")
}

fn write_row(row: &[f64], out: &mut dyn Write) -> io::Result<()> {
    for (i, p) in row.iter().enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        // A number near 0 would otherwise be written as a long row of zeros.
        if *p > 0.0 && *p < 1e-4 { write!(out, "{comma}{p:e}")? } else { write!(out, "{comma}{p}")? }
    }
    writeln!(out, ";")
}

fn joined<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

fn quoted(name: &str) -> String {
    if stands_bare(name) { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}
