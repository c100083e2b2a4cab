//! The `ossature` command; see the library of this crate.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(ossature_cli::run(std::env::args_os()))
}
