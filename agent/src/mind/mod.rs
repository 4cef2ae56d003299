//! What one player of a game knows and wants: a tree, the parts of its search
//! and what they have learned, and the move that it is thinking about.
//!
//! A mind has no lanes: a [`Fleet`](crate::fleet::Fleet) flies its simulations.

mod share;

pub use share::LANES;

use std::time::Duration;

use gdl_runtime::engine::{Role, State};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::backup::Backup;
use crate::clock::{Budget, Clock};
use crate::cutoff::Cutoff;
use crate::edge::{Edge, Standing};
use crate::episode::{Episode, Sequels};
use crate::playout::{Manner, Observed, Playout, Uniform};
use crate::selection::{Choice, Selection, Uct};
use crate::tree::{Mover, NodeId, Tree};

/// The parts and limits of a search.
pub struct Settings {
    /// How nodes are left.
    pub selection: Box<dyn Selection>,
    /// How games go on outside the tree.
    pub playout: Box<dyn Playout>,
    /// Whether simulations end before the game does.
    pub cutoff: Option<Box<dyn Cutoff>>,
    /// How results are credited.
    pub backup: Backup,
    /// Whether values of nodes are proven from those of their successors.
    pub proves: bool,
    /// How many simulations are in flight at a time, at most as many as there
    /// are lanes; by default it grows with the visits of the root, the sooner the
    /// longer a playout takes.
    pub in_flight: Option<usize>,
    /// How many lanes at most play on from every new node, each a simulation.
    /// More than one costs less in the tree, but learns from fewer nodes; by
    /// default as many as their costs suggest.
    pub playouts: Option<usize>,
    /// Bytes the tree may take (see [`Tree::new`]). A full tree no longer
    /// grows, but goes on to learn.
    pub memory: usize,
    /// Whether every search first drops what the state that it begins at can no
    /// longer reach, and not only when memory is short.
    pub tidy: bool,
    /// Threads that fly simulations, each on a machine of its own.
    pub threads: usize,
    /// Moves a playout may make outside the tree. A longer one ends there, with
    /// the goals that hold at that point, as if the game had ended: games that
    /// need not end cannot hold up the search.
    pub longest_playout: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            selection: Box::new(Uct::default()),
            playout: Box::new(Uniform),
            cutoff: None,
            backup: Backup::default(),
            proves: true,
            in_flight: None,
            playouts: None,
            memory: 1 << 30,
            tidy: false,
            threads: 1,
            longest_playout: 4096,
        }
    }
}

/// What a search did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Report {
    /// Simulations finished.
    pub simulations: u64,
    /// Those of them that a lane played on outside the tree, to the end.
    pub played: u64,
    /// Flights finished: ways through the tree that simulations shared.
    pub flights: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// Nodes in the tree.
    pub nodes: usize,
    /// Bytes of the tree.
    pub bytes: usize,
    /// The most moves that a simulation made inside the tree.
    pub deepest: usize,
    /// Moves made inside the tree by all simulations.
    pub tree_steps: u64,
    /// Moves made outside the tree by all simulations.
    pub playout_steps: u64,
    /// Steps of the machine, each a move in every lane that is in use.
    pub steps: u64,
    /// Moves that lanes in use made: of `steps` times as many as there are
    /// lanes, the rest was idle.
    pub moves: u64,
}

impl Report {
    /// What two searches did that ran at the same time.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self {
            simulations: self.simulations + other.simulations,
            played: self.played + other.played,
            flights: self.flights + other.flights,
            elapsed: self.elapsed.max(other.elapsed),
            nodes: self.nodes + other.nodes,
            bytes: self.bytes + other.bytes,
            deepest: self.deepest.max(other.deepest),
            tree_steps: self.tree_steps + other.tree_steps,
            playout_steps: self.playout_steps + other.playout_steps,
            steps: self.steps + other.steps,
            moves: self.moves + other.moves,
        }
    }
}

/// The machine that a mind's simulations fly on.
#[derive(Debug, Clone, Copy)]
pub struct Machinery {
    /// How many lanes there are.
    pub lanes: usize,
    /// What a step of all of them costs, in operations; 0 if that is not known.
    pub operations: u32,
}

/// One player's tree, parts and purpose.
pub struct Mind {
    pub(crate) settings: Settings,
    /// What its parts want to see of simulations.
    pub(crate) observed: Observed,
    /// Whether its playouts' moves are chosen one by one.
    pub(crate) by_hand: bool,
    pub(crate) tree: Tree,
    pub(crate) random: Xoshiro256PlusPlus,
    /// Whom it thinks for.
    pub(crate) role: Role,
    /// What it is thinking about.
    pub(crate) root: Option<NodeId>,
    pub(crate) clock: Clock,
    /// Its simulations that have a lane.
    pub(crate) flying: usize,
    /// Those of them that are games sampled for the cutoff.
    pub(crate) sampling: u32,
    pub(crate) report: Report,
    pub(crate) machinery: Machinery,
    /// The words of the game's initial state.
    pub(crate) initial: Box<[u64]>,
}

