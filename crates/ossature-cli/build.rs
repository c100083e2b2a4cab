//! The commit of the command, for `--version`; `None` outside its repository. And the order of its functions.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The functions that most runs need, by their names for the linker; `cargo xtask order` writes them.
const ORDER: &str = "order.txt";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let version = env!("CARGO_PKG_VERSION");
    let version = match commit() {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_owned(),
    };
    println!("cargo::rustc-env=OSSATURE_VERSION={version}");
    order_functions();
}

/// Lets the functions that most runs need lie next to each other, if the linker can do so: the system provides a program
/// in pieces of 64 kB, and this way a run needs less than half as many. Names that the program does not have, or not any
/// more, do no harm.
fn order_functions() {
    let is_wanted = env::var("PROFILE").is_ok_and(|profile| profile == "release")
        && env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux");
    let Some(order) = copied().filter(|_| is_wanted) else { return };
    let flags =
        [format!("-Wl,--symbol-ordering-file={}", order.display()), "-Wl,--no-warn-symbol-ordering".into()];
    if links_with(&flags).unwrap_or(false) {
        flags.iter().for_each(|flag| println!("cargo::rustc-link-arg-bins={flag}"));
    }
}

/// A copy of the list in the folder of the build, which is still there if the sources are moved.
fn copied() -> Option<PathBuf> {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join(ORDER);
    let copy = PathBuf::from(env::var_os("OUT_DIR")?).join(ORDER);
    fs::copy(&list, &copy).ok()?;
    println!("cargo::rerun-if-changed={ORDER}");
    if let Ok(target) = env::var("TARGET") {
        let linker = target.to_uppercase().replace(['-', '.'], "_");
        println!("cargo::rerun-if-env-changed=CARGO_TARGET_{linker}_LINKER");
    }
    Some(copy)
}

/// Whether an empty program can be linked with these flags.
fn links_with(flags: &[String]) -> Option<bool> {
    let folder = PathBuf::from(env::var_os("OUT_DIR")?);
    let program = folder.join("empty.rs");
    fs::write(&program, "fn main() {}").ok()?;
    let mut rustc = Command::new(env::var_os("RUSTC")?);
    rustc.arg(&program).arg("--out-dir").arg(&folder).arg("--target").arg(env::var_os("TARGET")?);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut chosen = std::ffi::OsString::from("linker=");
        chosen.push(linker);
        rustc.arg("-C").arg(chosen);
    }
    let others = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    rustc.args(others.split('\x1f').filter(|flag| !flag.is_empty()));
    flags.iter().for_each(|flag| _ = rustc.arg("-C").arg(format!("link-arg={flag}")));
    Some(rustc.stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?.success())
}

fn commit() -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().ok()?;
    // The sources may lie in a repository of something else.
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != root {
        return None;
    }
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo::rerun-if-changed={log}");
    git(&["rev-parse", "--short=10", "HEAD"])
}

fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).current_dir(env!("CARGO_MANIFEST_DIR")).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned()).filter(|text| !text.is_empty())
}
