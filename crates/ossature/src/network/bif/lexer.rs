//! The lexer: from text to words and marks.

use std::borrow::Cow;

use super::BifText;
use crate::error::{Error, Result};

/// A word or a mark, and the byte at which it starts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BifToken<'a> {
    pub(super) kind: TokenKind<'a>,
    pub(super) at: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum TokenKind<'a> {
    /// A keyword, a number or a name.
    Bare(&'a str),
    /// The text between double quotes.
    Quoted(Cow<'a, str>),
    /// One of `{ } ( ) [ ] ; |`.
    Mark(u8),
    /// The end of the file.
    End,
}

pub(super) struct BifLexer<'a> {
    source: BifText<'a>,
    at: usize,
}

impl<'a> BifLexer<'a> {
    pub(super) fn new(source: BifText<'a>) -> BifLexer<'a> {
        let at = if source.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        BifLexer { source, at }
    }

    /// The next word or mark; at the end of the file, always `End`.
    pub(super) fn next(&mut self) -> Result<BifToken<'a>> {
        self.skip_blank()?;
        let at = self.at;
        let kind = match self.rest().first() {
            None => TokenKind::End,
            Some(b'"') => TokenKind::Quoted(self.quoted()?),
            Some(&mark) if is_mark(mark) => {
                self.at += 1;
                TokenKind::Mark(mark)
            }
            Some(_) => TokenKind::Bare(self.bare()),
        };
        Ok(BifToken { kind, at })
    }

    /// Skips the rest of a property including its `;`; returns the text before the `;`.
    ///
    /// The text is free. A `;` between two quotes on the same line belongs to it.
    pub(super) fn skip_property(&mut self) -> Result<&'a str> {
        let start = self.at;
        loop {
            match self.rest().iter().position(|&b| matches!(b, b';' | b'"')) {
                None => return Err(self.unfinished(start, "property", "`;`")),
                Some(n) if self.rest()[n] == b';' => {
                    self.at += n + 1;
                    return Ok(&self.source.text[start..self.at - 1]);
                }
                Some(n) => {
                    self.at += n + 1;
                    let next = self.rest().iter().position(|&b| matches!(b, b'"' | b'\n'));
                    if let Some(closing) = next.filter(|&i| self.rest()[i] == b'"') {
                        self.at += closing + 1;
                    }
                }
            }
        }
    }

    fn rest(&self) -> &'a [u8] {
        &self.source.text.as_bytes()[self.at..]
    }

    fn skip_blank(&mut self) -> Result<()> {
        loop {
            match self.rest() {
                [b, ..] if is_blank(*b) => self.at += 1,
                [b'/', b'/', ..] => {
                    self.at += self.rest().iter().take_while(|&&b| b != b'\n').count();
                }
                [b'/', b'*', ..] => {
                    let start = self.at;
                    match self.source.text[start + 2..].find("*/") {
                        Some(n) => self.at += n + 4,
                        None => return Err(self.unfinished(start, "comment", "`*/`")),
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// A word without quotes, which ends at a blank, a mark, a quote or a comment.
    fn bare(&mut self) -> &'a str {
        let rest = self.rest();
        let ends = |i: usize| match rest[i] {
            b'/' => matches!(rest.get(i + 1), Some(b'/' | b'*')),
            b => ENDS_WORD[usize::from(b)],
        };
        let len = (0..rest.len()).find(|&i| ends(i)).unwrap_or(rest.len());
        let word = &self.source.text[self.at..self.at + len];
        self.at += len;
        word
    }

    /// The text between quotes, in which a doubled quote means one.
    fn quoted(&mut self) -> Result<Cow<'a, str>> {
        let start = self.at;
        let text = &self.source.text[start + 1..];
        let mut len = 0;
        loop {
            match text[len..].find('"') {
                None => return Err(self.unfinished(start, "quoted name", "a closing `\"`")),
                Some(n) if text[len + n + 1..].starts_with('"') => len += n + 2,
                Some(n) => {
                    len += n;
                    break;
                }
            }
        }
        self.at = start + 1 + len + 1;
        let raw = &text[..len];
        Ok(if raw.contains('"') { Cow::Owned(raw.replace("\"\"", "\"")) } else { Cow::Borrowed(raw) })
    }

    fn unfinished(&self, start: usize, what: &str, expected: &str) -> Error {
        let line = self.source.place(start).line.unwrap_or_default();
        Error::syntax(
            self.source.place(self.source.text.len()),
            "the end of the file",
            format!("{expected} after the {what} that starts in line {line}"),
        )
    }
}

fn is_blank(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | b',')
}

fn is_mark(b: u8) -> bool {
    matches!(b, b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'|')
}

/// The bytes that end a bare word, except a comment, which begins with two bytes.
static ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let bytes = b" \t\n\r\x0b\x0c,{}()[];|\"";
    let mut i = 0;
    while i < bytes.len() {
        ends[bytes[i] as usize] = true;
        i += 1;
    }
    ends
};

/// Whether the lexer reads an unquoted name as one word.
pub(super) fn stands_bare(name: &str) -> bool {
    !name.is_empty()
        && !name.bytes().any(|b| ENDS_WORD[usize::from(b)])
        && !name.contains("//")
        && !name.contains("/*")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut lexer = BifLexer::new(BifText { text, file: "x.bif" });
        std::iter::from_fn(|| match lexer.next().unwrap().kind {
            TokenKind::Bare(w) => Some(w.to_owned()),
            TokenKind::Quoted(w) => Some(format!("<{w}>")),
            TokenKind::Mark(b) => Some(char::from(b).to_string()),
            TokenKind::End => None,
        })
        .collect()
    }

    #[test]
    fn words_marks_comments_and_quotes() {
        assert_eq!(
            words("\u{feff}a-b/c,<5 //x\n+1.5e-3/**/{\"d, e\"|\"\"\"f\"\"\"}\"\";é"),
            ["a-b/c", "<5", "+1.5e-3", "{", "<d, e>", "|", "<\"f\">", "}", "<>", ";", "é"]
        );
        assert_eq!(words("a//b\nc/*d*/e/f"), ["a", "c", "e/f"]);
    }

    #[test]
    fn what_is_left_open_is_an_error_at_the_end() {
        for (text, what) in [("a\n \"b", "quoted name"), ("a\n/* b", "comment")] {
            let mut lexer = BifLexer::new(BifText { text, file: "x.bif" });
            lexer.next().unwrap();
            let message = lexer.next().unwrap_err().to_string();
            assert!(message.starts_with("x.bif, line 2, column "), "{message}");
            assert!(message.contains(what) && message.ends_with("line 2"), "{message}");
        }
    }

    #[test]
    fn a_property_ends_at_its_semicolon() {
        for text in [" a = (1, 2) // b ; c", " \"a ; b\" = {;c", " it's 5\" long\n;c", ";c"] {
            let mut lexer = BifLexer::new(BifText { text, file: "x.bif" });
            lexer.skip_property().unwrap();
            assert_eq!(lexer.next().unwrap().kind, TokenKind::Bare("c"), "{text:?}");
        }
        assert!(BifLexer::new(BifText { text: " a", file: "x.bif" }).skip_property().is_err());
    }
}
