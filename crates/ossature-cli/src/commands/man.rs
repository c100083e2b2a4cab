//! `ossature man`: the help of all commands as manual pages.

use clap_mangen::Man as Page;

use crate::args::{Man, describe};
use crate::failure::Failure;
use crate::session::Session;

pub(super) fn run(args: &Man, session: &Session<'_>) -> Result<(), Failure> {
    let mut command = describe(session.catalogue).disable_help_subcommand(true);
    // Gives the commands their full names, such as ossature-learn.
    command.build();
    write(&command, args, session)
}

/// The page of a command, and those of the commands below it.
fn write(command: &clap::Command, args: &Man, session: &Session<'_>) -> Result<(), Failure> {
    let page = Page::new(command.clone());
    let path = args.directory.join(page.get_filename());
    session.write(&path, |out| page.render(out))?;
    session.note(format!("wrote {}", path.display()));
    command.get_subcommands().filter(|c| !c.is_hide_set()).try_for_each(|c| write(c, args, session))
}
