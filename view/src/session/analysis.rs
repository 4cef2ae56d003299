//! The analysis of the state that is shown: searches that go on for as long as it is viewed.

use std::time::{Duration, Instant};

use gdl_agent::player::search_player::SearchPlayer;
use gdl_agent::search::{SearchBudget, SearchLimits};
use gdl_runtime::engine::{Engine, Move, Position, Role, State};
use gdl_runtime::stop_flag::StopFlag;

use super::event_sink::EventSink;
use super::match_history::MatchHistory;
use super::open_tree::OpenTree;
use super::request_error::RequestError;
use super::search_result::{result, valued_moves};
use super::searcher::searcher;
use crate::messages::{AnalysisEvent, MoveText, PageEvent, TreeEvent, TreePath};
use crate::pictures::Pictures;

/// The time between two events of an analysis.
const SLICE: Duration = Duration::from_millis(100);

/// The maximum number of agents that analyse side by side.
const MOST_AGENTS: usize = 4;

/// The maximum number of moves in an event.
const MOST_MOVES: usize = 60;

/// The time between two events about the open nodes of the tree.
const TREE_PAUSE: Duration = Duration::from_secs(1);

/// The maximum number of rounds of a principal variation.
const LONGEST_VARIATION: usize = 12;

/// Agents that search the state that is shown.
pub(super) struct PositionAnalysis {
    analysts: Vec<Analyst>,
    role: Option<Role>,
    /// The analyst whose turn it is.
    turn: usize,
    tree: Option<OpenTree>,
}

struct Analyst {
    name: String,
    player: SearchPlayer,
    /// What was searched last.
    searched: Option<(State, Role)>,
    simulations: u64,
    seconds: f64,
}

impl PositionAnalysis {
    /// These agents; `role` is the role whose moves they value, or else the first one that has
    /// a choice.
    pub(super) fn new(
        engine: &dyn Engine,
        agents: &[String],
        role: Option<Role>,
        limits: SearchLimits,
        stop: &StopFlag,
    ) -> Result<Self, RequestError> {
        if agents.is_empty() || agents.len() > MOST_AGENTS {
            return Err(RequestError::Refused("an analysis has one to four agents"));
        }
        if role.is_some_and(|role| role >= engine.roles().len()) {
            return Err(RequestError::Refused("there is no such role"));
        }
        let analyst = |(seed, name): (usize, &String)| {
            let player = searcher(name, engine, seed as u64, limits, stop)?;
            let player = player.ok_or(RequestError::Refused("this agent does not search"))?;
            Ok(Analyst {
                name: name.clone(),
                player,
                searched: None,
                simulations: 0,
                seconds: 0.0,
            })
        };
        let analysts: Result<Vec<Analyst>, RequestError> =
            agents.iter().enumerate().map(analyst).collect();
        Ok(Self {
            analysts: analysts?,
            role,
            turn: 0,
            tree: None,
        })
    }

    /// Opens nodes of an analyst's tree below the state that is shown, and closes all others.
    pub(super) fn open_tree(
        &mut self,
        analyst: usize,
        paths: Vec<TreePath>,
        state: &State,
    ) -> Result<(), RequestError> {
        if analyst >= self.analysts.len() {
            return Err(RequestError::Refused("there is no such analysis"));
        }
        self.tree = OpenTree::new(analyst, paths, state)?;
        Ok(())
    }

    /// Whether there is more to find out about the state that is shown, or something to report.
    pub(super) fn has_work(&self, history: &MatchHistory) -> bool {
        let (state, position) = history.state(history.shown());
        if self.tree.as_ref().is_some_and(OpenTree::is_new) {
            return true;
        }
        let Some(role) = self.role_in(position) else {
            return false;
        };
        let is_open = |analyst: &Analyst| !analyst.has_finished(state, role);
        self.analysts.iter().any(is_open)
    }

    /// The role whose moves are valued in a position; `None` if it has no choice.
    fn role_in(&self, position: &Position) -> Option<Role> {
        let has_choice = |&role: &Role| {
            !position.terminal
                && position
                    .legal
                    .get(role)
                    .is_some_and(|legal| legal.len() > 1)
        };
        let first = || (0..position.legal.len()).find(has_choice);
        self.role.filter(has_choice).or_else(first)
    }

    /// Searches for a tenth of a second, and sends what is known by then.
    pub(super) fn search(
        &mut self,
        engine: &mut dyn Engine,
        history: &mut MatchHistory,
        pictures: &Pictures,
        events: &dyn EventSink,
    ) {
        self.search_slice(engine, history, pictures, events);
        let round = history.shown();
        self.tree = self
            .tree
            .take()
            .filter(|tree| tree.is_below(history.state(round).0));
        if let Some(tree) = self.tree.as_mut().filter(|tree| tree.is_due(TREE_PAUSE)) {
            let index = tree.analyst();
            let nodes = tree.nodes(&self.analysts[index].player, engine, pictures);
            events.send(PageEvent::Tree(TreeEvent {
                round,
                index,
                nodes,
            }));
        }
    }

