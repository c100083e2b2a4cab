//! Runs work in which a panic is a result and is not printed.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

static HOOK: Once = Once::new();

/// Does the work; a panic is returned as an error and not printed. State that a panic leaves half changed must
/// not be used again.
///
/// A process-wide hook prints panics. The first call installs another in front of it, which stays silent on
/// a thread doing such work and passes everything else on.
pub(super) fn quietly<T>(work: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                before(panic);
            }
        }));
    });
    let before = QUIET.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    QUIET.set(before);
    done
}
