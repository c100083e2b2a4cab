//! What the sentences of the results say, from the rows.

use std::collections::BTreeMap;

use ossature_study::{Folder, Kind, Row, Summary};

use crate::prose::{Sentence, sentence};
use crate::{learners, lines, number, table};

/// The sizes of the paper's grid.
pub(crate) const SIZES: [usize; 6] = [50, 100, 200, 500, 1500, 5000];

/// Numbers that are not measured: sizes, dates, settings, and what the paper says.
pub(crate) const GIVEN: [&str; 45] = [
    "on 15 November 2026",
    "on 16 November 2026",
    "a factor below 1",
    "as in Table 2",
    "seed 0",
    "seed 1",
    "version 0.1.0",
    // The folder of the run says how long it took.
    "It took 5.9 minutes",
    "from 200 rows on",
    "from 500 rows on",
    "from 100 rows on",
    "from 1500 rows on",
    "at 500 rows",
    "At 500 rows",
    "at 5000 rows",
    "At 5000 rows",
    "at 50 rows",
    "50 and 100 rows",
    "up to 1500 rows",
    "**50 rows.**",
    "five rows per cell",
    "parts in 100,000",
    "up to 100 levels",
    "at 5000 still a quarter",
    "Hailfinder at 5000 rows",
    "paper's 2·10⁻³",
    "alpha 0.05",
    "sample of 5000 rows",
    "(sample size 10,",
    "limit of 60 s;",
    "at 5000 PC on link",
    "insurance at 50 (",
    "from 50 to 5000 rows",
    "seeds 701-703",
    "5000 new rows",
    "above 0:",
    "with .9 or more",
    "with iss 10",
    "of 1000 rows",
    "at 10 %",
    "from 10 % on",
    "up to 10 %",
    "at 20 %",
    "10⁻³",
    "10⁻⁴",
];

/// The rows that sentences speak of.
pub(crate) struct Runs<'a> {
    pub(crate) main: &'a Folder,
    pub(crate) single: &'a Folder,
    pub(crate) fdr: &'a Folder,
    pub(crate) testers: &'a Folder,
    pub(crate) grid: &'a Folder,
}

pub(crate) fn sentences(runs: &Runs<'_>) -> Vec<Sentence> {
    let mut all = agreement(runs);
    all.extend(disagreement(runs));
    all.extend(variants(runs));
    // `best` was run again later.
    let mut nine = lines("2026-11-18-found/best.csv");
    let others = lines("2026-11-15-best/rows.csv").into_iter();
    nine.extend(others.filter(|line| !line["learner"].starts_with("best")));
    all.extend(learners::nine_networks(&nine));
    all.extend(learners::testers(runs.testers));
    all.extend(learners::scorers(&lines("2026-11-16-scorers/rows.csv")));
    all.extend(learners::grid(runs.grid));
    all
}

/// A study's means and increase factors.
pub(crate) struct Means(Summary);

impl Means {
    pub(crate) fn of(folder: &Folder) -> Means {
        Means(Summary::of(&folder.manifest, &folder.rows))
    }

    pub(crate) fn mean(&self, network: &str, learner: &str, key: &str, size: usize) -> f64 {
        self.0.value(network, learner, key, size).unwrap().mean
    }

    pub(crate) fn shd(&self, network: &str, learner: &str, size: usize) -> f64 {
        self.mean(network, learner, "shd", size)
    }

    /// The first learner compared with MMHC, over all networks.
    fn increase(&self, key: &str, size: usize) -> f64 {
        self.0.get("mmhc", key, None, size).unwrap().increase.unwrap().mean
    }
}

pub(crate) fn fixed(x: f64, digits: usize) -> String {
    format!("{x:.digits$}")
}

/// Without the zero before the point.
pub(crate) fn short(x: f64, digits: usize) -> String {
    fixed(x, digits).trim_start_matches('0').to_owned()
}

fn percent(share: f64) -> String {
    fixed(share * 100.0, 0)
}

pub(crate) fn word(n: usize) -> String {
    ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"][n].to_owned()
}

