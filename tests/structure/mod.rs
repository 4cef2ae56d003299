//! The house rules about names and imports, checked against the sources.

mod circles;
mod names;
mod sources;
