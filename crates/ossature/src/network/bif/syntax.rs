//! The parser: from words to blocks, before the names are resolved.

use std::borrow::Cow;
use std::ops::Range;

use super::lexer::{BifLexer, BifToken, TokenKind};
use super::{BifText, safe};
use crate::error::{Error, Result};
use crate::text::shortened;

/// How far above 1 a probability may be, if another program computed it as a sum.
const ROUNDING: f64 = 1e-9;

/// The blocks of a file in its own order.
pub(super) struct Blocks<'a> {
    pub(super) variables: Vec<Declaration<'a>>,
    pub(super) probabilities: Vec<Block<'a>>,
}

/// A name and the byte at which it starts.
pub(super) struct Name<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) at: usize,
}

/// `variable NAME { type discrete [ N ] { STATES }; }`
pub(super) struct Declaration<'a> {
    pub(super) name: Name<'a>,
    pub(super) states: Vec<Name<'a>>,
    /// The original names of the variable and its states, if the file keeps them.
    pub(super) originals: Option<Vec<String>>,
}

/// `probability ( CHILD | PARENTS ) { ENTRIES }`
pub(super) struct Block<'a> {
    pub(super) child: Name<'a>,
    pub(super) parents: Vec<Name<'a>>,
    pub(super) entries: Vec<Entry>,
    /// The labels of all rows and the numbers of all entries; an entry knows which are its own.
    labels: Vec<Name<'a>>,
    numbers: Vec<f64>,
}

/// A line of a block and the byte at which it starts.
pub(super) struct Entry {
    pub(super) at: usize,
    pub(super) kind: EntryKind,
    labels: Range<usize>,
    numbers: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    /// `table NUMBERS;`
    Table,
    /// `default NUMBERS;`
    Default,
    /// `(LABELS) NUMBERS;`
    Row,
}

impl<'a> Block<'a> {
    /// Renames variables, and the labels of a parent's levels, if there are other names.
    pub(super) fn rename(
        &mut self,
        variable: impl Fn(&str) -> Option<String>,
        level: impl Fn(&str, &str) -> Option<String>,
    ) {
        for entry in &self.entries {
            for (label, parent) in self.labels[entry.labels.clone()].iter_mut().zip(&self.parents) {
                if let Some(other) = level(&parent.text, &label.text) {
                    label.text = Cow::Owned(other);
                }
            }
        }
        for name in self.parents.iter_mut().chain([&mut self.child]) {
            if let Some(other) = variable(&name.text) {
                name.text = Cow::Owned(other);
            }
        }
    }

    /// The levels of the parents that an entry is for.
    pub(super) fn labels(&self, entry: &Entry) -> &[Name<'a>] {
        &self.labels[entry.labels.clone()]
    }

    /// The probabilities of an entry, each between 0 and 1.
    pub(super) fn numbers(&self, entry: &Entry) -> &[f64] {
        &self.numbers[entry.numbers.clone()]
    }
}

pub(super) fn parse(source: BifText<'_>) -> Result<Blocks<'_>> {
    let mut lexer = BifLexer::new(source);
    let token = lexer.next()?;
    BifParser { source, lexer, token }.blocks()
}

/// The parser, with one token of lookahead.
struct BifParser<'a> {
    source: BifText<'a>,
    lexer: BifLexer<'a>,
    token: BifToken<'a>,
}

