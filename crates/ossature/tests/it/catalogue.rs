//! The catalogue: requests become settings, or are refused in one place; any two halves work together.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use ossature::ci::TestSettings;
use ossature::learn::catalogue::rows;
use ossature::learn::{Asked, Build, Catalogue, How, Learned, Preset, Report, Settings, Takes, Value, Why};
use ossature::network::catalogue;
use ossature::word::Word;
use ossature::{Dataset, Hybrid, Learner, Silent, Var};
use serde_json::{Map, json};

static ALARM: LazyLock<Dataset> =
    LazyLock::new(|| catalogue::load("alarm").unwrap().sample(500, 1, &Silent).unwrap());
static ASIA: LazyLock<Dataset> =
    LazyLock::new(|| catalogue::load("asia").unwrap().sample(1000, 1, &Silent).unwrap());

fn resolve(asked: &Asked) -> ossature::Result<Settings> {
    Catalogue::standard().resolve(asked)
}

fn refused(asked: &Asked) -> String {
    resolve(asked).unwrap_err().to_string()
}

fn learn(asked: &Asked, data: &Dataset) -> Learned {
    let settings = resolve(asked).unwrap();
    Catalogue::standard().build(&settings, data).unwrap().learn(data, &Silent).unwrap()
}

fn whole(n: u64) -> Value {
    Value::Whole(n)
}

fn word(text: &str) -> Value {
    Value::Word(text.into())
}

fn arcs(list: &[(&str, &str)]) -> Value {
    Value::Pairs(list.iter().map(|(x, y)| ((*x).to_owned(), (*y).to_owned())).collect())
}

#[test]
fn rows_hold_together() {
    let all = Catalogue::standard();
    let unique = |names: Vec<&str>| assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    unique(all.learners.iter().map(|row| row.name).collect());
    unique(all.settings.iter().map(|row| row.name).collect());
    unique(all.first.iter().map(|row| row.name).chain(["none"]).collect());
    unique(all.second.iter().map(|row| row.name).chain(["none"]).collect());
    for setting in &all.settings {
        let default = (setting.default)();
        assert!(default.is_none_or(|value| setting.check(value.clone()).unwrap() == value), "{setting:?}");
        assert!(!setting.help.is_empty() && !setting.help.ends_with('.'), "{setting:?}");
        if let Some((other, words)) = setting.only_with {
            let Takes::Word(known) = all.setting(other).unwrap().takes else { panic!("{other} has words") };
            let known = known().words;
            assert!(words.iter().all(|word| known.iter().any(|(w, _)| w == word)), "{setting:?}");
        }
    }
    for row in &all.learners {
        assert!(!row.title.ends_with('.') && !row.citation.is_empty() && !row.class.is_empty());
        if let How::Halves { restrict, maximise } = row.how {
            assert!(restrict.is_none_or(|name| all.first(name).is_ok()), "{row:?}");
            assert!(maximise.is_none_or(|name| all.second(name).is_ok()), "{row:?}");
        }
        for preset in Preset::all() {
            let settings = Settings::of(row.name, preset).unwrap();
            assert!(preset == Preset::Bnlearn || settings.learner() == row.name, "{settings:?}");
        }
    }
}

