//! The symmetries that a search uses, one by one.

use std::collections::HashSet;

use gdl_runtime::automorphism::Automorphism;
use gdl_runtime::symmetry::StateSymmetry;

/// The largest number of symmetries that are listed: a set of them is the bits of one word.
pub(super) const MOST_MEMBERS: usize = 64;

/// A group of symmetries that keep all roles in their places, the identity first: all of
/// them, unless there are too many. Symmetries that do the same to states are listed once.
/// Empty if there is only the identity.
///
/// Of a larger group, generators are taken in order, without those that would make the group
/// exceed [`MOST_MEMBERS`]: the list has to be closed under products, since otherwise images
/// of one state could have different canonical states.
pub(super) fn list_members(generators: &[Automorphism]) -> Vec<Automorphism> {
    let Some(any) = generators.first() else {
        return Vec::new();
    };
    let moves = any.moves.iter().map(|moves| moves.len());
    let identity = Automorphism::identity(any.states.fluents.len(), moves);
    let mut used = Vec::new();
    let mut members = vec![identity];
    for generator in generators {
        used.push(generator);
        match products(&members[0], &used) {
            Some(products) => members = products,
            None => _ = used.pop(),
        }
    }
    // Those that keep the roles are closed under products, too.
    members.retain(|member| {
        (0..)
            .zip(&member.states.roles)
            .all(|(from, &to)| from == to)
    });
    match members.len() {
        1 => Vec::new(),
        _ => members,
    }
}

/// All products of some generators, the identity first; `None` if there are too many.
fn products(identity: &Automorphism, generators: &[&Automorphism]) -> Option<Vec<Automorphism>> {
    let mut known: HashSet<StateSymmetry> = HashSet::from([identity.states.clone()]);
    let mut members = vec![identity.clone()];
    let mut next = 0;
    while next < members.len() {
        for generator in generators {
            let product = members[next].then(generator);
            if known.insert(product.states.clone()) {
                members.push(product);
            }
        }
        if members.len() > MOST_MEMBERS {
            return None;
        }
        next += 1;
    }
    Some(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An exchange of fluents, which are moves too, and of roles.
    fn exchange(fluents: &[u32], roles: &[usize]) -> Automorphism {
        Automorphism {
            states: StateSymmetry {
                fluents: fluents.into(),
                roles: roles.into(),
            },
            moves: roles.iter().map(|_| fluents.into()).collect(),
        }
    }

    #[test]
    fn turns_and_mirrors_of_a_square() {
        let generators = [[1, 2, 3, 0], [1, 0, 3, 2]].map(|to| exchange(&to, &[0]));
        let members = list_members(&generators);
        assert_eq!(members.len(), 8);
        assert_eq!(members[0], exchange(&[0, 1, 2, 3], &[0]));
        assert!(list_members(&[]).is_empty());
    }

    /// A turn that exchanges the roles: half of its powers keep them.
    #[test]
    fn roles_keep_their_places() {
        let members = list_members(&[exchange(&[1, 2, 3, 0], &[1, 0])]);
        let kept = [[0, 1, 2, 3], [2, 3, 0, 1]].map(|to| exchange(&to, &[0, 1]));
        assert_eq!(members, kept);
        assert!(list_members(&[exchange(&[1, 0], &[1, 0])]).is_empty());
    }

    /// Of all permutations of twenty fluents, a subgroup is used.
    #[test]
    fn large_groups_are_replaced_by_subgroups() {
        let swap = |place: usize| {
            let mut fluents: Vec<u32> = (0..20).collect();
            fluents.swap(place, place + 1);
            exchange(&fluents, &[0])
        };
        let members = list_members(&(0..19).map(swap).collect::<Vec<_>>());
        assert!((24..=MOST_MEMBERS).contains(&members.len()));
        let known: HashSet<&Automorphism> = members.iter().collect();
        for (one, other) in members.iter().zip(members.iter().rev()) {
            assert!(known.contains(&one.then(other)));
        }
    }
}
