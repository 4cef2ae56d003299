//! Classes of a part's states: states that are of the same use to the whole game.
//!
//! Goals and the end of the game are composed of conditions on single parts. States of a part
//! in which the same conditions hold form one class, like plans of the same signature in
//! Günther, Schiffel and Thielscher 2009.

use std::collections::HashSet;

use gdl_runtime::conditions::FluentConditions;

use super::factor_states::FactorStates;

/// The largest number of classes of one part.
const MOST_CLASSES: usize = 64;

/// The first state of each class of a part, the one with the shortest plan; `from` is the state of
/// the whole game in which plans begin.
pub(super) fn find_classes(
    states: &FactorStates,
    conditions: &FluentConditions,
    from: &[u64],
) -> Vec<usize> {
    let (mut known, mut holding) = (HashSet::new(), Vec::new());
    let mut is_new = |&state: &usize| {
        let whole: Vec<u64> = states.put_into(state, from).collect();
        conditions.evaluate(&whole, &mut holding);
        known.insert(holding.clone())
    };
    let classes = (0..states.len()).filter(&mut is_new);
    classes.take(MOST_CLASSES).collect()
}

/// The combinations of one element of each list; no more than `most` of them.
pub(super) fn combinations(choices: &[Vec<usize>], most: usize) -> Vec<Vec<usize>> {
    choices.iter().fold(vec![Vec::new()], |combined, choices| {
        let longer = combined.iter().flat_map(|combination| {
            choices.iter().map(move |&choice| {
                let mut longer = combination.clone();
                longer.push(choice);
                longer
            })
        });
        longer.take(most).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::combinations;

    #[test]
    fn every_choice_with_every_other() {
        let all = combinations(&[vec![0, 3], vec![1], vec![4, 5]], 9);
        assert_eq!(all, [[0, 1, 4], [0, 1, 5], [3, 1, 4], [3, 1, 5]]);
        assert_eq!(combinations(&[vec![0, 3], vec![1, 2]], 3).len(), 3);
        assert_eq!(combinations(&[], 3), [[0; 0]]);
    }
}
