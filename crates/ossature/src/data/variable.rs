//! A variable: a number internally, a name and levels at the interface.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::{Error, Place, Result, nearest};
use crate::text::shortened;
use crate::word::Word;

/// The largest number of levels of a variable: a code fits in 16 bits.
pub const MAX_LEVELS: usize = 1 << 16;

/// A variable of a table, a graph or a network, by its position in the canonical order.
///
/// Names appear only at the interface; internally, a variable is a number. Using a number that the
/// table or graph does not have is a bug in the caller and panics.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

impl Var {
    /// The variable at a position in the canonical order.
    pub fn new(index: usize) -> Var {
        Var(u32::try_from(index).expect("fewer than 2^32 variables"))
    }

    /// Its position in the canonical order.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

/// The kind of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum VariableKind {
    /// It has levels.
    #[default]
    Discrete,
    /// It has numbers.
    Continuous,
}

impl Word for VariableKind {
    const WHAT: &'static str = "kind of a variable";
    const WORDS: &'static [(VariableKind, &'static str, &'static str)] = &[
        (VariableKind::Discrete, "discrete", "Each distinct value is a level"),
        (VariableKind::Continuous, "continuous", "The values are numbers"),
    ];
}

/// The name of a variable and its levels in order; a continuous one has no levels.
///
/// The levels are the declared ones, whether or not all of them occur in the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    name: String,
    levels: Vec<String>,
}

impl Variable {
    /// A variable with at least one level, all distinct.
    ///
    /// ```
    /// use ossature::Variable;
    ///
    /// let rain = Variable::new("rain", ["no", "yes"])?;
    /// assert_eq!(rain.code("yes"), Some(1));
    /// assert!(Variable::new("rain", ["no", "no"]).is_err());
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn new<L: Into<String>>(
        name: impl Into<String>,
        levels: impl IntoIterator<Item = L>,
    ) -> Result<Variable> {
        let name = name.into();
        let levels: Vec<String> = levels.into_iter().map(Into::into).collect();
        if levels.is_empty() {
            return Err(Error::Mismatch {
                what: format!("variable {name:?} has no levels"),
                accepted: "a variable has at least one level".into(),
            });
        }
        if levels.len() > MAX_LEVELS {
            return Err(Error::TooManyLevels {
                column: name,
                limit: MAX_LEVELS,
                numeric: false,
                identifier: false,
            });
        }
        let mut seen = FxHashSet::default();
        if let Some(twice) = levels.iter().find(|l| !seen.insert(l.as_str())) {
            return Err(Error::Mismatch {
                what: format!("variable {name:?} has the level {:?} twice", excerpt(twice)),
                accepted: "the labels of levels must differ".into(),
            });
        }
        Ok(Variable { name, levels })
    }

    /// A variable whose values are numbers.
    ///
    /// ```
    /// use ossature::Variable;
    ///
    /// let wind = Variable::continuous("wind");
    /// assert!(wind.is_continuous() && wind.levels().is_empty());
    /// ```
    pub fn continuous(name: impl Into<String>) -> Variable {
        Variable { name: name.into(), levels: Vec::new() }
    }

    /// Whether it has levels or numbers.
    pub fn kind(&self) -> VariableKind {
        if self.levels.is_empty() { VariableKind::Continuous } else { VariableKind::Discrete }
    }

    /// Whether its values are numbers.
    pub fn is_continuous(&self) -> bool {
        self.kind() == VariableKind::Continuous
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The levels in order; the code of a level is its index here.
    pub fn levels(&self) -> &[String] {
        &self.levels
    }

    /// The number of declared levels; 0 for a continuous variable.
    pub fn cardinality(&self) -> usize {
        self.levels.len()
    }

    /// The code of a level.
    pub fn code(&self, level: &str) -> Option<u16> {
        self.levels.iter().position(|l| l == level).map(|i| i as u16)
    }

    /// The codes of several labels, or `None` for a label that is not a level. Fast for any number of
    /// levels.
    pub(crate) fn codes<'l>(&self, labels: impl IntoIterator<Item = &'l str>) -> Vec<Option<u16>> {
        let codes: FxHashMap<&str, u16> = self.levels.iter().map(String::as_str).zip(0..=u16::MAX).collect();
        labels.into_iter().map(|label| codes.get(label).copied()).collect()
    }

    /// The error for a label that is not a level, with the level that was probably meant.
    pub(crate) fn refuse(&self, label: &str, place: Place) -> Error {
        // A label may be megabytes of text, in which nobody wants to look for a typing mistake.
        let found = excerpt(label);
        Error::UnknownLevel {
            place,
            variable: self.name.clone(),
            nearest: nearest(&found, self.levels.iter().map(String::as_str)),
            found,
            levels: self.levels.clone(),
        }
    }
}

/// The beginning of a field that may be very long, for a message.
pub(super) fn excerpt(field: &str) -> String {
    shortened(field, 60)
}
