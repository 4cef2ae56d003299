//! Tree searches of many games side by side, guided by an evaluation that the caller computes
//! for batches of positions: PUCT (Silver et al., "Mastering the game of Go without human
//! knowledge", 2017, Methods), without playouts.

mod batch;
mod noise;
mod tree;

pub use batch::{BatchOptions, BatchSearch, LeafTables};
