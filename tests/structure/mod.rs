//! The house rules about names, imports and packages, checked against the sources.

mod circles;
mod names;
mod packages;
mod sources;
