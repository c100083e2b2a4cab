//! `ossature completions`: a script that teaches a shell the command's words.

use clap::CommandFactory;

use crate::args::{Cli, Completions};
use crate::failure::Failure;
use crate::session::Session;

pub(super) fn run(args: &Completions, session: &Session) -> Result<(), Failure> {
    // Into memory first: the generator panics when it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ossature", &mut script);
    session.print(|out| out.write_all(&script))
}
