//! Patterns of fluents, found by looking at how random games end.
//!
//! At the end of a game, each fluent is removed on its own. Those without which the game
//! would not be over, or would have other goals, are what decided it: the cells of a line,
//! for instance. What decides again and again is a pattern. Nothing is assumed of the
//! rules; where no such sets decide most games, there are no patterns. What leads to a
//! milestone, such as that a player is out, is found likewise.
//!
//! Whether a fluent of a pattern can still come to hold is found from the same games too:
//! by the fluent that it replaces (that a cell is empty), or by those that exclude it.
//! Fluents exclude each other if their names differ in one argument and they never held
//! together (a cell taken by one or another piece). In some states of these games, what each
//! move would add shows what it takes for a fluent to come to hold with the next move (that
//! the cell below is taken).

mod decisive;
mod finder;
mod milestones;
mod names;
mod observations;
mod random_play;
mod readiness;

use gdl_runtime::features::{FeatureSet, Pattern, PatternFluent};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use self::decisive::{DecidedOutcome, Decisive, DecisiveCounts, Variants};
pub use self::finder::PatternFinder;
use self::milestones::Milestones;
pub use self::names::FluentNames;
use self::observations::Observations;
use crate::expander::Positions;

/// The largest number of patterns that end games; the most frequent are kept.
const MOST_PATTERNS: usize = 400;

/// Outcomes of games that are told apart; the less frequent ones count as the last of them.
const MOST_OUTCOMES: usize = 8;

impl PatternFinder<'_> {
    /// The patterns, as features.
    pub fn find(&mut self) -> FeatureSet {
        let observations = Observations::of_random_games(self);
        // The other half is for what ends games.
        let half = self.time.left() / 2;
        let milestones = Milestones::find(&observations, &mut self.within(half));
        let ends = self.what_ends_games(&observations, &milestones);
        let numbers = OutcomeNumbers::of(&ends, &milestones.patterns);
        let mut known: HashMap<u32, PatternFluent, FxBuildHasher> = HashMap::default();
        let mut patterns: Vec<Pattern> = Vec::new();
        for Decisive { fluents, outcome } in ends.iter().chain(&milestones.patterns) {
            if !self.time.goes_on() {
                break;
            }
            let mut describe = |&fluent: &u32| {
                let described = known.entry(fluent);
                let describe = || observations.describe(fluent, self.names);
                described.or_insert_with(describe).clone()
            };
            patterns.push(Pattern {
                fluents: fluents.iter().map(&mut describe).collect(),
                outcome: numbers.of_outcome(outcome),
            });
        }
        FeatureSet::new(patterns)
    }

    /// What decided the ends of games again and again: fluents without which the game would not be
    /// over or would have other goals.
    fn what_ends_games(
        &mut self,
        observations: &Observations,
        milestones: &Milestones,
    ) -> Vec<Decisive> {
        let words = self.expander.words();
        let mut counts = DecisiveCounts::default();
        let mut positions = Positions::default();
        for ends in observations.ends.chunks(Variants::STATES * words) {
            if !self.time.goes_on() {
                break;
            }
            let variants = Variants::of(ends, words);
            (self.expander).examine_results(&variants.states, &mut positions);
            let deciding = variants.deciding(|variant, end| {
                !positions.terminal[variant] || positions.goals(variant) != positions.goals(end)
            });
            for (end, mut fluents) in deciding {
                fluents.retain(|&fluent| !observations.is_restless(fluent));
                let outcome = DecidedOutcome::Goals(positions.goals(end).to_vec());
                match milestones.explain(&fluents) {
                    true => counts.add_explained(outcome),
                    false => counts.add(Decisive { fluents, outcome }),
                }
            }
        }
        counts.patterns(MOST_PATTERNS, self.symmetries)
    }
}

/// The numbers of outcomes.
struct OutcomeNumbers<'a> {
    goals: Vec<&'a DecidedOutcome>,
    milestones: Vec<&'a DecidedOutcome>,
}

impl<'a> OutcomeNumbers<'a> {
    /// Those of what decides ends of games and milestones, in the order in which they come.
    fn of(ends: &'a [Decisive], milestones: &'a [Decisive]) -> Self {
        Self {
            goals: different_outcomes(ends),
            milestones: different_outcomes(milestones),
        }
    }

    fn of_outcome(&self, outcome: &DecidedOutcome) -> u32 {
        let place = |among: &[&DecidedOutcome]| among.iter().position(|&other| other == outcome);
        let of_milestone = || Some(MOST_OUTCOMES + place(&self.milestones)?);
        let of_goals = place(&self.goals).map(|place| place.min(MOST_OUTCOMES - 1));
        of_goals.or_else(of_milestone).unwrap_or(0) as u32
    }
}

fn different_outcomes(decisive: &[Decisive]) -> Vec<&DecidedOutcome> {
    let mut different = Vec::new();
    for Decisive { outcome, .. } in decisive {
        if !different.contains(&outcome) {
            different.push(outcome);
        }
    }
    different
}
