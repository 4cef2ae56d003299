//! Records of games in the JSON of the GGP base's matches.

use super::Budget;
use super::Terms;
use agent::contest::Played;
use agent::matches::Ending;
use anyhow::Context as _;
use runtime::engine::Engine;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A folder of records.
#[derive(Debug)]
pub struct Records {
    folder: PathBuf,
}

/// A match as the GGP base writes it. Contests keep no times of single moves, so
/// that every time is that of the record.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Match {
    match_id: String,
    random_token: String,
    start_time: u64,
    #[serde(rename = "gameMetaURL")]
    game_meta_url: String,
    is_completed: bool,
    is_aborted: bool,
    /// A list of facts a state.
    states: Vec<String>,
    /// A list a round, a move a role.
    moves: Vec<Vec<String>>,
    state_times: Vec<u64>,
    /// A list a state, a text a role: none of our players errs.
    errors: Vec<Vec<String>>,
    goal_values: Vec<i32>,
    preview_clock: i64,
    start_clock: u64,
    play_clock: u64,
    player_names_from_host: Vec<String>,
    is_player_human: Vec<bool>,
    tournament_name_from_host: String,
    scrambled: bool,
}

impl Records {
    /// A folder, made if it is not there.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn open(folder: &Path) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Self {
            folder: folder.to_owned(),
        })
    }

    /// Writes the record of a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(
        &self,
        engine: &mut dyn Engine,
        terms: &Terms,
        played: &Played,
    ) -> anyhow::Result<()> {
        let name = format!("{}.{}", terms.file_name(), played.fixture.number);
        let record = Match::new(engine, terms, played, &name);
        let path = self.folder.join(format!("{name}.json"));
        let text = serde_json::to_string(&record)?;
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }
}

impl Match {
    fn new(engine: &mut dyn Engine, terms: &Terms, played: &Played, id: &str) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |since| since.as_millis() as u64);
        let mut states = vec![engine.initial()];
        for joint in &played.moves {
            let last = states[states.len() - 1].clone();
            states.push(engine.next(&last, joint));
        }
        let name = |joint: &Vec<_>| {
            let moves = joint.iter().enumerate();
            moves
                .map(|(role, &mv)| engine.move_name(role, mv))
                .collect()
        };
        let clock = match terms.budget {
            Budget::Seconds(seconds) => seconds.ceil() as u64,
            Budget::Simulations(_) => 0,
        };
        let agents = played.fixture.seats.iter();
        Self {
            match_id: id.to_owned(),
            random_token: format!("{:016x}", played.fixture.seed),
            start_time: now,
            game_meta_url: String::new(),
            is_completed: played.ending == Ending::Terminal,
            is_aborted: played.ending != Ending::Terminal,
            states: states
                .iter()
                .map(|state| facts(&engine.facts(state)))
                .collect(),
            moves: played.moves.iter().map(name).collect(),
            state_times: vec![now; states.len()],
            errors: vec![vec![String::new(); terms.roles.len()]; states.len()],
            goal_values: played.goals.clone(),
            preview_clock: -1,
            start_clock: 0,
            play_clock: clock,
            player_names_from_host: agents.map(|&agent| terms.agents[agent].clone()).collect(),
            is_player_human: vec![false; terms.roles.len()],
            tournament_name_from_host: terms.file_name(),
            scrambled: false,
        }
    }
}

/// Facts as one list.
fn facts(facts: &[String]) -> String {
    format!("( {} )", facts.join(" "))
}