impl<'a> BifParser<'a> {
    fn blocks(mut self) -> Result<Blocks<'a>> {
        let mut blocks = Blocks { variables: Vec::new(), probabilities: Vec::new() };
        loop {
            match self.token.kind {
                TokenKind::Bare("network") => self.header()?,
                TokenKind::Bare("variable") => blocks.variables.push(self.declaration()?),
                TokenKind::Bare("probability") => blocks.probabilities.push(self.block()?),
                TokenKind::Bare("property") => self.skip_property()?,
                TokenKind::End if !blocks.variables.is_empty() => return Ok(blocks),
                _ => return Err(self.unexpected("`network`, `variable` or `probability`")),
            }
        }
    }

    fn header(&mut self) -> Result<()> {
        self.advance()?;
        self.names()?;
        self.expect(b'{')?;
        while self.is_keyword("property") {
            self.skip_property()?;
        }
        self.expect(b'}')
    }

    fn declaration(&mut self) -> Result<Declaration<'a>> {
        self.advance()?;
        let name = self.name("the name of a variable")?;
        let (mut states, mut originals) = (None, None);
        self.expect(b'{')?;
        loop {
            if self.is_keyword("property") {
                let property = self.lexer.skip_property()?;
                originals = safe::originals(property).or(originals);
                self.advance()?;
            } else if self.is_keyword("type") && states.is_none() {
                states = Some(self.states()?);
            } else {
                break;
            }
        }
        match states {
            None => Err(self.unexpected("`type discrete [ N ] { … };`")),
            Some(states) => {
                self.expect(b'}')?;
                Ok(Declaration { name, states, originals })
            }
        }
    }

    fn states(&mut self) -> Result<Vec<Name<'a>>> {
        self.advance()?;
        if !self.is_keyword("discrete") {
            return Err(self.unexpected("`discrete`, the only supported type"));
        }
        self.advance()?;
        self.expect(b'[')?;
        let TokenKind::Bare(count) = self.token.kind else {
            return Err(self.unexpected("the number of states"));
        };
        let at = self.token.at;
        self.advance()?;
        self.expect(b']')?;
        self.expect(b'{')?;
        let states = self.names()?;
        self.expect(b'}')?;
        self.skip_semicolon()?;
        if count.parse() == Ok(states.len()) {
            Ok(states)
        } else {
            Err(Error::syntax(
                self.source.place(at),
                format!("the number of states {}", shown(count)),
                format!("{}, the number of listed states", states.len()),
            ))
        }
    }

    fn block(&mut self) -> Result<Block<'a>> {
        self.advance()?;
        self.expect(b'(')?;
        let child = self.name("the name of a variable")?;
        if self.token.kind == TokenKind::Mark(b'|') {
            self.advance()?;
        }
        let parents = self.names()?;
        self.expect(b')')?;
        self.expect(b'{')?;
        let mut block =
            Block { child, parents, entries: Vec::new(), labels: Vec::new(), numbers: Vec::new() };
        loop {
            match self.token.kind {
                TokenKind::Bare("property") => self.skip_property()?,
                TokenKind::Bare("table") => self.entry(EntryKind::Table, &mut block)?,
                TokenKind::Bare("default") => self.entry(EntryKind::Default, &mut block)?,
                TokenKind::Mark(b'(') => self.entry(EntryKind::Row, &mut block)?,
                TokenKind::Mark(b'}') => {
                    self.advance()?;
                    return Ok(block);
                }
                _ => return Err(self.unexpected("`(`, `table`, `default`, `property` or `}`")),
            }
        }
    }

    fn entry(&mut self, kind: EntryKind, block: &mut Block<'a>) -> Result<()> {
        let at = self.token.at;
        let (first_label, first_number) = (block.labels.len(), block.numbers.len());
        self.advance()?;
        if kind == EntryKind::Row {
            while let Some(label) = self.take_name()? {
                block.labels.push(label);
            }
            self.expect(b')')?;
        }
        while let TokenKind::Bare(word) = self.token.kind {
            block.numbers.push(self.probability(word)?);
            self.advance()?;
        }
        if self.token.kind != TokenKind::Mark(b';') {
            return Err(self.unexpected("a probability or `;`"));
        }
        self.advance()?;
        let labels = first_label..block.labels.len();
        block.entries.push(Entry { at, kind, labels, numbers: first_number..block.numbers.len() });
        Ok(())
    }

    fn probability(&self, word: &str) -> Result<f64> {
        match word.parse::<f64>() {
            // Adding 0 turns -0 into 0.
            Ok(p) if (0.0..=1.0 + ROUNDING).contains(&p) => Ok(p + 0.0),
            _ => Err(self.unexpected("a probability, which is a number from 0 to 1")),
        }
    }

    /// All names up to the next other token.
    fn names(&mut self) -> Result<Vec<Name<'a>>> {
        let mut names = Vec::new();
        while let Some(name) = self.take_name()? {
            names.push(name);
        }
        Ok(names)
    }

    fn name(&mut self, expected: &str) -> Result<Name<'a>> {
        self.take_name()?.ok_or_else(|| self.unexpected(expected))
    }

    fn take_name(&mut self) -> Result<Option<Name<'a>>> {
        let at = self.token.at;
        let text = match &mut self.token.kind {
            TokenKind::Bare(word) => Cow::Borrowed(*word),
            TokenKind::Quoted(text) => std::mem::take(text),
            TokenKind::Mark(_) | TokenKind::End => return Ok(None),
        };
        self.advance()?;
        Ok(Some(Name { text, at }))
    }

    fn is_keyword(&self, word: &str) -> bool {
        self.token.kind == TokenKind::Bare(word)
    }

    fn skip_property(&mut self) -> Result<()> {
        self.lexer.skip_property()?;
        self.advance()
    }

    fn skip_semicolon(&mut self) -> Result<()> {
        if self.token.kind == TokenKind::Mark(b';') { self.advance() } else { Ok(()) }
    }

    fn expect(&mut self, mark: u8) -> Result<()> {
        if self.token.kind == TokenKind::Mark(mark) {
            self.advance()
        } else {
            Err(self.unexpected(&format!("`{}`", char::from(mark))))
        }
    }

    fn advance(&mut self) -> Result<()> {
        self.token = self.lexer.next()?;
        Ok(())
    }

    fn unexpected(&self, expected: &str) -> Error {
        let found = match &self.token.kind {
            TokenKind::Bare(word) => shown(word),
            TokenKind::Quoted(text) => format!("the quoted name {}", shown(text)),
            TokenKind::Mark(mark) => format!("`{}`", char::from(*mark)),
            TokenKind::End => "the end of the file".into(),
        };
        Error::syntax(self.source.place(self.token.at), found, expected)
    }
}

/// A word as shown in a message: between ticks, and shortened if it is very long.
pub(super) fn shown(word: &str) -> String {
    format!("`{}`", shortened(word, 40))
}
