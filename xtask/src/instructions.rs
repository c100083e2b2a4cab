//! The instructions that H2PC takes on a fixed table, counted by callgrind: they may not rise unnoticed.
//!
//! Times depend on the machine and its load; instructions repeat to a few parts in a million. They do depend on the
//! compiler, on the vector instructions that the program finds and on whether it was built incrementally (in smaller
//! pieces): the record is of one compiler, of AVX2 and of an incremental build, and with others nothing is compared. The program is the one that the tests have built, with little optimisation.

use std::fs;
use std::process::{Command, Stdio};

use super::{Outcome, build, built, root};

/// Where the number is recorded: instructions, then the compiler.
const RECORD: &str = "bench/instructions/h2pc-alarm.txt";

/// The run that is counted.
const RUN: [&str; 9] = ["learn", "alarm", "--rows", "2000", "--seed", "1", "--threads", "1", "--quiet"];

/// The largest rise that passes, in percent.
const MOST: u64 = 3;

pub(super) fn of_h2pc() -> Outcome {
    if !cfg!(target_os = "linux") || !has_avx2() {
        eprintln!("nothing to compare: the record is of Linux and a processor with AVX2");
        return Outcome::Passed;
    }
    if std::env::var_os("CARGO_INCREMENTAL").is_some_and(|value| value == "0") {
        eprintln!("nothing to compare: the record is of an incremental build, and CARGO_INCREMENTAL is 0");
        return Outcome::Passed;
    }
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        return Outcome::Skipped("there is no valgrind".into());
    }
    let compiler = match Command::new("rustc").arg("--version").current_dir(root()).output() {
        Ok(output) => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        Err(e) => return Outcome::Failed(format!("cannot run rustc: {e}")),
    };
    if let failed @ Outcome::Failed(_) = build(&["--bins"]) {
        return failed;
    }
    let counted = match count() {
        Ok(counted) => counted,
        Err(why) => return Outcome::Failed(why),
    };
    let path = root().join(RECORD);
    if std::env::var_os("OSSATURE_BLESS").is_some() {
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        return match folder.and_then(|()| fs::write(&path, format!("{counted}\n{compiler}\n"))) {
            Ok(()) => Outcome::Passed,
            Err(e) => Outcome::Failed(format!("{RECORD}: {e}")),
        };
    }
    let record = fs::read_to_string(&path).unwrap_or_default();
    let mut lines = record.lines();
    let Some(recorded) = lines.next().and_then(|line| line.parse::<u64>().ok()) else {
        return Outcome::Failed(format!("{RECORD} has no number"));
    };
    if lines.next() != Some(&compiler) {
        eprintln!("nothing to compare: the record is of another compiler than {compiler}");
        return Outcome::Passed;
    }
    judge(counted, recorded)
}

/// Compares the instructions with the recorded ones.
fn judge(counted: u64, recorded: u64) -> Outcome {
    let change = 100.0 * (counted as f64 / recorded as f64 - 1.0);
    eprintln!("{counted} instructions, {change:+.2} % of the {recorded} recorded");
    if counted.saturating_mul(100) <= recorded.saturating_mul(100 + MOST) {
        return Outcome::Passed;
    }
    Outcome::Failed(format!(
        "`ossature {}` takes {counted} instructions, {change:.1} % more than the {recorded} in {RECORD}; find out \
         why, or record them with OSSATURE_BLESS=1 and give the reason",
        RUN.join(" ")
    ))
}

/// The instructions of the run.
fn count() -> Result<u64, String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(built("ossature"))
        .args(RUN)
        .current_dir(root())
        .output()
        .map_err(|e| format!("cannot run valgrind: {e}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("valgrind: {}\n{said}", output.status));
    }
    collected(&said).ok_or_else(|| format!("callgrind did not say what it collected:\n{said}"))
}

/// The number in the line of callgrind that says how many instructions it saw.
fn collected(said: &str) -> Option<u64> {
    said.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    std::is_x86_feature_detected!("avx2")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rise_of_more_than_three_percent_fails() {
        assert!(matches!(judge(1_030_000, 1_000_000), Outcome::Passed));
        assert!(matches!(judge(1_030_001, 1_000_000), Outcome::Failed(why) if why.contains("3.0 % more")));
        assert!(matches!(judge(900_000, 1_000_000), Outcome::Passed));
    }

    #[test]
    fn the_number_is_read_from_what_callgrind_says() {
        let said = "==7== Events    : Ir\n==7== Collected : 232888909\n==7==\n";
        assert_eq!(collected(said), Some(232_888_909));
        assert_eq!(collected("nothing"), None);
    }
}
