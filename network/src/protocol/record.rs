//! Match records in the JSON format of ggp-base.
//!
//! A record grows with its match, and can be saved at any time; readers never see a
//! half-written file. It has one more state, time and row of errors than rounds of
//! moves: row 0 of the errors belongs to the start.

use super::clock::ClockSeconds;
use crate::unix_time::unix_milliseconds;
use gdl_engines::whole_file;
use serde::{Deserialize, Serialize};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Duration;

/// The time available to players, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Clocks {
    /// For analysing the rules before the match; `None` if the match has no preview.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<u64>,
    /// From receiving the rules to the first move request.
    pub start: ClockSeconds,
    /// For each move.
    pub play: ClockSeconds,
}

impl Clocks {
    /// The time from receiving the rules to the first move request.
    #[must_use]
    pub fn start(&self) -> Duration {
        self.start.duration()
    }

    /// The time for each move.
    #[must_use]
    pub fn play(&self) -> Duration {
        self.play.duration()
    }
}

/// The record of a match; its fields are those of ggp-base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchRecord {
    /// The name of the match in the protocol.
    pub match_id: String,
    /// Distinguishes matches of the same name.
    pub random_token: String,
    /// The start of the match, in milliseconds since 1970.
    pub start_time: u64,
    /// The URL of the published rule sheet; empty if there is none.
    #[serde(rename = "gameMetaURL")]
    pub game_meta_url: String,
    /// Whether the match was played to its end.
    pub is_completed: bool,
    /// Whether the match was aborted.
    pub is_aborted: bool,
    /// One list of facts per state, as KIF without `true`.
    pub states: Vec<String>,
    /// One list per round, with one move per role.
    pub moves: Vec<Vec<String>>,
    /// When each state was reached, in milliseconds since 1970.
    pub state_times: Vec<u64>,
    /// The errors before each state: one text per role, empty where there was none.
    pub errors: Vec<Vec<String>>,
    /// One goal value per role; omitted until the match has ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goal_values: Vec<i32>,
    /// Seconds for analysing the rules before the match; -1 without a preview.
    pub preview_clock: i64,
    /// Seconds from receiving the rules to the first move request.
    pub start_clock: ClockSeconds,
    /// Seconds for each move.
    pub play_clock: ClockSeconds,
    /// One name per role.
    pub player_names_from_host: Vec<String>,
    /// Whether each role is played by a person.
    pub is_player_human: Vec<bool>,
    /// The tournament that the match belongs to; empty if none.
    pub tournament_name_from_host: String,
    /// Whether the players see scrambled words in place of those recorded here.
    pub scrambled: bool,
}

impl MatchRecord {
    /// A match that begins now, in the state of the given facts, with one named player
    /// per role, in role order.
    #[must_use]
    pub fn begin(id: &str, clocks: Clocks, players: Vec<String>, facts: &[String]) -> Self {
        let now = unix_milliseconds();
        let preview = clocks.preview.map(i64::try_from);
        Self {
            match_id: id.to_owned(),
            random_token: format!("{:032x}", rand::random::<u128>()),
            start_time: now,
            game_meta_url: String::new(),
            is_completed: false,
            is_aborted: false,
            states: vec![list(facts)],
            moves: Vec::new(),
            state_times: vec![now],
            errors: vec![vec![String::new(); players.len()]],
            goal_values: Vec::new(),
            preview_clock: preview.map_or(-1, |clock| clock.unwrap_or(i64::MAX)),
            start_clock: clocks.start,
            play_clock: clocks.play,
            is_player_human: vec![false; players.len()],
            player_names_from_host: players,
            tournament_name_from_host: String::new(),
            scrambled: false,
        }
    }

    /// Adds a round: one move per role, and the facts of the state that is reached now.
    pub fn advance(&mut self, moves: Vec<String>, facts: &[String]) {
        self.advance_at(unix_milliseconds(), moves, facts);
    }

    /// Like [`advance`](Self::advance), for a state that was reached at `time`, in
    /// milliseconds since 1970.
    pub fn advance_at(&mut self, time: u64, moves: Vec<String>, facts: &[String]) {
        self.errors.push(vec![String::new(); moves.len()]);
        self.moves.push(moves);
        self.states.push(list(facts));
        self.state_times.push(time);
    }

    /// Sets the errors that occurred on the way to the latest state: one text per
    /// role, empty where there was none.
    pub fn set_errors(&mut self, errors: Vec<String>) {
        if let Some(last) = self.errors.last_mut() {
            *last = errors;
        }
    }

