//! Text that is safe inside HTML, SVG, CSV and links.

use std::fmt::Write;

pub(crate) use ossature::text::{count, escaped};

/// A text file as a data link, with its type from its name.
pub(crate) fn data_link(name: &str, text: &str) -> String {
    let kind = if name.ends_with(".csv") { "csv" } else { "plain" };
    let mut out = format!("data:text/{kind};charset=utf-8,");
    for c in text.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | ',' | '.' | '-' | '_' | ':' | '(' | ')' | '/' => out.push(c),
            other => {
                let mut bytes = [0; 4];
                for byte in other.encode_utf8(&mut bytes).bytes() {
                    out.push_str(&format!("%{byte:02X}"));
                }
            }
        }
    }
    out
}

/// A file of CSV from its cells.
pub(crate) fn csv(rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut out = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for row in rows {
        out.write_record(row).expect("a list of bytes takes all text");
    }
    String::from_utf8(out.into_inner().expect("a list of bytes takes all text")).expect("texts are UTF-8")
}

/// A number in full, or an empty text.
pub(crate) fn full(x: Option<f64>) -> String {
    x.map_or_else(String::new, |x| x.to_string())
}

/// Adds formatted text.
pub(crate) fn push(out: &mut String, args: std::fmt::Arguments<'_>) {
    out.write_fmt(args).expect("a string takes all text");
}

/// A list of names: `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_the_page() {
        assert_eq!(data_link("a.csv", "a,b\n\"é\"#"), "data:text/csv;charset=utf-8,a,b%0A%22%C3%A9%22%23");
        assert_eq!(csv([vec!["a,b".into(), "c".into()]]), "\"a,b\",c\n");
    }

    #[test]
    fn lists_read_like_speech() {
        let names = ["a", "b", "c"].map(String::from);
        assert_eq!(
            [listed(&names), listed(&names[..2]), listed(&names[..1])],
            ["a, b and c", "a and b", "a"]
        );
    }
}
