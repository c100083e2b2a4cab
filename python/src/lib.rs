//! The part of the Python package `ossature` that is Rust.
//!
//! It converts, calls the library and converts back, without logic of its own: coding frames, learning and
//! error messages are the library's job. The classes that people use are in Python, beside this folder;
//! `_ossature.pyi` there describes this module.
//!
//! `frame` and `arrow` bring tables in and out, `run` releases the interpreter during work and
//! listens for Ctrl-C, `errors` makes exceptions; `learn`, `ask`, `infer`, `graph` and `network`
//! have the functions, and `parts` those for a cluster.

mod arrow;
mod ask;
mod errors;
mod frame;
mod gathered;
mod graph;
mod infer;
mod learn;
mod network;
mod parts;
mod run;
mod settings;

use pyo3::prelude::*;

/// The functions behind the Python classes of `ossature`.
#[pymodule]
mod _ossature {
    use std::ffi::OsString;

    use super::*;

    #[pymodule_export]
    use super::ask::{ci_test, score_by_node};
    #[pymodule_export]
    use super::frame::Data;
    #[pymodule_export]
    use super::gathered::{Rows, learn_rows};
    #[pymodule_export]
    use super::graph::{check_graph, compare, cpdag, d_separated, extension, read_graph, to_text};
    #[pymodule_export]
    use super::graph::{difference_html, difference_svg, strength_plot, to_html, to_svg};
    #[pymodule_export]
    use super::infer::{effects, predict, query, row_logs};
    #[pymodule_export]
    use super::learn::{bootstrap, cross_validate, learn, learners, neighbours, settings, why};
    #[pymodule_export]
    use super::network::Network;
    #[pymodule_export]
    use super::parts::{Rounds, bootstrap_of, bootstrap_sample, costs, learn_found, look};
    #[pymodule_export]
    use super::parts::{cross_validate_fold, over_folds};

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "its name in Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// Runs the command `ossature` with these words, the first of which is its name; returns the exit
    /// code.
    #[pyfunction]
    fn run_command(py: Python<'_>, words: Vec<OsString>) -> u8 {
        py.detach(|| ossature_cli::run(words))
    }
}
