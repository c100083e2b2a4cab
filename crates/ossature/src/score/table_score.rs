//! A score on data: a criterion applied to the counts of a family.

use std::sync::Arc;

use super::configurations::Configurations;
use super::{LevelsOf, Score, SetScore};
use crate::counts::{CountsOfSet, GoOn, Sweep, Tables};
use crate::data::Var;

/// The counts of a variable and its parents.
#[derive(Debug, Clone, Copy)]
pub(super) struct FamilyCounts<'a> {
    /// n_jk. Zeros may be left out.
    pub(super) joint: &'a [u32],
    /// n_j. Zeros may be left out.
    pub(super) parents: &'a [u32],
    /// The number of levels of the variable.
    pub(super) levels: usize,
    /// The product of the parents' levels.
    pub(super) configurations: Configurations,
}

impl FamilyCounts<'_> {
    /// The product of all levels, including those of the variable.
    pub(super) fn joint_configurations(&self) -> Configurations {
        self.configurations.times(self.levels)
    }
}

/// More than the rounding error of the grid.
pub(super) const SLACK: f64 = 1e-6;

/// The value of a family: a pure function of its counts, independent of their order.
pub(super) trait Criterion: Sync {
    fn local(&self, family: &FamilyCounts<'_>) -> f64;

    /// An upper bound on the value of a variable with these parents or more, given its number of
    /// levels, the parents' number of configurations, and the number of combinations that occur.
    fn ceiling(&self, levels: usize, configurations: f64, occurring: u64) -> f64;

    /// The function of sets whose difference is the value of a family, if there is one.
    fn of_sets(&self) -> Option<&dyn SetCriterion> {
        None
    }
}

/// The value of a set of variables, from the counts of its configurations and the number of configurations.
pub(super) trait SetCriterion: Sync {
    /// The values of sets, for a thread that will ask for some.
    fn values(&self) -> Box<dyn SetValues + '_>;

    /// A single [value](SetValues::of_set).
    fn of_set(&self, counts: &[u32], ones: usize, configurations: Configurations) -> f64;
}

/// The values of sets, one after another.
pub(super) trait SetValues {
    /// The value of a set. Zeros may be left out of the counts; `ones` more of them are 1.
    fn of_set(&mut self, counts: &[u32], ones: usize, configurations: Configurations) -> f64;
}

/// A score on data. Made by [`ScoreSettings::build`](super::ScoreSettings::build).
pub(super) struct TableScore<'a> {
    tables: Arc<dyn Tables + 'a>,
    criterion: Box<dyn Criterion + Send>,
    /// The number of levels of each variable that the score uses.
    levels: Box<[usize]>,
    equivalent: bool,
}

impl<'a> TableScore<'a> {
    pub(super) fn new(
        tables: Arc<dyn Tables + 'a>,
        criterion: Box<dyn Criterion + Send>,
        equivalent: bool,
        levels_of: LevelsOf,
    ) -> TableScore<'a> {
        let occurring = |v: usize| {
            let mut levels = 0;
            let count = &mut |joint: &[u32], _: &[u32]| levels = joint.iter().filter(|&&n| n > 0).count();
            tables.family(Var::new(v), &[], count);
            levels
        };
        let levels = match levels_of {
            LevelsOf::Declared => tables.variables().iter().map(|v| v.cardinality()).collect(),
            LevelsOf::Data => (0..tables.variables().len()).map(occurring).collect(),
        };
        TableScore { tables, criterion, levels, equivalent }
    }

    fn set_criterion(&self) -> &dyn SetCriterion {
        self.criterion.of_sets().expect("whoever asks for sets has seen that there are values of them")
    }

    fn configurations(&self, parents: &[Var]) -> Configurations {
        Configurations::of(parents.iter().map(|&v| self.levels[v.index()]))
    }
}

