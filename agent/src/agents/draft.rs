//! An agent while it is put together.

use std::sync::Arc;

use gdl_runtime::engine::Engine;
use gdl_runtime::layout::Layout;

use super::Limits;
use crate::backup::Backup;
use crate::cutoff::Cutoff;
use crate::playout::{Playout, Uniform};
use crate::search::Settings;
use crate::selection::{Estimate, Fringe, Uct};

/// What parts may know of the game.
#[derive(Default)]
pub struct Game<'a> {
    /// What runs it; nothing where only the agent itself is asked about.
    pub engine: Option<&'a dyn Engine>,
    /// How many moves each role has; moves beyond that may come up where the
    /// engine does not know them all beforehand.
    pub moves: Vec<usize>,
    /// What fluents and moves are called, where the engine knows all of them.
    pub layout: Option<Arc<Layout>>,
}

impl<'a> Game<'a> {
    pub(super) fn of(engine: &'a dyn Engine) -> Self {
        let layout = engine.layout();
        let moves = match &layout {
            Some(layout) => layout.moves.iter().map(Vec::len).collect(),
            None => vec![0; engine.roles().len()],
        };
        Self {
            engine: Some(engine),
            moves,
            layout,
        }
    }
}

/// The parts that have been chosen so far.
pub struct Draft {
    /// UCT, with whatever is put into it.
    pub uct: Uct,
    /// Playout policies, of which the first that applies is used.
    pub playouts: Vec<Box<dyn Playout>>,
    /// Whether simulations are cut off.
    pub cutoff: Option<Box<dyn Cutoff>>,
    /// How results are credited.
    pub backup: Backup,
    /// Whether values are proven.
    pub proves: bool,
    /// See [`Settings::in_flight`].
    pub in_flight: Option<usize>,
    /// See [`Settings::playouts`].
    pub playouts_a_node: Option<usize>,
    /// Whether the agent wants to use lanes in its own way.
    pub own_lanes: bool,
    /// Threads for each tree.
    pub threads: usize,
    /// Trees.
    pub trees: usize,
}

impl Default for Draft {
    fn default() -> Self {
        Self {
            uct: Uct::default(),
            playouts: Vec::new(),
            cutoff: None,
            backup: Backup::default(),
            proves: true,
            in_flight: None,
            playouts_a_node: None,
            own_lanes: false,
            threads: 1,
            trees: 1,
        }
    }
}

impl Draft {
    /// Gives the selection another idea of what moves are worth.
    pub fn estimate(&mut self, estimate: impl Estimate + 'static) {
        self.uct.estimate = Some(Box::new(estimate));
    }

    /// Gives the selection another way with untried moves.
    pub fn fringe(&mut self, fringe: impl Fringe + 'static) {
        self.uct.fringe = Some(Box::new(fringe));
    }

    /// Adds a playout policy.
    pub fn playout(&mut self, playout: impl Playout + 'static) {
        self.playouts.push(Box::new(playout));
    }

    /// The settings of the search.
    pub(super) fn finish(self, limits: Limits) -> Settings {
        let mut playouts = self.playouts.into_iter();
        let playout = playouts.find(|playout| playout.applies());
        Settings {
            selection: Box::new(self.uct),
            playout: playout.unwrap_or_else(|| Box::new(Uniform)),
            cutoff: self.cutoff,
            backup: self.backup,
            proves: self.proves,
            memory: limits.memory / self.trees,
            in_flight: self.in_flight.or(limits.in_flight),
            playouts: self.playouts_a_node.or(limits.playouts),
            tidy: limits.tidy,
            threads: self.threads,
            ..Settings::default()
        }
    }
}