#[test]
fn presets_are_what_they_say() {
    let recommended = Settings::of("h2pc", Preset::Recommended).unwrap();
    assert_eq!(resolve(&Asked::default()).unwrap(), recommended);
    assert_eq!(recommended.value(&rows::TIE_ORDERS), Some(whole(10)));
    assert_eq!(recommended.value(&rows::SHARE), Some(word("yes")));
    let paper = Settings::of("h2pc", Preset::Paper).unwrap();
    assert_eq!(
        (paper.value(&rows::TIE_ORDERS), paper.value(&rows::SHARE)),
        (Some(whole(1)), Some(word("no")))
    );
    assert_eq!(paper.value(&rows::WEAK_LEARNER), Some(word("inter-iapc")));
    assert_eq!((paper.restrict(), paper.maximise()), (Some("hpc"), Some("tabu")));
    let bnlearn = Settings::of("h2pc", Preset::Bnlearn).unwrap();
    assert_eq!((bnlearn.learner(), bnlearn.maximise()), ("hpc+hc", Some("hc")));
    assert_eq!(bnlearn.value(&rows::WEAK_LEARNER), Some(word("fdr-iapc")));
    assert_eq!(Settings::of("tabu", Preset::Bnlearn).unwrap().learner(), "tabu");
    // Without sharing more tests are asked, and the skeleton is the same.
    let learn = |settings: &Settings| {
        let learner = Catalogue::standard().build(settings, &ALARM).unwrap();
        learner.learn(&ALARM, &Silent).unwrap()
    };
    let (shared, alone) = (learn(&recommended), learn(&paper));
    assert_eq!(shared.skeleton, alone.skeleton);
    assert!(shared.tests.asked < alone.tests.asked);
    // The constructors of the library have the recommended settings too.
    let plain = Hybrid::h2pc().learn(&ALARM, &Silent).unwrap();
    assert_eq!(
        (plain.graph, plain.score, plain.tests.asked),
        (shared.graph, shared.score, shared.tests.asked)
    );
}

#[test]
fn what_is_out_of_bounds_is_refused_however_it_comes() {
    let bad = [
        ("tie-orders", whole(0), json!(0)),
        ("tie-orders", whole(1_000_000_000_000_000_000), json!(1_000_000_000_000_000_000u64)),
        ("tie-orders", whole(1_000_000_000), json!(1_000_000_000)),
        ("patience", whole(0), json!(0)),
        ("alpha", Value::Number(0.0), json!(0.0)),
        ("alpha", Value::Number(1.0), json!(1.0)),
        ("alpha", Value::Number(f64::NAN), json!("a")),
        ("iss", Value::Number(0.0), json!(0)),
        ("iss", Value::Number(f64::INFINITY), json!(1e300)),
        ("bootstrap", whole(0), json!(0)),
        ("test", word("mi-adg"), json!("mi-adg")),
        ("score", whole(3), json!(3)),
        ("max-parents", Value::Number(1.5), json!(1.5)),
        ("max-parents", Value::Number(-1.0), json!(-1)),
        ("whitelist", word("a"), json!([["a"]])),
        ("tiers", word("a"), json!([["a", "b"]])),
    ];
    let catalogue = Catalogue::standard();
    for (name, value, in_file) in bad {
        let message = refused(&Asked::default().with(name, value.clone()));
        assert!(message.starts_with(&format!("the setting {name} is ")), "{message}");
        assert!(message.contains(&catalogue.setting(name).unwrap().accepted()), "{message}");
        let earlier = Map::from_iter([(name.replace('-', "_"), in_file)]);
        let message = refused(&Asked { earlier: Some(earlier), ..Asked::default() });
        assert!(message.starts_with(&format!("the setting {name} is ")), "{message}");
    }
    let meant = refused(&Asked::default().with("test", word("mi-adg")));
    assert!(meant.contains("did you mean \"mi-adf\""), "{meant}");
    let earlier = Map::from_iter([("alhpa".to_owned(), json!(0.1))]);
    assert!(
        refused(&Asked { earlier: Some(earlier), ..Asked::default() }).contains("did you mean \"alpha\"")
    );
    assert!(refused(&Asked::default().with("alhpa", whole(1))).contains("did you mean \"alpha\""));
    assert!(refused(&Asked::learner("h3pc")).contains("did you mean \"h2pc\""));
    let none = Some("none".to_owned());
    let neither = Asked { restrict: none.clone(), maximise: none, ..Asked::default() };
    assert!(refused(&neither).contains("at least one half is needed"));
    assert!(refused(&Asked { restrict: Some("hcp".into()), ..Asked::default() }).contains("\"hpc\""));
}

