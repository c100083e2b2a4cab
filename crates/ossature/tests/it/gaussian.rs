//! Networks with continuous variables.

use ossature::data::{ReadOptions, TableKind, read_csv};
use ossature::infer::{Given, Inference, Limit, PartialRows, Unseen, intervene, likelihood_weighting};
use ossature::network::{
    Distribution, Gaussian, Model, Prior, ProbabilityTable, Regression, bif, catalogue, fit,
};
use ossature::{Column, Dag, Dataset, Network, Silent, Var, Variable};

fn regression(intercept: f64, coefficients: &[f64], sd: f64) -> Regression {
    Regression { intercept, coefficients: coefficients.to_vec(), sd }
}

/// height and sick are the parents of weight; sick is a child of old.
fn clinic() -> Network {
    let variables = vec![
        Variable::continuous("height"),
        Variable::new("old", ["no", "yes"]).unwrap(),
        Variable::new("sick", ["no", "yes"]).unwrap(),
        Variable::continuous("weight"),
    ];
    let (height, old, sick, weight) = (Var(0), Var(1), Var(2), Var(3));
    let dag = Dag::from_arcs(4, [(old, sick), (sick, weight), (height, weight)]).unwrap();
    let nodes = vec![
        Distribution::Gaussian(Gaussian::new(vec![regression(170.0, &[], 8.0)])),
        Distribution::Table(ProbabilityTable::new(vec![0.75, 0.25], 2)),
        Distribution::Table(ProbabilityTable::new(vec![0.9, 0.1, 0.5, 0.5], 2)),
        Distribution::Gaussian(Gaussian::new(vec![
            regression(-80.0, &[0.9], 5.0),
            regression(-100.0, &[1.0], 10.0),
        ])),
    ];
    Network::of(variables, dag, nodes).unwrap()
}

fn shuffled(data: &Dataset) -> Dataset {
    let mut rows: Vec<usize> = (0..data.rows()).collect();
    ossature::random::Sequence::new(5).shuffle(&mut rows);
    let column = |v: Var| {
        let column = match data.column(v).numbers() {
            Some(numbers) => Column::Real(rows.iter().map(|&row| numbers[row]).collect()),
            None => Column::from_codes(rows.iter().map(|&row| data.column(v).code(row)), data.cardinality(v)),
        };
        (data.variable(v).clone(), column)
    };
    Dataset::new(data.vars().rev().map(column).collect()).unwrap()
}

#[test]
fn what_was_drawn_is_found_again() {
    let network = clinic();
    assert_eq!((network.kind(), network.parameters()), (TableKind::Mixed, 2 + 1 + 2 + 6));
    let data = network.sample(20_000, 1, &Silent).unwrap();
    let fitted = fit(&data, network.dag(), Prior::None, &Silent).unwrap();
    assert_eq!((fitted.unseen, fitted.configurations), (0, 1 + 1 + 2 + 2));
    let weight = network.require("weight").unwrap();
    let rows = |network: &Network| network.gaussian(weight).unwrap().rows().to_vec();
    for (found, truth) in rows(&fitted.network).iter().zip(rows(&network)) {
        assert!((found.coefficients[0] - truth.coefficients[0]).abs() < 0.03, "{found:?}");
        assert!((found.sd / truth.sd - 1.0).abs() < 0.05, "{found:?}");
    }
    let again = fit(&shuffled(&data), network.dag(), Prior::None, &Silent).unwrap();
    assert_eq!(again, fitted, "the order of rows and columns does not matter, to the last bit");
}

/// The bytes must never change, because studies depend on them.
#[test]
fn a_sample_is_the_same_for_ever() {
    let asia = catalogue::load("asia").unwrap().linear_gaussian(1);
    let data = asia.sample(2000, 1, &Silent).unwrap();
    assert_eq!(data.kind(), TableKind::Continuous);
    assert_eq!(&data.sha256()[..16], "14645c6c42b50c0c");
    let shorter = asia.sample(1500, 1, &Silent).unwrap();
    assert!(
        data.vars()
            .all(|v| data.column(v).numbers().unwrap()[..1500] == *shorter.column(v).numbers().unwrap())
    );
    let (smoke, numbers) = (data.require("smoke").unwrap(), |v| data.column(v).numbers().unwrap());
    let mean = numbers(smoke).iter().sum::<f64>() / 2000.0;
    let square = numbers(smoke).iter().map(|x| x * x).sum::<f64>() / 2000.0;
    assert!(mean.abs() < 0.08 && (square - 1.0).abs() < 0.12, "{mean} {square}");
}

