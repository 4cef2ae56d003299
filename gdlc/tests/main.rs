//! The tests of the compiler, stage by stage, as one binary.

mod aiger;
mod build;
mod choices;
mod corpus;
mod diagnostics;
mod emit;
#[path = "../examples/ground_corpus/evaluate.rs"]
mod evaluate;
mod format;
mod functional;
mod ground;
mod lanes;
mod lowering;
mod malformed;
mod passes;
mod propnet_budget;
mod structure;
mod syntax;
mod two_inputs;
mod visited_lists;
