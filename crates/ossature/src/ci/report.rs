//! One independence test, with variables given by name and the answer as plain data.

use serde::Serialize;

use super::independence::Independence;
use super::settings::TestSettings;
use crate::data::{Dataset, Var};
use crate::error::{Error, Result};
use crate::word::Word;

/// The answer of one test, with names. This is the JSON of the command and of Python, whose keys are stable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestReport<'a> {
    /// The statistic.
    pub statistic: f64,
    /// The degrees of freedom.
    pub df: f64,
    /// The p-value; 0 if it underflows.
    pub p: f64,
    /// The natural logarithm of p, accurate even where p is 0.
    pub ln_p: f64,
    /// Whether there were enough rows for the power rule.
    pub has_power: bool,
    /// The verdict at alpha. A test without power counts as independent.
    pub independent: bool,
    /// The first variable.
    pub x: &'a str,
    /// The second variable.
    pub y: &'a str,
    /// The conditioning variables.
    pub z: Vec<&'a str>,
    /// The name of the test.
    pub test: &'static str,
    /// The significance level.
    pub alpha: f64,
    /// The number of rows needed for each cell of the table.
    pub power_rule: u32,
    /// The seed of a permutation test.
    pub seed: u64,
    /// The number of rows of the table. If values are missing, those that are complete in X, Y and Z.
    pub rows: usize,
    /// The version of the library.
    pub version: &'static str,
}

impl TestSettings {
    /// Tests X against Y given Z, all by name. A test without power is counted too, to report its degrees of
    /// freedom.
    ///
    /// ```
    /// use ossature::Silent;
    /// use ossature::ci::TestSettings;
    /// use ossature::network::catalogue;
    ///
    /// let rows = catalogue::load("asia")?.sample(1000, 1, &Silent)?;
    /// let report = TestSettings::default().report(&rows, 0.05, "smoke", "dysp", &[])?;
    /// assert!(!report.independent && report.df == 1.0);
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn report<'a>(
        &self,
        data: &'a Dataset,
        alpha: f64,
        x: &str,
        y: &str,
        z: &[String],
    ) -> Result<TestReport<'a>> {
        all_different(x, y, z)?;
        if !(alpha > 0.0 && alpha < 1.0) {
            return Err(refused(format!("alpha is {alpha}"), "a number between 0 and 1 is needed"));
        }
        let (x, y) = (data.require(x)?, data.require(y)?);
        let z = z.iter().map(|name| data.require(name)).collect::<Result<Vec<Var>>>()?;
        let test = TestSettings { count_without_power: true, ..*self }.build(data)?;
        let answer = Independence::new(&*test, alpha).ask(x, y, &z);
        let name = |v: Var| data.variable(v).name();
        let asked: Vec<Var> = z.iter().copied().chain([x, y]).collect();
        Ok(TestReport {
            statistic: answer.outcome.statistic,
            df: answer.outcome.df,
            p: answer.outcome.p(),
            ln_p: answer.outcome.ln_p(),
            has_power: answer.outcome.has_power,
            independent: answer.separated,
            x: name(x),
            y: name(y),
            z: z.into_iter().map(name).collect(),
            test: self.kind.word(),
            alpha,
            power_rule: self.power_rule.unwrap_or(self.kind.default_power_rule()),
            seed: self.seed,
            rows: (0..data.rows())
                .filter(|&row| asked.iter().all(|&v| data.is_known(row, v)))
                .map(|row| data.weights().map_or(1, |weights| weights[row] as usize))
                .sum(),
            version: env!("CARGO_PKG_VERSION"),
        })
    }
}

/// Rejects a column that would be tested against itself or given itself.
pub fn all_different(x: &str, y: &str, z: &[String]) -> Result<()> {
    let mut names: Vec<&str> = [x, y].into_iter().chain(z.iter().map(String::as_str)).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(refused(
            format!("the column {:?} is named twice", pair[0]),
            "X, Y and the columns of Z must all be different",
        )),
        None => Ok(()),
    }
}

fn refused(what: String, accepted: &str) -> Error {
    Error::Mismatch { what, accepted: accepted.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Variable};

    fn data() -> Dataset {
        let column = |name: &str, codes: [u16; 4]| {
            (Variable::new(name, ["0", "1"]).unwrap(), Column::from_codes(codes, 2))
        };
        Dataset::new(vec![column("a", [0, 0, 1, 1]), column("b", [0, 0, 1, 1]), column("c", [0, 1, 0, 1])])
            .unwrap()
    }

    #[test]
    fn the_keys_are_stable() {
        let data = data();
        let settings = TestSettings { kind: crate::ci::TestKind::Mi, seed: 3, ..TestSettings::default() };
        let report = settings.report(&data, 0.05, "b", "a", &["c".into()]).unwrap();
        let json = serde_json::to_value(&report).unwrap();
        let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            keys.join(" "),
            "statistic df p ln_p has_power independent x y z test alpha power_rule seed rows version"
        );
        assert_eq!((&json["x"], &json["y"], &json["z"]), (&"b".into(), &"a".into(), &vec!["c"].into()));
        assert_eq!((&json["test"], &json["seed"], &json["rows"]), (&"mi".into(), &3.into(), &4.into()));
        assert!((report.p.ln() - report.ln_p).abs() < 1e-12 && report.df == 2.0);
    }

    #[test]
    fn what_cannot_be_asked_is_refused() {
        let refusal = |alpha, x: &str, z: &[&str]| {
            let z: Vec<String> = z.iter().map(|&name| name.to_owned()).collect();
            TestSettings::default().report(&data(), alpha, x, "b", &z).unwrap_err().to_string()
        };
        assert!(refusal(0.05, "b", &[]).starts_with("the column \"b\" is named twice"));
        assert!(refusal(0.05, "a", &["c", "a"]).starts_with("the column \"a\" is named twice"));
        assert!(refusal(0.05, "a", &["d"]).contains("\"d\""));
        assert!(refusal(1.0, "a", &[]).starts_with("alpha is 1"));
    }
}
