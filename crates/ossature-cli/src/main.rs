//! The `ossature` command.

fn main() {}
