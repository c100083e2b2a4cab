//! Texts for messages and pages: cut short where they are long, escaped where they could do harm.

use std::fmt::Display;

/// The most items that [`listed`] names.
const LISTED: usize = 8;

/// The text itself, or its first `most` characters and an ellipsis: what is named in a message may be
/// megabytes long.
///
/// ```
/// use ossature::text::shortened;
///
/// assert_eq!(shortened("été", 3), "été");
/// assert_eq!(shortened("été", 2), "ét…");
/// ```
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A number of things: `1 row`, `2 rows`.
///
/// ```
/// use ossature::text::count;
///
/// assert_eq!([count(0, "row"), count(1, "row")], ["0 rows", "1 row"]);
/// ```
pub fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Items in a row, cut short when there are many.
///
/// ```
/// assert_eq!(ossature::text::listed(["a", "b"]), "a, b");
/// assert_eq!(ossature::text::listed(0..11), "0, 1, 2, 3, 4, 5, 6, 7 and 3 more");
/// ```
pub fn listed(items: impl IntoIterator<Item = impl Display>) -> String {
    let mut items = items.into_iter();
    let shown: Vec<String> = items.by_ref().take(LISTED).map(|item| item.to_string()).collect();
    match items.count() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Text that XML may contain: white space of every kind is a space, and characters that are not allowed
/// are replaced.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' | '\n' | '\r' => ' ',
            '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}' => '\u{FFFD}',
            c => c,
        })
        .collect()
}

/// Printable text in which nothing means anything to XML or HTML, neither in an element nor in an
/// attribute.
///
/// ```
/// assert_eq!(ossature::text::escaped("a<b> & \"c\"\n"), "a&lt;b&gt; &amp; &quot;c&quot; ");
/// ```
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    printable(text).chars().for_each(|c| push_escaped(&mut out, c));
    out
}

/// Adds a character, escaped where it would mean something to XML.
pub(crate) fn push_escaped(out: &mut String, c: char) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        c => out.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_a_document() {
        assert_eq!(escaped("a<b> & \"c\"\u{0}\n"), "a&lt;b&gt; &amp; &quot;c&quot;\u{FFFD} ");
        assert_eq!(printable("a\tb\u{FFFF}"), "a b\u{FFFD}");
    }

    #[test]
    fn only_what_is_too_long_is_cut() {
        assert_eq!(shortened("", 0), "");
        assert_eq!(shortened("変数の名前", 2), "変数…");
        assert_eq!(listed(Vec::<String>::new()), "");
        assert_eq!(listed(0..8), "0, 1, 2, 3, 4, 5, 6, 7");
    }
}
