//! The grammar of the Knowledge Interchange Format, compiled.

/// Parses by `kif.pest`.
#[derive(pest_derive::Parser)]
#[grammar = "syntax/kif.pest"]
pub struct Kif;
