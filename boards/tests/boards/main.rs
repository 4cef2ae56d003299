//! What is inferred and drawn, for our games, for the public corpus and for hostile names.
#![allow(clippy::unwrap_used)]

mod corpus;
mod games;
mod hostile;
mod shapes;
mod surveyed;
