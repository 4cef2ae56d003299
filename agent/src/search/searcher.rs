//! The search of one player: its tree, the components of its search with what they
//! have learned, and the move it is searching for.
//!
//! A searcher has no lanes: a [`LaneScheduler`](crate::lane_scheduler::LaneScheduler)
//! runs its simulations.

use std::sync::Arc;

use gdl_runtime::engine::{Move, Role, State};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::budget::{BudgetClock, SearchBudget};
use super::cost_model::CostModel;
use super::report::SearchReport;
use super::settings::SearchSettings;
use crate::backup::Backup;
use crate::credit::Credit;
use crate::episode::{Continuations, Episode};
use crate::playout::uniform::Uniform;
use crate::playout::{Observed, Playout, SamplingMode};
use crate::selection::uct::Uct;
use crate::selection::{MoveChoice, SelectionRule};
use crate::simultaneous::{Encounter, SimultaneousRule};
use crate::symmetric::canonical::CanonicalStates;
use crate::tree::edge::{MoveEdge, SolvedStatus};
use crate::tree::node::TreeNodeId;
use crate::tree::{Mover, SearchTree};

/// One player's tree, components and current task.
pub struct Searcher {
    pub(crate) settings: SearchSettings,
    pub(crate) selection: Box<dyn SelectionRule>,
    pub(crate) simultaneous: Option<Box<dyn SimultaneousRule>>,
    /// The selection rule of other roles, if they have one of their own.
    pub(crate) opponents: Option<Box<dyn SelectionRule>>,
    pub(crate) playout: Box<dyn Playout>,
    pub(crate) backup: Backup,
    /// The symmetries under which states share a node, if they may.
    symmetries: Option<Arc<CanonicalStates>>,
    /// What its components observe of simulations.
    pub(crate) observed: Observed,
    /// Whether a component that picks moves inside the tree learns from returns.
    pub(crate) takes_credit: bool,
    /// Whether its playout policy is asked for moves lane by lane.
    pub(crate) samples_per_lane: bool,
    pub(crate) tree: SearchTree,
    pub(crate) random: Xoshiro256PlusPlus,
    /// The role it searches for.
    pub(crate) role: Role,
    /// The state it searches.
    pub(crate) root: Option<TreeNodeId>,
    pub(crate) clock: BudgetClock,
    /// The number of its simulations that occupy a lane.
    pub(crate) in_flight: usize,
    /// The number of those that the cutoff samples.
    pub(crate) samples_in_flight: u32,
    pub(crate) report: SearchReport,
    pub(crate) cost_model: CostModel,
    /// The number of words of a state.
    words: usize,
}

impl Searcher {
    /// A searcher without any knowledge, for a game that begins in `initial`.
    #[must_use]
    pub fn new(
        initial: &State,
        roles: usize,
        mut settings: SearchSettings,
        cost_model: CostModel,
        seed: u64,
    ) -> Self {
        let selection = settings.selection.take();
        let selection = selection.unwrap_or_else(|| Box::new(Uct::default()));
        let simultaneous = settings.simultaneous.take();
        let strategies = simultaneous.as_ref().map_or(0, |rule| rule.statistics());
        let playout = settings.playout.take();
        let mut playout = playout.unwrap_or_else(|| Box::new(Uniform));
        let symmetries = settings.symmetries.take();
        Self {
            // A rule that looks for a node's moves among later ones would not recognise images.
            symmetries: symmetries.filter(|_| selection.observes() == Observed::Nothing),
            observed: playout.observes().max(selection.observes()),
            takes_credit: selection.takes_credit() || simultaneous.is_some(),
            samples_per_lane: matches!(playout.sampling_mode(), SamplingMode::PerLane),
            tree: SearchTree::new(roles, settings.memory, selection.statistics())
                .with_indifferent(std::mem::take(&mut settings.indifferent))
                .with_strategies(strategies)
                .with_proof_numbers(settings.keeps_proof_numbers)
                .with_virtual_loss(settings.virtual_loss),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            role: 0,
            root: None,
            clock: BudgetClock::start(SearchBudget::Simulations(0)),
            in_flight: 0,
            samples_in_flight: 0,
            report: SearchReport::default(),
            cost_model,
            words: initial.0.len(),
            backup: Backup::new(settings.discount).closing(settings.closes),
            selection,
            simultaneous,
            opponents: settings.opponents.take(),
            playout,
            settings,
        }
    }

    /// The tree searched so far.
    #[must_use]
    pub fn tree(&self) -> &SearchTree {
        &self.tree
    }

    /// Whether the cutoff ends playouts early; `None` if there is no cutoff or it
    /// has not decided yet.
    #[must_use]
    pub fn cuts(&self) -> Option<bool> {
        let cutoff = self.settings.cutoff.as_ref()?;
        (cutoff.wanted_samples() == 0).then(|| cutoff.cut().is_some())
    }

