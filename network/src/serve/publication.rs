//! Publication: the results of a search, where the match finds them at any time.

use super::agent_player::AgentPlayer;
use super::match_handle::MatchHandle;
use super::search_task::SearchTask;
use gdl_agent::player::Turn;
use gdl_agent::search::{SearchBudget, SearchResult};
use gdl_agent::shared_engine::SharedEngine;
use gdl_runtime::engine::{Engine as _, Move};
use parking_lot::Mutex;

/// The best move known so far.
#[derive(Debug, Clone, Copy)]
pub struct FoundMove {
    /// The number of the task in which it was found, whose engine numbers the move.
    pub task: u64,
    /// The zero-based index of the round.
    pub round: usize,
    /// The move.
    pub mv: Move,
    /// Its expected goal value, if it was searched.
    pub value: Option<f64>,
}

/// What a search has published.
#[derive(Debug, Clone, Default)]
pub struct PublishedResult {
    /// The latest found move.
    pub found: Option<FoundMove>,
    /// The total number of simulations.
    pub simulations: u64,
    /// What the agent learned, and how it plays, in words.
    pub choice: Option<String>,
    /// Why there is no move for the latest task, if the agent has failed.
    pub failure: Option<String>,
}

/// Where the results of a task are published.
pub struct Publication<'a> {
    pub task: &'a SearchTask,
    pub engine: &'a SharedEngine,
    pub handle: &'a MatchHandle,
    pub published: &'a Mutex<PublishedResult>,
}

impl Publication<'_> {
    /// Publishes what the player knows before it searches, if it knows anything: on a
    /// busy machine the first search may end too late.
    pub fn publish_known(&self, player: &mut AgentPlayer) {
        let known = self.result(player);
        if let Some(known) = known.filter(|result| result.evaluation().is_some()) {
            self.publish_result(&known, 0);
        }
    }

    /// Publishes what the player would do after this number of further simulations.
    pub fn publish(&self, player: &mut AgentPlayer, simulations: u64) {
        if let Some(result) = self.result(player) {
            self.publish_result(&result, simulations);
        }
    }

    fn result(&self, player: &mut AgentPlayer) -> Option<SearchResult> {
        player.choose(&Turn {
            engine: self.engine,
            role: self.task.role,
            state: &self.task.state,
            position: &self.task.position,
            budget: SearchBudget::Simulations(0),
        })
    }

    fn publish_result(&self, result: &SearchResult, simulations: u64) {
        let name = self.engine.move_name(self.task.role, result.chosen);
        self.handle.update_fallback(self.task.round, name);
        let mut published = self.published.lock();
        published.simulations += simulations;
        published.choice.clone_from(&result.choice);
        published.found = Some(FoundMove {
            task: self.task.number,
            round: self.task.round,
            mv: result.chosen,
            value: result.evaluation().map(|evaluation| evaluation.value),
        });
    }
}
