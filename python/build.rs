//! Tells the linker that Python's symbols are found when Python loads the extension.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
