//! The labels of a column and their codes, looked up once for every field of a file.
//!
//! Nearly all labels are short. Labels of up to seven bytes are stored as numbers, their bytes with the
//! length on top, so that a field is found by comparing words, without following a pointer to a text.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

/// The length of the longest label stored as a number.
const SHORT: usize = 7;

/// A field of a row: the bytes from `begin` to `end` of a text.
#[derive(Clone, Copy)]
pub(in crate::data) struct Field<'a> {
    pub(in crate::data) text: &'a [u8],
    pub(in crate::data) begin: usize,
    pub(in crate::data) end: usize,
}

impl<'a> Field<'a> {
    /// A field that is a whole text.
    pub(in crate::data) fn of(text: &'a [u8]) -> Field<'a> {
        Field { text, begin: 0, end: text.len() }
    }

    pub(in crate::data) fn bytes(&self) -> &'a [u8] {
        &self.text[self.begin..self.end]
    }
}

/// A key that no label has: its length would be 255.
const NONE: u64 = u64::MAX;

/// Codes by label.
#[derive(Debug, Clone, Default)]
pub(super) struct LabelCodes {
    /// Short labels, each at the first free place at or after that of its hash; at least a quarter is
    /// free.
    short: Vec<(u64, u32)>,
    taken: usize,
    long: FxHashMap<Box<[u8]>, u32>,
}

/// A short label as a number.
fn packed(label: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    bytes[..label.len()].copy_from_slice(label);
    u64::from_le_bytes(bytes) | (label.len() as u64) << 56
}

/// The place of a key in a table whose size is a power of 2.
#[inline]
fn place(key: u64, places: usize) -> usize {
    let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((hash ^ hash >> 32) >> 16) as usize & (places - 1)
}

impl LabelCodes {
    /// The code of a label.
    #[inline(always)]
    pub(super) fn find(&self, field: Field<'_>) -> Option<u32> {
        let Field { text, begin, end } = field;
        let length = end - begin;
        if length > SHORT {
            return self.long.get(field.bytes()).copied();
        }
        // Eight bytes at once, where there are eight, and those behind the label taken away.
        let key = match text.get(begin..begin + 8).and_then(|word| <[u8; 8]>::try_from(word).ok()) {
            Some(word) => u64::from_le_bytes(word) & ((1 << (8 * length)) - 1) | (length as u64) << 56,
            None => packed(field.bytes()),
        };
        self.find_short(key)
    }

    #[inline(always)]
    fn find_short(&self, key: u64) -> Option<u32> {
        let places = self.short.len();
        if places == 0 {
            return None;
        }
        let mut at = place(key, places);
        loop {
            match self.short[at] {
                (found, code) if found == key => return Some(code),
                (NONE, _) => return None,
                _ => at = (at + 1) & (places - 1),
            }
        }
    }

    fn add_short(&mut self, key: u64, code: u32) {
        if 4 * (self.taken + 1) > 3 * self.short.len() {
            let more = vec![(NONE, 0); (2 * self.short.len()).max(4)];
            let old = std::mem::replace(&mut self.short, more);
            self.taken = 0;
            old.into_iter().filter(|&(key, _)| key != NONE).for_each(|(key, code)| self.add_short(key, code));
        }
        let places = self.short.len();
        let mut at = place(key, places);
        while self.short[at].0 != NONE {
            at = (at + 1) & (places - 1);
        }
        self.short[at] = (key, code);
        self.taken += 1;
    }

    /// Gives a label a code, unless it has one.
    pub(super) fn add(&mut self, label: &[u8], code: u32) {
        if label.len() > SHORT {
            self.long.entry(label.into()).or_insert(code);
        } else if self.find_short(packed(label)).is_none() {
            self.add_short(packed(label), code);
        }
    }

    /// All labels with their codes, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Cow<'_, [u8]>, u32)> {
        let unpacked = |key: u64| {
            let bytes = key.to_le_bytes();
            Cow::Owned(bytes[..usize::from(bytes[7])].to_vec())
        };
        let short = self.short.iter().filter(|&&(key, _)| key != NONE);
        let short = short.map(move |&(key, code)| (unpacked(key), code));
        short.chain(self.long.iter().map(|(label, &code)| (Cow::Borrowed(&**label), code)))
    }

    /// Forgets all labels.
    pub(super) fn clear(&mut self) {
        *self = LabelCodes::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_found_wherever_it_stands_and_no_other_is() {
        let words: [&[u8]; 9] =
            [b"", b"\0", b"\0\0", b"a", b"a\0", b"sevenby", b"eightbyt", b"sevenb", b"\xFF"];
        let mut labels = LabelCodes::default();
        (0..).zip(words).for_each(|(code, word)| labels.add(word, code));
        labels.add(b"a", 99);
        for (code, word) in (0..).zip(words) {
            for tail in 0..10 {
                let text = [b"xyz", word, &b"sevenby\0a\xFF"[..tail]].concat();
                assert_eq!(
                    labels.find(Field { text: &text, begin: 3, end: 3 + word.len() }),
                    Some(code),
                    "{word:?}"
                );
            }
        }
        for stranger in [&b"b"[..], b"sevenbx", b"eightbytes", b"a\0\0"] {
            assert_eq!(labels.find(Field::of(stranger)), None);
        }
        let mut many = LabelCodes::default();
        (0..5000).for_each(|code| many.add(code.to_string().as_bytes(), code));
        (0..5000).for_each(|code| many.add(code.to_string().as_bytes(), 7));
        for code in 0..6000_u32 {
            let text = code.to_string().into_bytes();
            assert_eq!(many.find(Field::of(&text)), Some(code).filter(|code| *code < 5000));
        }
        assert_eq!(many.iter().count(), 5000);
        let mut all: Vec<_> = labels.iter().map(|(label, code)| (code, label.into_owned())).collect();
        all.sort();
        assert_eq!(all, (0..).zip(words.map(<[u8]>::to_vec)).collect::<Vec<_>>());
    }
}
