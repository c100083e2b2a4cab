//! A test that is a table of answers, and records the questions.

use std::sync::Mutex;

use ossature::Var;
use ossature::ci::{CiTest, Independence, Outcome};

/// The answer to X < Y given the sorted Z.
type Answers = dyn Fn(u32, u32, &[u32]) -> Outcome + Sync;

/// Answers with a function, and records the questions.
pub(crate) struct Script {
    answer: Box<Answers>,
    asked: Mutex<Vec<String>>,
}

impl Script {
    pub(crate) fn new(answer: impl Fn(u32, u32, &[u32]) -> Outcome + Sync + 'static) -> Script {
        Script { answer: Box::new(answer), asked: Mutex::default() }
    }

    /// The questions since the last call, as `X Y | Z`.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }

    /// The number of questions since the last call.
    pub(crate) fn count(&self) -> u64 {
        self.asked.lock().unwrap().len() as u64
    }

    /// Answers of this script at the usual significance level.
    pub(crate) fn ind(&self) -> Independence<'_> {
        Independence::new(self, 0.05)
    }
}

impl CiTest for Script {
    fn test(&self, x: Var, y: Var, z: &[Var]) -> Outcome {
        let (x, y) = (x.0.min(y.0), x.0.max(y.0));
        let mut z: Vec<u32> = z.iter().map(|v| v.0).collect();
        z.sort_unstable();
        assert!(x < y && !z.contains(&x) && !z.contains(&y) && z.is_sorted_by(|a, b| a < b), "{x} {y} {z:?}");
        let given: String = z.iter().map(|v| format!(" {v}")).collect();
        self.asked.lock().unwrap().push(format!("{x} {y} |{given}"));
        (self.answer)(x, y, &z)
    }

    fn computed(&self) -> u64 {
        0
    }
}

/// An outcome with this p.
pub(crate) fn p(p: f64) -> Outcome {
    Outcome::with_ln_p(-p.ln(), 1.0, p.ln())
}

pub(crate) fn no_power() -> Outcome {
    Outcome::without_power(0.0)
}

/// Questions about a target as a script records them, written as `X | Z, X | Z`, with a comment after `--`.
pub(crate) fn questions(t: u32, text: &str) -> Vec<String> {
    let rows = text.lines().map(|line| line.split("--").next().unwrap_or_default());
    let questions = rows.flat_map(|row| row.split(',')).map(str::trim).filter(|q| !q.is_empty());
    questions
        .map(|question| {
            let (x, z) = question.split_once('|').unwrap();
            let x: u32 = x.trim().parse().unwrap();
            format!("{} {} |{}", t.min(x), t.max(x), z.trim_end())
        })
        .collect()
}
