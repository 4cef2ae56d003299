//! Patterns of fluents, found by looking at how random games end.
//!
//! At the end of a game, every fluent is taken away by itself. Those without which the
//! game would not be over, or would have other goals, are what decided it: the cells of a
//! line, for instance. What decides again and again is a pattern. Nothing is assumed of
//! the rules; where no such sets decide most games, there are no patterns.
//!
//! Whether a fluent of a pattern can still come to hold is found from the same games too:
//! by the fluent that it replaces (that a cell is empty), or by those that exclude it.
//! Fluents exclude each other if their names differ in one argument and they never held
//! together (a cell taken by one or another piece). In some states of these games, what each
//! move would add shows what it takes for a fluent to come to hold with the next move (that
//! the cell below is taken).

use gdl_runtime::engine::State;
use gdl_runtime::features::{Condition, FeatureSet, Pattern, PatternFluent};
use gdl_runtime::kif::GroundTerm;
use gdl_runtime::layout::{BaseRow, Layout};
use hashbrown::HashMap;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxBuildHasher;

use super::features::set_bits;
use super::readiness::{self, FluentClasses, random_moves};
use crate::expander::{Expander, Positions};

/// The sizes of sets of fluents that count as patterns.
const SIZES: std::ops::RangeInclusive<usize> = 2..=8;

/// The number of ends of games that are looked at.
const ENDS: usize = 6000;

/// Ends of games in which a set of fluents decided before it counts as a pattern.
const FEWEST_ENDS: u32 = 2;

/// The largest number of patterns; the most frequent are kept.
const MOST_PATTERNS: usize = 400;

/// The share of the ends of games in which a pattern has to have decided: elsewhere something
/// else decides, and what did so twice by chance, such as some chains of Hex, takes more time than
/// it is worth.
const LEAST_DECIDED: f64 = 0.75;

/// Outcomes that are told apart; the less frequent ones count as the last of them.
const MOST_OUTCOMES: usize = 8;

/// Moves whose effects are counted.
const MOST_MOVES: u64 = 50_000;

/// A fluent that changes in more than this share of moves says whose turn it is or
/// counts them.
const MOST_CHANGES: f64 = 0.3;

/// The share of the moves that add a fluent which remove another one, for that one to
/// count as replaced by it.
const REPLACED: f64 = 0.95;

/// States in which fluents that hold together are looked for.
const MOST_STATES: usize = 2000;

/// One state in this number is kept for that, so that they are from all parts of games.
const STATES_APART: u32 = 16;

/// What random games show.
struct Observations {
    /// The words of terminal states, state after state.
    ends: Vec<u64>,
    /// The words of other states.
    states: Vec<u64>,
    /// For each of these, the words of the fluents that a move may add.
    reached: Vec<u64>,
    moves: u64,
    /// How often each fluent was added and removed.
    added: Vec<u64>,
    removed: Vec<u64>,
    /// How often a move added the one fluent and removed the other.
    both: HashMap<(u32, u32), u64, FxBuildHasher>,
}

/// Finds the patterns of a game, as long as `goes_on`, asked now and then, says so.
pub fn find_patterns(
    expander: &mut Expander,
    initial: &State,
    random: &mut Xoshiro256PlusPlus,
    names: &FluentNames,
    goes_on: &mut dyn FnMut() -> bool,
) -> FeatureSet {
    let observations = Observations::of_random_games(expander, initial, random, goes_on);
    let found = observations.decisive(expander, goes_on);
    let mut known: HashMap<u32, PatternFluent, FxBuildHasher> = HashMap::default();
    let mut outcomes: Vec<&[i32]> = Vec::new();
    let mut patterns: Vec<Pattern> = Vec::new();
    for Decisive { fluents, goals } in &found {
        if !goes_on() {
            break;
        }
        let outcome = outcomes.iter().position(|&known| known == goals);
        let outcome = outcome.unwrap_or_else(|| {
            outcomes.push(goals);
            outcomes.len() - 1
        });
        let mut describe = |&fluent: &u32| {
            let described = known.entry(fluent);
            let described = described.or_insert_with(|| observations.describe(fluent, names));
            described.clone()
        };
        patterns.push(Pattern {
            fluents: fluents.iter().map(&mut describe).collect(),
            outcome: outcome.min(MOST_OUTCOMES - 1) as u32,
        });
    }
    FeatureSet::new(patterns)
}

