//! The states that `gdl show board` draws: after given or random moves, or of a record.

use anyhow::{Context as _, bail};
use gdl_runtime::engine::{Engine, Move, State};
use gdl_runtime::kif::expressions;
use gdl_runtime::moves::{find_joint_move, find_move};
use gdl_runtime::random::SplitMix;
use gdl_view::records;
use std::path::Path;

/// A state, and what is drawn with it.
#[derive(Debug, Clone, Default)]
pub(super) struct SeenState {
    pub(super) facts: Vec<String>,
    /// The move of each role that led to the next state.
    pub(super) joint: Vec<String>,
    /// The moves among them that were a choice of several, if that is known.
    pub(super) choices: Vec<String>,
}

/// The states of a match, from the first on.
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

    /// Makes the moves of the texts one after another. A text has a move of every role, or
    /// the move of one role where no other role has a choice.
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
        let able = (0..position.legal.len()).filter_map(|role| Some((role, find(role, name)?)));
        // The role that has a choice, since another makes its only move anyway.
        let chosen = able.min_by_key(|&(role, _)| position.legal[role].len() == 1);
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

    /// Makes `count` random moves, or fewer if the game ends before.
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

    /// Plays a recorded match again, up to a number of moves or all of them.
    pub(super) fn make_recorded(
        &mut self,
        path: &Path,
        moves: Option<usize>,
    ) -> anyhow::Result<()> {
        let name = path.display();
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
        let recorded = records::read(&bytes).with_context(|| name.to_string())?;
        let all = recorded.moves.len();
        let wanted = moves.unwrap_or(all);
        if wanted > all {
            bail!("{name} ends after {all} moves");
        }
        for (index, names) in recorded.moves[..wanted].iter().enumerate() {
            let position = self.engine.examine(&self.state);
            let joint = find_joint_move(&*self.engine, &position, names);
            let joint = joint.with_context(|| format!("{name}, after {index} moves"))?;
            self.advance(&joint);
        }
        Ok(())
    }
}
