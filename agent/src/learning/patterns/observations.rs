//! What random games show of the fluents of a game.

use gdl_runtime::features::{Condition, PatternFluent};
use gdl_runtime::layout::Layout;
use hashbrown::HashMap;
use rand::RngExt;
use rustc_hash::FxBuildHasher;

use super::finder::PatternFinder;
use super::names::FluentNames;
use super::random_play::RandomPlay;
use super::readiness::{self, FluentClasses, Reach};
use crate::learning::features::set_bits;

/// The number of ends of games that are looked at.
pub(super) const ENDS: usize = 6000;

/// Moves whose effects are counted.
const MOST_MOVES: u64 = 50_000;

/// A fluent that changes in more than this share of moves tells whose turn it is, or
/// counts moves.
const MOST_CHANGES: f64 = 0.3;

/// The share of the moves that add a fluent which remove another one, for that one to
/// count as replaced by it.
const REPLACED: f64 = 0.95;

/// States in which fluents that hold together are looked for.
const MOST_STATES: usize = 2000;

/// One state in this number is kept for that, so that they are from all parts of games.
const STATES_APART: u32 = 16;

/// What random games show.
pub(super) struct Observations {
    /// The words of terminal states, state after state.
    pub(super) ends: Vec<u64>,
    /// The words of other states.
    states: Vec<u64>,
    /// What moves may add to these.
    pub(super) reach: Reach,
    moves: u64,
    /// How often each fluent was added and removed.
    added: Vec<u64>,
    removed: Vec<u64>,
    /// How often a move added the one fluent and removed the other.
    both: HashMap<(u32, u32), u64, FxBuildHasher>,
}

impl Observations {
    pub(super) fn of_random_games(finder: &mut PatternFinder<'_>) -> Self {
        let PatternFinder {
            expander,
            initial,
            random,
            time,
            ..
        } = finder;
        let words = initial.0.len();
        let fluents = 64 * words;
        let mut seen = Self {
            ends: Vec::new(),
            states: Vec::new(),
            reach: Reach::default(),
            moves: 0,
            added: vec![0; fluents],
            removed: vec![0; fluents],
            both: HashMap::default(),
        };
        let mut games = RandomPlay::new(expander, initial);
        while seen.ends.len() < ENDS * words && time.goes_on() {
            games.step(expander, random, |random, before, after, is_over| {
                if seen.moves < MOST_MOVES {
                    seen.add_move(before, after);
                    let has_room = seen.states.len() < MOST_STATES * words;
                    if has_room && random.random_ratio(1, STATES_APART) {
                        seen.states.extend_from_slice(before);
                    }
                }
                if is_over {
                    seen.ends.extend_from_slice(after);
                }
            });
        }
        seen.reach = Reach::of(expander, &seen.states, random, *time);
        seen
    }

    /// The number of fluents, including the unused bits of the last word of a state.
    pub(super) fn fluents(&self) -> usize {
        self.added.len()
    }

    fn words(&self) -> usize {
        self.fluents() / 64
    }

    /// Counts what a move changes.
    fn add_move(&mut self, before: &[u64], after: &[u64]) {
        self.moves += 1;
        let pairs = || before.iter().zip(after);
        let added: Vec<u64> = pairs().map(|(before, after)| after & !before).collect();
        let removed: Vec<u64> = pairs().map(|(before, after)| before & !after).collect();
        set_bits(&removed).for_each(|fluent| self.removed[fluent] += 1);
        for fluent in set_bits(&added) {
            self.added[fluent] += 1;
            for other in set_bits(&removed) {
                let pair = (fluent as u32, other as u32);
                *self.both.entry(pair).or_default() += 1;
            }
        }
    }

    /// Whether a fluent changes so often that it cannot be part of a position's shape.
    pub(super) fn is_restless(&self, fluent: u32) -> bool {
        let fluent = fluent as usize;
        let changes = self.added[fluent] + self.removed[fluent];
        changes as f64 > MOST_CHANGES * self.moves as f64
    }

    /// Whether a fluent came to hold, and never ceased to.
    pub(super) fn is_permanent(&self, fluent: u32) -> bool {
        let fluent = fluent as usize;
        self.added[fluent] > 0 && self.removed[fluent] == 0
    }

    /// A fluent with what tells whether it can still come to hold.
    pub(super) fn describe(&self, fluent: u32, names: &FluentNames) -> PatternFluent {
        let open = self.replaced_by(fluent);
        let blockers = match open {
            Some(_) => Box::default(),
            None => self.excluding(fluent, names),
        };
        PatternFluent {
            fluent,
            ready: self.ready(fluent, open, &blockers, &names.classes),
            open,
            blockers,
        }
    }

    /// What it takes for a fluent that is open to come to hold with the next move.
    fn ready(
        &self,
        fluent: u32,
        open: Option<u32>,
        blockers: &[u32],
        classes: &FluentClasses,
    ) -> Option<Condition> {
        let holds = |state: &[u64], fluent: u32| Layout::holds(state, fluent as usize);
        let is_open = |state: &[u64]| {
            !holds(state, fluent)
                && open.is_none_or(|open| holds(state, open))
                && !blockers.iter().any(|&blocker| holds(state, blocker))
        };
        let words = self.words();
        let pairs = (self.states.chunks(words)).zip(self.reach.possible.chunks(words));
        let pairs = pairs.filter(|(state, _)| is_open(state));
        let states = pairs.map(|(state, possible)| (state, holds(possible, fluent)));
        readiness::condition(states, classes, |other| self.is_restless(other))
    }

    /// The fluents that exclude this one.
    fn excluding(&self, fluent: u32, names: &FluentNames) -> Box<[u32]> {
        let words = self.words();
        let holds = |state: &[u64], fluent: u32| Layout::holds(state, fluent as usize);
        let states = || self.states.chunks(words).chain(self.ends.chunks(words));
        let together =
            |other: u32| states().any(|state| holds(state, fluent) && holds(state, other));
        let other = names.alike(fluent).filter(|&other| {
            self.added[other as usize] > 0 && !self.is_restless(other) && !together(other)
        });
        other.collect()
    }

    /// The fluent that this one replaces whenever it comes to hold: of several candidates,
    /// the one that is removed least often.
    fn replaced_by(&self, fluent: u32) -> Option<u32> {
        let added = self.added[fluent as usize];
        let pairs = self.both.iter().filter(|((one, _), _)| *one == fluent);
        let always = pairs.filter(|(_, count)| **count as f64 >= REPLACED * added as f64);
        let others = always.map(|((_, other), _)| *other);
        let others = others.filter(|&other| !self.is_restless(other));
        others.min_by_key(|&other| (self.removed[other as usize], other))
    }
}
