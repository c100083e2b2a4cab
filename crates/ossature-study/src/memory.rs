//! The peak memory of the process, if the system reports it.
//!
//! The system counts everything the process holds, and an allocator keeps memory from earlier work. So
//! that is returned first; otherwise every cell would have the peak of the largest before it.

/// Returns the memory that the allocator keeps, resets the peak, and returns the current memory of the
/// process in bytes. Only Linux supports this; elsewhere [`peak`] has no answer either.
#[cfg(target_os = "linux")]
pub(crate) fn reset_peak() -> Option<u64> {
    give_back();
    // 5 resets the peak of the resident set to what it is now, see proc(5).
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    peak()
}

/// Returns free memory to the system. C libraries other than GNU's keep less, and have no such call.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
fn give_back() {
    unsafe extern "C" {
        fn malloc_trim(pad: usize) -> std::ffi::c_int;
    }
    // SAFETY: the declaration is that of malloc_trim(3). It takes a number, returns only memory that no
    // allocation is in, takes the allocator's own locks, and may be called from any thread.
    unsafe { malloc_trim(0) };
}

#[cfg(all(target_os = "linux", not(target_env = "gnu")))]
fn give_back() {}

/// The peak since the last reset, in bytes.
#[cfg(target_os = "linux")]
pub(crate) fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn reset_peak() -> Option<u64> {
    None
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn peak() -> Option<u64> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::env;
    use std::hint::black_box;
    use std::process::Command;

    use super::*;

    /// Says to a test that it has the process for itself.
    const ALONE: &str = "OSSATURE_TEST_ALONE";

    /// Whether this process runs the test of this name and nothing else. If not, one that does is started, and
    /// what it says counts: other tests take memory beside this one, as many at once as there are cores.
    fn alone(name: &str) -> bool {
        if env::var_os(ALONE).is_some() {
            return true;
        }
        let this = env::current_exe().expect("a program knows where it is");
        let words = ["--exact", name, "--test-threads", "1"];
        let run = Command::new(this).args(words).env(ALONE, "1").output().expect("it can be run");
        let said = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success() && said.contains("1 passed"), "{said}");
        false
    }

    const MB: u64 = 1 << 20;

    #[test]
    fn a_large_table_shows() {
        if !alone("memory::tests::a_large_table_shows") {
            return;
        }
        let before = peak().unwrap();
        let table = black_box(vec![1u8; 256 << 20]);
        // Half of it: the system adds up what it counts for each processor only now and then.
        assert!(peak().unwrap() >= before + 128 * MB, "{before} {:?}", peak());
        drop(black_box(table));
        assert!(peak().unwrap() >= before + 128 * MB, "the peak stays");
        // A container may forbid to forget it; then rows have no memory figure.
        let allowed = std::fs::OpenOptions::new().write(true).open("/proc/self/clear_refs").is_ok();
        let held = reset_peak();
        assert_eq!(held.is_some(), allowed);
        assert!(held.is_none_or(|held| held < before + 128 * MB), "{before} {held:?}");
    }

    /// Many small pieces are what an allocator keeps, as long as one of the last of them lives.
    #[cfg(target_env = "gnu")]
    #[test]
    fn what_earlier_work_took_does_not_count() {
        if !alone("memory::tests::what_earlier_work_took_does_not_count") {
            return;
        }
        let before = reset_peak();
        let pieces: Vec<Vec<u8>> = (0..256 << 10).map(|_| black_box(vec![1u8; 1 << 10])).collect();
        let last = pieces.last().cloned();
        drop(pieces);
        let held = reset_peak();
        black_box(last);
        if let (Some(before), Some(held)) = (before, held) {
            assert!(held < before + 128 * MB, "{before} {held}");
        }
    }
}
