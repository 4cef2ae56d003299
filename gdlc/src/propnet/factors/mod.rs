//! Factors: parts of a game that are games of their own.
//!
//! A factor is a set of fluents with the moves that change them. Two factors are parallel
//! if neither depends on the other, and one comes after another if its legal moves or
//! next fluents depend on fluents of the other. Fluents that do not depend on moves, such
//! as turns and step counters, belong to no factor, and neither do moves that change
//! nothing (Cox, Schkufza, Madsen and Genesereth, "Factoring general games using
//! propositional automata", 2009).
//!
//! `cones` says what a signal depends on, `ties` what terminal states and goals keep
//! together.

mod cones;
mod show;
mod ties;

pub use show::show_factors;

use super::Propnet;
use super::analyses::MutexGroups;
use crate::components::Components;
use crate::ground::{BaseId, MoveId};
use crate::id::{IdVec, ids};
use cones::{Cones, InputId};
use rustc_hash::FxHashSet;

ids! {
    /// A factor of a game.
    pub struct FactorId;
}

/// A part of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factor {
    /// Its fluents.
    pub bases: Vec<BaseId>,
    /// The moves that change them.
    pub moves: Vec<MoveId>,
    /// The factors whose fluents its own depend on.
    pub after: Vec<FactorId>,
}

/// The parts of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factors {
    /// The factors, by their first fluents; one if the game has no parts.
    pub factors: IdVec<FactorId, Factor>,
    /// Fluents that no move changes.
    pub autonomous: Vec<BaseId>,
    /// Moves that change nothing.
    pub idle: Vec<MoveId>,
}

impl Factors {
    /// Finds the factors of a propnet after [all passes](super::passes), which leave no
    /// dependencies that are only apparent. `None` if that takes too long.
    ///
    /// Fluents are in one factor if they depend on each other, change by the same move,
    /// exclude each other, or are needed together for an end or a goal.
    #[must_use]
    pub fn find(net: &Propnet, groups: &MutexGroups) -> Option<Self> {
        let mut cones = Cones::new(net);
        let mut edges = Vec::new();
        for (base, _) in net.bases.iter_ids() {
            let own = cones.base(base);
            if cones.is_autonomous(own) {
                continue;
            }
            for input in cones.of(net.bases[base].next)? {
                edges.push((own, input));
                if cones.is_move(input) {
                    edges.push((input, own));
                }
            }
        }
        for (mv, it) in net.moves.iter_ids() {
            let own = cones.mv(mv);
            edges.extend(cones.of(it.legal)?.into_iter().map(|input| (own, input)));
        }
        let mut tie = |inputs: &[InputId]| {
            for pair in inputs.windows(2) {
                edges.extend([(pair[0], pair[1]), (pair[1], pair[0])]);
            }
        };
        for group in &groups.groups {
            let group: Vec<InputId> = group.iter().map(|&base| cones.base(base)).collect();
            let changing = group
                .into_iter()
                .filter(|&input| !cones.is_autonomous(input));
            tie(&changing.collect::<Vec<_>>());
        }
        for root in net
            .goals
            .iter()
            .map(|goal| goal.holds)
            .chain([net.terminal])
        {
            ties::find_ties(net, &mut cones, root, &mut tie)?;
        }
        let components = Components::find(cones.inputs(), edges.iter().copied());
        Some(Self::of_components(net, &cones, &components, &edges))
    }

    fn of_components(
        net: &Propnet,
        cones: &Cones<'_>,
        components: &Components<InputId>,
        edges: &[(InputId, InputId)],
    ) -> Self {
        let mut found = Vec::new();
        let mut idle = Vec::new();
        for (component, members) in components.members().iter().enumerate() {
            let changing = members.iter().filter(|&&input| !cones.is_autonomous(input));
            let bases: Vec<BaseId> = changing.filter_map(|&input| cones.as_base(input)).collect();
            let moves = members.iter().filter_map(|&input| cones.as_move(input));
            match bases.is_empty() {
                true => idle.extend(moves),
                false => found.push((bases, moves.collect(), component)),
            }
        }
        found.sort_unstable();
        let mut factors: IdVec<FactorId, Factor> = IdVec::new();
        let mut factor_of = vec![None; components.members().len()];
        for (bases, moves, component) in found {
            let after = Vec::new();
            factor_of[component] = Some(factors.push(Factor {
                bases,
                moves,
                after,
            }));
        }
        let mut known = FxHashSet::default();
        for &(from, to) in edges {
            let [from, to] = [from, to].map(|input| factor_of[components.component_of(input)]);
            if let (Some(from), Some(to)) = (from, to)
                && from != to
                && known.insert((from, to))
            {
                factors[from].after.push(to);
            }
        }
        factors
            .iter_mut()
            .for_each(|factor| factor.after.sort_unstable());
        idle.sort_unstable();
        let autonomous = net
            .bases
            .ids()
            .filter(|&base| cones.is_autonomous(cones.base(base)));
        Self {
            factors,
            autonomous: autonomous.collect(),
            idle,
        }
    }
}
