//! The labels of a column and their codes, looked up once for every field of a file.
//!
//! Nearly all labels are short. Those of up to seven bytes are numbers here, their bytes with their length on
//! top, so that a field is found by comparing words, without following a pointer to a text.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

/// The longest label that is a number.
const SHORT: usize = 7;

/// Codes by label.
#[derive(Debug, Clone, Default)]
pub(super) struct LabelCodes {
    short: FxHashMap<u64, u32>,
    long: FxHashMap<Box<[u8]>, u32>,
}

/// A short label as a number.
fn packed(label: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    bytes[..label.len()].copy_from_slice(label);
    u64::from_le_bytes(bytes) | (label.len() as u64) << 56
}

impl LabelCodes {
    /// The code of the label that stands at `begin..end` of a text.
    #[inline]
    pub(super) fn find(&self, text: &[u8], begin: usize, end: usize) -> Option<u32> {
        let length = end - begin;
        if length > SHORT {
            return self.long.get(&text[begin..end]).copied();
        }
        // Eight bytes at once, where there are eight, and those behind the label taken away.
        let key = match text.get(begin..begin + 8).and_then(|word| <[u8; 8]>::try_from(word).ok()) {
            Some(word) => u64::from_le_bytes(word) & ((1 << (8 * length)) - 1) | (length as u64) << 56,
            None => packed(&text[begin..end]),
        };
        self.short.get(&key).copied()
    }

    /// Gives a label a code, unless it has one.
    pub(super) fn add(&mut self, label: &[u8], code: u32) {
        if label.len() > SHORT {
            self.long.entry(label.into()).or_insert(code);
        } else {
            self.short.entry(packed(label)).or_insert(code);
        }
    }

    /// All labels with their codes, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Cow<'_, [u8]>, u32)> {
        let unpacked = |key: u64| {
            let bytes = key.to_le_bytes();
            Cow::Owned(bytes[..usize::from(bytes[7])].to_vec())
        };
        let short = self.short.iter().map(move |(&key, &code)| (unpacked(key), code));
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
                assert_eq!(labels.find(&text, 3, 3 + word.len()), Some(code), "{word:?}");
            }
        }
        for stranger in [&b"b"[..], b"sevenbx", b"eightbytes", b"a\0\0"] {
            assert_eq!(labels.find(stranger, 0, stranger.len()), None);
        }
        let mut all: Vec<_> = labels.iter().map(|(label, code)| (code, label.into_owned())).collect();
        all.sort();
        assert_eq!(all, (0..).zip(words.map(<[u8]>::to_vec)).collect::<Vec<_>>());
    }
}
