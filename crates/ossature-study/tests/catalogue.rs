//! Any learner of a catalogue can be in a study, whatever it returns and wherever it comes from.

#![allow(clippy::unwrap_used)]

use std::fs;

use ossature::ci::{Evidence, Independence, Tally};
use ossature::graph::{Constraints, Mark};
use ossature::halves::{LearnedGraph, LocalLearner};
use ossature::learn::catalogue::rows::{ALPHA, SYMMETRY};
use ossature::learn::{
    Build, Catalogue, FirstHalf, How, Learned, LearnerRow, Returns, Seconds, Setting, Settings, Takes, Value,
};
use ossature::{Dag, Dataset, Learner, Pdag, Progress, Result, Skeleton, Var, VarSet};
use ossature_study::{Config, Ended, Folder, Grid, NetworkSource, Row, RunInfo, Study, report, run};

/// A local learner that finds the first few variables that depend on the target.
struct FirstFew {
    most: usize,
}

impl LocalLearner for FirstFew {
    fn parents_and_children(&self, t: Var, u: &VarSet, ind: &Independence<'_>) -> VarSet {
        let others = u.iter().filter(|&x| x != t);
        others.filter(|&x| !ind.separated(x, t, &[])).take(self.most).collect()
    }

    fn needs_symmetry(&self) -> bool {
        true
    }
}

/// A setting of that learner.
const MOST: Setting = Setting {
    name: "most",
    takes: Takes::Whole { from: 1, to: 9 },
    default: || Some(Value::Whole(2)),
    help: "Most neighbours of a variable",
    ..ALPHA
};

/// A learner of rounds that always returns the same kind of graph: three variables in a row.
struct Always(fn(usize) -> LearnedGraph);

impl Learner for Always {
    fn learn(&self, data: &Dataset, _: &dyn Progress) -> Result<Learned> {
        Ok(Learned {
            graph: (self.0)(data.variables().len()),
            skeleton: None,
            evidence: Evidence::default(),
            score: None,
            bound: None,
            complete: true,
            moves: 0,
            concerns: Vec::new(),
            alternatives: Vec::new(),
            strengths: Vec::new(),
            tests: Tally::default(),
            seconds: Seconds { total: 0.5, ..Seconds::default() },
        })
    }
}

const A: Var = Var(0);
const B: Var = Var(1);
const C: Var = Var(2);

fn chain(n: usize) -> Dag {
    Dag::from_arcs(n, [(A, B), (B, C)]).unwrap()
}

fn circle(n: usize) -> Pdag {
    let mut circle = Pdag::empty(n);
    [(A, B), (B, C), (C, A)].into_iter().for_each(|(x, y)| circle.set(x, y, Mark::Forward));
    circle
}

fn class(_: &Settings, _: &Dataset, _: Constraints) -> Result<Box<dyn Learner>> {
    Ok(Box::new(Always(|n| LearnedGraph::Cpdag(chain(n).cpdag()))))
}

fn no_class(_: &Settings, _: &Dataset, _: Constraints) -> Result<Box<dyn Learner>> {
    Ok(Box::new(Always(|n| LearnedGraph::Pdag(circle(n)))))
}

fn skeleton(_: &Settings, _: &Dataset, _: Constraints) -> Result<Box<dyn Learner>> {
    Ok(Box::new(Always(|n| {
        let mut skeleton = Skeleton::empty(n);
        skeleton.insert(A, B);
        LearnedGraph::Skeleton(skeleton)
    })))
}

type Made = fn(&Settings, &Dataset, Constraints) -> Result<Box<dyn Learner>>;

fn of_rounds(name: &'static str, asks_tests: bool, returns: Returns, build: Made) -> LearnerRow {
    let how = How::Rounds { settings: &[], uses_score: false, asks_tests, returns, build };
    LearnerRow { name, class: "Toy", title: "A toy", citation: "Nobody", how, defaults: &[] }
}

/// The library's catalogue with toys.
fn with_toys() -> Catalogue {
    let mut catalogue = Catalogue::standard();
    catalogue.settings.push(MOST);
    catalogue.first.push(FirstHalf {
        name: "first-few",
        title: "A toy",
        settings: &[SYMMETRY, MOST],
        build: Build::Local(|s| Box::new(FirstFew { most: s.count(&MOST) })),
    });
    let halves = How::Halves { restrict: Some("first-few"), maximise: Some("hc") };
    catalogue.learners.extend([
        LearnerRow { how: halves, ..of_rounds("toy", true, Returns::Dag, class) },
        of_rounds("toy-class", true, Returns::Cpdag, class),
        of_rounds("toy-no-class", false, Returns::Cpdag, no_class),
        of_rounds("toy-skeleton", false, Returns::Skeleton, skeleton),
    ]);
    catalogue
}

fn base() -> Study {
    let networks = vec![NetworkSource::new("asia").unwrap()];
    Study { networks, sizes: vec![300], samples: 2, new_rows: 100, timing: true, ..Study::default() }
}

fn study(text: &str, catalogue: &Catalogue) -> Result<Study> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("study.toml");
    fs::write(&path, text).unwrap();
    Config::read(&path)?.study(base(), catalogue)
}

const LEARNERS: &str = "learners = ['toy', 'wide', 'toy-class', 'toy-no-class', 'toy-skeleton', 'h2pc']\n\
     [[learner]]\nname = 'wide'\nlearner = 'toy'\nmost = 9\n";

