//! `ossature networks`: the paper's Table 1 for every embedded network.

use ossature::network::catalogue::{self, Summary};

use crate::args::Networks;
use crate::failure::Failure;
use crate::render::{self, Align};
use crate::session::Session;

pub(super) fn run(args: &Networks, session: &Session<'_>) -> Result<(), Failure> {
    let networks = catalogue::names()
        .map(|name| Ok(catalogue::summary(name, &catalogue::load(name)?)))
        .collect::<Result<Vec<Summary>, Failure>>()?;
    if args.json {
        return session.print(|out| render::json(&networks, out));
    }
    session.show(&table(&networks))
}

fn table(networks: &[Summary]) -> String {
    let head = ["network", "variables", "edges", "in/out degree", "levels", "PC min/med/max", "parameters"];
    let mut align = [Align::Right; 7];
    align[0] = Align::Left;
    let mut lines = vec![head.map(String::from).to_vec()];
    lines.extend(networks.iter().map(|r| {
        vec![
            r.name.clone(),
            r.variables.to_string(),
            r.edges.to_string(),
            format!("{}/{}", r.max_in, r.max_out),
            format!("{}-{}", r.min_levels, r.max_levels),
            format!("{}/{}/{}", r.pc_min, r.pc_median, r.pc_max),
            render::thousands(r.parameters),
        ]
    }));
    render::table(&align, &lines)
}
