//! Finds where fields end, eight bytes at a time.
//!
//! The bytes of a word are tested in place: adding to the low seven bits sets the eighth bit of exactly those bytes
//! that are large enough, and no sum carries into the next byte.

/// A 1 in every byte of a word.
const EACH: u64 = 0x0101_0101_0101_0101;
const LOW: u64 = 0x7F * EACH;
const HIGH: u64 = 0x80 * EACH;

/// The bytes below this one are control characters, among them NUL and the ends of lines.
const ABOVE_CONTROL: u64 = 0x0E;

/// The places of delimiters and control characters.
pub(super) struct Stops<'a> {
    text: &'a [u8],
    delimiter: u64,
    /// The start of the current word, and the eighth bit of each of its bytes that is a stop.
    begin: usize,
    flags: u64,
}

impl<'a> Stops<'a> {
    pub(super) fn new(text: &'a [u8], delimiter: u8) -> Stops<'a> {
        // No word is at hand: the first question is ahead of it.
        Stops { text, delimiter: u64::from(delimiter) * EACH, begin: usize::MAX, flags: 0 }
    }

    /// The first stop at or after `from`, or the end of the text.
    #[inline(always)]
    pub(super) fn next(&mut self, from: usize) -> usize {
        match from.checked_sub(self.begin) {
            Some(passed @ 0..8) => self.flags &= u64::MAX << (8 * passed),
            _ => self.load(from),
        }
        while self.flags == 0 {
            if self.begin + 8 >= self.text.len() {
                return self.text.len();
            }
            self.load(self.begin + 8);
        }
        self.begin + self.flags.trailing_zeros() as usize / 8
    }

    #[inline]
    fn load(&mut self, begin: usize) {
        self.begin = begin;
        let word = match self.text.get(begin..begin + 8).and_then(|word| <[u8; 8]>::try_from(word).ok()) {
            Some(word) => word,
            None => {
                // What is beyond the end stops nothing.
                let rest = self.text.get(begin..).unwrap_or_default();
                let mut word = [0x80; 8];
                word[..rest.len()].copy_from_slice(rest);
                word
            }
        };
        let word = u64::from_le_bytes(word);
        let other = word ^ self.delimiter;
        let delimiters = !(((other & LOW) + LOW) | other) & HIGH;
        let controls = !(((word & LOW) + (0x80 - ABOVE_CONTROL) * EACH) | word) & HIGH;
        self.flags = delimiters | controls;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_stop_is_found_and_nothing_else(
            text in prop::collection::vec(prop_oneof![Just(b','), 0_u8..16, any::<u8>()], 0..40),
            delimiter in prop_oneof![Just(b','), Just(b'\t'), 1_u8..128],
            from in 0_usize..45,
        ) {
            let is_stop = |b: u8| b == delimiter || b < 0x0E;
            let mut stops = Stops::new(&text, delimiter);
            let mut from = from.min(text.len());
            while from <= text.len() {
                let naive = text[from..].iter().position(|&b| is_stop(b)).map_or(text.len(), |n| from + n);
                prop_assert_eq!(stops.next(from), naive);
                from = naive + 1;
            }
        }
    }
}