#[test]
fn what_is_not_used_is_refused_where_it_was_given_and_dropped_where_it_was_not() {
    let unused =
        |learner: &str, name: &str, value: Value| refused(&Asked::learner(learner).with(name, value));
    assert!(unused("hc", "tabu", whole(5)).contains("tabu is not used by hc; h2pc, mmhc and tabu do"));
    assert!(unused("mmhc", "weak-learner", word("fdr-iapc")).contains("not used by mmhc"));
    assert!(unused("hpc", "score", word("bic")).contains("not used by hpc"));
    assert!(unused("tabu", "alpha", Value::Number(0.1)).contains("not used by tabu"));
    let bic = Asked::learner("hc").with("score", word("bic")).with("iss", Value::Number(1.0));
    assert!(refused(&bic).contains("iss is not used here; it is used when score is bdeu or bds"));
    let or = Asked::default().with("symmetry", word("or")).with("share", word("yes"));
    assert!(refused(&or).contains("used when symmetry is and"));
    // If something else uses it, it counts as used: the tables of a network have the prior too.
    assert_eq!(resolve(&Asked { also_used: vec!["iss"], ..bic.clone() }).unwrap().number(&rows::ISS), 1.0);
    // If it comes from an earlier result or a preset, it is dropped.
    let json = serde_json::to_value(Settings::of("h2pc", Preset::Paper).unwrap()).unwrap();
    let earlier = json.as_object().cloned();
    let hc = resolve(&Asked { earlier, ..Asked::learner("hc") }).unwrap();
    assert_eq!(hc.learner(), "hc");
    assert!(!hc.uses(&rows::TABU) && !hc.uses(&rows::ALPHA) && hc.uses(&rows::TIE_ORDERS));
    assert_eq!(hc.value(&rows::TIE_ORDERS), Some(whole(1)));
}

#[test]
fn what_contradicts_itself_is_refused() {
    let two = arcs(&[("smoke", "dysp"), ("bronc", "dysp")]);
    let limited =
        |name: &str, most| Asked::learner("h2pc").with(name, two.clone()).with("max-parents", whole(most));
    for name in ["start", "whitelist"] {
        for most in [0, 1] {
            let message = refused(&limited(name, most));
            assert!(message.contains(&format!("max-parents is {most}, but dysp has 2 parents")), "{message}");
        }
        assert!(resolve(&limited(name, 2)).is_ok());
    }
    let both = limited("start", 2).with("whitelist", arcs(&[("asia", "dysp")]));
    assert!(refused(&both).contains("dysp has 3 parents"));
    // A learner that is built by hand is checked before any work, too.
    let start = ossature::Dag::from_arcs(8, [(Var(0), Var(1)), (Var(2), Var(1))]).unwrap();
    let search = ossature::Search { max_parents: Some(1), ..ossature::Search::default() };
    let hybrid = Hybrid { start: Some(start), orient: Some(Box::new(search)), ..Hybrid::h2pc() };
    assert!(hybrid.learn(&ASIA, &Silent).unwrap_err().to_string().contains("has 2 parents"));
}

#[test]
fn settings_of_an_earlier_version_are_understood() {
    let earlier = json!({
        "restrict": "hpc", "maximise": "none", "weak_learner": "fdr-iapc", "test": "mi", "alpha": 0.01,
        "power_rule": null, "underpowered": "independent", "max_conditioning": 3, "symmetry": "or",
        "score": "bdeu", "iss": 10.0, "tabu": 100, "patience": 15, "tie_orders": 10, "restarts": 0,
        "max_parents": null, "bootstrap": null, "seed": 7, "whitelist": [["asia", "tub"]], "blacklist": [],
        "tiers": [], "start": null
    });
    let settings = resolve(&Asked { earlier: earlier.as_object().cloned(), ..Asked::default() }).unwrap();
    assert_eq!((settings.learner(), settings.maximise()), ("hpc", None));
    assert_eq!(settings.number(&rows::ALPHA), 0.01);
    assert_eq!((settings.limit(&rows::MAX_CONDITIONING), settings.whole(&rows::SEED)), (Some(3), 7));
    assert_eq!(settings.pairs(&rows::WHITELIST).len(), 1);
}

