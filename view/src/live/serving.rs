//! The matches of a player on the network on a feed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gdl_network::serve::{MatchObserver, PlayerEvent, ServedFacts, ServedState};

use super::feed::LiveFeed;
use super::game::{LiveGame, LiveMatch, LiveState};
use super::places::MatchKey;

/// The matches that a player on the network plays, on a feed.
#[derive(Debug)]
pub struct LiveServing {
    feed: LiveFeed,
    matches: Mutex<ServedMatches>,
}

/// The numbers of the matches in progress.
#[derive(Debug, Default)]
struct ServedMatches {
    numbers: BTreeMap<String, u64>,
    next: u64,
}

impl LiveServing {
    /// All matches of a player.
    #[must_use]
    pub fn new(feed: LiveFeed) -> Self {
        Self {
            feed,
            matches: Mutex::default(),
        }
    }

    fn matches(&self) -> MutexGuard<'_, ServedMatches> {
        self.matches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The key of a match: hosts reuse names once a match is over.
    fn key(&self, id: &str) -> MatchKey {
        let mut matches = self.matches();
        let next = matches.next;
        let number = *matches.numbers.entry(id.to_lowercase()).or_insert(next);
        matches.next = next.max(number + 1);
        MatchKey { source: 0, number }
    }

    /// The key of a match in progress.
    fn known_key(&self, id: &str) -> Option<MatchKey> {
        let number = *self.matches().numbers.get(&id.to_lowercase())?;
        Some(MatchKey { source: 0, number })
    }
}

/// The game of a match.
fn game(reached: &ServedState<'_>) -> Arc<LiveGame> {
    match reached.state {
        ServedFacts::Numbered(engine, _) => LiveGame::new("match", reached.rules, engine.clone()),
        ServedFacts::Listed(roles, facts) => {
            LiveGame::of_facts("match", reached.rules, roles, facts)
        }
    }
}

fn state(reached: &ServedState<'_>) -> LiveState {
    match reached.state {
        ServedFacts::Numbered(engine, state) => LiveState::Numbered(engine.clone(), state.clone()),
        ServedFacts::Listed(_, facts) => LiveState::Listed(facts.to_vec()),
    }
}

impl MatchObserver for LiveServing {
    fn reached(&self, id: &str, reached: &ServedState<'_>) {
        let begin = || {
            // The host says neither what the game is called nor who else plays.
            let game = game(reached);
            let player = |role: &String| match role.eq_ignore_ascii_case(reached.role) {
                true => reached.agent.to_owned(),
                false => "?".to_owned(),
            };
            let players = game.roles().iter().map(player).collect();
            LiveMatch::new(&game, format!("match {id}"), players)
        };
        self.feed.show(self.key(id), begin, |shown| {
            let is_numbered = matches!(reached.state, ServedFacts::Numbered(..));
            if is_numbered && shown.game.engine().is_none() {
                shown.game = game(reached);
            }
            let led_by = reached.moves.map(<[String]>::to_vec).unwrap_or_default();
            shown.reach(reached.rounds, state(reached), led_by);
            if let Some(goals) = reached.goals {
                shown.goals = goals.to_vec();
            }
        });
    }

    fn happened(&self, id: &str, event: &PlayerEvent) {
        let Some(key) = self.known_key(id) else {
            return;
        };
        match event {
            PlayerEvent::Late { mv } => self.feed.amend(key, |shown| {
                let own = shown.players.iter_mut().find(|player| player.name != "?");
                own.into_iter().for_each(|player| player.late += 1);
                shown.note = Some(format!("no answer in time, playing {mv}"));
            }),
            PlayerEvent::Fallback { .. } => self.feed.amend(key, |shown| {
                shown.note = Some(event.to_string());
            }),
            PlayerEvent::Refused { reason }
            | PlayerEvent::Trouble { reason }
            | PlayerEvent::Unplayable { reason } => self.feed.amend(key, |shown| {
                shown.note = Some(reason.clone());
            }),
            PlayerEvent::End { how, goals, .. } => {
                self.feed.amend(key, |shown| match goals {
                    Some(goals) => shown.goals.clone_from(goals),
                    None => shown.ending = Some((*how).to_owned()),
                });
                self.matches().numbers.remove(&id.to_lowercase());
            }
            PlayerEvent::Start { .. }
            | PlayerEvent::Engine { .. }
            | PlayerEvent::Choice { .. }
            | PlayerEvent::Move { .. } => {}
        }
    }
}
