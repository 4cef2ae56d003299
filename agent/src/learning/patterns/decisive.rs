//! What decides: the fluents of a state without which something would not follow from it.

use gdl_runtime::symmetry::StateSymmetry;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::learning::features::set_bits;
use crate::learning::symmetries::orbit;

/// The sizes of sets of fluents that count as patterns.
const SIZES: std::ops::RangeInclusive<usize> = 2..=8;

/// States in which a set of fluents decided before it counts as a pattern.
const FEWEST_STATES: u32 = 2;

/// The share of the states, and of those with the same outcome, in which a pattern has to have
/// decided: elsewhere something else decides, and what did so twice by chance, such as some chains
/// of Hex, takes more time than it is worth.
const LEAST_DECIDED: f64 = 0.75;

/// What fluents bring about together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum DecidedOutcome {
    /// The game is over with these goals.
    Goals(Vec<i32>),
    /// This fluent holds after the next move.
    Milestone(u32),
}

/// Fluents of a state without which the outcome would be different.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Decisive {
    pub(super) fluents: Vec<u32>,
    pub(super) outcome: DecidedOutcome,
}

impl Decisive {
    /// Whether its fluents are among those of another one of the same outcome.
    fn is_within(&self, other: &Self) -> bool {
        let is_among = |fluent: &u32| other.fluents.binary_search(fluent).is_ok();
        self.outcome == other.outcome && self.fluents.iter().all(is_among)
    }

    /// What a symmetry exchanges it for.
    fn image(&self, symmetry: &StateSymmetry) -> Self {
        let image = |&fluent: &u32| symmetry.fluents[fluent as usize];
        let mut fluents: Vec<u32> = self.fluents.iter().map(image).collect();
        fluents.sort_unstable();
        let outcome = match &self.outcome {
            DecidedOutcome::Milestone(fluent) => DecidedOutcome::Milestone(image(fluent)),
            DecidedOutcome::Goals(goals) => {
                let mut exchanged = vec![0; goals.len()];
                for (&role, &goal) in symmetry.roles.iter().zip(goals) {
                    exchanged[role] = goal;
                }
                DecidedOutcome::Goals(exchanged)
            }
        };
        Self { fluents, outcome }
    }
}

/// States, each followed by the states that lack one of its fluents.
pub(super) struct Variants {
    /// The words of all of them, state after state.
    pub(super) states: Vec<u64>,
    /// For each of the original states, its fluents.
    fluents: Vec<Vec<usize>>,
}

impl Variants {
    /// The number of states whose variants are looked at together: enough to fill most machines.
    pub(super) const STATES: usize = 32;

    /// Those of states of this number of words.
    pub(super) fn of(originals: &[u64], words: usize) -> Self {
        let (mut states, mut fluents) = (Vec::new(), Vec::new());
        for original in originals.chunks(words) {
            states.extend_from_slice(original);
            let own: Vec<usize> = set_bits(original).collect();
            for &fluent in &own {
                let first = states.len();
                states.extend_from_slice(original);
                states[first + fluent / 64] &= !(1 << (fluent % 64));
            }
            fluents.push(own);
        }
        Self { states, fluents }
    }

    /// For each of the original states, its index and the fluents that decide. `differs` says
    /// whether something else follows from a variant than from the original, by their indices.
    pub(super) fn deciding(
        &self,
        differs: impl Fn(usize, usize) -> bool,
    ) -> impl Iterator<Item = (usize, Vec<u32>)> {
        let mut next = 0;
        self.fluents.iter().map(move |fluents| {
            let original = next;
            next += 1 + fluents.len();
            let variants = (original + 1..).zip(fluents);
            let deciding = variants.filter(|&(variant, _)| differs(variant, original));
            let deciding = deciding.map(|(_, &fluent)| fluent as u32);
            (original, deciding.collect())
        })
    }
}

/// How often fluents decided together.
#[derive(Default)]
pub(super) struct DecisiveCounts {
    counts: HashMap<Decisive, u32, FxBuildHasher>,
    outcomes: HashMap<DecidedOutcome, StateCounts, FxBuildHasher>,
}

/// Numbers of states with the same outcome.
#[derive(Debug, Clone, Copy, Default)]
struct StateCounts {
    all: u32,
    /// Those in which what decided is known.
    explained: u32,
}

impl StateCounts {
    fn sum<'a>(counts: impl Iterator<Item = &'a Self>) -> Self {
        counts.fold(Self::default(), |sum, counts| Self {
            all: sum.all + counts.all,
            explained: sum.explained + counts.explained,
        })
    }

    /// Whether what decided is known in most of them.
    fn are_explained(&self) -> bool {
        f64::from(self.explained) >= LEAST_DECIDED * f64::from(self.all)
    }
}

impl DecisiveCounts {
    /// Counts what decided in a state.
    pub(super) fn add(&mut self, decisive: Decisive) {
        self.outcomes
            .entry(decisive.outcome.clone())
            .or_default()
            .all += 1;
        if SIZES.contains(&decisive.fluents.len()) {
            *self.counts.entry(decisive).or_default() += 1;
        }
    }

    /// Counts a state in which what decided needs no pattern.
    pub(super) fn add_explained(&mut self, outcome: DecidedOutcome) {
        let states = self.outcomes.entry(outcome).or_default();
        states.all += 1;
        states.explained += 1;
    }