impl Mind {
    /// A mind that knows nothing yet, for a game that begins in this state.
    #[must_use]
    pub fn new(
        initial: &State,
        roles: usize,
        mut settings: Settings,
        machinery: Machinery,
        seed: u64,
    ) -> Self {
        let figures = settings.selection.figures();
        let observed = settings.playout.observes();
        Self {
            observed: observed.max(settings.selection.observes()),
            by_hand: matches!(settings.playout.manner(), Manner::ByHand),
            tree: Tree::new(roles, settings.memory, figures),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            role: 0,
            root: None,
            clock: Clock::start(Budget::Simulations(0)),
            flying: 0,
            sampling: 0,
            report: Report::default(),
            machinery,
            initial: initial.0.clone(),
            settings,
        }
    }

    /// What has been learned so far.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Whether the cutoff ends simulations early, if there is one and it has made
    /// up its mind.
    #[must_use]
    pub fn cuts(&self) -> Option<bool> {
        let cutoff = self.settings.cutoff.as_ref()?;
        (cutoff.wanted_samples() == 0).then(|| cutoff.cut().is_some())
    }

    /// A role's moves in a state as far as they are known, each with what it is
    /// [worth](Selection::worths).
    #[must_use]
    pub fn judge(&self, state: &State, role: Role) -> Vec<(Edge, f64)> {
        let known = self.tree.find(state);
        let Some(node) = known.filter(|&node| self.tree.is_expanded(node)) else {
            return Vec::new();
        };
        let choice = Choice::new(&self.tree, node, role, true);
        let worths = self.settings.selection.worths(&choice);
        choice.edges.iter().copied().zip(worths).collect()
    }

    /// What the cutoff decided on, if there is one.
    #[must_use]
    pub fn verdict(&self) -> Option<String> {
        self.settings.cutoff.as_ref().map(|cutoff| cutoff.verdict())
    }

    /// Begins to think about a role's move in a state that is not terminal. What
    /// was found out earlier below that state is kept. False if there is no room
    /// for the state.
    pub fn begin(&mut self, state: &State, role: Role, budget: Budget) -> bool {
        self.role = role;
        self.clock = Clock::start(budget);
        self.report = Report::default();
        self.root = self.plant(state);
        self.root.is_some()
    }

    /// Whether a role's move in a state is what it thought about last.
    pub(crate) fn thinks_about(&self, state: &State, role: Role) -> bool {
        let root = self.root.map(|root| self.tree.state(root));
        root == Some(&state.0) && self.role == role
    }

    /// Makes a state the root, and drops what no longer matters if memory is
    /// short; from the last root all can be reached that was added since.
    fn plant(&mut self, state: &State) -> Option<NodeId> {
        match self.tree.find(state) {
            Some(root) if self.root == Some(root) => Some(root),
            Some(root) if self.settings.tidy || self.tree.is_crowded() => {
                self.tree.keep_reachable(root)
            }
            Some(root) => Some(root),
            None => {
                self.tree.clear();
                self.tree.insert(&state.0).map(|(root, _)| root)
            }
        }
    }

    /// Whether simulations can teach nothing more: the root's goals are proven,
    /// or those of all moves of the role that decides.
    pub(crate) fn is_exhausted(&self) -> bool {
        let Some(root) = self.root else { return true };
        let known = |edge: &Edge| edge.standing != Standing::Open;
        let all_known = || match self.tree.mover(root) {
            Mover::One(role) => self.tree.edges(root, role).iter().all(known),
            Mover::Several => false,
        };
        self.tree.outcome(root).is_some() || self.tree.is_expanded(root) && all_known()
    }

    /// Whether the move is decided: the budget is spent or nothing is left to
    /// find out, and no simulation is in flight.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.flying == 0 && (self.clock.is_spent() || self.is_exhausted())
    }

    /// Whether any of its parts looks at simulations, or chooses moves by hand.
    pub(crate) fn is_curious(&self) -> bool {
        self.by_hand || self.settings.cutoff.is_some() || self.observed > Observed::Nothing
    }

    /// Lets the playout policy learn from a simulation, and keeps for the selection
    /// what was done outside the tree.
    pub(crate) fn learn(&mut self, episode: &Episode<'_>, sequels: &mut Sequels) {
        self.settings.playout.learn(self.role, episode);
        if self.settings.selection.observes() > Observed::Nothing {
            let outside = &episode.moves[episode.inside * episode.goals.len()..];
            sequels.push(episode.simulations, episode.goals, outside);
        }
    }

    /// Samples that the cutoff still wants and that are not in flight.
    pub(crate) fn missing_samples(&self) -> u32 {
        let cutoff = self.settings.cutoff.as_ref();
        cutoff.map_or(0, |cutoff| {
            cutoff.wanted_samples().saturating_sub(self.sampling)
        })
    }

    /// The report, completed.
    #[must_use]
    pub fn report(&self) -> Report {
        Report {
            elapsed: self.clock.elapsed(),
            nodes: self.tree.len(),
            bytes: self.tree.bytes(),
            ..self.report
        }
    }
}