    /// The known moves of a role in a state, each with its
    /// [value](SelectionRule::values), revised by the second level of the tree if the
    /// settings say so; empty if the state has not been searched.
    #[must_use]
    pub fn evaluate(&self, state: &State, role: Role) -> Vec<(MoveEdge, f64)> {
        let (canonical, member) = self.canonical(state);
        let known = self.tree.find(&canonical);
        let Some(node) = known.filter(|&node| self.tree.is_expanded(node)) else {
            return Vec::new();
        };
        let choice = MoveChoice::new(&self.tree, &[], node, role);
        let mut values = self.selection.values(&choice);
        if let Some(two_level) = self.settings.two_level {
            two_level.revise(&self.tree, node, role, &mut values);
        }
        let edges = choice.edges.iter().map(|edge| MoveEdge {
            mv: self.move_before(member, role, edge.mv),
            ..*edge
        });
        edges.zip(values).collect()
    }

    /// The mixed strategy from which a role's final move in a state is to be drawn: moves
    /// with their probabilities. Empty if the move with the highest value is final.
    #[must_use]
    pub fn strategy(&self, state: &State, role: Role) -> Vec<(Move, f64)> {
        let (canonical, member) = self.canonical(state);
        let known = self.tree.find(&canonical).zip(self.simultaneous.as_ref());
        let Some((node, rule)) = known.filter(|&(node, _)| self.mixes(node, role)) else {
            return Vec::new();
        };
        let moves = self.tree.edges(node, role).iter();
        let moves = moves.map(|edge| self.move_before(member, role, edge.mv));
        let strategy = rule.strategy(&self.tree, node, role);
        moves.zip(strategy.unwrap_or_default()).collect()
    }

    /// Whether a role has a choice at the same time as others, and no move that is proven to win.
    fn mixes(&self, node: TreeNodeId, role: Role) -> bool {
        let edges = self.tree.edges(node, role);
        let is_open = |edge: &MoveEdge| edge.status == SolvedStatus::Open;
        self.tree.is_expanded(node)
            && self.tree.mover(node) == Mover::Several
            && edges.len() > 1
            && edges.iter().all(is_open)
    }

    /// The cutoff's decision in words, if there is a cutoff.
    #[must_use]
    pub fn verdict(&self) -> Option<String> {
        self.settings.cutoff.as_ref().map(|cutoff| cutoff.verdict())
    }

    /// Starts to search for a role's move in a state that is not terminal. Earlier
    /// knowledge about that state and its successors is kept. Returns whether the
    /// tree has room for the state.
    pub fn begin(&mut self, state: &State, role: Role, budget: SearchBudget) -> bool {
        if self.root.is_some() && !self.is_searching(state, role) {
            self.playout.begin_move();
        }
        self.role = role;
        self.clock = BudgetClock::start(budget);
        self.report = SearchReport::default();
        self.root = self.set_root(&self.canonical(state).0);
        self.root.is_some()
    }

    /// Whether the last search was for this role in this state.
    pub(crate) fn is_searching(&self, state: &State, role: Role) -> bool {
        let root = self.root.map(|root| self.tree.state(root));
        root == Some(&*self.canonical(state).0.0) && self.role == role
    }

    /// The number of simulations through a state that was searched.
    pub(crate) fn visits(&self, state: &State) -> u32 {
        let known = self.tree.find(&self.canonical(state).0);
        known.map_or(0, |node| self.tree.visits(node))
    }

    /// The canonical state of this one, whose node stands for it, and the number of a symmetry that
    /// turns this state into it.
    fn canonical(&self, state: &State) -> (State, usize) {
        let Some(symmetries) = &self.symmetries else {
            return (state.clone(), 0);
        };
        let mut words = state.0.to_vec();
        let member = symmetries.replace(&mut words, &mut Vec::new());
        (State(words.into()), member)
    }

    /// The move of a state that a symmetry turns into this one of its canonical state.
    fn move_before(&self, member: usize, role: Role, mv: Move) -> Move {
        let symmetries = self.symmetries.as_ref();
        symmetries.map_or(mv, |symmetries| symmetries.move_before(member, role, mv))
    }

    /// Overwrites a state with the one whose node stands for it, using a buffer. Returns
    /// whether that is another one.
    #[inline]
    pub(crate) fn replace_by_canonical(&self, state: &mut Vec<u64>, buffer: &mut Vec<u64>) -> bool {
        let symmetries = self.symmetries.as_ref();
        symmetries.is_some_and(|symmetries| symmetries.replace(state, buffer) != 0)
    }

