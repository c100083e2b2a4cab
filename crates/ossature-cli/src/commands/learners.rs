//! `ossature learners`: the catalogue.

use crate::args::Learners;
use crate::failure::Failure;
use crate::render::{self, Align};
use crate::session::Session;

pub(super) fn run(args: &Learners, session: &Session<'_>) -> Result<(), Failure> {
    let learners = session.catalogue.report();
    if args.json {
        return session.print(|out| render::json(&learners, out));
    }
    let mut rows = vec![["name", "result", "how"].map(str::to_owned).to_vec()];
    rows.extend(learners.iter().map(|l| [l.name, l.result, l.title].map(str::to_owned).to_vec()));
    let table = render::table(&[Align::Left; 3], &rows);
    session.print(|out| {
        out.write_all(table.as_bytes())?;
        out.write_all(
            b"\nUse the name with `ossature learn DATA --learner NAME`; --json has citations and settings.\n",
        )
    })
}