#[test]
fn a_setting_that_has_a_default_is_never_without_a_value() {
    let earlier =
        |settings: serde_json::Value| Asked { earlier: settings.as_object().cloned(), ..Asked::default() };
    let said = "the setting alpha is null; a number above 0 and below 1 is accepted";
    assert_eq!(refused(&earlier(json!({ "learner": "hpc", "alpha": null }))), said);
    let given = |name: &str| Asked { given: vec![(name.to_owned(), None)], ..Asked::learner("h2pc") };
    assert_eq!(refused(&given("alpha")), said);
    assert_eq!(resolve(&given("max-parents")).unwrap().limit(&rows::MAX_PARENTS), None);
}

#[test]
fn numbers_of_a_file_are_read_to_the_last_bit() {
    let text = "13.993572194695545";
    let read = rows::ISS.from_json(&serde_json::from_str(text).unwrap()).unwrap();
    assert_eq!(read, Some(Value::Number(13.993_572_194_695_545)));
}

/// Every first half with every second half, and each of them alone.
#[test]
fn any_first_half_goes_with_any_second_half() {
    let all = Catalogue::standard();
    let first = all.first.iter().map(|half| (half.name, matches!(half.build, Build::Given(_))));
    for (first, given) in first.chain([("none", false)]) {
        for second in all.second.iter().map(|half| half.name).chain(["none"]) {
            if first == "none" && second == "none" {
                continue;
            }
            let mut asked =
                Asked { restrict: Some(first.into()), maximise: Some(second.into()), ..Asked::default() };
            if given {
                asked =
                    asked.with("skeleton", arcs(&[("smoke", "lung"), ("bronc", "smoke"), ("asia", "xray")]));
            }
            if (first, second) == ("none", "colliders") {
                let settings = resolve(&asked).unwrap();
                let learner = Catalogue::standard().build(&settings, &ASIA).unwrap();
                let error = learner.learn(&ASIA, &Silent).unwrap_err().to_string();
                assert!(error.contains("no skeleton to direct"), "{error}");
                continue;
            }
            let learned = learn(&asked, &ASIA);
            assert_eq!(learned.graph.has_directions(), second != "none", "{first} {second}");
            if let Some(skeleton) = &learned.skeleton {
                assert!(learned.graph.skeleton().edges().all(|(x, y)| skeleton.contains(x, y)));
            }
            assert_eq!(
                learned.tests.asked > 0,
                first != "none" && !given || second == "colliders",
                "{first} {second}"
            );
        }
    }
}

#[test]
fn a_skeleton_that_is_given_is_kept_to() {
    let edges = [("smoke", "lung"), ("bronc", "smoke"), ("asia", "xray")];
    let asked = Asked { restrict: Some("given".into()), ..Asked::default() }
        .with("skeleton", arcs(&edges))
        .with("blacklist", arcs(&[("bronc", "smoke"), ("smoke", "bronc")]))
        .with("whitelist", arcs(&[("either", "xray")]));
    let learned = learn(&asked, &ASIA);
    let name = |v: Var| ASIA.variable(v).name();
    let skeleton: Vec<_> = learned.skeleton.unwrap().edges().map(|(x, y)| (name(x), name(y))).collect();
    assert_eq!(skeleton, [("asia", "xray"), ("either", "xray"), ("lung", "smoke")]);
    let lost = asked.with("skeleton", arcs(&[("smok", "lung")]));
    let settings = resolve(&lost).unwrap();
    let error = Catalogue::standard().build(&settings, &ASIA).err().unwrap().to_string();
    assert!(error.contains("did you mean \"smoke\""), "{error}");
}

