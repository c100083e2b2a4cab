//! `ossature completions`: a script that lets a shell complete the command's words.

use crate::args::{Completions, describe};
use crate::failure::Failure;
use crate::session::Session;

pub(super) fn run(args: &Completions, session: &Session<'_>) -> Result<(), Failure> {
    // Into memory first: the generator panics when it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut describe(session.catalogue), "ossature", &mut script);
    session.print(|out| out.write_all(&script))
}
