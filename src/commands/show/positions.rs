//! The states that `gdl show board` draws: after given or random moves, or of a record.

use anyhow::{Context as _, bail};
use flate2::read::MultiGzDecoder;
use gdl_runtime::engine::{Engine, Move, State};
use gdl_runtime::kif::expressions;
use gdl_runtime::moves::find_move;
use gdl_runtime::random::SplitMix;
use serde_json::Value;
use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::Path;

/// The largest record that is read, in bytes after decompression.
const MOST_BYTES: u64 = 1 << 28;

/// A state with what is drawn of it.
#[derive(Debug, Clone, Default)]
pub(super) struct SeenState {
    pub(super) facts: Vec<String>,
    /// The move of each role that led to the next state.
    pub(super) joint: Vec<String>,
    /// Those of the moves that were chosen among several, if that is known.
    pub(super) choices: Vec<String>,
}

/// States of a game from the first one on.
pub(super) struct SeenPositions<'e> {
    engine: &'e mut dyn Engine,
    state: State,
    pub(super) states: Vec<SeenState>,
}

impl<'e> SeenPositions<'e> {
    pub(super) fn begin(engine: &'e mut dyn Engine) -> Self {
        let state = engine.initial();
        let facts = engine.facts(&state);
        let first = SeenState {
            facts,
            ..SeenState::default()
        };
        Self {
            engine,
            state,
            states: vec![first],
        }
    }

    /// Makes the moves of one text after the other: all roles' moves, or that of the only
    /// role that has this move and a choice.
    pub(super) fn make(&mut self, texts: &[String]) -> anyhow::Result<()> {
        for text in texts {
            let found = expressions(text).ok().context("unbalanced parentheses");
            let found = found.with_context(|| text.clone())?;
            let moves: Vec<&str> = found.into_iter().map(|one| &text[one.range]).collect();
            let joint = self
                .joint(&moves)
                .with_context(|| format!("after {} moves", self.states.len() - 1))?;
            self.advance(&joint);
        }
        Ok(())
    }

    fn joint(&mut self, moves: &[&str]) -> anyhow::Result<Vec<Move>> {
        let position = self.engine.examine(&self.state);
        if position.terminal {
            bail!("the game is over");
        }
        let find =
            |role: usize, name: &str| find_move(&*self.engine, role, &position.legal[role], name);
        if moves.len() == position.legal.len() {
            let all = moves.iter().enumerate().map(|(role, name)| {
                find(role, name)
                    .with_context(|| format!("{} cannot play {name}", self.engine.roles()[role]))
            });
            return all.collect();
        }
        let [name] = moves else {
            bail!("{} moves for {} roles", moves.len(), position.legal.len());
        };
        let chosen = (0..position.legal.len()).find_map(|role| Some((role, find(role, name)?)));
        let (chooser, chosen) = chosen.with_context(|| format!("nobody can play {name}"))?;
        let others = position
            .legal
            .iter()
            .enumerate()
            .map(|(role, legal)| match legal[..] {
                _ if role == chooser => Ok(chosen),
                [only] => Ok(only),
                _ => bail!(
                    "{} has a choice, too: name a move of every role",
                    self.engine.roles()[role]
                ),
            });
        others.collect()
    }

    /// Makes random moves until there have been enough or the game is over.
    pub(super) fn make_random(&mut self, count: usize, seed: u64) {
        let mut random = SplitMix::new(seed);
        for _ in 0..count {
            let position = self.engine.examine(&self.state);
            let mut pick = |legal: &Vec<Move>| {
                let index = random.next_u64() % legal.len().max(1) as u64;
                legal.get(index as usize).copied()
            };
            let joint: Option<Vec<Move>> = position.legal.iter().map(&mut pick).collect();
            match joint {
                Some(joint) if !position.terminal => self.advance(&joint),
                _ => break,
            }
        }
    }

