//! Independence tests.