#[test]
fn coefficients_come_from_the_seed() {
    let alarm = catalogue::load("alarm").unwrap();
    let of = |seed| -> Vec<f64> {
        let drawn = alarm.linear_gaussian(seed);
        let nodes: Vec<Var> = drawn.dag().vars().collect();
        nodes.iter().flat_map(|&v| drawn.gaussian(v).unwrap().row(0).coefficients.clone()).collect()
    };
    let (one, two) = (of(1), of(2));
    assert_eq!((one.len(), of(1) == one, one == two), (46, true, false));
    assert!(one.iter().all(|b| (0.5..1.5).contains(&b.abs())));
    let negative = one.iter().filter(|b| **b < 0.0).count();
    assert!((10..36).contains(&negative), "{negative}");
}

#[test]
fn the_likelihood_is_the_sum_over_nodes() {
    let network = clinic();
    let data = Dataset::new(vec![
        (Variable::continuous("weight"), Column::Real(vec![70.0, 81.5])),
        (Variable::new("sick", ["yes", "no"]).unwrap(), Column::from_codes([1, 0], 2)),
        (Variable::continuous("height"), Column::Real(vec![168.0, 190.0])),
        (Variable::new("old", ["no", "yes"]).unwrap(), Column::from_codes([0, 1], 2)),
    ])
    .unwrap();
    let found = network.log_likelihood(&data, &Silent).unwrap();
    let normal = |x: f64, mean: f64, sd: f64| {
        (-((x - mean) / sd).powi(2) / 2.0).exp() / (sd * (2.0 * std::f64::consts::PI).sqrt())
    };
    let first = 0.75 * 0.9 * normal(168.0, 170.0, 8.0) * normal(70.0, -80.0 + 0.9 * 168.0, 5.0);
    let second = 0.25 * 0.5 * normal(190.0, 170.0, 8.0) * normal(81.5, -100.0 + 190.0, 10.0);
    assert!((found[0] - first.ln()).abs() < 1e-12 && (found[1] - second.ln()).abs() < 1e-12, "{found:?}");

    let labels = Dataset::new(vec![
        (Variable::new("weight", ["70"]).unwrap(), Column::from_codes([0], 1)),
        (Variable::continuous("height"), Column::Real(vec![168.0])),
        (Variable::new("old", ["no"]).unwrap(), Column::from_codes([0], 1)),
        (Variable::new("sick", ["no"]).unwrap(), Column::from_codes([0], 1)),
    ]);
    let said = network.log_likelihood(&labels.unwrap(), &Silent).unwrap_err().to_string();
    assert!(said.contains("column \"weight\" has labels, and is continuous in the network"), "{said}");
}

#[test]
fn configurations_with_few_rows_have_the_regression_of_all() {
    let text = "dose,group,pain\n1,a,5\n2,a,4\n3,a,2.5\n4,a,2\n9,b,7\n2,b,3\n";
    let options = ReadOptions { continuous: "dose,pain".parse().unwrap(), ..ReadOptions::default() };
    let data = read_csv(text.as_bytes(), "t.csv", &options, &Silent).unwrap().data;
    let dag = Dag::from_arcs(3, [(Var(0), Var(2)), (Var(1), Var(2))]).unwrap();
    let fitted = fit(&data, &dag, Prior::Bdeu { iss: 1.0 }, &Silent).unwrap();
    assert_eq!((fitted.unseen, fitted.configurations), (1, 4));
    let pain = fitted.network.gaussian(Var(2)).unwrap();
    let bare = fit(&data, &Dag::from_arcs(3, [(Var(0), Var(2))]).unwrap(), Prior::None, &Silent).unwrap();
    assert_eq!(pain.row(1), bare.network.gaussian(Var(2)).unwrap().row(0));
    assert!((pain.row(0).coefficients[0] + 1.05).abs() < 1e-12, "{pain:?}");
}

