//! Text for messages and pages: shortened if long, escaped if harmful.

use std::fmt::Display;

/// The largest number of items that [`listed`] names.
const LISTED: usize = 8;

/// The text itself, or its first `most` characters and an ellipsis: a text in a message may be
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

/// Numbers from here on are shown by their magnitude alone.
const LONG: u128 = 1_000_000_000_000_000;

/// A number with a comma after every three digits; a very long one with two digits and its magnitude.
///
/// ```
/// use ossature::text::thousands;
///
/// assert_eq!([thousands(1_234_567u32), thousands(u128::MAX)], ["1,234,567", "3.4e38"]);
/// ```
pub fn thousands(number: impl Into<u128>) -> String {
    let number = number.into();
    if number >= LONG {
        return format!("{:.1e}", number as f64);
    }
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 row`, `2,000 rows`.
///
/// ```
/// use ossature::text::count;
///
/// assert_eq!([count(0, "row"), count(1, "row"), count(2000, "row")], ["0 rows", "1 row", "2,000 rows"]);
/// ```
pub fn count(number: usize, thing: &str) -> String {
    format!("{} {thing}{}", thousands(number as u64), if number == 1 { "" } else { "s" })
}

/// Items separated by commas, shortened if there are many.
///
/// ```
/// assert_eq!(ossature::text::listed(["a", "b"]), "a, b");
/// assert_eq!(ossature::text::listed(0..11), "0, 1, 2, 3, 4, 5, 6, 7 and 3 more");
/// ```
pub fn listed(items: impl IntoIterator<Item = impl Display>) -> String {
    let mut items = items.into_iter();
    let shown: Vec<String> = items.by_ref().take(LISTED).map(|item| visible(&item.to_string())).collect();
    match items.count() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Text for a terminal: characters that would move the cursor, change colours or the writing direction, or
/// end the line are shown as escapes.
///
/// ```
/// assert_eq!(ossature::text::visible("a\x1b[31m\n"), "a\\u{1b}[31m\\n");
/// assert_eq!(ossature::text::visible("été"), "été");
/// ```
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_harmful(c) { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}

/// Whether a character moves the cursor, changes colours or the writing direction, or ends a line.
///
/// ```
/// use ossature::text::is_harmful;
///
/// assert!(is_harmful('\n') && is_harmful('\u{202e}') && !is_harmful('é'));
/// ```
pub fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

/// The same as [`visible`] for a text of several lines.
pub fn visible_lines(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
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

/// Printable text without special meaning in XML or HTML, in an element or in an attribute.
///
/// ```
/// assert_eq!(ossature::text::escaped("a<b> & \"c\"\n"), "a&lt;b&gt; &amp; &quot;c&quot; ");
/// ```
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    printable(text).chars().for_each(|c| push_escaped(&mut out, c));
    out
}

/// Adds a character, escaped if it has a meaning in XML.
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
    fn names_cannot_steer_a_terminal() {
        assert_eq!(visible("a\r\u{9b}2J\u{202e}"), "a\\r\\u{9b}2J\\u{202e}");
        assert_eq!(visible_lines("a\u{7}\nb\n"), "a\\u{7}\nb\n");
        assert_eq!(listed(["a\nerror: b"]), "a\\nerror: b");
    }

    #[test]
    fn long_numbers_are_easy_to_read() {
        assert_eq!([thousands(7u32), thousands(1000u32)], ["7", "1,000"]);
        assert_eq!(thousands(999_999_999_999_999u64), "999,999,999,999,999");
        assert_eq!(thousands(1_000_000_000_000_000u64), "1.0e15");
        assert_eq!(thousands(1u128 << 127), "1.7e38");
    }

    #[test]
    fn only_what_is_too_long_is_cut() {
        assert_eq!(shortened("", 0), "");
        assert_eq!(shortened("変数の名前", 2), "変数…");
        assert_eq!(listed(Vec::<String>::new()), "");
        assert_eq!(listed(0..8), "0, 1, 2, 3, 4, 5, 6, 7");
    }
}
