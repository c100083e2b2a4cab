//! The lexer for DOT.

use std::borrow::Cow;

use super::super::excerpt;
use crate::error::{Error, Place, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DotToken<'a> {
    Strict,
    Graph,
    Digraph,
    Subgraph,
    Node,
    Edge,
    /// A name or a number as written.
    Name(&'a str),
    /// A text in quotes, without them.
    Quoted(Cow<'a, str>),
    /// A text in angle brackets; it can only be for drawing, so its content is ignored.
    Html,
    Arrow,
    Line,
    Open,
    Close,
    OpenList,
    CloseList,
    Equals,
    Comma,
    Semicolon,
    Colon,
    Plus,
    End,
}

/// The keyword for a name, ignoring case.
pub(super) fn keyword(name: &str) -> Option<DotToken<'static>> {
    let keywords = [
        ("strict", DotToken::Strict),
        ("graph", DotToken::Graph),
        ("digraph", DotToken::Digraph),
        ("subgraph", DotToken::Subgraph),
        ("node", DotToken::Node),
        ("edge", DotToken::Edge),
    ];
    keywords.into_iter().find(|(word, _)| word.eq_ignore_ascii_case(name)).map(|(_, token)| token)
}

pub(super) struct DotLexer<'a> {
    pub(super) text: &'a str,
    pub(super) file: &'a str,
    /// The byte after the last token.
    pub(super) at: usize,
}

impl<'a> DotLexer<'a> {
    pub(super) fn new(text: &'a str, file: &'a str) -> DotLexer<'a> {
        DotLexer { text: text.strip_prefix('\u{feff}').unwrap_or(text), file, at: 0 }
    }

    /// The next token and where it starts.
    pub(super) fn next(&mut self) -> Result<(DotToken<'a>, usize)> {
        self.skip_space_and_comments()?;
        let start = self.at;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok((DotToken::End, start)) };
        let single = |token| (token, 1);
        let (token, length) = match first {
            '{' => single(DotToken::Open),
            '}' => single(DotToken::Close),
            '[' => single(DotToken::OpenList),
            ']' => single(DotToken::CloseList),
            '=' => single(DotToken::Equals),
            ',' => single(DotToken::Comma),
            ';' => single(DotToken::Semicolon),
            ':' => single(DotToken::Colon),
            '+' => single(DotToken::Plus),
            '"' => self.quoted()?,
            '<' => self.html()?,
            _ if rest.starts_with("->") => (DotToken::Arrow, 2),
            _ if rest.starts_with("--") => (DotToken::Line, 2),
            '-' | '.' | '0'..='9' => self.number()?,
            _ if in_name(first) => {
                let length = rest.find(|c| !in_name(c)).unwrap_or(rest.len());
                let name = &rest[..length];
                (keyword(name).unwrap_or(DotToken::Name(name)), length)
            }
            _ => return Err(self.error(start, format!("{first:?}"), "a name; other names need quotes")),
        };
        self.at = start + length;
        Ok((token, start))
    }

    fn skip_space_and_comments(&mut self) -> Result<()> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") || trimmed.starts_with('#') {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if let Some(comment) = trimmed.strip_prefix("/*") {
                let Some(end) = comment.find("*/") else {
                    return Err(self.error(self.at, "a comment without an end", "`*/`"));
                };
                self.at += end + 4;
            } else {
                return Ok(());
            }
        }
    }

    /// A text in quotes, and its length with the quotes.
    fn quoted(&self) -> Result<(DotToken<'a>, usize)> {
        let inside = &self.rest()[1..];
        let (mut text, mut copied, mut from) = (String::new(), 0, 0);
        while let Some(i) = inside[from..].find(['"', '\\']).map(|i| i + from) {
            if inside.as_bytes()[i] == b'"' {
                let whole = DotToken::Quoted(match copied {
                    0 => Cow::Borrowed(&inside[..i]),
                    _ => Cow::Owned(text + &inside[copied..i]),
                });
                return Ok((whole, i + 2));
            }
            let after = &inside[i + 1..];
            let (meant, length) = match after.as_bytes() {
                [b'"', ..] => ("\"", 1),
                [b'\\', ..] => ("\\", 1),
                // A line that ends in a backslash goes on in the next.
                [b'\n', ..] => ("", 1),
                [b'\r', b'\n', ..] => ("", 2),
                _ => ("\\", 0),
            };
            text.push_str(&inside[copied..i]);
            text.push_str(meant);
            from = i + 1 + length;
            copied = from;
        }
        Err(self.error(self.at, "a quoted text without an end", "`\"`"))
    }

    /// A text in angle brackets, which may be nested, and its length with the brackets.
    fn html(&self) -> Result<(DotToken<'a>, usize)> {
        let mut depth = 0usize;
        for (i, b) in self.rest().bytes().enumerate() {
            match b {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                _ => continue,
            }
            if depth == 0 {
                return Ok((DotToken::Html, i + 1));
            }
        }
        Err(self.error(self.at, "a text in HTML without an end", "`>`"))
    }

    /// `-?(.[0-9]+ | [0-9]+(.[0-9]*)?)`
    fn number(&self) -> Result<(DotToken<'a>, usize)> {
        let rest = self.rest();
        let digits = |from: usize| rest[from..].bytes().take_while(u8::is_ascii_digit).count();
        let sign = usize::from(rest.starts_with('-'));
        let whole = digits(sign);
        let mut length = sign + whole;
        let mut fraction = 0;
        if rest[length..].starts_with('.') {
            fraction = digits(length + 1);
            length += 1 + fraction;
        }
        if whole + fraction == 0 || rest[length..].starts_with(in_name) {
            let end = rest.find(|c: char| c.is_whitespace() || ";,]}".contains(c)).unwrap_or(rest.len());
            let found = format!("`{}`", excerpt(&rest[..end]));
            return Err(self.error(self.at, found, "a number; a name that starts like one needs quotes"));
        }
        Ok((DotToken::Name(&rest[..length]), length))
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn error(&self, at: usize, found: impl Into<String>, expected: &str) -> Error {
        Error::syntax(Place::in_text(self.file, self.text, at), found, expected)
    }
}

fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii()
}