    /// Whether any player made an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.errors.iter().flatten().any(|error| !error.is_empty())
    }

    /// Marks the match as played to its end, with one goal value per role.
    pub fn complete(&mut self, goals: &[i32]) {
        self.is_completed = true;
        self.goal_values = goals.to_vec();
    }

    /// Marks the match as aborted.
    pub fn abort(&mut self) {
        self.is_aborted = true;
    }

    /// Replaces a file by the record, as one line of JSON. The replacement is atomic:
    /// readers find either the previous contents or the whole record.
    ///
    /// # Errors
    /// If the file cannot be written; its previous contents then remain.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let mut file = whole_file::begin(path)?;
        serde_json::to_writer(file.as_file(), self)?;
        file.write_all(b"\n")?;
        file.persist(path)?;
        Ok(())
    }
}

/// Facts as one list in the format of ggp-base.
fn list(facts: &[String]) -> String {
    format!("( {} )", facts.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    const CLOCKS: Clocks = Clocks {
        preview: None,
        start: ClockSeconds::whole(30),
        play: ClockSeconds::whole(10),
    };

    /// A match of one round, with fixed times and a fixed token.
    fn played() -> MatchRecord {
        let facts = |text: &str| vec![text.to_owned()];
        let names = || vec!["left".to_owned(), "right".to_owned()];
        let mut record = MatchRecord::begin("test.1", CLOCKS, names(), &facts("(turn x)"));
        record.advance(
            vec!["(mark 1 1)".to_owned(), "noop".to_owned()],
            &facts("(turn o)"),
        );
        record.set_errors(vec![String::new(), "TO".to_owned()]);
        record.complete(&[100, 0]);
        record.random_token = "0".to_owned();
        record.start_time = 1;
        record.state_times = vec![1, 2];
        record
    }

    #[test]
    fn it_is_what_the_base_writes() {
        let text = serde_json::to_string_pretty(&played()).expect("it is JSON");
        expect![[r#"
            {
              "matchId": "test.1",
              "randomToken": "0",
              "startTime": 1,
              "gameMetaURL": "",
              "isCompleted": true,
              "isAborted": false,
              "states": [
                "( (turn x) )",
                "( (turn o) )"
              ],
              "moves": [
                [
                  "(mark 1 1)",
                  "noop"
                ]
              ],
              "stateTimes": [
                1,
                2
              ],
              "errors": [
                [
                  "",
                  ""
                ],
                [
                  "",
                  "TO"
                ]
              ],
              "goalValues": [
                100,
                0
              ],
              "previewClock": -1,
              "startClock": 30,
              "playClock": 10,
              "playerNamesFromHost": [
                "left",
                "right"
              ],
              "isPlayerHuman": [
                false,
                false
              ],
              "tournamentNameFromHost": "",
              "scrambled": false
            }"#]]
        .assert_eq(&text);
    }

    #[test]
    fn it_survives_json() {
        let mut record = played();
        record.goal_values.clear();
        for record in [record, played()] {
            let text = serde_json::to_string(&record).expect("it is JSON");
            let back: MatchRecord = serde_json::from_str(&text).expect("it was JSON");
            assert_eq!(back, record);
        }
    }

    #[test]
    fn saving_replaces_the_whole_file_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().expect("temporary folders can be made");
        let path = folder.path().join("match.json");
        let mut record = played();
        for round in 0..3 {
            record.advance(vec!["noop".to_owned(); 2], &[]);
            record.save(&path).expect("it can be written");
            let text = std::fs::read_to_string(&path).expect("it was written");
            assert_eq!(text.lines().count(), 1);
            let back: MatchRecord = serde_json::from_str(&text).expect("it is JSON");
            assert_eq!((&back, back.moves.len()), (&record, round + 2));
        }
        let files = std::fs::read_dir(folder.path()).expect("it can be listed");
        assert_eq!(files.count(), 1);
        assert!(
            record
                .save(&folder.path().join("nowhere/match.json"))
                .is_err()
        );
    }

    #[test]
    fn errors_belong_to_the_state_reached_last() {
        let mut record = MatchRecord::begin("id", CLOCKS, vec![String::new()], &[]);
        assert!(!record.has_errors());
        record.set_errors(vec!["CE".to_owned()]);
        record.advance(vec!["wait".to_owned()], &[]);
        assert_eq!(record.errors, [["CE"], [""]]);
        assert!(record.has_errors());
    }
}
