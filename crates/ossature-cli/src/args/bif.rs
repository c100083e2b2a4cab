//! How a .bif is written.

use clap::{Args, ValueEnum};
use ossature::network::bif::BifLabels;

/// How a .bif is written: shared by every command that writes one.
#[derive(Debug, Args)]
pub(crate) struct BifArgs {
    /// How names are written in a .bif
    ///
    /// safe: letters, digits and underscores, which pgmpy, pyAgrum and others read; the original names are kept
    /// beside them and come back when ossature reads the file. quoted: unchanged, in quotes if necessary.
    /// auto: unchanged, or safe if one of them would need quotes.
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    bif_labels: BifNames,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum BifNames {
    /// Unchanged, or safe if one of them would need quotes
    #[default]
    Auto,
    /// Letters, digits and underscores
    Safe,
    /// Unchanged, in quotes if necessary
    Quoted,
}

impl BifArgs {
    pub(crate) fn labels(&self) -> BifLabels {
        match self.bif_labels {
            BifNames::Auto => BifLabels::Auto,
            BifNames::Safe => BifLabels::Safe,
            BifNames::Quoted => BifLabels::Quoted,
        }
    }
}