    fn search_slice(
        &mut self,
        engine: &mut dyn Engine,
        history: &mut MatchHistory,
        pictures: &Pictures,
        events: &dyn EventSink,
    ) {
        let round = history.shown();
        let (state, position) = history.state(round);
        let Some(role) = self.role_in(position) else {
            return;
        };
        let count = self.analysts.len();
        let order = (0..count).map(|offset| (self.turn + offset) % count);
        let mut open = order.filter(|&index| !self.analysts[index].has_finished(state, role));
        let Some(index) = open.next() else { return };
        drop(open);
        self.turn = index + 1;
        let analyst = &mut self.analysts[index];
        analyst.search(state, role);
        let (state, position) = (state.clone(), position.clone());
        let event = analyst.event(engine, (&state, &position), role, pictures);
        let best = event.moves.first().map(|best| best.value);
        events.send(PageEvent::Analysis(AnalysisEvent {
            index,
            round,
            ..event
        }));
        if let Some(value) = best {
            history.note_value(round, role, value);
        }
    }
}

impl Analyst {
    fn has_finished(&self, state: &State, role: Role) -> bool {
        let known = self.searched.as_ref();
        let is_searched = known.is_some_and(|(own, of)| own == state && *of == role);
        is_searched && self.player.is_exhausted()
    }

    fn search(&mut self, state: &State, role: Role) {
        let known = self.searched.as_ref();
        if known.is_none_or(|(own, of)| own != state || *of != role) {
            self.searched = Some((state.clone(), role));
            (self.simulations, self.seconds) = (0, 0.0);
        }
        let begun = Instant::now();
        let budget = SearchBudget::Until(begun + SLICE);
        let report = self.player.ponder(state, role, budget, &mut |_| {});
        self.simulations += report.simulations;
        self.seconds += begun.elapsed().as_secs_f64();
    }

    fn event(
        &self,
        engine: &mut dyn Engine,
        (state, position): (&State, &Position),
        role: Role,
        pictures: &Pictures,
    ) -> AnalysisEvent {
        let result = result(&self.player, engine, (state, position), role);
        let (moves, nodes, choice) = match &result {
            Some(result) => (
                valued_moves(
                    engine,
                    result,
                    &position.legal[role],
                    role,
                    pictures,
                    MOST_MOVES,
                ),
                result.report.nodes,
                result.choice.clone(),
            ),
            None => (Vec::new(), 0, None),
        };
        AnalysisEvent {
            index: 0,
            agent: self.name.clone(),
            round: 0,
            role,
            simulations: self.simulations,
            rate: self.simulations as f64 / self.seconds.max(1e-6),
            nodes,
            exhausted: self.player.is_exhausted(),
            moves,
            variation: variation(&self.player, engine, state, pictures),
            choice,
        }
    }
}

/// The joint moves that are expected to follow: in every state the best known move of every
/// role, as far as the tree reaches.
fn variation(
    player: &SearchPlayer,
    engine: &mut dyn Engine,
    state: &State,
    pictures: &Pictures,
) -> Vec<Vec<MoveText>> {
    let mut state = state.clone();
    let mut rounds = Vec::new();
    while rounds.len() < LONGEST_VARIATION {
        let position = engine.examine(&state);
        let Some(joint) = best_joint_move(player, engine, (&state, &position)) else {
            break;
        };
        let roles = joint.iter().enumerate();
        let round = roles.filter(|(role, _)| position.legal[*role].len() > 1);
        let round = round.map(|(role, &mv)| pictures.move_text(engine.move_name(role, mv)));
        rounds.push(round.collect());
        state = engine.next(&state, &joint);
    }
    rounds
}

/// The best known move of every role; `None` if the game is over or a role has a choice that
/// the search does not know.
fn best_joint_move(
    player: &SearchPlayer,
    engine: &dyn Engine,
    (state, position): (&State, &Position),
) -> Option<Vec<Move>> {
    if position.terminal {
        return None;
    }
    let best = |(role, legal): (Role, &Vec<Move>)| match &legal[..] {
        [] => None,
        [only] => Some(*only),
        _ => {
            let result = result(player, engine, (state, position), role)?;
            result
                .evaluation()
                .filter(|known| known.visits > 0)
                .map(|known| known.mv)
        }
    };
    position.legal.iter().enumerate().map(best).collect()
}
