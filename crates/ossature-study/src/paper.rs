//! The paper as data: its tables in full, and its sentences about the results.
//!
//! Gasse, Aussem & Elghazel, "An Experimental Comparison of Hybrid Algorithms for Bayesian Network Structure
//! Learning", ECML-PKDD 2012, doi:10.1007/978-3-642-33460-3_9. Its figures are pictures without numbers, so
//! each panel is shown beside the paper's sentence about it.

/// The citation.
pub(crate) const CITATION: &str = "M. Gasse, A. Aussem and H. Elghazel, “An Experimental Comparison of Hybrid \
     Algorithms for Bayesian Network Structure Learning”, ECML-PKDD 2012";
pub(crate) const DOI: &str = "10.1007/978-3-642-33460-3_9";

/// The sizes of its samples.
pub(crate) const SIZES: [usize; 6] = [50, 100, 200, 500, 1500, 5000];

/// A line of Table 2: a network, then mean and standard deviation of the time of H2PC over that of MMHC.
pub(crate) type TimeLine = (&'static str, [(f64, f64); 6]);

/// Table 2.
pub(crate) const TABLE_2: [TimeLine; 8] = [
    ("child", [(1.13, 0.1), (1.28, 0.2), (1.54, 0.2), (2.38, 0.2), (2.65, 0.2), (3.08, 0.4)]),
    ("insurance", [(1.21, 0.2), (1.35, 0.2), (2.03, 0.1), (3.83, 0.2), (5.55, 0.4), (7.38, 0.6)]),
    ("mildew", [(0.71, 0.2), (1.05, 0.2), (1.10, 0.1), (1.23, 0.1), (1.63, 0.1), (3.19, 0.3)]),
    ("alarm", [(1.17, 0.1), (1.39, 0.1), (1.86, 0.1), (2.28, 0.1), (2.93, 0.3), (3.41, 0.4)]),
    ("hailfinder", [(1.09, 0.1), (1.30, 0.1), (1.61, 0.1), (2.17, 0.1), (2.82, 0.2), (3.35, 0.3)]),
    ("munin1", [(1.09, 0.0), (1.29, 0.1), (1.36, 0.1), (2.01, 0.1), (4.28, 0.2), (12.88, 0.7)]),
    ("pigs", [(1.41, 0.1), (1.41, 0.1), (4.65, 0.2), (5.32, 0.2), (6.51, 0.2), (9.70, 0.3)]),
    ("link", [(1.57, 0.0), (2.13, 0.1), (2.86, 0.1), (6.07, 0.2), (11.07, 1.1), (23.35, 0.9)]),
];

/// The line `all` of Table 2.
pub(crate) const TABLE_2_ALL: TimeLine =
    ("all", [(1.17, 0.3), (1.40, 0.3), (2.13, 1.1), (3.16, 1.6), (4.68, 2.9), (8.29, 6.7)]);

/// Table 1: variables, edges, most parents and children, levels from and to, PC set min, median and max.
pub(crate) const TABLE_1: [(&str, [f64; 9]); 8] = [
    ("child", [20., 25., 2., 7., 2., 6., 1., 2., 8.]),
    ("insurance", [27., 52., 3., 7., 2., 5., 1., 3., 9.]),
    ("mildew", [35., 46., 3., 3., 3., 100., 1., 2., 5.]),
    ("alarm", [37., 46., 4., 5., 2., 4., 1., 2., 6.]),
    ("hailfinder", [56., 66., 4., 16., 2., 11., 1., 1.5, 17.]),
    ("munin1", [186., 273., 3., 15., 2., 21., 1., 3., 15.]),
    ("pigs", [441., 592., 2., 39., 3., 3., 1., 2., 41.]),
    ("link", [724., 1125., 3., 14., 2., 4., 0., 2., 17.]),
];

/// The time of H2PC over that of MMHC on these networks together, with its standard deviation if the paper
/// has one: it has lines for each network and for all eight, and for some of them the mean of their lines
/// corresponds to ours.
pub(crate) fn time(networks: &[&str], size: usize) -> Option<(f64, Option<f64>)> {
    let at = SIZES.iter().position(|&s| s == size)?;
    let line = |name: &str| TABLE_2.iter().find(|(n, _)| *n == name).map(|(_, line)| line[at]);
    let lines: Vec<(f64, f64)> = networks.iter().map(|name| line(name)).collect::<Option<_>>()?;
    let with_sd = |(mean, sd)| Some((mean, Some(sd)));
    match lines[..] {
        [] => None,
        [only] => with_sd(only),
        _ if lines.len() == TABLE_2.len() => with_sd(TABLE_2_ALL.1[at]),
        _ => Some((lines.iter().map(|(mean, _)| mean).sum::<f64>() / lines.len() as f64, None)),
    }
}

const GOODNESS: &str = "“The results in terms of goodness of fit to training data and new data using H2PC clearly \
     dominate those obtained using MMHC, whatever the sample size considered”";

/// The paper's sentence about the panel of a measure.
pub(crate) fn sentence(key: &str) -> &'static str {
    match key {
        "fp_ratio" => {
            "“HPC is capable of maintaining the mean false positive edge increase (with respect to MMPC) under \
             2·10⁻³”"
        }
        "fn_ratio" => "“HPC consistently increases the recall and reduces the rate of false negative edges”",
        "precision" => "“this benefit comes at a little expense in terms of false positive edges”",
        "recall" => "“HPC consistently increases the recall”",
        "distance" => "“reducing by 30% the Euclidean distance in the range 500-5000 samples”",
        "tests" => "“increasing the number of independence tests and thus the running time in the CB phase”",
        "bdeu_train" | "bic_train" | "bdeu_new" | "bic_new" => GOODNESS,
        "shd" => {
            "“pretty much a dead heat between the 2 algorithms on small sample sizes (i.e., 50 and 100), however \
             we found H2PC to perform significantly better on larger sample sizes”"
        }
        "seconds_total" => {
            "“The total running time with H2PC with 5000 samples is 8 times slower on average than that of \
             MMHC”"
        }
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line `all` is the mean over the networks: a mistake in typing would show.
    #[test]
    fn the_line_of_all_networks_follows_from_the_others() {
        for (i, (mean, sd)) in TABLE_2_ALL.1.into_iter().enumerate() {
            let column: Vec<(f64, f64)> = TABLE_2.iter().map(|(_, line)| line[i]).collect();
            let average = column.iter().map(|(m, _)| m).sum::<f64>() / 8.0;
            assert!((average - mean).abs() < 0.006, "{i}: {average} {mean}");
            // Ten ratios with each mean and deviation, all together.
            let squares: f64 = column.iter().map(|(m, s)| 9.0 * s * s + 10.0 * (m - average).powi(2)).sum();
            assert!(((squares / 79.0).sqrt() - sd).abs() < 0.06, "{i}: {} {sd}", (squares / 79.0).sqrt());
        }
    }

    #[test]
    fn fewer_networks_have_the_mean_of_their_lines() {
        let all: Vec<&str> = TABLE_2.iter().map(|(name, _)| *name).collect();
        assert_eq!(time(&all, 5000), Some((8.29, Some(6.7))));
        assert_eq!(time(&["link"], 50), Some((1.57, Some(0.0))));
        let (mean, sd) = time(&["child", "mildew"], 100).unwrap();
        assert!((mean - 1.165).abs() < 1e-12 && sd.is_none());
        assert_eq!(time(&["child", "asia"], 100), None, "the paper does not have asia");
        assert_eq!((time(&all, 70), time(&[], 50)), (None, None));
    }

    #[test]
    fn table_1_is_that_of_the_networks() {
        for (name, line) in TABLE_1 {
            let network = ossature::network::catalogue::load(name).unwrap();
            let s = ossature::network::catalogue::summary(name, &network);
            let ours = [s.variables, s.edges, s.max_in, s.max_out, s.min_levels, s.max_levels, s.pc_min];
            assert_eq!(ours.map(|n| n as f64), line[..7], "{name}");
            assert_eq!((s.pc_median, s.pc_max as f64), (line[7], line[8]), "{name}");
        }
    }
}
