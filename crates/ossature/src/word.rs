//! Words that users choose from, each an enum in the code.

use crate::error::{Error, Result};

/// A choice among a few words. A word becomes a variant once, at the interface.
pub trait Word: Copy + PartialEq + Default + 'static {
    /// What is chosen, for the error about an unknown word.
    const WHAT: &'static str;

    /// Every variant with its word and a line of help.
    const WORDS: &'static [(Self, &'static str, &'static str)];

    /// Other words for some of the variants.
    const ALIASES: &'static [(&'static str, Self)] = &[];

    /// Every variant.
    fn all() -> impl Iterator<Item = Self> {
        Self::WORDS.iter().map(|(variant, ..)| *variant)
    }

    /// The word of this variant.
    fn word(self) -> &'static str {
        let found = Self::WORDS.iter().find(|(variant, ..)| *variant == self);
        found.expect("every variant has a word").1
    }

    /// The variant for a word. Any other word is an error that suggests the nearest one.
    fn of(text: &str) -> Result<Self> {
        let named = Self::WORDS.iter().find(|(_, word, _)| *word == text).map(|(variant, ..)| *variant);
        let alias = || Self::ALIASES.iter().find(|(word, _)| *word == text).map(|(_, variant)| *variant);
        let known = || Self::WORDS.iter().map(|(_, word, _)| *word);
        named.or_else(alias).ok_or_else(|| Error::unknown_name(Self::WHAT, text, known(), None))
    }
}
