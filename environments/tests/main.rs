//! Environments play games as their engine does.

mod environments;
mod planes;
mod rollouts;
mod sampling;
mod tree_search;
