//! What the results say of other learners, from the rows.

use std::collections::BTreeMap;

use ossature_study::{Folder, Row};

use crate::figures::{Means, SIZES, accuracy, fixed, short, word};
use crate::prose::{Sentence, sentence};
use crate::{Lines, number};

/// `best` over nine networks.
pub(crate) fn nine_networks(lines: &Lines) -> Vec<Sentence> {
    let of = |learner: &str| {
        let mine = lines.iter().filter(|line| line["learner"] == learner);
        mine.map(|line| {
            let key = (line["network"].as_str(), line["rows"].as_str(), line["seed"].as_str());
            (key, (number(&line["shd"]).unwrap(), number(&line["edges"]).unwrap()))
        })
        .collect::<BTreeMap<_, _>>()
    };
    let relative = |learner: &str| {
        let of = of(learner);
        short(of.values().map(|(shd, edges)| shd / edges).sum::<f64>() / of.len() as f64, 3)
    };
    let (best, h2pc) = (of("best"), of("h2pc"));
    let mean = |of: &BTreeMap<(&str, &str, &str), (f64, f64)>, network: &str, rows: &str| {
        let here: Vec<f64> = of
            .iter()
            .filter(|(key, _)| (key.0, key.1) == (network, rows))
            .map(|(_, (shd, _))| *shd)
            .collect();
        here.iter().sum::<f64>() / here.len() as f64
    };
    let mut worse: Vec<(&str, &str)> = best.keys().map(|key| (key.0, key.1)).collect();
    worse.dedup();
    worse.retain(|(network, rows)| mean(&best, network, rows) > mean(&h2pc, network, rows));
    assert_eq!(worse, [("water", "500")], "where H2PC is closer than best");
    let pair = |network, rows| [&best, &h2pc].map(|of| fixed(mean(of, network, rows), 1));
    let count = |test: fn(&f64, &f64) -> bool| {
        best.iter().filter(|(key, (shd, _))| test(shd, &h2pc[*key].0)).count().to_string()
    };
    vec![
        sentence(
            "a mean SHD/edges of {} where H2PC has {} and MMHC {}, and averaged",
            ["best", "h2pc", "mmhc"].map(relative),
        ),
        sentence("water at 500 rows ({} against {})", pair("water", "500")),
        sentence(
            "It wins {}, ties {} and loses {} of the {} samples.",
            [count(f64::lt), count(f64::eq), count(f64::gt), best.len().to_string()],
        ),
    ]
}

pub(crate) fn testers(folder: &Folder) -> Vec<Sentence> {
    let means = Means::of(folder);
    let names: Vec<&str> = names_of(folder).collect();
    let closest = |size: usize| {
        folder.manifest.networks.iter().map(move |network| {
            let mut by: Vec<(f64, &str)> = names_of(folder)
                .map(|name| (Means::of(folder).shd(&network.name, name, size), name))
                .collect();
            by.sort_by(|a, b| a.0.total_cmp(&b.0));
            (by[0].1.to_owned(), network.name.clone())
        })
    };
    let wins = |size: usize| closest(size).filter(|(learner, _)| learner == "h2pc").count();
    let others = |size: usize| {
        let mut others: Vec<_> = closest(size).filter(|(learner, _)| learner != "h2pc").collect();
        others.sort();
        others.iter().map(|(learner, network)| format!("{learner} on {network}")).collect::<Vec<_>>()
    };
    assert_eq!((wins(500), wins(5000)), (5, 5), "the networks where H2PC has the lowest SHD");
    assert_eq!(others(500), ["iamb on link", "pc on munin1", "tpda on mildew"]);
    assert_eq!(others(5000), ["iamb on mildew", "mmhc on hailfinder", "pc on link"]);
    assert_eq!(names, ["pc", "iamb", "tpda", "h2pc", "mmhc"]);
    let total = |learner: &str, value: fn(&Row) -> Option<usize>| {
        let sum: usize = accuracy(folder, 5000, learner).filter_map(value).sum();
        fixed(sum as f64 / folder.manifest.samples as f64, 0)
    };
    let (wrong, missed) = (|row: &Row| row.skeleton_fp, |row: &Row| row.skeleton_fn);
    let seconds = |learner: &str| means.mean("pigs", learner, "seconds_total", 5000);
    vec![
        sentence(
            "(at 5000 rows {} and {} over the {} networks, H2PC {}) and miss many ({} and {} against {})",
            [
                total("pc", wrong),
                total("iamb", wrong),
                word(folder.manifest.networks.len()),
                total("h2pc", wrong),
                total("pc", missed),
                total("iamb", missed),
                total("h2pc", missed),
            ],
        ),
        sentence(
            "dependent neighbours: {} s against {} s on pigs at 5000 rows",
            [fixed(seconds("pc"), 0), fixed(seconds("mmhc"), 2)],
        ),
    ]
}

