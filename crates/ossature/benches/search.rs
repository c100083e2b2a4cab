//! What a search costs, free and inside a skeleton, with the answer beside the time.
//!
//! `cargo bench -p ossature --bench search -- [DIRECTORY [NETWORK...]]` prints a line of CSV for
//! each run. The directory has tables `NETWORK_5000.csv.gz`; without it the rows are sampled. The
//! skeleton is the true one with as many random edges again, which is more than a local learner
//! leaves over. Without `--bench`, as `cargo test` calls it, one small network is enough.
#![allow(clippy::print_stdout)]

use std::path::Path;
use std::time::Instant;

use ossature::data::{ReadOptions, read};
use ossature::graph::compare;
use ossature::network::catalogue;
use ossature::random::Sequence;
use ossature::{
    Algorithm, Constraints, Dataset, Network, ScoreSettings, Search, Silent, Skeleton, Var, Variable,
};

const NETWORKS: [&str; 8] = ["child", "insurance", "mildew", "alarm", "hailfinder", "munin1", "pigs", "link"];
const ROWS: usize = 5000;
/// Searches of all pairs are for networks of at most so many variables.
const LARGEST_FREE: usize = 450;
/// And those of many tie orders for so many.
const LARGEST_FREE_ORDERS: usize = 100;

fn main() {
    let (options, arguments): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|a| a.starts_with("--"));
    let directory = arguments.first().map(Path::new);
    let chosen: Vec<&str> = match arguments.get(1..) {
        Some(names) if !names.is_empty() => names.iter().map(String::as_str).collect(),
        _ if options.iter().any(|o| o == "--bench") => NETWORKS.to_vec(),
        _ => vec!["child"],
    };
    println!("network,rows,threads,edges,algorithm,tie_orders,seconds,moves,arcs,shd,score");
    for name in chosen {
        let network = catalogue::load(name).expect("an embedded network");
        let data = table(&network, name, directory);
        let inside = skeleton(&network);
        let variables = network.variables().len();
        for (algorithm, tie_orders) in
            [(Algorithm::HillClimb, 1), (Search::default().algorithm, 1), (Search::default().algorithm, 20)]
        {
            let search = Search { algorithm, tie_orders, ..Search::default() };
            for threads in [1, 2] {
                run(name, &network, &data, &search, Some(&inside), threads);
                if variables <= if tie_orders == 1 { LARGEST_FREE } else { LARGEST_FREE_ORDERS } {
                    run(name, &network, &data, &search, None, threads);
                }
            }
        }
    }
}

fn table(network: &Network, name: &str, directory: Option<&Path>) -> Dataset {
    let Some(directory) = directory else {
        return network.sample(ROWS, 1, &Silent).expect("a sample of a few rows");
    };
    let options = ReadOptions {
        levels: Some(network.variables().to_vec()),
        missing_tokens: Vec::new(),
        ..ReadOptions::default()
    };
    let path = directory.join(format!("{name}_{ROWS}.csv.gz"));
    read(&path, &options, &Silent).expect("a table of the network's variables").data
}

fn skeleton(network: &Network) -> Skeleton {
    let mut skeleton = network.dag().skeleton();
    let (nodes, wanted) = (network.variables().len(), 2 * skeleton.len());
    let mut random = Sequence::new(1);
    let mut next = || Var::new(random.below(nodes));
    while skeleton.len() < wanted {
        let (x, y) = (next(), next());
        if x != y {
            skeleton.insert(x, y);
        }
    }
    skeleton
}

fn run(
    name: &str,
    network: &Network,
    data: &Dataset,
    search: &Search,
    inside: Option<&Skeleton>,
    threads: usize,
) {
    let names: Vec<&str> = data.variables().iter().map(Variable::name).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads");
    let start = Instant::now();
    let found = pool.install(|| {
        let score = ScoreSettings::default().build(data).expect("the default settings are accepted");
        search.run(&*score, &names, inside, None, &Constraints::none(), &Silent).expect("nothing stops it")
    });
    let seconds = start.elapsed().as_secs_f64();
    let shd = compare(network.dag().cpdag().as_pdag(), found.dag.cpdag().as_pdag()).shd;
    let edges = inside.map_or("free".to_owned(), |s| s.len().to_string());
    let algorithm = if search.algorithm == Algorithm::HillClimb { "hc" } else { "tabu" };
    println!(
        "{name},{},{threads},{edges},{algorithm},{},{seconds:.4},{},{},{shd},{:.4}",
        data.rows(),
        search.tie_orders,
        found.moves,
        found.dag.len(),
        found.score
    );
}
