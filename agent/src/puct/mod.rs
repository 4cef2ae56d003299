//! Search by evaluation: a tree whose leaves are valued by a learned network instead of
//! playouts, and whose moves are selected by PUCT (Rosin 2011; Silver and others 2017).
//!
//! A leaf is expanded with all its successors at once. Their values give the priors of
//! the moves, the first values of the moves, and the value of the leaf, which is that of
//! the best of them. Descents are batched: while some leaves are waiting to be expanded,
//! others are selected as if the first ones had lost (virtual loss: Chaslot, Winands and
//! van den Herik 2008). Nodes have bounds on what each role can reach, and what is closed
//! by its bounds is not visited again (Cazenave and Saffidine, "Score Bounded
//! Monte-Carlo Tree Search", 2010). Roles whose goal does not depend on how the game ends, such as
//! dice, are assumed to make all of their moves equally often.
//!
//! `tree` holds the graph, `bounds` what is proven, `selection` chooses moves,
//! `expansion` adds nodes, `tabled_nodes` values moves where several roles choose, `trim` makes
//! room, and `search` runs it all.

mod backed_up;
mod backup;
mod bounds;
mod counts;
mod expansion;
mod leaf;
mod playouts;
mod search;
mod selection;
mod tabled_nodes;
mod tree;
mod trim;

pub use bounds::GoalModel;
pub use counts::PuctCounts;
pub(crate) use playouts::{FEWEST_GAMES, MOST_GAMES};
pub use search::{EvaluatedSearch, PuctSettings};