/// What decided a game: the fluents of a terminal state without which it would not be terminal
/// or would have other goals, and the goals.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Decisive {
    fluents: Vec<u32>,
    goals: Vec<i32>,
}

impl Decisive {
    fn of(expander: &mut Expander, end: &[u64]) -> Self {
        let fluents: Vec<usize> = set_bits(end).collect();
        let mut variants = end.to_vec();
        for &fluent in &fluents {
            variants.extend_from_slice(end);
            let start = variants.len() - end.len();
            variants[start + fluent / 64] &= !(1 << (fluent % 64));
        }
        let mut positions = Positions::default();
        expander.examine_results(&variants, &mut positions);
        let decides = |variant: usize| {
            !positions.terminal[variant] || positions.goals(variant) != positions.goals(0)
        };
        let variants = (1..).zip(&fluents);
        let deciding = variants.filter(|&(variant, _)| decides(variant));
        Self {
            fluents: deciding.map(|(_, &fluent)| fluent as u32).collect(),
            goals: positions.goals(0).to_vec(),
        }
    }
}

impl Observations {
    fn of_random_games(
        expander: &mut Expander,
        initial: &State,
        random: &mut Xoshiro256PlusPlus,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Self {
        let words = initial.0.len();
        let fluents = 64 * words;
        let mut seen = Self {
            ends: Vec::new(),
            states: Vec::new(),
            reached: Vec::new(),
            moves: 0,
            added: vec![0; fluents],
            removed: vec![0; fluents],
            both: HashMap::default(),
        };
        let mut states = initial.0.repeat(expander.width());
        let (mut positions, mut next) = (Positions::default(), Positions::default());
        while seen.ends.len() < ENDS * words && goes_on() {
            expander.examine(&states, &mut positions);
            let picks = random_moves(&positions, expander.roles(), random);
            expander.advance(&states, &picks, false, &mut next);
            for game in 0..positions.len() {
                let state = &mut states[game * words..(game + 1) * words];
                let stuck = positions.terminal[game];
                if !stuck && seen.moves < MOST_MOVES {
                    seen.add_move(state, next.state(game));
                    let has_room = seen.states.len() < MOST_STATES * words;
                    if has_room && random.random_ratio(1, STATES_APART) {
                        seen.states.extend_from_slice(state);
                    }
                }
                if !stuck && next.terminal[game] {
                    seen.ends.extend_from_slice(next.state(game));
                }
                let is_over = stuck || next.terminal[game];
                state.copy_from_slice(if is_over {
                    &initial.0
                } else {
                    next.state(game)
                });
            }
        }
        seen.reached = readiness::reached(expander, &seen.states, random, goes_on);
        seen
    }

    /// What decided again and again, the most frequent first; nothing if that leaves too many ends
    /// unexplained.
    fn decisive(
        &self,
        expander: &mut Expander,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Vec<Decisive> {
        let mut counts: HashMap<Decisive, u32, FxBuildHasher> = HashMap::default();
        let mut ends = 0;
        for end in self.ends.chunks(self.added.len() / 64) {
            if !goes_on() {
                break;
            }
            ends += 1;
            let mut decisive = Decisive::of(expander, end);
            (decisive.fluents).retain(|&fluent| !self.is_restless(fluent));
            if SIZES.contains(&decisive.fluents.len()) {
                *counts.entry(decisive).or_default() += 1;
            }
        }
        let mut found: Vec<(Decisive, u32)> = counts.into_iter().collect();
        found.retain(|(_, count)| *count >= FEWEST_ENDS);
        found.sort_unstable_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        found.truncate(MOST_PATTERNS);
        let decided: u32 = found.iter().map(|(_, count)| count).sum();
        match f64::from(decided) < LEAST_DECIDED * f64::from(ends) {
            true => Vec::new(),
            false => found.into_iter().map(|(decisive, _)| decisive).collect(),
        }
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
    fn is_restless(&self, fluent: u32) -> bool {
        let fluent = fluent as usize;
        let changes = self.added[fluent] + self.removed[fluent];
        changes as f64 > MOST_CHANGES * self.moves as f64
    }

    /// A fluent with what tells whether it can still come to hold.
    fn describe(&self, fluent: u32, names: &FluentNames) -> PatternFluent {
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
        let words = self.added.len() / 64;
        let holds = |state: &[u64], fluent: u32| Layout::holds(state, fluent as usize);
        let is_open = |state: &[u64]| {
            !holds(state, fluent)
                && open.is_none_or(|open| holds(state, open))
                && !blockers.iter().any(|&blocker| holds(state, blocker))
        };
        let pairs = self.states.chunks(words).zip(self.reached.chunks(words));
        let pairs = pairs.filter(|(state, _)| is_open(state));
        let states = pairs.map(|(state, reached)| (state, holds(reached, fluent)));
        readiness::condition(states, classes, |other| self.is_restless(other))
    }

    /// The fluents that exclude this one.
    fn excluding(&self, fluent: u32, names: &FluentNames) -> Box<[u32]> {
        let words = self.added.len() / 64;
        let holds = |state: &[u64], fluent: u32| Layout::holds(state, fluent as usize);
        let states = || self.states.chunks(words).chain(self.ends.chunks(words));
        let together =
            |other: u32| states().any(|state| holds(state, fluent) && holds(state, other));
        let other = names.alike(fluent).filter(|&other| {
            self.added[other as usize] > 0 && !self.is_restless(other) && !together(other)
        });
        other.collect()
    }

    /// The fluent that this one replaces whenever it comes to hold: of those that it may
    /// be, the one that is replaced most seldom otherwise.
    fn replaced_by(&self, fluent: u32) -> Option<u32> {
        let added = self.added[fluent as usize];
        let pairs = self.both.iter().filter(|((one, _), _)| *one == fluent);
        let always = pairs.filter(|(_, count)| **count as f64 >= REPLACED * added as f64);
        let others = always.map(|((_, other), _)| *other);
        let others = others.filter(|&other| !self.is_restless(other));
        others.min_by_key(|&other| (self.removed[other as usize], other))
    }
}

/// The names of a game's fluents.
#[derive(Debug, Default)]
pub struct FluentNames {
    /// For each fluent the relation and its arguments.
    words: Vec<Vec<String>>,
    classes: FluentClasses,
}

impl FluentNames {
    /// The names of the fluents of a layout.
    #[must_use]
    pub fn of(layout: &Layout) -> Self {
        let words = |base: &BaseRow| match GroundTerm::parse(&base.name) {
            Ok(term) => {
                let arguments = term.args().iter().map(ToString::to_string);
                std::iter::once(term.symbol().to_owned())
                    .chain(arguments)
                    .collect()
            }
            Err(_) => Vec::new(),
        };
        let words: Vec<Vec<String>> = layout.bases.iter().map(words).collect();
        let classes = FluentClasses::of(&words);
        Self { words, classes }
    }

    /// The fluents of the same relation that differ from this one in one argument.
    fn alike(&self, fluent: u32) -> impl Iterator<Item = u32> + '_ {
        let own = &self.words[fluent as usize];
        let differs_once = move |other: &Vec<String>| {
            let pairs = own.iter().zip(other);
            own.len() == other.len()
                && own.first() == other.first()
                && pairs.filter(|(one, other)| one != other).count() == 1
        };
        let all = (0..).zip(&self.words);
        all.filter(move |(_, other)| differs_once(other))
            .map(|(index, _)| index)
    }
}