    fn advance(&mut self, joint: &[Move]) {
        let legal = self.engine.examine(&self.state).legal;
        let named = joint.iter().enumerate();
        let named: Vec<String> = named
            .map(|(role, &mv)| self.engine.move_name(role, mv))
            .collect();
        if let Some(last) = self.states.last_mut() {
            let choices = named
                .iter()
                .zip(&legal)
                .filter(|(_, legal)| legal.len() > 1);
            last.choices = choices.map(|(name, _)| name.clone()).collect();
            last.joint = named;
        }
        self.state = self.engine.next(&self.state, joint);
        let facts = self.engine.facts(&self.state);
        self.states.push(SeenState {
            facts,
            ..SeenState::default()
        });
    }

    /// The states of a record up to a step, or all: of the first game of a trace, of the
    /// first line of `gdl play --json`, or of a match in the JSON of ggp-base.
    pub(super) fn of_record(path: &Path, step: Option<usize>) -> anyhow::Result<Vec<SeenState>> {
        let name = path.display();
        let text = read(path).with_context(|| format!("cannot read {name}"))?;
        let mut states = Vec::new();
        let values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
        for value in values {
            let value = value.with_context(|| format!("{name} is not JSON"))?;
            let before = states.len();
            if value
                .get("p")
                .and_then(Value::as_u64)
                .is_some_and(|playout| playout > 0)
            {
                break;
            }
            read_states(&value, &mut states);
            if before == 0 && states.len() > 1 {
                break;
            }
        }
        if states.is_empty() {
            bail!("{name} holds no states: is it a record of a game?");
        }
        if let Some(step) = step {
            if step >= states.len() {
                bail!("{name} ends after {} moves", states.len() - 1);
            }
            states.truncate(step + 1);
        }
        Ok(states)
    }
}

fn read(path: &Path) -> std::io::Result<String> {
    let mut start = [0; 2];
    let compressed = File::open(path)?.read_exact(&mut start).is_ok() && start == [0x1f, 0x8b];
    let mut text = String::new();
    let file = BufReader::new(File::open(path)?);
    match compressed {
        true => MultiGzDecoder::new(file)
            .take(MOST_BYTES)
            .read_to_string(&mut text)?,
        false => file.take(MOST_BYTES).read_to_string(&mut text)?,
    };
    Ok(text)
}

/// Appends the states of a JSON value, whichever kind of record it is.
fn read_states(value: &Value, states: &mut Vec<SeenState>) {
    if let Some(facts) = value.get("state") {
        // A line of a trace.
        states.push(seen(facts, value.get("move")));
    } else if let Some(rounds) = value.get("rounds").and_then(Value::as_array) {
        // A line of `gdl play --json`.
        let rounds = rounds
            .iter()
            .filter_map(|round| Some(seen(round.get("state")?, round.get("moves"))));
        states.extend(rounds);
        states.extend(value.get("last").map(|facts| seen(facts, None)));
    } else if let Some(all) = value.get("states").and_then(Value::as_array) {
        // A match of ggp-base.
        let moves = |index: usize| value.get("moves").and_then(|moves| moves.get(index));
        states.extend(
            all.iter()
                .enumerate()
                .map(|(index, facts)| seen(facts, moves(index))),
        );
    }
}

fn seen(facts: &Value, joint: Option<&Value>) -> SeenState {
    let joint = joint.map_or_else(Vec::new, texts);
    SeenState {
        facts: texts(facts).into_iter().map(without_true).collect(),
        choices: joint
            .iter()
            .filter(|mv| mv.starts_with('('))
            .cloned()
            .collect(),
        joint,
    }
}

/// The texts of an array, or the expressions in the list that one text is.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(texts) => texts
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        Value::String(list) => {
            let list = list.trim();
            let inside = list
                .strip_prefix('(')
                .and_then(|rest| rest.strip_suffix(')'));
            let inside = inside.unwrap_or(list);
            let found = expressions(inside).unwrap_or_default();
            found
                .into_iter()
                .map(|one| inside[one.range].to_owned())
                .collect()
        }
        _ => Vec::new(),
    }
}

/// A fact without the `true` around it that some records have.
fn without_true(fact: String) -> String {
    let inside = fact
        .trim()
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    match inside.and_then(|inside| inside.trim().strip_prefix("true ")) {
        Some(inside) => inside.trim().to_owned(),
        None => fact,
    }
}
