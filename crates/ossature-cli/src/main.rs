//! The `ossature` command; see the library of this crate.

use std::hint::black_box;
use std::process::ExitCode;

/// Freed memory of up to twice this size is kept for the next allocation.
const KEPT: usize = 2 << 20;

fn main() -> ExitCode {
    keep_freed_memory();
    ExitCode::from(ossature_cli::run(std::env::args_os()))
}

/// Makes the allocator reuse what reading a table has freed, instead of returning it to the system and asking for it
/// again: every page that comes from the system is cleared first and costs microseconds.
///
/// glibc does so once a block of such a size has been freed (`M_MMAP_THRESHOLD` in mallopt(3)). The block is never
/// touched, so it takes no memory. With other allocators nothing changes.
fn keep_freed_memory() {
    drop(black_box(Vec::<u8>::with_capacity(KEPT)));
}
