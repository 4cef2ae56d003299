//! [`find_divisors`]: few values of which a value is a function.

use super::window::{Table, Window};
use crate::plan::circuit::GateId;

/// The number of pairs of assignments that are remembered, a bit for each.
const PAIRS: usize = 64;

/// Values of which the target of a window is a function, at most `most` that `accept` agrees to,
/// ascending, and that function: bit `4a + 2b + c`.
pub fn find_divisors(
    window: &Window,
    most: usize,
    accept: impl Fn(&[GateId]) -> bool,
) -> Option<(Vec<GateId>, u8)> {
    let mut search = DivisorSearch {
        window,
        accept,
        pairs: 0,
        differs: vec![0; window.divisors.len()],
    };
    (1..=most).find_map(|count| search.extend(&mut Vec::new(), count, window.divisors.len()))
}

struct DivisorSearch<'a, F> {
    window: &'a Window,
    /// Whether divisors are worth reading.
    accept: F,
    /// The number of pairs of assignments found so far for which the target differs: some divisor
    /// has to differ, too.
    pairs: usize,
    /// For each divisor, for which of the last pairs it differs.
    differs: Vec<u64>,
}

impl<F: Fn(&[GateId]) -> bool> DivisorSearch<'_, F> {
    /// Chooses so many more divisors, of those before `end`.
    fn extend(
        &mut self,
        chosen: &mut Vec<usize>,
        count: usize,
        end: usize,
    ) -> Option<(Vec<GateId>, u8)> {
        for next in 0..end {
            chosen.push(next);
            let found = match count {
                1 if self.may_determine(chosen) => self.check(chosen),
                1 => None,
                _ => self.extend(chosen, count - 1, next),
            };
            if found.is_some() {
                return found;
            }
            chosen.pop();
        }
        None
    }

    /// Whether no pair shows that the target is not a function of these divisors.
    fn may_determine(&self, chosen: &[usize]) -> bool {
        let differs = chosen.iter().fold(0, |all, &one| all | self.differs[one]);
        differs.trailing_ones() as usize >= self.pairs.min(PAIRS)
    }

    /// The target as a function of some divisors. If it is not, a pair of assignments shows it from
    /// now on.
    fn check(&mut self, chosen: &[usize]) -> Option<(Vec<GateId>, u8)> {
        let mut chosen = chosen.to_vec();
        chosen.sort_unstable_by_key(|&one| self.window.divisors[one].0);
        let gates = chosen.iter().map(|&one| self.window.divisors[one].0);
        let gates: Vec<GateId> = gates.collect();
        if !(self.accept)(&gates) {
            return None;
        }
        match function_of(self.window, &chosen) {
            Ok(truth) => Some((gates, truth)),
            Err(pair) => {
                self.add(pair);
                None
            }
        }
    }

    fn add(&mut self, pair: [usize; 2]) {
        let bit = 1 << (self.pairs % PAIRS);
        self.pairs += 1;
        for (differs, (_, table)) in self.differs.iter_mut().zip(&self.window.divisors) {
            let [one, other] =
                pair.map(|assignment| table[assignment / 64] >> (assignment % 64) & 1);
            *differs = if one == other {
                *differs & !bit
            } else {
                *differs | bit
            };
        }
    }
}

/// The target as a function of some divisors, or two assignments for which they are equal and the
/// target is not.
fn function_of(window: &Window, divisors: &[usize]) -> Result<u8, [usize; 2]> {
    let mut truth = 0;
    let absent = (1 << (3 - divisors.len())) - 1;
    for row in 0..8_u8 {
        if row & absent != 0 {
            truth |= (truth >> (row & !absent) & 1) << row;
            continue;
        }
        let (mut on, mut off) = (None, None);
        for word in 0..window.target.len() {
            let mut here = window.care[word];
            for (place, &divisor) in divisors.iter().enumerate() {
                let table: &Table = &window.divisors[divisor].1;
                here &= match row >> (2 - place) & 1 {
                    0 => !table[word],
                    _ => table[word],
                };
            }
            let assignment =
                |bits: u64| (bits != 0).then(|| word * 64 + bits.trailing_zeros() as usize);
            on = on.or(assignment(here & window.target[word]));
            off = off.or(assignment(here & !window.target[word]));
        }
        match (on, off) {
            (Some(on), Some(off)) => return Err([on, off]),
            (Some(_), None) => truth |= 1 << row,
            _ => {}
        }
    }
    Ok(truth)
}
