//! Milestones of a game, and what leads to them.
//!
//! A milestone is a fluent that, once certain others hold together, comes to hold whatever is
//! played, and never ceases to hold: that a player is out, say. Like the end of a game it is
//! decided before it is seen: a state in which it is about to come to hold differs from others
//! in nothing but the fluents that bring it about. These are found in the same way as at the
//! ends of games: each fluent is removed on its own, and a random move is made.

use std::cmp::Reverse;

use gdl_runtime::layout::Layout;

use super::decisive::{DecidedOutcome, Decisive, DecisiveCounts, Variants};
use super::finder::PatternFinder;
use super::observations::{ENDS, Observations};
use super::random_play::{RandomPlay, random_moves};
use super::readiness::Reach;
use crate::expander::Positions;
use crate::learning::features::set_bits;

/// The largest number of milestones; the most frequent are kept.
const MOST_MILESTONES: usize = 16;

/// The largest number of patterns that lead to milestones.
const MOST_PATTERNS: usize = 400;

/// The milestones of a game, and what leads to them.
pub(super) struct Milestones {
    fluents: Vec<u32>,
    pub(super) patterns: Vec<Decisive>,
}

impl Milestones {
    /// Finds them in random games.
    pub(super) fn find(observations: &Observations, finder: &mut PatternFinder<'_>) -> Self {
        let mut milestones = Self {
            fluents: certain_and_permanent(observations),
            patterns: Vec::new(),
        };
        let most = ENDS / milestones.fluents.len().max(1);
        let events = milestones.events(most, finder);
        let mut counts = DecisiveCounts::default();
        for (&milestone, events) in milestones.fluents.iter().zip(&events) {
            count_causes(milestone, events, observations, finder, &mut counts);
        }
        milestones.patterns = counts.patterns(MOST_PATTERNS, finder.symmetries);
        milestones
    }

    /// For each milestone, the words of states after which it came to hold, at most `most`.
    fn events(&self, most: usize, finder: &mut PatternFinder<'_>) -> Vec<Vec<u64>> {
        let most = most * finder.expander.words();
        let mut events = vec![Vec::new(); self.fluents.len()];
        let mut games = RandomPlay::new(finder.expander, finder.initial);
        let mut ends = 0;
        let is_full = |events: &[Vec<u64>]| events.iter().all(|events| events.len() >= most);
        while ends < ENDS && !is_full(&events) && finder.time.goes_on() {
            games.step(
                finder.expander,
                finder.random,
                |_, before, after, is_over| {
                    ends += usize::from(is_over);
                    for (&milestone, events) in self.fluents.iter().zip(&mut events) {
                        let holds = |state: &[u64]| Layout::holds(state, milestone as usize);
                        if !holds(before) && holds(after) && events.len() < most {
                            events.extend_from_slice(before);
                        }
                    }
                },
            );
        }
        events
    }

    /// Whether fluents that decided the end of a game are milestones and what leads to one.
    pub(super) fn explain(&self, fluents: &[u32]) -> bool {
        let is_milestone = |fluent: &u32| self.fluents.contains(fluent);
        let is_in = |pattern: &Decisive| {
            let mut others = fluents.iter().filter(|fluent| !is_milestone(fluent));
            others.all(|fluent| pattern.fluents.contains(fluent))
        };
        fluents.iter().any(is_milestone)
            && (fluents.iter().all(is_milestone) || self.patterns.iter().any(is_in))
    }
}

/// The fluents that never ceased to hold, and that all moves added wherever one of several did; the
/// most frequent first.
fn certain_and_permanent(observations: &Observations) -> Vec<u32> {
    let Reach {
        possible,
        certain,
        has_choice,
    } = &observations.reach;
    let words = observations.fluents() / 64;
    let mut counts = vec![0_u32; observations.fluents()];
    let mut is_uncertain = vec![false; observations.fluents()];
    let states = possible.chunks(words).zip(certain.chunks(words));
    let states = states
        .zip(has_choice)
        .filter(|(_, has_choice)| **has_choice);
    for ((possible, certain), _) in states {
        for fluent in set_bits(possible) {
            match Layout::holds(certain, fluent) {
                true => counts[fluent] += 1,
                false => is_uncertain[fluent] = true,
            }
        }
    }
    let is_milestone = |&fluent: &u32| {
        counts[fluent as usize] > 0
            && !is_uncertain[fluent as usize]
            && observations.is_permanent(fluent)
    };
    let fluents = 0..observations.fluents() as u32;
    let mut milestones: Vec<u32> = fluents.filter(is_milestone).collect();
    milestones.sort_by_key(|&fluent| Reverse(counts[fluent as usize]));
    milestones.truncate(MOST_MILESTONES);
    milestones
}

/// Counts the fluents without which a milestone would not have come to hold after these states.
fn count_causes(
    milestone: u32,
    events: &[u64],
    observations: &Observations,
    finder: &mut PatternFinder<'_>,
    counts: &mut DecisiveCounts,
) {
    let PatternFinder {
        expander,
        random,
        time,
        ..
    } = finder;
    let words = expander.words();
    let (mut positions, mut next) = (Positions::default(), Positions::default());
    for events in events.chunks(Variants::STATES * words) {
        if !time.goes_on() {
            break;
        }
        let variants = Variants::of(events, words);
        expander.examine(&variants.states, &mut positions);
        let picks = random_moves(&positions, expander.roles(), random);
        expander.advance(&variants.states, &picks, false, &mut next);
        let deciding = variants.deciding(|variant, _| {
            !positions.terminal[variant] && !Layout::holds(next.state(variant), milestone as usize)
        });
        for (_, mut fluents) in deciding {
            fluents.retain(|&fluent| !observations.is_restless(fluent));
            counts.add(Decisive {
                fluents,
                outcome: DecidedOutcome::Milestone(milestone),
            });
        }
    }
}
