//! Drawings and pages as files.

use ossature_draw::page::Page;

use super::Target;
use crate::failure::Failure;
use crate::session::Session;

impl Target {
    /// Writes a page.
    pub(crate) fn write_page(&self, page: &Page<'_>, session: &Session<'_>) -> Result<(), Failure> {
        self.write_text(&page.html(), session)
    }

    /// Writes a text in this format.
    pub(crate) fn write_text(&self, text: &str, session: &Session<'_>) -> Result<(), Failure> {
        session.write(&self.path, |out| out.write_all(text.as_bytes()))
    }

    /// The heading of a page: the name of the file.
    pub(crate) fn title(&self) -> String {
        let name = self.path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("Network").to_owned()
    }
}