fn names_of(folder: &Folder) -> impl Iterator<Item = &str> {
    folder.manifest.learners.iter().map(|l| l.name.as_str())
}

/// The learners that score: how far below a bound or the best score.
pub(crate) fn scorers(lines: &Lines) -> Vec<Sentence> {
    let cell = |network: &str, learner: &str, column: &str| {
        let line =
            lines.iter().find(|line| line["network"] == network && line["learner"] == learner).unwrap();
        number(&line[column]).unwrap()
    };
    let below = |network: &str, learner: &str, of: (&str, &str)| {
        let top = cell(network, of.0, of.1);
        (top - cell(network, learner, "score")) / -top * 100.0
    };
    let (hpc, mmpc) = (("optimum inside hpc", "bound"), ("optimum inside mmpc", "bound"));
    let known = ("exact, 3 parents", "score");
    let alike = ["pigs", "link"].map(|network| fixed(below(network, "mmhc", mmpc), 1));
    assert_eq!(alike[0], alike[1], "MMHC below the bound on pigs and link");
    let [a, b] = ["h2pc", "mmhc"].map(|learner| below("mildew", learner, known));
    assert!((15.0..25.0).contains(&a) && (15.0..25.0).contains(&b), "a fifth below on mildew");
    let [alike, _] = alike;
    assert_eq!(below("child", "h2pc", known), 0.0, "H2PC has found the optimum on child");
    for network in ["child", "insurance", "alarm", "mildew"] {
        let line =
            lines.iter().find(|line| line["network"] == network && line["learner"] == known.0).unwrap();
        assert_eq!(line["optimal"], "True", "the optimum is proven on {network}");
    }
    vec![
        sentence("H2PC is {} % below the bound on munin1", [fixed(below("munin1", "h2pc", hpc), 1)]),
        sentence("MMHC is {} % below on pigs and link", [alike]),
        sentence(
            "on insurance it is {} % below and MMHC {} %, on alarm H2PC is {} % below the best graph known and MMHC {} %,",
            [
                fixed(below("insurance", "h2pc", known), 1),
                fixed(below("insurance", "mmhc", known), 0),
                fixed(below("alarm", "h2pc", known), 1),
                fixed(below("alarm", "mmhc", known), 0),
            ],
        ),
        sentence(
            "the proven optimum of alarm has {} where H2PC has {}.",
            [fixed(cell("alarm", "exact, 3 parents", "shd"), 0), fixed(cell("alarm", "h2pc", "shd"), 0)],
        ),
    ]
}

/// The grid with `best`.
pub(crate) fn grid(folder: &Folder) -> Vec<Sentence> {
    let means = Means::of(folder);
    let networks: Vec<&str> = folder.manifest.networks.iter().map(|n| n.name.as_str()).collect();
    let lowest = |network: &str, size: usize| {
        names_of(folder).all(|name| means.shd(network, "best", size) <= means.shd(network, name, size))
    };
    let cells: Vec<(&str, usize)> =
        networks.iter().flat_map(|&network| SIZES.map(|size| (network, size))).collect();
    let beaten: Vec<_> = cells.iter().copied().filter(|&(network, size)| !lowest(network, size)).collect();
    assert_eq!(beaten, [("child", 500), ("insurance", 50)], "where best has not the lowest mean SHD");
    let shd = |network: &'static str, size: usize, digits: usize| {
        let means = &means;
        move |learner: &str| fixed(means.shd(network, learner, size), digits)
    };
    let relative = |learner: &str| {
        let edges =
            |name: &str| ossature::network::catalogue::load(name).unwrap().dag().arcs().count() as f64;
        SIZES.map(|size| {
            let of = networks.iter().map(|name| means.shd(name, learner, size) / edges(name));
            short(of.sum::<f64>() / networks.len() as f64, 2)
        })
    };
    vec![
        sentence(
            "the lowest mean SHD in {} of the {} cells.",
            [cells.len() - beaten.len(), cells.len()].map(|n| n.to_string()),
        ),
        sentence(
            "child at 500 rows (H2PC {}, tabu {}, ges {}, `best` {})",
            ["h2pc", "tabu", "ges", "best"].map(shd("child", 500, 1)),
        ),
        sentence(
            "insurance at 50 (H2PC {}, MMHC {}, `best` {})",
            ["h2pc", "mmhc", "best"].map(shd("insurance", 50, 1)),
        ),
        sentence("number of edges is {}, {}, {}, {}, {}, {} from 50 to 5000 rows", relative("best")),
        sentence("where H2PC has {}, {}, {}, {}, {}, {}, MMHC", relative("h2pc")),
        sentence(", MMHC {}, {}, {}, {}, {}, {}, ges", relative("mmhc")),
        sentence(", ges {}, {}, {}, {}, {}, {} and tabu", relative("ges")),
        sentence(" and tabu {}, {}, {}, {}, {}, {}. ", relative("tabu")),
    ]
}