impl Score for TableScore<'_> {
    fn local(&self, child: Var, parents: &[Var]) -> f64 {
        let (levels, configurations) = (self.levels[child.index()], self.configurations(parents));
        let mut value = 0.0;
        self.tables.family(child, parents, &mut |joint, parents| {
            value = self.criterion.local(&FamilyCounts { joint, parents, levels, configurations });
        });
        value
    }

    fn locals(&self, families: &[(Var, &[Var])], out: &mut Vec<f64>) {
        let mut shapes =
            families.iter().map(|(v, parents)| (self.levels[v.index()], self.configurations(parents)));
        self.tables.families(families, &mut |joint, parents| {
            let (levels, configurations) = shapes.next().expect("counts for each family");
            out.push(self.criterion.local(&FamilyCounts { joint, parents, levels, configurations }));
        });
    }

    fn sweep(&self, child: Var, parents: &[Var], candidates: &[Var], out: &mut Vec<f64>) {
        self.batch(&[Sweep { target: child, candidates, given: parents }], out);
    }

    fn batch(&self, sweeps: &[Sweep<'_>], out: &mut Vec<f64>) {
        let mut shapes = sweeps.iter().flat_map(|s| {
            let (levels, configurations) = (self.levels[s.target.index()], self.configurations(s.given));
            let more = move |c: &Var| configurations.times(self.levels[c.index()]);
            s.candidates.iter().map(move |c| (levels, more(c)))
        });
        self.tables.batch(sweeps, &mut |counts| {
            let (levels, configurations) = shapes.next().expect("a table for each candidate");
            let (joint, parents) = (counts.xyz(), counts.xz());
            out.push(self.criterion.local(&FamilyCounts { joint, parents, levels, configurations }));
        });
    }

    fn counted(&self, child: Var, parents: &[Var], candidates: &[Var], out: &mut Vec<(f64, u64)>) {
        let (levels, configurations) = (self.levels[child.index()], self.configurations(parents));
        let more = |c: &Var| configurations.times(self.levels[c.index()]);
        let mut shapes = candidates.iter().map(more);
        self.tables.batch(&[Sweep { target: child, candidates, given: parents }], &mut |counts| {
            let configurations = shapes.next().expect("a table for each candidate");
            let (joint, parents) = (counts.xyz(), counts.xz());
            let occurring = joint.iter().filter(|&&n| n > 0).count() as u64;
            let family = FamilyCounts { joint, parents, levels, configurations };
            out.push((self.criterion.local(&family), occurring));
        });
    }

    fn ceiling(&self, child: Var, parents: &[Var], occurring: u64) -> f64 {
        self.criterion.ceiling(self.levels[child.index()], self.configurations(parents).to_f64(), occurring)
    }

    fn sets(&self) -> Option<&dyn SetScore> {
        self.criterion.of_sets().map(|_| self as &dyn SetScore)
    }

    fn is_equivalent(&self) -> bool {
        self.equivalent
    }
}

impl SetScore for TableScore<'_> {
    fn of_set(&self, set: &[Var]) -> f64 {
        let (mut values, configurations) = (self.set_criterion().values(), self.configurations(set));
        let Some((&first, others)) = set.split_first() else {
            return values.of_set(&[self.tables.rows() as u32], 0, configurations);
        };
        let mut value = 0.0;
        let look = &mut |joint: &[u32], _: &[u32]| value = values.of_set(joint, 0, configurations);
        self.tables.family(first, others, look);
        value
    }

    fn of_sets(&self, sweep: Sweep<'_>, joint: &mut Vec<f64>, mut margins: Option<&mut Vec<f64>>) {
        let (mut values, given) = (self.set_criterion().values(), self.configurations(sweep.given));
        let levels = |v: Var| self.levels[v.index()];
        let mut candidates = sweep.candidates.iter();
        let mut value = |CountsOfSet { counts, ones }: CountsOfSet<'_>, configurations| {
            values.of_set(counts, ones, configurations)
        };
        self.tables.sweep_sets(sweep, margins.is_some(), &mut |all, without| {
            let candidate = candidates.next().expect("counts for each candidate");
            let configurations = given.times(levels(*candidate));
            joint.push(value(all, configurations.times(levels(sweep.target))));
            if let (Some(margins), Some(without)) = (&mut margins, without) {
                margins.push(value(without, configurations));
            }
        });
    }

    fn of_every_set(&self, vars: &[Var], go_on: GoOn<'_>) -> Option<Vec<f64>> {
        let criterion = self.set_criterion();
        let levels: Vec<usize> = vars.iter().map(|v| self.levels[v.index()]).collect();
        let value = |set: u64, counts: &[u32], ones: usize| {
            let inside = levels.iter().enumerate().filter(|(place, _)| set >> place & 1 == 1);
            criterion.of_set(counts, ones, Configurations::of(inside.map(|(_, &levels)| levels)))
        };
        self.tables.every_set(vars, &value, go_on)
    }
}
