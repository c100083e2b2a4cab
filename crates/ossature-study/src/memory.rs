//! The most memory the process has had at once, where the system tells it.
//!
//! The system counts from what the process holds at the moment, and an allocator holds on to what earlier
//! work took. So that is given back first; otherwise every cell would have the peak of the largest
//! before it.

/// Gives back what the allocator keeps, forgets the peak so far, and says what the process holds now, in
/// bytes. Only Linux can; elsewhere [`peak`] has no answer either.
#[cfg(target_os = "linux")]
pub(crate) fn reset_peak() -> Option<u64> {
    give_back();
    // 5 resets the peak of the resident set to what it is now, see proc(5).
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    peak()
}

/// Returns free memory to the system. Other C libraries than GNU's keep less, and have no such call.
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

/// The peak since it was last forgotten, in bytes.
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
    use std::hint::black_box;

    use super::*;

    #[test]
    fn a_large_table_shows() {
        if reset_peak().is_none() {
            return; // a container may forbid it; then rows have no memory figure
        }
        let table = black_box(vec![1u8; 64 << 20]);
        assert!(peak().unwrap() >= table.len() as u64);
    }

    /// Many small pieces are what an allocator keeps, as long as one of the last of them lives.
    #[cfg(target_env = "gnu")]
    #[test]
    fn what_earlier_work_took_does_not_count() {
        let pieces: Vec<Vec<u8>> = (0..256 << 10).map(|_| black_box(vec![1u8; 1 << 10])).collect();
        let last = pieces.last().cloned();
        drop(pieces);
        if reset_peak().is_none() {
            return;
        }
        black_box(last);
        // Other tests of this process run beside this one, and together take far less.
        assert!(peak().unwrap() < 200 << 20, "{:?}", peak());
    }
}
