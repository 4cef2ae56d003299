//! Sessions with the language server, as an editor holds them.

mod corpus;
mod editing;
mod editor;
mod features;
mod renaming;
mod session;
