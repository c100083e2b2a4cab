//! Tables as delimited text.

use std::io::{self, Write};

use super::{Column, Dataset, Var, Variable};

/// The number of bytes buffered before they are written.
const BLOCK: usize = 1 << 16;

impl Dataset {
    /// Writes the table as CSV: the names of the variables, then a line for each row.
    ///
    /// The columns are in the canonical order. Names and labels are quoted if necessary; a missing value is an
    /// empty field. The text reads back as the same table if the same levels are declared; a label such as `NA`
    /// is written as is, and would be read as a missing value if it were not declared. A NUL, which the reader
    /// refuses, is written like any other character.
    ///
    /// ```
    /// use ossature::{Column, Dataset, Variable};
    ///
    /// let wet = Variable::new("wet", ["no, never", "yes"])?;
    /// let data = Dataset::new(vec![(wet, Column::from_codes([1, 0], 2))])?;
    /// let mut text = Vec::new();
    /// data.write_csv(&mut text).unwrap();
    /// assert_eq!(text, b"wet\nyes\n\"no, never\"\n");
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_delimited(b',', out)
    }

    /// Writes the table with tabs between the fields, otherwise as [`write_csv`](Dataset::write_csv).
    pub fn write_tsv(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_delimited(b'\t', out)
    }

    /// Writes the table with this byte between the fields: the names of the columns, then the rows.
    pub fn write_delimited(&self, delimiter: u8, out: &mut dyn Write) -> io::Result<()> {
        self.write_names(delimiter, out)?;
        self.write_rows(delimiter, out)
    }

    /// Writes the line of names alone.
    pub fn write_names(&self, delimiter: u8, out: &mut dyn Write) -> io::Result<()> {
        let mut text = Vec::new();
        for (i, variable) in self.variables().iter().enumerate() {
            quote(variable.name(), delimiter, &mut text);
            text.push(self.after(i, delimiter));
        }
        out.write_all(&text)
    }

    /// Writes the rows alone, for several tables with the same columns in one file.
    pub fn write_rows(&self, delimiter: u8, out: &mut dyn Write) -> io::Result<()> {
        let mut text = Vec::with_capacity(2 * BLOCK);
        let labels = |v: Var| Labels::new(self.variable(v), delimiter, self.after(v.index(), delimiter));
        let columns: Vec<(&Column, Labels)> = self.vars().map(|v| (self.column(v), labels(v))).collect();
        for row in 0..self.rows() {
            for (column, labels) in &columns {
                match column {
                    Column::Real(numbers) if !numbers[row].is_nan() => {
                        // The shortest text that is read back as the same number.
                        write!(text, "{}", numbers[row])?;
                        text.push(labels.after);
                    }
                    Column::Real(_) => text.extend_from_slice(labels.get(0)),
                    codes => text.extend_from_slice(labels.get(codes.code(row))),
                }
            }
            if text.len() >= BLOCK {
                out.write_all(&text)?;
                text.clear();
            }
        }
        out.write_all(&text)
    }

    fn after(&self, column: usize, delimiter: u8) -> u8 {
        if column + 1 == self.variables().len() { b'\n' } else { delimiter }
    }
}

/// The labels of a variable as written, with the delimiter or line end that follows; made once, so
/// that writing a cell is one copy.
struct Labels {
    text: Vec<u8>,
    ends: Vec<usize>,
    after: u8,
}

impl Labels {
    fn new(variable: &Variable, delimiter: u8, after: u8) -> Labels {
        let mut labels = Labels { text: Vec::new(), ends: vec![0], after };
        // A missing value is an empty field.
        for level in variable.levels().iter().map(String::as_str).chain([""]) {
            quote(level, delimiter, &mut labels.text);
            labels.text.push(after);
            labels.ends.push(labels.text.len());
        }
        labels
    }

    fn get(&self, code: u16) -> &[u8] {
        let code = usize::from(code);
        &self.text[self.ends[code]..self.ends[code + 1]]
    }
}

/// Appends a field, quoted if it could be misread otherwise: a reader would skip an empty line, or
/// a byte order mark at the beginning of a file.
pub(crate) fn quote(field: &str, delimiter: u8, text: &mut Vec<u8>) {
    let special = |b: u8| b == delimiter || matches!(b, b'"' | b'\r' | b'\n');
    if !field.is_empty() && !field.starts_with('\u{FEFF}') && !field.bytes().any(special) {
        text.extend_from_slice(field.as_bytes());
        return;
    }
    text.push(b'"');
    for byte in field.bytes() {
        if byte == b'"' {
            text.push(b'"');
        }
        text.push(byte);
    }
    text.push(b'"');
}
