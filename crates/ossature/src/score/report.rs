//! The score of one graph as plain data.

use serde::{Serialize, Serializer};

use super::settings::ScoreSettings;
use crate::data::Dataset;
use crate::error::Result;
use crate::graph::Dag;
use crate::progress::{Event, Progress, go_on};
use crate::word::Word;

/// The score of a graph, with names. This is the JSON of the command and of Python, whose keys are stable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GraphScoreReport<'a> {
    /// The name of the score.
    pub name: &'static str,
    /// The equivalent sample size, if the score has one.
    pub iss: Option<f64>,
    /// The score of the graph: the sum over its nodes.
    pub total: f64,
    /// The contribution of each node, in the order of the nodes; `None` if not requested.
    #[serde(serialize_with = "as_map")]
    pub by_node: Option<Vec<(&'a str, f64)>>,
    /// The version of the library.
    pub version: &'static str,
}

fn as_map<S: Serializer>(nodes: &Option<Vec<(&str, f64)>>, to: S) -> std::result::Result<S::Ok, S::Error> {
    match nodes {
        Some(nodes) => to.collect_map(nodes.iter().copied()),
        None => to.serialize_none(),
    }
}

impl ScoreSettings {
    /// Scores a graph over the columns of a table.
    ///
    /// ```
    /// use ossature::network::catalogue;
    /// use ossature::{ScoreSettings, Silent};
    ///
    /// let asia = catalogue::load("asia")?;
    /// let rows = asia.sample(1000, 1, &Silent)?;
    /// let report = ScoreSettings::default().report(&rows, asia.dag(), &Silent)?;
    /// assert_eq!((report.name, report.iss), ("bdeu", Some(10.0)));
    /// assert_eq!(report.by_node.unwrap()[5].0, "smoke");
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn report<'a>(
        &self,
        data: &'a Dataset,
        dag: &Dag,
        progress: &dyn Progress,
    ) -> Result<GraphScoreReport<'a>> {
        let score = self.build(data)?;
        let total = data.variables().len() as u64;
        let mut by_node = Vec::with_capacity(data.variables().len());
        for v in data.vars() {
            go_on(progress, Event::PartsDone { done: v.index() as u64, total })?;
            by_node.push((data.variable(v).name(), score.local(v, dag.parents(v).as_slice())));
        }
        Ok(GraphScoreReport {
            name: self.kind.word(),
            iss: self.kind.uses_iss().then_some(self.iss),
            total: by_node.iter().map(|(_, value)| value).sum(),
            by_node: Some(by_node),
            version: env!("CARGO_PKG_VERSION"),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::data::{Column, Var, Variable};
    use crate::error::Error;
    use crate::progress::{Silent, Stop};
    use crate::score::total;

    fn data() -> Dataset {
        let column = |name: &str, codes: [u16; 4]| {
            (Variable::new(name, ["0", "1"]).unwrap(), Column::from_codes(codes, 2))
        };
        Dataset::new(vec![column("b", [0, 1, 1, 1]), column("a", [0, 0, 1, 1])]).unwrap()
    }

    #[test]
    fn the_keys_are_stable() {
        let data = data();
        let dag = Dag::from_arcs(2, [(Var(0), Var(1))]).unwrap();
        let settings = ScoreSettings { kind: crate::score::ScoreKind::Bic, ..ScoreSettings::default() };
        let report = settings.report(&data, &dag, &Silent).unwrap();
        let score = settings.build(&data).unwrap();
        assert_eq!(report.total, total(&*score, &dag));
        let (a, b) = (score.local(Var(0), &[]), score.local(Var(1), &[Var(0)]));
        let version = env!("CARGO_PKG_VERSION");
        let expected = format!(
            r#"{{"name":"bic","iss":null,"total":{},"by_node":{{"a":{a},"b":{b}}},"version":"{version}"}}"#,
            a + b
        );
        assert_eq!(serde_json::to_string(&report).unwrap(), expected);
        let short = GraphScoreReport { by_node: None, ..report };
        assert!(serde_json::to_string(&short).unwrap().contains(r#","by_node":null,"#));
    }

    #[test]
    fn a_stopped_score_has_no_answer() {
        struct Impatient;
        impl Progress for Impatient {
            fn report(&self, _: Event) -> ControlFlow<Stop> {
                ControlFlow::Break(Stop::Finish)
            }
        }
        let data = data();
        let stopped = ScoreSettings::default().report(&data, &Dag::empty(2), &Impatient);
        assert!(matches!(stopped, Err(Error::Stopped)));
    }
}