/// The set kept for a pair separates it, and does not depend on threads. Every pair that is not adjacent has
/// a set, unless it is independent given nothing.
#[test]
fn evidence_is_what_the_tests_say() {
    let at = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| learn(&Asked::learner("h2pc"), &ALARM))
    };
    let learned = at(1);
    assert_eq!(learned.evidence, at(7).evidence);
    let test = TestSettings::default().build(&ALARM).unwrap();
    let skeleton = learned.skeleton.as_ref().unwrap();
    assert!(learned.evidence.len() > 50);
    let evidence = learned.evidence.clone().with_outcomes(&*test);
    for (x, y, separation) in evidence.iter() {
        assert!(!skeleton.contains(x, y) && !separation.given.is_empty());
        let outcome = test.test(x, y, &separation.given);
        assert_eq!(Some(outcome), separation.outcome);
        assert!(outcome.p() > 0.05 && outcome.has_power == separation.has_power);
    }
    for x in ALARM.vars() {
        for y in ALARM.vars().filter(|&y| y > x && !skeleton.contains(x, y)) {
            let explained = learned.evidence.separation(x, y).is_some() || test.test(x, y, &[]).p() > 0.05;
            assert!(explained, "{x:?} {y:?}");
        }
    }
}

#[test]
fn every_pair_has_a_reason() {
    for learner in ["h2pc", "mmpc", "tabu"] {
        let settings = Settings::of(learner, Preset::Recommended).unwrap();
        let learned = Catalogue::standard().build(&settings, &ASIA).unwrap().learn(&ASIA, &Silent).unwrap();
        let report =
            Report::new(&learned, &ASIA, &settings).unwrap().with_separations(&learned, &ASIA).to_json();
        let graph = learned.graph.skeleton();
        let names: Vec<&str> = ASIA.variables().iter().map(|v| v.name()).collect();
        for (i, x) in names.iter().enumerate() {
            for (j, y) in names.iter().enumerate().filter(|(j, _)| *j != i) {
                let with = Why::new(&report, x, y, Some((&ASIA, &settings))).unwrap();
                let without = Why::new(&report, x, y, None).unwrap();
                let adjacent = graph.contains(Var::new(i), Var::new(j));
                assert!(with.adjacent == adjacent && without.adjacent == adjacent);
                assert!(with.sentences.len() >= 2, "{learner} {x} {y}: {with:?}");
                assert!(without.sentences.iter().all(|s| s.ends_with('.') && !s.contains("NaN")));
                assert_eq!(with.strength.is_some(), adjacent && learner != "mmpc");
                assert_eq!(with.direction, without.direction);
            }
        }
        assert!(Why::new(&report, "asia", "asia", None).is_err());
        let lost = Why::new(&report, "asai", "tub", None).unwrap_err().to_string();
        assert!(lost.contains("did you mean \"asia\""), "{lost}");
    }
    assert!(Why::new(&json!({"a": 1}), "a", "b", None).is_err());
}

#[test]
fn the_reason_for_a_direction_is_a_collider_or_that_there_is_none() {
    let settings = Settings::of("h2pc", Preset::Recommended).unwrap();
    let data = catalogue::load("asia").unwrap().sample(20_000, 1, &Silent).unwrap();
    let learned = Catalogue::standard().build(&settings, &data).unwrap().learn(&data, &Silent).unwrap();
    let report = Report::new(&learned, &data, &settings).unwrap().with_separations(&learned, &data).to_json();
    let why = |x: &str, y: &str| Why::new(&report, x, y, Some((&data, &settings))).unwrap();
    let collider = why("either", "lung");
    assert_eq!(
        (collider.orientation, collider.direction.as_deref()),
        (Some("collider"), Some("lung -> either"))
    );
    assert!(collider.sentences.iter().any(|s| s.contains("lung -> either <- tub")), "{collider:?}");
    let open = why("smoke", "bronc");
    assert_eq!((open.orientation, open.direction.as_deref()), (Some("open"), Some("smoke - bronc")));
    let apart = why("asia", "smoke");
    assert!(!apart.adjacent && apart.separated_by == Some(Vec::new()) && apart.p > Some(0.05), "{apart:?}");
    let given = why("smoke", "xray");
    assert!(given.separated_by.is_some_and(|set| !set.is_empty()) && given.p > Some(0.05));
}