/// Runs a study described by a text to its end.
fn complete(text: &str, path: &std::path::Path) -> Folder {
    let catalogue = with_toys();
    let grid = Grid::new(study(text, &catalogue).unwrap(), &catalogue).unwrap();
    let mut folder = Folder::open(path, &grid, RunInfo::now("test".into(), 2)).unwrap();
    let ended = run(&mut folder, &grid, 2, &|_| std::ops::ControlFlow::Continue(())).unwrap();
    assert_eq!(ended, Ended::Complete { failed: 0 });
    folder.finish(None).unwrap();
    folder
}

#[test]
fn a_learner_that_somebody_brings_runs_like_any_other() {
    let dir = tempfile::tempdir().unwrap();
    let folder = complete(LEARNERS, dir.path());
    let rows = |name: &str| -> Vec<&Row> { folder.rows.iter().filter(|r| r.learner == name).collect() };
    for name in ["toy", "wide", "toy-class", "toy-no-class", "toy-skeleton", "h2pc"] {
        assert_eq!(rows(name).len(), 2 * 2, "{name}: two samples, learned and timed");
    }
    let edges = |name: &str| rows(name)[0].skeleton_tp.unwrap() + rows(name)[0].skeleton_fp.unwrap();
    assert!(edges("toy") > 0 && edges("toy") < edges("wide"), "its own setting is used");
    assert!(rows("toy")[0].tests > Some(0) && rows("toy")[0].shd.is_some());
    let page = fs::read_to_string(report::write(&folder).unwrap().page).unwrap();
    assert!(page.contains("<b>wide</b>: first-few, then hc; test mi-adf, alpha 0.05"), "its halves");
    assert!(page.contains("most 9") && page.contains("<b>toy-class</b>: toy-class; test mi-adf"));
    assert!(page.contains("toy against toy-no-class") && !page.contains("NaN"));
    // The same study continues in the folder.
    drop(folder);
    let again = complete(LEARNERS, dir.path());
    assert_eq!((again.rows.len(), again.manifest.runs.len()), (2 * 2 * 6, 2));
    assert_eq!(again.manifest.learners[1].settings["most"], 9);
}

#[test]
fn what_a_learner_returns_decides_what_is_measured() {
    let dir = tempfile::tempdir().unwrap();
    let folder = complete(LEARNERS, dir.path());
    let row = |name: &str| folder.rows.iter().find(|r| r.learner == name).unwrap();
    let has = |name: &str| {
        let row = row(name);
        (
            row.shd.is_some(),
            row.bdeu_new.is_some() && row.bic_train.is_some(),
            row.recall.is_some(),
            row.tests,
        )
    };
    assert_eq!(has("toy-class"), (true, true, false, Some(0)), "it says that it asks tests");
    assert_eq!(has("toy-no-class"), (true, false, false, None), "no DAG, no score");
    assert_eq!(has("toy-skeleton"), (false, false, true, None));
    assert_eq!((row("toy-class").arcs, row("toy-no-class").arcs), (Some(2), Some(3)));
    assert_eq!((row("toy-skeleton").arcs, row("toy-skeleton").dag_tp), (None, None));
    assert_eq!(row("toy-skeleton").seconds_total, Some(0.5));
}

/// The panel of the tests is about the HPC of the paper, whose targets share nothing.
#[test]
fn the_tests_that_are_counted_are_those_of_the_paper() {
    let dir = tempfile::tempdir().unwrap();
    let text = "networks = ['insurance']\nsizes = [1000]\nlearners = ['h2pc', 'shared']\n\
                [[learner]]\nname = 'shared'\nlearner = 'h2pc'\npreset = 'recommended'\n";
    let folder = complete(text, dir.path());
    assert_eq!(folder.rows.len(), 2 * 4);
    for pair in folder.rows.chunks(4) {
        let [paper, _, shared, _] = pair else { panic!("two learners, each learned and timed") };
        assert_eq!((paper.learner.as_str(), shared.learner.as_str()), ("h2pc", "shared"));
        assert!(paper.tests > shared.tests, "{:?} {:?}", paper.tests, shared.tests);
        assert_eq!((paper.skeleton_tp, paper.skeleton_fp), (shared.skeleton_tp, shared.skeleton_fp));
    }
}

#[test]
fn a_setting_of_a_catalogue_is_checked_like_those_of_the_library() {
    let catalogue = with_toys();
    let refused = |text: &str| study(text, &catalogue).unwrap_err().to_string();
    let toy = "[[learner]]\nname = 'mine'\nlearner = 'toy'\n";
    assert!(
        refused(&format!("{toy}most = 10"))
            .contains("most of the learner \"mine\" is 10; a whole number from 1 to 9")
    );
    assert!(refused(&format!("{toy}tabu = 3")).contains("tabu of the learner \"mine\" is not used by toy"));
    let h2pc = "[[learner]]\nname = 'mine'\nlearner = 'h2pc'\n";
    assert!(refused(&format!("{h2pc}most = 3")).contains("is not used by h2pc; toy does"));
    assert!(refused(&format!("{toy}mots = 3")).contains("did you mean most?"));
    // Without the row there is no such learner, and a study with it cannot run.
    let standard = Catalogue::standard();
    assert!(study(toy, &standard).unwrap_err().to_string().contains("there is no learner \"toy\""));
    let unknown = Grid::new(study(toy, &catalogue).unwrap(), &standard).err().unwrap().to_string();
    assert!(unknown.contains("there is no first half \"first-few\""), "{unknown}");
}
