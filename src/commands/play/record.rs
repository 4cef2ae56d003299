//! A match as JSON.

use gdl_agent::matches::{Ending, PlayedMatch, Round};
use gdl_agent::search::SearchResult;
use gdl_runtime::engine::{Engine, Role};
use serde::Serialize;

/// A match as JSON.
#[derive(Debug, Serialize)]
pub(super) struct PlayRecord {
    game: String,
    engine: String,
    seed: u64,
    roles: Vec<String>,
    players: Vec<String>,
    /// `terminal`, `quit` or `too long`.
    ending: &'static str,
    goals: Vec<i32>,
    rounds: Vec<RoundRecord>,
    /// The facts of the last state.
    last: Vec<String>,
}

#[derive(Debug, Serialize)]
struct RoundRecord {
    state: Vec<String>,
    /// One move per role.
    moves: Vec<String>,
    /// The search results of the players that searched; null for the others.
    #[serde(rename = "thoughts")]
    searches: Vec<Option<SearchRecord>>,
}

#[derive(Debug, Serialize)]
struct SearchRecord {
    /// Where a champion searches by evaluation, the number of descents.
    simulations: u64,
    /// Those that ended at a node whose value was known.
    known: u64,
    /// The number of states evaluated by what was learned.
    evaluations: u64,
    seconds: f64,
    nodes: usize,
    deepest: usize,
    /// What a champion learned and what it plays by; omitted for other agents.
    #[serde(skip_serializing_if = "Option::is_none")]
    champion: Option<String>,
    /// The decision of the cutoff; omitted if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    cutoff: Option<String>,
    /// Most visited first.
    moves: Vec<MoveRecord>,
}

#[derive(Debug, Serialize)]
struct MoveRecord {
    #[serde(rename = "move")]
    mv: String,
    visits: u32,
    value: f64,
    proven: bool,
}

impl PlayRecord {
    pub(super) fn new(
        game: &str,
        engine: &dyn Engine,
        players: Vec<String>,
        seed: u64,
        record: &PlayedMatch,
    ) -> Self {
        Self {
            game: game.to_owned(),
            engine: engine.name(),
            seed,
            roles: engine.roles().to_vec(),
            players,
            ending: match record.ending {
                Ending::Terminal => "terminal",
                Ending::Quit => "quit",
                Ending::TooLong => "too long",
            },
            goals: record.goals.clone(),
            rounds: record
                .rounds
                .iter()
                .map(|round| RoundRecord::new(engine, round))
                .collect(),
            last: engine.facts(&record.last),
        }
    }

    /// Returns the match as one line of JSON.
    pub(super) fn line(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

impl RoundRecord {
    fn new(engine: &dyn Engine, round: &Round) -> Self {
        let results = round.results.iter().enumerate();
        let (moves, searches) = results
            .map(|(role, result)| {
                let mv = engine.move_name(role, result.chosen);
                (mv, SearchRecord::new(engine, role, result))
            })
            .unzip();
        Self {
            state: engine.facts(&round.state),
            moves,
            searches,
        }
    }
}

impl SearchRecord {
    fn new(engine: &dyn Engine, role: Role, result: &SearchResult) -> Option<Self> {
        let evaluations = result.evaluations.iter().map(|evaluation| MoveRecord {
            mv: engine.move_name(role, evaluation.mv),
            visits: evaluation.visits,
            value: evaluation.value,
            proven: evaluation.proven,
        });
        (!result.evaluations.is_empty()).then(|| Self {
            simulations: result.report.simulations,
            known: result.report.known,
            evaluations: result.report.evaluations,
            seconds: result.report.elapsed.as_secs_f64(),
            nodes: result.report.nodes,
            deepest: result.report.deepest,
            champion: result.choice.clone(),
            cutoff: result.cutoff.clone(),
            moves: evaluations.collect(),
        })
    }
}