#[test]
fn a_discrete_variable_has_no_continuous_parent() {
    let data = clinic().sample(50, 1, &Silent).unwrap();
    let dag = Dag::from_arcs(4, [(Var(0), Var(2))]).unwrap();
    let said = fit(&data, &dag, Prior::None, &Silent).unwrap_err().to_string();
    assert!(
        said.starts_with("the arc height → sick leads from a continuous variable to a discrete one"),
        "{said}"
    );
    assert!(said.contains("tiers") && said.contains("blacklist"), "{said}");
}

#[test]
fn the_model_file_holds_it() {
    let model = Model::from(clinic());
    let text = model.to_json();
    assert!(text.contains(r#""kind":"continuous","levels":[],"#), "{text}");
    assert!(text.contains(r#""regressions":[{"intercept":170.0,"coefficients":[],"sd":8.0}]"#), "{text}");
    assert_eq!(Model::parse(&text, "clinic.json").unwrap(), model);
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        Model::parse(&text.replace(from, to), "clinic.json").unwrap_err().to_string()
    };
    assert!(refused("\"continuous\"", "\"fuzzy\"").contains("the kind \"discrete\" or \"continuous\""));
    assert!(
        refused("\"sd\":8.0", "\"sd\":-8.0").contains("has the standard deviation -8; 0 or more is needed")
    );
    assert!(refused("[0.9]", "[0.9,1.0]").contains("one for each of its 1 continuous parents"));
    assert!(refused("\"coefficients\":[],", "").contains("coefficients"));
    // Rows are read with the options that the model needs.
    let rows = "weight,old,height,more\n70,no,168.5,x\n";
    let read = read_csv(rows.as_bytes(), "r.csv", &model.read_options(), &Silent).unwrap().data;
    assert_eq!(read.field(0, read.require("weight").unwrap()).as_deref(), Some("70"));
    assert!(read.variable(read.require("height").unwrap()).is_continuous());
}

#[test]
fn bif_has_no_words_for_it() {
    let said = bif::write(&clinic(), &mut Vec::new()).unwrap_err().to_string();
    assert!(said.contains("\"height\" is continuous") && said.contains(".json"), "{said}");
}

#[test]
fn discrete_variables_can_be_asked_and_no_others() {
    let network = clinic();
    let engine = Inference::new(&network, Limit::default());
    let (height, old, sick) = (Var(0), Var(1), Var(2));
    let ill = Given::named(&network, [("sick", "yes")]).unwrap();
    let found = engine.query(&[old], &ill).unwrap();
    assert!((found.of(old)[1] - 0.125 / 0.2).abs() < 1e-12);
    let healed = intervene(&network, &[(sick, 0)]).unwrap();
    let found = Inference::new(&healed, Limit::default()).query(&[old], &Given::none()).unwrap();
    assert!((found.of(old)[1] - 0.25).abs() < 1e-12);
    let estimated = likelihood_weighting(&network, &[old], &ill, 20_000, 1, &Silent).unwrap();
    assert!((estimated.posteriors.of(old)[1] - 0.625).abs() < 0.02);

    let refusals = [
        engine.query(&[height], &ill).unwrap_err(),
        engine.posteriors(&ill).unwrap_err(),
        engine.most_probable(&ill).unwrap_err(),
        engine.clique_tree().unwrap_err(),
        engine.effects(height, sick).unwrap_err(),
        Given::named(&network, [("height", "170")]).unwrap_err(),
        likelihood_weighting(&network, &[height], &ill, 100, 1, &Silent).unwrap_err(),
        engine.predict(&PartialRows::empty(&network), height, &Silent).unwrap_err(),
        PartialRows::new(&network, &network.sample(3, 1, &Silent).unwrap(), &[], Unseen::Error).unwrap_err(),
    ];
    for said in refusals.map(|e| e.to_string()) {
        assert!(said.contains("\"height\"") && said.contains("continuous"), "{said}");
    }
}