    /// What decided again and again, the most frequent first, and no more than `most`; nothing if
    /// that leaves too many states unexplained, and nothing of an outcome if too many of its states
    /// are. What decides does so in all its images under the symmetries of a game.
    pub(super) fn patterns(mut self, most: usize, symmetries: &[StateSymmetry]) -> Vec<Decisive> {
        let mut of_images: HashMap<Decisive, u32, FxBuildHasher> = HashMap::default();
        for (decisive, count) in &self.counts {
            for image in orbit(decisive.clone(), symmetries, Decisive::image) {
                *of_images.entry(image).or_default() += count;
            }
        }
        let mut found: Vec<(Decisive, u32)> = of_images.into_iter().collect();
        found.retain(|(_, count)| *count >= FEWEST_STATES);
        found.sort_unstable_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        found.truncate(2 * most);
        let found = found.into_iter().map(|(decisive, _)| decisive).collect();
        let mut found = without_shared(found, most);
        self.explain_by(&found);
        match StateCounts::sum(self.outcomes.values()).are_explained() {
            true => found.retain(|decisive| self.is_explained(&decisive.outcome)),
            false => found.clear(),
        }
        found
    }

    /// Whether what decided is known in most states with an outcome, if there were any: images of
    /// outcomes may never have been seen.
    fn is_explained(&self, outcome: &DecidedOutcome) -> bool {
        let states = self.outcomes.get(outcome);
        states.is_none_or(StateCounts::are_explained)
    }

    /// Counts the states in which one of these decided, or what several of them share.
    fn explain_by(&mut self, found: &[Decisive]) {
        for (decisive, count) in &self.counts {
            if found.iter().any(|known| decisive.is_within(known))
                && let Some(states) = self.outcomes.get_mut(&decisive.outcome)
            {
                states.explained += count;
            }
        }
    }
}

/// The first of these sets, at most `most`, without those that are within others: where two lines
/// win at once, say, only what they share decides.
fn without_shared(found: Vec<Decisive>, most: usize) -> Vec<Decisive> {
    let is_shared = |decisive: &Decisive| {
        let is_larger = |other: &Decisive| other.fluents.len() > decisive.fluents.len();
        (found.iter()).any(|other| is_larger(other) && decisive.is_within(other))
    };
    let whole: Vec<bool> = found.iter().map(|decisive| !is_shared(decisive)).collect();
    let pairs = found.into_iter().zip(whole);
    let whole = pairs.filter_map(|(decisive, is_whole)| is_whole.then_some(decisive));
    whole.take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decisive(fluents: &[u32], goals: [i32; 2]) -> Decisive {
        Decisive {
            fluents: fluents.into(),
            outcome: DecidedOutcome::Goals(goals.into()),
        }
    }

    fn patterns_of(decided: &[(&[u32], [i32; 2])], symmetries: &[StateSymmetry]) -> Vec<Decisive> {
        let mut counts = DecisiveCounts::default();
        for &(fluents, goals) in decided {
            counts.add(decisive(fluents, goals));
        }
        let mut found = counts.patterns(10, symmetries);
        found.sort_unstable();
        found
    }

    #[test]
    fn what_patterns_share_is_none() {
        let (one, other, shared): (&[u32], &[u32], &[u32]) = (&[0, 1, 2], &[1, 2, 3], &[1, 2]);
        let wins = [100, 0];
        let seen = [one, other, shared].map(|fluents| (fluents, wins));
        let found = patterns_of(&seen.repeat(2), &[]);
        assert_eq!(found, [decisive(one, wins), decisive(other, wins)]);
        // With another outcome it is a pattern of its own.
        let mut seen = seen.repeat(2);
        seen.extend([(shared, [0, 100]); 2]);
        assert!(patterns_of(&seen, &[]).contains(&decisive(shared, [0, 100])));
    }

    #[test]
    fn images_are_patterns_too() {
        let exchange = [StateSymmetry {
            fluents: [2, 3, 0, 1].into(),
            roles: [1, 0].into(),
        }];
        let found = patterns_of(&[(&[0, 1][..], [100, 0]); 2], &exchange);
        let both = [decisive(&[0, 1], [100, 0]), decisive(&[2, 3], [0, 100])];
        assert_eq!(found, both);
        // Once each, but images of each other.
        let seen: [(&[u32], _); 2] = [(&[0, 1], [100, 0]), (&[2, 3], [0, 100])];
        assert_eq!(patterns_of(&seen, &exchange).len(), 2);
        assert_eq!(patterns_of(&seen, &[]).len(), 0);
    }

    #[test]
    fn outcomes_that_are_seldom_explained_have_no_patterns() {
        let draw = [50, 50];
        let mut seen: Vec<(&[u32], _)> = vec![(&[0, 1, 2], [100, 0]); 20];
        seen.extend([(&[3, 4][..], draw); 2]);
        assert_eq!(patterns_of(&seen, &[]).len(), 2);
        seen.extend([(&[][..], draw); 3]);
        assert_eq!(patterns_of(&seen, &[]), [decisive(&[0, 1, 2], [100, 0])]);
        seen.extend([(&[][..], [100, 0]); 20]);
        assert!(patterns_of(&seen, &[]).is_empty());
    }
}