/// The rows about accuracy of a learner at a size.
pub(crate) fn accuracy<'a>(
    folder: &'a Folder,
    size: usize,
    learner: &'a str,
) -> impl Iterator<Item = &'a Row> {
    let mine = move |row: &&Row| row.kind == Kind::Accuracy && row.size == size && row.learner == learner;
    folder.rows.iter().filter(mine)
}

fn agreement(runs: &Runs<'_>) -> Vec<Sentence> {
    let (main, single) = (Means::of(runs.main), Means::of(runs.single));
    let manifest = &runs.main.manifest;
    let counts = [manifest.networks.len(), manifest.sizes.len(), manifest.samples];
    let cells = counts.iter().product::<usize>() * manifest.learners.len();
    let recalls = SIZES[2..].iter().map(|&size| main.increase("recall", size) - 1.0);
    let tens = |x: f64| fixed((x * 10.0).round() * 10.0, 0);
    let positives = SIZES.map(|size| main.increase("fp_ratio", size) * 1e3);
    let most = positives[..5].iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let distances = [500, 1500, 5000].map(|size| fixed(main.increase("distance", size), 3));
    let farther: Vec<&str> = manifest
        .networks
        .iter()
        .map(|network| network.name.as_str())
        .filter(|network| main.shd(network, "h2pc", 5000) >= main.shd(network, "mmhc", 5000))
        .collect();
    let paper: Vec<f64> = table(runs.main, "table2.csv")
        .iter()
        .filter(|line| line["network"] == "all")
        .filter_map(|line| number(&line["paper_mean"]))
        .collect();
    let (first, last) =
        (|m: &Means| m.increase("seconds_total", 50), |m: &Means| m.increase("seconds_total", 5000));
    vec![
        sentence(
            "({} networks × {} sizes × {} samples × H2PC and MMHC: {} cells",
            counts.into_iter().chain([cells]).map(|n| n.to_string()),
        ),
        sentence(
            "Recall is up by {} to {} % from 200 rows on",
            [recalls.clone().fold(f64::INFINITY, f64::min), recalls.fold(0.0, f64::max)].map(tens),
        ),
        sentence("down to {} % of MMPC's at 5000", [percent(main.increase("fn_ratio", 5000))]),
        sentence(
            "down by {} % from 500 rows on ({}, {}, {};",
            [tens(1.0 - main.increase("distance", 500))].into_iter().chain(distances),
        ),
        sentence(
            "grows by less than {}·10⁻³ up to 1500 rows and by {}·10⁻³ at {},",
            [fixed((most * 10.0).ceil() / 10.0, 1), fixed(positives[5], 2), "5000".into()],
        ),
        sentence(
            "to {} % of MMHC's at 5000 rows, where H2PC is closer to the truth on {} of the {} networks and not on hailfinder and link.",
            [
                percent(main.increase("shd", 5000)),
                word(counts[0] - farther.len()),
                word(if farther == ["hailfinder", "link"] { counts[0] } else { 0 }),
            ],
        ),
        sentence(
            "and p is {} at 5000 rows",
            [fixed(main.0.get("mmhc", "shd", None, 5000).unwrap().adjusted.unwrap(), 2)],
        ),
        sentence(
            "for the mean over networks {} to {} here with ten tie orders, {} to {} with one, against {} to {}. ",
            [first(&main), last(&main), first(&single), last(&single), paper[0], paper[5]]
                .map(|x| fixed(x, 1)),
        ),
    ]
}

