//! Any bytes as `dot`; what must hold is in `laws.rs`.
#![no_main]

#[path = "../laws.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::check("dot", bytes));
