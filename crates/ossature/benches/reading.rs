//! Reading and writing a large CSV file: time, rate and peak memory beside its limit.
//!
//! `cargo bench -p ossature --bench reading [-- --rows N --columns N]` writes a file to the
//! temporary folder, reads it, writes it again to nowhere, and prints one line of CSV per step.
//! Beside the time on the clock stands the processor's, which is the one to compare on a machine that
//! others use too. Both it and the peak memory, that of the whole process, come from `/proc`; where
//! there is none they are `NA`.
//! Without `--bench`, as `cargo test` calls it, the file is small.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write, sink};
use std::path::Path;
use std::time::Instant;

use ossature::data::{ReadOptions, read};
use ossature::random::Sequence;
use ossature::{Dataset, Silent};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    let number = |flag: &str| args.iter().position(|a| a == flag).and_then(|i| args.get(i + 1)?.parse().ok());
    let full = args.iter().any(|a| a == "--bench");
    let rows = number("--rows").unwrap_or(if full { 1_000_000 } else { 1_000 });
    let columns = number("--columns").unwrap_or(100);

    let directory = tempfile::tempdir()?;
    let path = directory.path().join("large.csv");
    write_table(&path, rows, columns)?;
    let text_mb = megabytes(path.metadata()?.len());

    println!(
        "step,rows,columns,text_mb,seconds,cpu_seconds,text_mb_per_s,coded_mb,peak_mb,limit_mb,checksum"
    );
    let begin = Begin::now();
    let data = read(&path, &ReadOptions::default(), &Silent)?.data;
    let (seconds, cpu) = begin.elapsed();
    let coded = megabytes(data.coded_bytes() as u64);
    let peak = peak_mb().map_or("NA".to_owned(), |mb| format!("{mb:.1}"));
    let (rate, limit, checksum) = (text_mb / seconds, 2.0 * coded + 64.0, checksum(&data));
    println!(
        "read,{rows},{columns},{text_mb:.1},{seconds:.2},{cpu},{rate:.0},{coded:.1},{peak},{limit:.1},{checksum}"
    );

    let begin = Begin::now();
    data.write_csv(&mut sink())?;
    let (seconds, cpu) = begin.elapsed();
    let rate = text_mb / seconds;
    println!("write,{rows},{columns},{text_mb:.1},{seconds:.2},{cpu},{rate:.0},{coded:.1},,,");
    Ok(())
}

/// When a step began, on the clock and in the time of the processor.
struct Begin {
    clock: Instant,
    cpu: Option<f64>,
}

impl Begin {
    fn now() -> Begin {
        Begin { clock: Instant::now(), cpu: cpu_seconds() }
    }

    fn elapsed(&self) -> (f64, String) {
        let cpu = self.cpu.and_then(|begin| Some(cpu_seconds()? - begin));
        (self.clock.elapsed().as_secs_f64(), cpu.map_or("NA".to_owned(), |s| format!("{s:.2}")))
    }
}

/// What the process has used of the processor, where the system tells it (in hundredths).
fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / 100.0)
}

/// A table whose columns have 2, 3, 5, 10 or 300 levels, with labels of 1 to 7 bytes.
fn write_table(path: &Path, rows: usize, columns: usize) -> std::io::Result<()> {
    let labels: Vec<Vec<String>> = (0..columns)
        .map(|c| match c % 20 {
            0 => ["HIGH", "LOW"].map(str::to_owned).into(),
            1..=6 => ["no", "yes"].map(str::to_owned).into(),
            7..=13 => ["HIGH", "LOW", "NORMAL"].map(str::to_owned).into(),
            14..=16 => (0..5).map(|k| format!("{k}")).collect(),
            17..=18 => (0..10).map(|k| format!("level {k}")).collect(),
            _ => (0..300).map(|k| format!("{k:x}x")).collect(),
        })
        .collect();
    let mut out = BufWriter::with_capacity(1 << 16, File::create(path)?);
    let names: Vec<String> = (0..columns).map(|c| format!("column_{c}")).collect();
    writeln!(out, "{}", names.join(","))?;
    let mut random = Sequence::new(1);
    for _ in 0..rows {
        for (c, labels) in labels.iter().enumerate() {
            out.write_all(labels[random.below(labels.len())].as_bytes())?;
            out.write_all(if c + 1 == columns { b"\n" } else { b"," })?;
        }
    }
    out.flush()
}

/// A figure that changes with any code: the answer beside the time.
fn checksum(data: &Dataset) -> u64 {
    let codes = data.vars().flat_map(|v| (0..data.rows()).map(move |row| data.column(v).code(row)));
    codes.fold(0, |sum: u64, code| sum.wrapping_mul(31).wrapping_add(u64::from(code) + 1))
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// The largest memory the process has had, where the system tells it.
fn peak_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024.0 / 1e6)
}
