//! A recorded match as one self-contained HTML file.

use std::path::Path;

use gdl_agent::matches::highest_goals;
use gdl_engines::{EngineKind, EngineOptions, LoadError};
use gdl_runtime::moves::{JointMoveError, find_joint_move, joint_move_names};
use serde::Serialize;

use crate::assets;
use crate::pictures::Pictures;
use crate::records::Recorded;

/// What the file's script shows.
#[derive(Debug, Serialize)]
struct ReplayData {
    title: String,
    roles: Vec<String>,
    players: Vec<String>,
    /// The moves of every round, one per role.
    moves: Vec<Vec<String>>,
    /// Every state as SVG.
    pictures: Vec<String>,
    /// The highest goal value of every role in the last state.
    goals: Vec<i32>,
}

/// Why a match cannot be written as a file.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// Its game cannot be opened.
    #[error(transparent)]
    Game(#[from] LoadError),
    /// A move is not legal.
    #[error("round {round} of the record cannot be played: {error}")]
    Move {
        /// The number of the round, from 1.
        round: usize,
        /// Why.
        error: JointMoveError,
    },
}

/// Plays a recorded match again by the rules at `game`, or by those of the built-in game of
/// that name, and returns an HTML document that shows it without a server.
///
/// # Errors
/// If the game cannot be opened, or a move of the record is not legal in it.
pub fn replay_file(game: &Path, recorded: &Recorded) -> Result<String, ReplayError> {
    let options = EngineOptions::default();
    let (loaded, source) = gdl_engines::open_with_rules(game, EngineKind::Net, &options)?;
    let mut engine = loaded.engine;
    let title = gdl_engines::input::stem(game);
    let pictures = Pictures::new(&title, &source.text, &mut *engine);
    let mut state = engine.initial();
    let mut data = ReplayData {
        pictures: vec![pictures.draw(&engine.facts(&state), None, &[])],
        title,
        roles: engine.roles().to_vec(),
        players: recorded.players.clone(),
        moves: Vec::new(),
        goals: Vec::new(),
    };
    for (index, names) in recorded.moves.iter().enumerate() {
        let position = engine.examine(&state);
        let joint = find_joint_move(&*engine, &position, names);
        let joint = joint.map_err(|error| ReplayError::Move {
            round: index + 1,
            error,
        })?;
        let moves = joint_move_names(&*engine, &joint);
        let before = engine.facts(&state);
        state = engine.next(&state, &joint);
        let picture = pictures.draw(&engine.facts(&state), Some(&before), &moves);
        data.pictures.push(picture);
        data.moves.push(moves);
    }
    data.goals = highest_goals(&engine.examine(&state));
    Ok(document(&data))
}

/// The document. The match is embedded as data in which every `<` is escaped, so that no text can
/// end the element that holds it.
fn document(data: &ReplayData) -> String {
    let json = serde_json::to_string(data).unwrap_or_default();
    let skeleton = assets::replay_skeleton();
    let (before, after) = skeleton.split_once("@MATCH@").unwrap_or((&skeleton, ""));
    let before = before.replacen("@BOARDS@", gdl_boards::svg::STYLE, 1);
    format!("{before}{}{after}", json.replace('<', "\\u003c"))
}
