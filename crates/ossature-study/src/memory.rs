//! The most memory the process has had at once, where the system tells it.

/// Forgets the peak so far. Only Linux can; elsewhere [`peak`] has no answer either.
#[cfg(target_os = "linux")]
pub(crate) fn reset_peak() -> bool {
    // 5 resets the peak of the resident set, see proc(5).
    std::fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// The peak since it was last forgotten, in bytes.
#[cfg(target_os = "linux")]
pub(crate) fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn reset_peak() -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn peak() -> Option<u64> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_large_table_shows() {
        if !reset_peak() {
            return; // a container may forbid it; then rows have no memory figure
        }
        let table = std::hint::black_box(vec![1u8; 64 << 20]);
        assert!(peak().unwrap() >= table.len() as u64);
    }
}
