//! What an editor can ask, one file each: from an analysis and a position to an answer.

pub mod code_actions;
pub mod completion;
pub mod definition;
pub mod diagnostics;
pub mod formatting;
pub mod hover;
pub mod keyword_docs;
pub mod rename;
pub mod symbols;
