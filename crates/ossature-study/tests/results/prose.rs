//! Figures inside sentences. Each sentence is given as it stands, with `{}` where its figures are, and with what the
//! rows say; every other number in the text must be one that is not measured.

use std::ops::Range;

/// A piece of a sentence with its figures, in order.
pub(crate) struct Sentence {
    text: &'static str,
    figures: Vec<String>,
}

/// A sentence and its figures.
pub(crate) fn sentence(text: &'static str, figures: impl IntoIterator<Item = String>) -> Sentence {
    Sentence { text, figures: figures.into_iter().collect() }
}

/// No figure is longer than this.
const LONGEST: usize = 12;

/// The text with the figures of these sentences.
///
/// # Panics
/// If a sentence is not in the text exactly once, or if a number is in no sentence and not among those given.
pub(crate) fn filled(text: &str, sentences: &[Sentence], given: &[&str]) -> String {
    // Lines are broken anywhere; a blank stands for both, and every byte keeps its place.
    let flat = text.replace('\n', " ");
    let mut changes: Vec<(Range<usize>, &str)> = Vec::new();
    let mut known: Vec<Range<usize>> = Vec::new();
    for Sentence { text: sentence, figures } in sentences {
        let mut found: Vec<Vec<Range<usize>>> = places(&flat, sentence);
        assert_eq!(found.len(), 1, "the results should have once: {sentence}");
        let slots = found.remove(0);
        assert_eq!(slots.len(), figures.len(), "the figures of: {sentence}");
        known.extend(slots.iter().cloned());
        changes.extend(slots.into_iter().zip(figures.iter().map(String::as_str)));
    }
    for phrase in given {
        let at: Vec<usize> = flat.match_indices(phrase).map(|(at, _)| at).collect();
        assert!(!at.is_empty(), "no sentence has the given number any more: {phrase}");
        known.extend(at.into_iter().map(|at| at..at + phrase.len()));
    }
    let unknown: Vec<&str> = numbers(text)
        .into_iter()
        .filter(|number| !known.iter().any(|range| range.start <= number.start && number.end <= range.end))
        .map(|number| &flat[floor(&flat, number.start.saturating_sub(40))..number.end])
        .collect();
    assert!(unknown.is_empty(), "figures without a source: {unknown:#?}");
    changes.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut out = text.to_owned();
    for (range, figure) in changes {
        out.replace_range(range, figure);
    }
    out
}

/// The figures of each place where a sentence stands, whatever they are.
fn places(text: &str, sentence: &str) -> Vec<Vec<Range<usize>>> {
    let pieces: Vec<&str> = sentence.split("{}").collect();
    let starts = text.match_indices(pieces[0]).map(|(at, first)| at + first.len());
    starts
        .filter_map(|mut from| {
            let mut slots = Vec::new();
            for piece in &pieces[1..] {
                let within = &text[from..floor(text, from + LONGEST + piece.len())];
                let to = from + within.find(piece)?;
                slots.push(from..to);
                from = to + piece.len();
            }
            Some(slots)
        })
        .collect()
}

/// The end of the last whole character up to here.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Where numbers are, outside generated parts, tables, code, links and names.
fn numbers(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut start, mut fenced, mut generated) = (0, false, false);
    for line in text.split_inclusive('\n') {
        fenced ^= line.starts_with("```");
        generated = !line.starts_with("<!-- end") && (generated || line.starts_with("<!-- generated"));
        if !fenced && !generated && !line.starts_with(['|', '#', '<']) {
            found.extend(in_line(line).into_iter().map(|range| start + range.start..start + range.end));
        }
        start += line.len();
    }
    found
}

fn in_line(line: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let (mut code, mut link) = (false, 0_usize);
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match c {
            '`' => code = !code,
            '[' => link += 1,
            '(' if before == ']' => link += 1,
            ']' | ')' => link = link.saturating_sub(1),
            _ => {}
        }
        if c.is_ascii_digit() && !code && link == 0 {
            match found.last_mut() {
                Some(last) if last.end == at => last.end = at + 1,
                Some(last) if before == '.' && last.end + 1 == at => last.end = at + 1,
                // A digit inside a word is part of a name.
                _ if !before.is_alphanumeric() => found.push(at..at + 1),
                _ => {}
            }
        }
        before = c;
    }
    found
}

#[test]
fn stale_figures_are_written_again_and_others_are_noticed() {
    let text = "Recall is\n0.3 at 50 rows, and 2 of H2PC's 9 edges.\n| 7 | 8 |\n";
    let sentences = || [sentence("Recall is {} at 50 rows, and {} of", ["0.412".into(), "3".into()])];
    let fresh = "Recall is\n0.412 at 50 rows, and 3 of H2PC's 9 edges.\n| 7 | 8 |\n";
    assert_eq!(filled(text, &sentences(), &["at 50 rows", "9 edges"]), fresh);
    let unnoticed = std::panic::catch_unwind(|| filled(text, &sentences(), &["at 50 rows"]));
    assert!(unnoticed.is_err(), "9 has no source");
    let gone = std::panic::catch_unwind(|| filled("Recall fell.", &sentences(), &[]));
    assert!(gone.is_err(), "the sentence is no longer there");
}
