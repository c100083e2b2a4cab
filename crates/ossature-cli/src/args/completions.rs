//! What `ossature completions` and `ossature man` take.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ossature completions bash > ~/.local/share/bash-completion/completions/ossature
  ossature completions zsh > ~/.zfunc/_ossature
  ossature completions fish > ~/.config/fish/completions/ossature.fish")]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// Write the manual pages into a folder
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  ossature man ~/.local/share/man/man1 && man ossature-learn")]
pub(crate) struct Man {
    /// The folder, which must exist
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) directory: PathBuf,
}
