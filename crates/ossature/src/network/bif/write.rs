//! From a network to text.

use std::borrow::Cow;
use std::io::{self, Write};

use super::lexer::stands_bare;
use crate::data::{Var, Variable};
use crate::network::{Network, next_configuration};

/// Writes a network in BIF, with names in quotes only where they need them.
///
/// The numbers are the shortest that are read back exactly, so that reading the text gives an
/// equal network.
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
    // The name that the repository of the benchmark networks gives to all of them.
    writeln!(out, "network unknown {{\n}}")?;
    for variable in network.variables() {
        let levels = joined(variable.levels().iter().map(|l| quoted(l)));
        writeln!(out, "variable {} {{", quoted(variable.name()))?;
        writeln!(out, "  type discrete [ {} ] {{ {levels} }};\n}}", variable.cardinality())?;
    }
    network.dag().vars().try_for_each(|v| write_table(network, v, out))
}

fn write_table(network: &Network, v: Var, out: &mut dyn Write) -> io::Result<()> {
    let name = |v: Var| quoted(network.variable(v).name());
    let parents = network.dag().parents(v);
    if parents.is_empty() {
        writeln!(out, "probability ( {} ) {{", name(v))?;
        write!(out, "  table ")?;
        write_row(network.table(v).row(0), out)?;
    } else {
        writeln!(out, "probability ( {} | {} ) {{", name(v), joined(parents.iter().map(name)))?;
        let parents: Vec<&Variable> = parents.iter().map(|p| network.variable(p)).collect();
        let mut codes = vec![0; parents.len()];
        for row in network.table(v).rows() {
            let labels = parents.iter().zip(&codes).map(|(p, &code): (_, &usize)| quoted(&p.levels()[code]));
            write!(out, "  ({}) ", joined(labels))?;
            write_row(row, out)?;
            next_configuration(&mut codes, |i| parents[i].cardinality());
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

fn joined<'a>(names: impl Iterator<Item = Cow<'a, str>>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

fn quoted(name: &str) -> Cow<'_, str> {
    if stands_bare(name) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("\"{}\"", name.replace('"', "\"\"")))
    }
}
