//! The nodes of a search tree that a page has opened.

use std::time::{Duration, Instant};

use gdl_agent::matches::highest_goals;
use gdl_agent::player::search_player::SearchPlayer;
use gdl_runtime::engine::{Engine, Move, Position, Role, State};

use super::request_error::RequestError;
use super::search_result::{result, valued_moves};
use crate::messages::{OpenNode, RoleMoves, TreePath};
use crate::pictures::Pictures;

/// The maximum number of nodes that are open at a time.
const MOST_NODES: usize = 32;

/// The maximum number of rounds from the state that is shown to an open node.
const DEEPEST: usize = 32;

/// The maximum number of moves of a role in a node.
const MOST_MOVES: usize = 30;

/// The open nodes below a state. They are read between two slices of the search, so that it
/// never waits for a page.
pub(super) struct OpenTree {
    analyst: usize,
    paths: Vec<TreePath>,
    state: State,
    told: Option<Instant>,
}

impl OpenTree {
    /// These nodes; `None` if there are none.
    pub(super) fn new(
        analyst: usize,
        paths: Vec<TreePath>,
        state: &State,
    ) -> Result<Option<Self>, RequestError> {
        if paths.len() > MOST_NODES || paths.iter().any(|path| path.len() > DEEPEST) {
            let why = "at most 32 nodes of a tree are open at a time, 32 rounds deep";
            return Err(RequestError::Refused(why));
        }
        let is_open = !paths.is_empty();
        Ok(is_open.then(|| Self {
            analyst,
            paths,
            state: state.clone(),
            told: None,
        }))
    }

    /// The index of the analyst whose tree it is.
    pub(super) fn analyst(&self) -> usize {
        self.analyst
    }

    /// Whether nothing has been sent about these nodes yet.
    pub(super) fn is_new(&self) -> bool {
        self.told.is_none()
    }

    /// Whether it is time to send what is known of them.
    pub(super) fn is_due(&self, pause: Duration) -> bool {
        self.told.is_none_or(|told| told.elapsed() >= pause)
    }

    /// Whether the nodes are below this state.
    pub(super) fn is_below(&self, state: &State) -> bool {
        self.state == *state
    }

    /// What the search knows of the nodes. Those that no legal moves lead to are left out.
    pub(super) fn nodes(
        &mut self,
        player: &SearchPlayer,
        engine: &mut dyn Engine,
        pictures: &Pictures,
    ) -> Vec<OpenNode> {
        self.told = Some(Instant::now());
        let paths = self.paths.iter().filter_map(|path| {
            let (state, position) = follow(engine, &self.state, path)?;
            Some(OpenNode {
                path: path.clone(),
                roles: roles(player, engine, (&state, &position), pictures),
                goals: match position.terminal {
                    true => highest_goals(&position),
                    false => Vec::new(),
                },
            })
        });
        paths.collect()
    }
}

/// The state that joint moves lead to; `None` if one of them is not legal.
fn follow(engine: &mut dyn Engine, from: &State, path: &TreePath) -> Option<(State, Position)> {
    let mut state = from.clone();
    let mut position = engine.examine(&state);
    for indices in path {
        if position.terminal || indices.len() != position.legal.len() {
            return None;
        }
        let chosen = position.legal.iter().zip(indices);
        let joint: Option<Vec<Move>> = chosen
            .map(|(legal, &index)| legal.get(index).copied())
            .collect();
        state = engine.next(&state, &joint?);
        position = engine.examine(&state);
    }
    Some((state, position))
}

/// The moves of the roles that have a choice, as far as they were searched.
fn roles(
    player: &SearchPlayer,
    engine: &dyn Engine,
    (state, position): (&State, &Position),
    pictures: &Pictures,
) -> Vec<RoleMoves> {
    let choices = position.legal.iter().enumerate();
    let choices = choices.filter(|(_, legal)| !position.terminal && legal.len() > 1);
    let moves = choices.map(|(role, legal): (Role, &Vec<Move>)| {
        let found = result(player, engine, (state, position), role);
        let valued =
            found.map(|found| valued_moves(engine, &found, legal, role, pictures, MOST_MOVES));
        let mut moves = valued.unwrap_or_default();
        moves.retain(|valued| valued.visits > 0 || valued.proven);
        RoleMoves {
            role,
            legal: legal.len(),
            moves,
        }
    });
    moves.collect()
}
