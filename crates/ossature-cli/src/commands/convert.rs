//! `ossature convert`: any format to any other.

use std::path::Path;

use serde::Serialize;

use crate::args::Convert;
use crate::failure::Failure;
use crate::plan::{Loaded, Source, Target};
use crate::render::{self, count};
use crate::session::Session;

/// What was done, as `--json` shows it.
#[derive(Serialize)]
struct Done<'a> {
    input: String,
    output: &'a Path,
    nodes: usize,
    directed: usize,
    undirected: usize,
    version: &'static str,
}

pub(super) fn run(args: &Convert, session: &Session<'_>) -> Result<(), Failure> {
    let targets = Target::all(std::slice::from_ref(&args.output), args.bif.labels())?;
    let target = &targets[0];
    let source = Source::new(&args.input)?;
    let graph = match source.load(session)? {
        Loaded::Network(model) => {
            target.write_model(&model, session)?;
            model.network.named_graph()
        }
        Loaded::Graph(graph) => {
            target.write_graph(&graph, session)?;
            graph
        }
    };
    let done = Done {
        input: source.to_string(),
        output: &args.output,
        nodes: graph.names().len(),
        directed: graph.graph().directed().count(),
        undirected: graph.graph().undirected().count(),
        version: env!("CARGO_PKG_VERSION"),
    };
    let mut parts = vec![count(done.nodes as u64, "node"), count(done.directed as u64, "arc")];
    if done.undirected > 0 {
        parts.push(count(done.undirected as u64, "undirected edge"));
    }
    session.note(format!("wrote {}: {}", args.output.display(), parts.join(", ")));
    if args.json {
        session.print(|out| render::json(&done, out))?;
    }
    Ok(())
}
