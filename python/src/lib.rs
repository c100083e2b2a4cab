//! The part of the Python package `ossature` that is Rust.
//!
//! It converts, calls the library and converts back, and has no logic of its own: what a frame is
//! coded as, what is learned and what is said about a mistake is the library's. The classes that people use are
//! in Python, beside this folder; `_ossature.pyi` there says what this module gives them.
//!
//! `frame` and `arrow` bring tables in and out, `run` lets go of the interpreter while work is done
//! and listens for Ctrl-C, `errors` makes exceptions; `learn`, `ask`, `infer`, `graph` and
//! `network` are what can be asked, and `parts` is what a cluster is asked.

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

/// What the Python classes of `ossature` are made of.
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

    /// Runs the command `ossature` with these words, the first of them its name; returns the exit code.
    #[pyfunction]
    fn run_command(py: Python<'_>, words: Vec<OsString>) -> u8 {
        py.detach(|| ossature_cli::run(words))
    }
}