    /// Enters the moves of all roles at a node, each of which has at least one, and rules out those
    /// that are images of others under a symmetry of its state.
    pub(crate) fn expand(&mut self, node: TreeNodeId, moves: &[Vec<Move>]) {
        self.tree.expand(node, moves);
        let (Some(symmetries), Mover::One(role)) = (&self.symmetries, self.tree.mover(node)) else {
            return;
        };
        let keeping = symmetries.keeping(self.tree.state(node));
        let is_image = |mv: Move| {
            let mut images = keeping.iter().map(|member| member.move_image(role, mv.0));
            images.any(|image| image < mv.0)
        };
        let span = self.tree.span(node, role);
        let ruled_out = span.filter(|&index| is_image(self.tree.edge(index as u32).mv));
        for index in ruled_out.collect::<Vec<_>>() {
            self.tree.mark_edge(index as u32, SolvedStatus::Pruned, 0);
        }
    }

    /// Makes a state the root, and drops unreachable nodes if memory is short. There
    /// are none if the root stays the same: whatever was added can be reached.
    fn set_root(&mut self, state: &State) -> Option<TreeNodeId> {
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

    /// Whether further simulations cannot change the choice: the root's goals are
    /// proven, or those of all moves of the role that decides.
    pub(crate) fn is_exhausted(&self) -> bool {
        let Some(root) = self.root else { return true };
        let known = |edge: &MoveEdge| edge.status != SolvedStatus::Open;
        let all_known = || match self.tree.mover(root) {
            Mover::One(role) => self.tree.edges(root, role).iter().all(known),
            Mover::Several => false,
        };
        self.tree.outcome(root).is_some() || self.tree.is_expanded(root) && all_known()
    }

    /// Whether the search is over: the budget is spent or the root is exhausted, and
    /// no simulation is in flight.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.in_flight == 0 && (self.clock.is_spent() || self.is_exhausted())
    }

    /// Whether any component observes simulations or chooses their moves.
    pub(crate) fn needs_observation(&self) -> bool {
        self.samples_per_lane || self.settings.cutoff.is_some() || self.observed > Observed::Nothing
    }

    /// The number of playouts that the next new leaf gets.
    pub(crate) fn playouts_per_leaf(&self) -> usize {
        let visits = self.root_visits();
        self.cost_model
            .playouts_per_leaf(&self.settings, &self.report, visits, self.words)
    }

    /// The maximum number of simulations in flight at this point of the search.
    pub(crate) fn concurrency(&self) -> usize {
        let visits = self.root_visits();
        self.cost_model
            .concurrency(&self.settings, &self.report, visits)
    }

    fn root_visits(&self) -> u32 {
        self.root.map_or(0, |root| self.tree.visits(root))
    }

    /// Lets the playout policy learn from a simulation, and records what followed
    /// the tree for the selection rule.
    pub(crate) fn learn(&mut self, episode: &Episode<'_>, continuations: &mut Continuations) {
        self.playout.learn(self.role, episode);
        if self.selection.observes() > Observed::Nothing {
            let outside = &episode.moves[episode.inside * episode.goals.len()..];
            continuations.push(episode.simulations, episode.goals, outside);
        }
    }

    /// Lets the components that pick moves inside the tree learn from returns.
    pub(crate) fn credit(&mut self, credit: &Credit<'_>) {
        self.selection.credit(&mut self.tree, credit);
        let Some(rule) = &mut self.simultaneous else {
            return;
        };
        credit.for_each(|node, joint, means| {
            if self.tree.mover(node) == Mover::Several {
                let at = Encounter {
                    node,
                    role: self.role,
                    simulations: credit.simulations,
                };
                rule.credit(&mut self.tree, at, joint, means);
            }
        });
    }

    /// Lets the rule for simultaneous moves forget abandoned simulations.
    pub(crate) fn forget_simultaneous(
        &mut self,
        node: TreeNodeId,
        joint: &[u32],
        simulations: u32,
    ) {
        let role = self.role;
        let at = Encounter {
            node,
            role,
            simulations,
        };
        if let (Some(rule), Mover::Several) = (&mut self.simultaneous, self.tree.mover(node)) {
            rule.abandon(&mut self.tree, at, joint);
        }
    }

    /// The number of samples that the cutoff still needs and that are not in flight.
    pub(crate) fn missing_samples(&self) -> u32 {
        let cutoff = self.settings.cutoff.as_ref();
        cutoff.map_or(0, |cutoff| {
            cutoff
                .wanted_samples()
                .saturating_sub(self.samples_in_flight)
        })
    }

    /// What the search has done so far.
    #[must_use]
    pub fn report(&self) -> SearchReport {
        SearchReport {
            elapsed: self.clock.elapsed(),
            nodes: self.tree.len(),
            bytes: self.tree.bytes(),
            ..self.report
        }
    }
}
