//! What it takes for a fluent to come to hold with the next move: that the cell below is taken,
//! say. In some states of random games all moves are made. The condition is what held whenever
//! one of them added the fluent, but seldom otherwise.

use std::collections::BTreeMap;

use gdl_runtime::features::Condition;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::random_play::random_moves;
use crate::expander::{Expander, Positions};
use crate::learning::features::set_bits;
use crate::learning::time_slice::TimeSlice;

/// Moves after which no further state is looked at.
const MOST_MOVES: usize = 50_000;

/// States from which all moves are made at a time: there may be thousands from each.
const STATES: usize = 16;

/// The fewest states in which the fluent could come to hold from which anything is concluded,
/// and the largest share of the others in which a condition may be fulfilled.
const FEWEST_STATES: u32 = 30;
const MOST_OTHERS: f64 = 0.8;

/// The largest number of fluents in a condition.
const MOST_FLUENTS: usize = 8;

/// What the next move may add to some states. Moves of each role are made with random moves of the
/// others.
#[derive(Debug, Default)]
pub(super) struct Reach {
    /// For each state, the words of the fluents that some move adds.
    pub(super) possible: Vec<u64>,
    /// For each state, the words of the fluents that all moves add.
    pub(super) certain: Vec<u64>,
    /// For each state, whether a role has several moves.
    pub(super) has_choice: Vec<bool>,
}

impl Reach {
    /// What it is in the first of these states, as long as there is time and there are not too
    /// many moves.
    pub(super) fn of(
        expander: &mut Expander,
        states: &[u64],
        random: &mut Xoshiro256PlusPlus,
        time: TimeSlice<'_>,
    ) -> Self {
        let (words, roles) = (expander.words(), expander.roles());
        let mut reach = Self::default();
        let (mut positions, mut next) = (Positions::default(), Positions::default());
        let mut moves = 0;
        for states in states.chunks(words * STATES) {
            if moves > MOST_MOVES || !time.goes_on() {
                break;
            }
            expander.examine(states, &mut positions);
            let joint = random_moves(&positions, roles, random);
            let (mut parents, mut picks, mut origins) = (Vec::new(), Vec::new(), Vec::new());
            for (index, joint) in joint.chunks(roles).enumerate() {
                for role in 0..roles {
                    for &pick in positions.moves(index, role) {
                        let first = picks.len();
                        parents.extend_from_slice(positions.state(index));
                        picks.extend_from_slice(joint);
                        picks[first + role] = Some(pick);
                        origins.push(index);
                    }
                }
            }
            expander.advance(&parents, &picks, false, &mut next);
            let has_choice = |index| (0..roles).any(|role| positions.moves(index, role).len() > 1);
            reach
                .has_choice
                .extend((0..positions.len()).map(has_choice));
            reach.add(&positions, &next, &origins);
            moves += origins.len();
        }
        reach
    }

    /// Adds states and their successors; `origins` says which state a successor follows.
    fn add(&mut self, states: &Positions, successors: &Positions, origins: &[usize]) {
        let first = self.possible.len();
        let words = states.states.len() / states.len();
        self.possible.resize(first + states.states.len(), 0);
        self.certain.extend(states.states.iter().map(|word| !word));
        for (successor, &index) in origins.iter().enumerate() {
            let pairs = successors.state(successor).iter().zip(states.state(index));
            for (word, (after, before)) in (first + index * words..).zip(pairs) {
                self.possible[word] |= after & !before;
                self.certain[word] &= after;
            }
        }
        let possible = self.possible[first..].iter();
        for (certain, possible) in self.certain[first..].iter_mut().zip(possible) {
            // Nothing is certain where there is no move.
            *certain &= possible;
        }
    }
}

/// The condition for a fluent to come to hold with the next move, if there is one. `states` are
/// those in which it does not hold and is open, each with whether a move could add it. A
/// condition has no restless fluents.
pub(super) fn condition<'a>(
    states: impl Iterator<Item = (&'a [u64], bool)>,
    classes: &FluentClasses,
    is_restless: impl Fn(u32) -> bool,
) -> Option<Condition> {
    let (mut could, mut could_not) = (ClassCounts::new(classes), ClassCounts::new(classes));
    for (state, could_hold) in states {
        match could_hold {
            true => could.add(state, classes),
            false => could_not.add(state, classes),
        }
    }
    if could.states < FEWEST_STATES {
        return None;
    }
    let always = (0..classes.members.len()).filter_map(|class| {
        let holding = could.holding[class];
        let holds = holding == could.states;
        let others = match holds {
            true => could_not.holding[class],
            false => could_not.states - could_not.holding[class],
        };
        (holds || holding == 0).then_some((others, &classes.members[class], holds))
    });
    let always = always.filter(|(_, fluents, _)| !fluents.iter().any(|&it| is_restless(it)));
    let (others, fluents, holds) =
        always.min_by_key(|&(others, fluents, _)| (others, fluents.len()))?;
    let is_seldom = f64::from(others) < MOST_OTHERS * f64::from(could_not.states);
    is_seldom.then(|| Condition {
        fluents: fluents.clone(),
        holds,
    })
}

/// The numbers of some states in which a fluent of a class holds.
struct ClassCounts {
    states: u32,
    holding: Vec<u32>,
    /// For each class, the number of the last state in which it was found to hold.
    last: Vec<u32>,
}

impl ClassCounts {
    fn new(classes: &FluentClasses) -> Self {
        Self {
            states: 0,
            holding: vec![0; classes.members.len()],
            last: vec![0; classes.members.len()],
        }
    }

    fn add(&mut self, state: &[u64], classes: &FluentClasses) {
        self.states += 1;
        for class in set_bits(state).flat_map(|fluent| &classes.of_fluent[fluent]) {
            let class = *class as usize;
            if self.last[class] < self.states {
                self.last[class] = self.states;
                self.holding[class] += 1;
            }
        }
    }
}

/// Classes of fluents: each fluent by itself, and those that differ in one argument only,
/// if they are few.
#[derive(Debug, Default)]
pub(super) struct FluentClasses {
    members: Vec<Box<[u32]>>,
    /// For each fluent, its classes.
    of_fluent: Vec<Vec<u32>>,
}

impl FluentClasses {
    /// The classes of fluents with these names.
    pub(super) fn of(names: &[Vec<String>]) -> Self {
        let mut alike: BTreeMap<(usize, usize, Vec<&String>), Vec<u32>> = BTreeMap::new();
        for (fluent, words) in (0..).zip(names) {
            for left_out in 1..words.len() {
                let others = words.iter().enumerate();
                let others = others.filter(|&(place, _)| place != left_out);
                let others = others.map(|(_, word)| word).collect();
                let class = alike.entry((words.len(), left_out, others));
                class.or_default().push(fluent);
            }
        }
        let single = (0..names.len() as u32).map(|fluent| Box::from([fluent]));
        let several = alike.into_values();
        let several = several.filter(|class| (2..=MOST_FLUENTS).contains(&class.len()));
        let members: Vec<Box<[u32]>> = single.chain(several.map(Vec::into)).collect();
        let mut of_fluent = vec![Vec::new(); names.len()];
        for (class, members) in (0..).zip(&members) {
            for &fluent in members {
                of_fluent[fluent as usize].push(class);
            }
        }
        Self { members, of_fluent }
    }
}
