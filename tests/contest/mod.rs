//! The commands `gdl match`, `gdl tournament` and `gdl results`: games can be repeated,
//! journals are resumed after a cut, and figures agree.
#![allow(clippy::unwrap_used)]

mod agreement;
mod figures;
mod idle;
mod journals;
mod live;
mod tournaments;

use crate::common::command::output;
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;

fn json(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&output(folder, arguments, 0).0).unwrap()
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn game(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    path.join(format!("{name}.kif")).display().to_string()
}

/// The arguments of a match of twelve quick games, followed by `more`.
fn quick<'a>(game: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let arguments = [
        "match",
        game,
        "uct",
        "random",
        "--games=12",
        "--sims=30",
        "--seed=5",
        "--threads=1",
    ];
    [&arguments[..], more].concat()
}

/// The games of a journal without what depends on the clock, in the order of the
/// schedule.
fn games(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().skip(1);
    let mut games: Vec<Value> = lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for player in games
        .iter_mut()
        .flat_map(|game| game["players"].as_array_mut().unwrap())
    {
        player.as_object_mut().unwrap().remove("seconds");
    }
    games.sort_by_key(|game| game["game"].as_u64());
    games
}
