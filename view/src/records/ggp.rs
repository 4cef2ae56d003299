//! Match records of ggp-base and Tiltyard, which `gdl host` writes too.

use serde::Deserialize;

use super::recorded::{FormatError, Recorded};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GgpMatch {
    #[serde(rename = "gameMetaURL", default)]
    game_meta_url: String,
    #[serde(default)]
    match_id: String,
    moves: Vec<Vec<String>>,
    #[serde(default)]
    player_names_from_host: Vec<String>,
}

pub(super) fn parse(text: &str) -> Result<Recorded, FormatError> {
    let record: GgpMatch = serde_json::from_str(text)?;
    Ok(Recorded {
        game: game_name(&record),
        players: record.player_names_from_host,
        moves: record.moves,
    })
}

/// The name of the game: the last part of its address (`…/games/NAME/`, `…/NAME/v0/`) or,
/// without an address, the beginning of the match's name (`NAME.…`).
fn game_name(record: &GgpMatch) -> Option<String> {
    let is_version = |part: &&str| {
        part.strip_prefix('v')
            .is_some_and(|rest| rest.parse::<u32>().is_ok())
    };
    let mut parts = record.game_meta_url.split('/').rev();
    let by_address = parts.find(|part| !part.is_empty() && !is_version(part));
    let by_match = record
        .match_id
        .split('.')
        .next()
        .filter(|name| !name.is_empty());
    by_address.or(by_match).map(str::to_owned)
}