fn disagreement(runs: &Runs<'_>) -> Vec<Sentence> {
    let (main, single) = (Means::of(runs.main), Means::of(runs.single));
    let small = |learner: &'static str| {
        let rows = accuracy(runs.main, 50, learner).filter(|row| row.network != "link");
        rows.map(|row| ((&row.network, row.sample), row)).collect::<BTreeMap<_, _>>()
    };
    let (ours, others) = (small("h2pc"), small("mmhc"));
    let edges = |row: &Row| (row.skeleton_tp, row.skeleton_fp, row.skeleton_fn);
    let equal = ours.iter().filter(|(key, row)| edges(row) == edges(others[key])).count();
    let same_tests = ["mildew", "hailfinder", "pigs"].iter().all(|name| {
        ours.iter().filter(|(key, _)| key.0 == name).all(|(key, row)| row.tests == others[key].tests)
    });
    let powerless = |size: usize| {
        let sums = accuracy(runs.main, size, "h2pc")
            .filter(|row| row.network == "mildew")
            .fold((0, 0), |(without, all), row| {
                (without + row.tests_without_power.unwrap(), all + row.tests.unwrap())
            });
        sums.0 as f64 / sums.1 as f64
    };
    let of = |network: &str, key: &str, digits: usize| {
        ["h2pc", "mmhc"].map(|learner| fixed(main.mean(network, learner, key, 5000), digits))
    };
    let link = main.0.get("mmhc", "bdeu_new", Some("link"), 5000).unwrap().increase.unwrap().mean;
    assert!(same_tests, "on mildew, hailfinder and pigs the tests are no longer the same at 50 rows");
    let times = [&main, &single].map(|means| fixed(means.increase("seconds_total", 5000), 1));
    vec![
        sentence(
            "are equal in {} of the {} samples of the networks other than link",
            [equal, ours.len()].map(|n| n.to_string()),
        ),
        sentence(
            "worse by {} parts in 100,000",
            [word(((main.increase("bic_new", 50) - 1.0) * 1e5).round() as usize)],
        ),
        sentence(
            "at 50 rows {} % of the tests have no power, at 5000 still a {} of",
            [
                fixed(powerless(50) * 100.0, 1),
                if (0.2..0.3).contains(&powerless(5000)) {
                    "quarter".into()
                } else {
                    percent(powerless(5000))
                },
            ],
        ),
        sentence("(recall {} against {} at 5000 rows)", of("mildew", "recall", 2)),
        sentence("there (SHD {} against {}).", of("mildew", "shd", 0)),
        sentence("precision {} against MMPC's {} at 5000 rows", of("link", "precision", 2)),
        sentence("new data is {} % better", [percent(1.0 - link)]),
        sentence("but not SHD ({} against {})", of("link", "shd", 0)),
        sentence("is level (SHD {} against {})", of("hailfinder", "shd", 1)),
        sentence(
            "slower.** {} with ten tie orders, since both learners then spend more time in the search; {} with one",
            times,
        ),
    ]
}

fn variants(runs: &Runs<'_>) -> Vec<Sentence> {
    let (main, single, fdr) = (Means::of(runs.main), Means::of(runs.single), Means::of(runs.fdr));
    let both = |network: &str, learner: &str, digits: usize| {
        [&single, &main].map(|means| fixed(means.shd(network, learner, 5000), digits))
    };
    let most = SIZES.iter().map(|&size| fdr.increase("fp_ratio", size)).fold(f64::NEG_INFINITY, f64::max);
    vec![
        sentence(
            "the SHD ratio at 5000 rows is {} instead of {}. ",
            [&single, &main].map(|means| fixed(means.increase("shd", 5000), 2)),
        ),
        sentence("mean SHD from {} to {} on insurance", both("insurance", "h2pc", 1)),
        sentence("from {} to {} on alarm", both("alarm", "h2pc", 1)),
        sentence("from {} to {} on munin1", both("munin1", "h2pc", 0)),
        sentence("MMHC's from {} to {} on pigs", both("pigs", "mmhc", 0)),
        sentence("which are level ({})", [fixed(fdr.increase("fn_ratio", 50), 5)]),
        sentence("grows by at most {}·10⁻⁴", [fixed(most * 1e4, 1)]),
        sentence(
            "down by a third ({}, {}, {})",
            [500, 1500, 5000].map(|size| fixed(fdr.increase("distance", size), 3)),
        ),
        sentence("falls at every step to {}. On link", [fixed(fdr.increase("shd", 5000), 3)]),
        sentence(
            "SHD falls from {} to {} at 5000 rows, and at 500 rows below MMHC's ({} against {}); pigs at 500 rows falls from {} to {}. ",
            [
                fixed(main.shd("link", "h2pc", 5000), 0),
                fixed(fdr.shd("link", "h2pc-fdr", 5000), 0),
                fixed(fdr.shd("link", "h2pc-fdr", 500), 0),
                fixed(fdr.shd("link", "mmhc", 500), 0),
                fixed(main.shd("pigs", "h2pc", 500), 1),
                fixed(fdr.shd("pigs", "h2pc-fdr", 500), 1),
            ],
        ),
    ]
}
