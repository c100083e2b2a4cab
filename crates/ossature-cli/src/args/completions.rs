//! What `ossature completions` takes.

use clap::Args;

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
