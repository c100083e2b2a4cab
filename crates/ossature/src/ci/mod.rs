//! Independence tests.

pub mod tail;
