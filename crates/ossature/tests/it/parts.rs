//! A first half whose targets are processed in several places finds the same as in one place.

use std::ops::ControlFlow;

use ossature::ci::Tally;
use ossature::learn::{Asked, Catalogue, PartFound, Preset, RoundsFound, Seconds, Value};
use ossature::network::catalogue;
use ossature::{Dataset, Error, Event, Hybrid, Learned, Progress, Silent, Stop, Var};

/// Learns in several places, each of which gets everything as text. Targets are dealt to them one by one.
fn spread(learner: &Hybrid, data: &Dataset, places: usize) -> Learned {
    let mut found = RoundsFound::default();
    while let Some(costs) = learner.costs(data, &found).unwrap() {
        assert_eq!(costs.len(), data.variables().len());
        let told = found.without_evidence().to_text();
        let look = |place: usize| {
            let targets: Vec<Var> = data.vars().skip(place).step_by(places).collect();
            let found = RoundsFound::from_text(&told).unwrap();
            PartFound::from_text(&learner.look(data, &found, &targets, &Silent).unwrap().to_text())
        };
        // The order in which places answer does not matter.
        let parts = (0..places).rev().map(look).collect::<Result<Vec<_>, _>>().unwrap();
        found = found.with_round(parts, 0.5).unwrap();
        assert_eq!(RoundsFound::from_text(&found.to_text()).unwrap(), found);
    }
    learner.learn_found(data, &found, &Silent).unwrap()
}

/// The result without its figures of performance.
fn timeless(learned: Learned) -> Learned {
    Learned { tests: Tally { computed: 0, ..learned.tests }, seconds: Seconds::default(), ..learned }
}

#[test]
fn the_answer_is_that_of_one_place() {
    let discrete = catalogue::load("alarm").unwrap().sample(300, 1, &Silent).unwrap();
    let numbers = catalogue::load("asia").unwrap().linear_gaussian(1).sample(200, 2, &Silent).unwrap();
    let word = |name: &str, word: &str| (name.to_owned(), Some(Value::Word(word.to_owned())));
    let whole = |name: &str, number| (name.to_owned(), Some(Value::Whole(number)));
    let pairs = |name: &str, x: &str, y: &str| {
        (name.to_owned(), Some(Value::Pairs(vec![(x.to_owned(), y.to_owned())])))
    };
    let known = vec![pairs("whitelist", "HR", "SAO2"), pairs("blacklist", "HR", "CO")];
    let cases = vec![
        ("h2pc", Vec::new()),
        ("h2pc", vec![word("share", "no")]),
        ("h2pc", known.clone()),
        ("mmhc", vec![]),
        ("hpc", vec![word("symmetry", "or")]),
        ("mmpc", vec![whole("max-conditioning", 2)]),
        ("pc", vec![]),
        ("pc", vec![word("underpowered", "skip")]),
        ("pc", known),
    ];
    for (learner, given) in cases {
        let tables = if given.is_empty() { vec![&discrete, &numbers] } else { vec![&discrete] };
        let asked = Asked { given, ..Asked::learner(learner) };
        let settings = Catalogue::standard().resolve(&asked).unwrap();
        for data in tables {
            let learner = Catalogue::standard().build(&settings, data).unwrap();
            let one = timeless(learner.learn(data, &Silent).unwrap());
            for places in [1, 3] {
                let several = spread(learner.halves().unwrap(), data, places);
                assert!(several.seconds.restrict >= 0.5);
                assert_eq!(timeless(several), one, "{} in {places} places", settings.learner());
            }
        }
    }
}

#[test]
fn a_round_has_every_target_once() {
    let data = catalogue::load("asia").unwrap().sample(200, 1, &Silent).unwrap();
    let (learner, none) = (Hybrid::h2pc(), RoundsFound::default());
    let look = |targets: &[u32]| {
        let targets: Vec<Var> = targets.iter().copied().map(Var).collect();
        learner.look(&data, &none, &targets, &Silent)
    };
    let refused = |parts: Vec<PartFound>| {
        let round = none.with_round(parts, 0.0);
        round.and_then(|found| learner.learn_found(&data, &found, &Silent).map(drop)).unwrap_err().to_string()
    };
    let (one, other) = (look(&[0, 1, 2, 3]).unwrap(), look(&[4, 5, 6, 7]).unwrap());
    assert!(refused(vec![one.clone(), one.clone()]).contains("a target occurs twice"));
    assert!(refused(vec![look(&[0, 2]).unwrap()]).contains("another is missing"));
    assert!(refused(vec![one.clone()]).contains("other variables than the table"));
    assert!(refused(vec![one, other]).contains("a round is missing"));
    assert!(look(&[8]).unwrap_err().to_string().contains("not in the table"));
}

#[test]
fn texts_of_others_are_refused() {
    let data = catalogue::load("asia").unwrap().sample(200, 1, &Silent).unwrap();
    let learner = Hybrid::h2pc();
    for text in ["", "{}", "[1]", r#"{"rounds":[[[[0,"x"]]]]}"#] {
        assert!(RoundsFound::from_text(text).unwrap_err().to_string().contains("cannot be read"), "{text}");
        assert!(PartFound::from_text(text).is_err());
    }
    // Variables that do not exist.
    let stranger = r#"[[[99],[]],[]]"#;
    let round = format!("[{}]", [stranger; 8].join(","));
    let tests = r#"{"asked":0,"computed":0,"without_power":0,"by_order":[]}"#;
    let text = format!(r#"{{"rounds":[{round}],"noted":[],"tests":{tests},"seconds":0}}"#);
    let found = RoundsFound::from_text(&text).unwrap();
    assert!(learner.costs(&data, &found).unwrap_err().to_string().contains("other variables"));
    // More rounds than there are.
    let empty = format!("[{}]", ["[[],[]]"; 8].join(","));
    let text =
        format!(r#"{{"rounds":[{}],"noted":[],"tests":{tests},"seconds":0}}"#, [empty.as_str(); 3].join(","));
    let found = RoundsFound::from_text(&text).unwrap();
    assert!(learner.costs(&data, &found).unwrap_err().to_string().contains("no round after the last one"));
}

#[test]
fn a_learner_that_is_not_divided_by_targets_says_so() {
    let data = catalogue::load("asia").unwrap().sample(200, 1, &Silent).unwrap();
    for learner in ["hc", "tpda", "ges"] {
        let settings = ossature::Settings::of(learner, Preset::Recommended).unwrap();
        let learner = Catalogue::standard().build(&settings, &data).unwrap();
        let refused = learner.halves().unwrap().costs(&data, &RoundsFound::default()).unwrap_err();
        assert!(refused.to_string().contains("does not work variable by variable"), "{refused}");
    }
    let settings = ossature::Settings::of("sparse-candidate", Preset::Recommended).unwrap();
    assert!(Catalogue::standard().build(&settings, &data).unwrap().halves().is_none());
}

/// Ends the work after some targets.
struct Enough;

impl Progress for Enough {
    fn report(&self, event: Event) -> ControlFlow<Stop> {
        match event {
            Event::TargetDone { done: 2.., .. } => ControlFlow::Break(Stop::Cancel),
            _ => ControlFlow::Continue(()),
        }
    }
}

#[test]
fn a_look_can_be_stopped() {
    let data = catalogue::load("asia").unwrap().sample(200, 1, &Silent).unwrap();
    let targets: Vec<Var> = data.vars().collect();
    let stopped = Hybrid::h2pc().look(&data, &RoundsFound::default(), &targets, &Enough);
    assert!(matches!(stopped, Err(Error::Stopped)));
}
