//! The commit of the command, for `--version`, which has none outside its repository; and how the program is linked.

use std::env;
use std::path::Path;
use std::process::Command;

/// Lists the addresses that are adjusted when the program starts in a hundredth of the space: a megabyte less to read.
const SHORT_RELOCATIONS: &str = "link-arg=-Wl,-z,pack-relative-relocs";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let version = env!("CARGO_PKG_VERSION");
    let version = match commit() {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_owned(),
    };
    println!("cargo::rustc-env=OSSATURE_VERSION={version}");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") && works(SHORT_RELOCATIONS) == Some(true) {
        println!("cargo::rustc-{}", SHORT_RELOCATIONS.replacen('=', "-bins=", 1));
    }
}

/// Whether an empty program can be linked with this option, and runs: older linkers and C libraries do not know it.
fn works(option: &str) -> Option<bool> {
    let folder = env::var_os("OUT_DIR")?;
    let (source, program) = (Path::new(&folder).join("empty.rs"), Path::new(&folder).join("empty"));
    std::fs::write(&source, "fn main() {}").ok()?;
    let mut rustc = Command::new(env::var_os("RUSTC")?);
    rustc.args(["-C", option, "--target", &env::var("TARGET").ok()?, "-o"]).arg(&program).arg(&source);
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        rustc.args(["-C", &format!("linker={linker}")]);
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    rustc.args(flags.split('\x1f').filter(|flag| !flag.is_empty()));
    let is_linked = rustc.output().ok()?.status.success();
    Some(is_linked && Command::new(&program).status().ok()?.success())
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
