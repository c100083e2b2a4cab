//! A column as seen by others while their cuts are chosen.

use std::borrow::Cow;

use super::{Cells, Coder, MISSING};
use crate::data::Method;
use crate::data::joint::{Beside, BesideValues, MISSING as MISSING_BESIDE};

impl Coder {
    /// Whether it is cut by looking at other columns.
    pub(in crate::data) fn looks_at_others(&self) -> bool {
        self.method.as_ref().is_some_and(Method::looks_at_others)
            && (self.is_numbers() || self.is_to_be_cut())
    }

    /// Its form while cuts are chosen by looking at other columns.
    pub(in crate::data) fn beside(&self) -> Beside {
        let cut = self.is_numbers() || self.is_to_be_cut();
        let values = match &self.method {
            Some(method) if cut => BesideValues::Numbers(self.numbers(), method.clone()),
            None if cut => BesideValues::Continuous,
            _ => BesideValues::Codes(self.ranks()),
        };
        Beside { name: self.name.clone(), values }
    }

    /// For each row the rank of its label in bytewise order.
    fn ranks(&self) -> Vec<u32> {
        let mut labels: Vec<(Cow<'_, [u8]>, u32)> =
            self.codes.iter().filter(|(_, code)| *code != MISSING).collect();
        labels.sort_unstable();
        let mut ranks = vec![MISSING_BESIDE; self.levels];
        (0..).zip(labels).for_each(|(rank, (_, code))| ranks[code as usize] = rank);
        match &self.cells {
            Cells::Narrow(codes) => codes.iter().map(|&c| ranks[usize::from(c)]).collect(),
            Cells::Wide(codes) => codes.iter().map(|&c| ranks[usize::from(c)]).collect(),
            Cells::Numbers(_) => Vec::new(),
        }
    }
}
