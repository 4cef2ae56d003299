//! Factors: parts of a game that are games of their own.
//!
//! A factor is a set of fluents with the moves that change them. Two factors are parallel
//! if neither depends on the other, and one comes after another if its legal moves or
//! next fluents depend on fluents of the other. Fluents that do not depend on moves, such
//! as turns and step counters, belong to no factor, and neither do moves that change
//! nothing (Cox, Schkufza, Madsen and Genesereth, "Factoring general games using
//! propositional automata", 2009).
//!
//! `cones` finds what a signal depends on, and `ties` finds what terminal states and
//! goals tie together.

mod cones;
mod independence;
mod show;
mod ties;

pub use show::show_factors;

use super::analyses::MutexGroups;
use super::{Propnet, Signal};
use crate::components::Components;
use crate::ground::{BaseId, MoveId};
use crate::id::{IdVec, ids};
use cones::{Cones, InputId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The maximum number of nodes that are visited: this takes a few seconds.
const MOST_VISITS: u64 = 400_000_000;

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
    /// The conditions on it that ends and goals of the game depend on: conjunctions of signals,
    /// which depend on its fluents and on those that no move changes.
    pub conditions: Vec<Vec<Signal>>,
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
        Self::find_within(net, groups, MOST_VISITS)
    }

    /// The same, within this number of visits of nodes.
    #[must_use]
    pub fn find_within(net: &Propnet, groups: &MutexGroups, most_visits: u64) -> Option<Self> {
        let mut cones = Cones::new(net, most_visits);
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
        let mut conditions = Vec::new();
        let mut tie = |signals: &[Signal], inputs: &[InputId]| {
            if let Some(&any) = inputs.first() {
                conditions.push((signals.to_vec(), any));
            }
            for pair in inputs.windows(2) {
                edges.extend([(pair[0], pair[1]), (pair[1], pair[0])]);
            }
        };
        for group in &groups.groups {
            let group: Vec<InputId> = group.iter().map(|&base| cones.base(base)).collect();
            let changing = group
                .into_iter()
                .filter(|&input| !cones.is_autonomous(input));
            tie(&[], &changing.collect::<Vec<_>>());
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
        let mut found = Self::of_components(net, &cones, &components, &edges);
        found.add_conditions(&cones, conditions);
        Some(found)
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
            factor_of[component] = Some(factors.push(Factor {
                bases,
                moves,
                after: Vec::new(),
                conditions: Vec::new(),
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

    /// Gives factors their conditions, each with one of the inputs that it depends on.
    fn add_conditions(&mut self, cones: &Cones<'_>, conditions: Vec<(Vec<Signal>, InputId)>) {
        let factors = self.factors.iter_ids();
        let own = factors.flat_map(|(id, factor)| factor.bases.iter().map(move |&base| (base, id)));
        let factor_of: FxHashMap<BaseId, FactorId> = own.collect();
        let mut known = FxHashSet::default();
        for (mut signals, input) in conditions {
            signals.sort_unstable();
            let factor = cones.as_base(input).and_then(|base| factor_of.get(&base));
            if let Some(&factor) = factor.filter(|_| !signals.is_empty())
                && known.insert((factor, signals.clone()))
            {
                self.factors[factor].conditions.push(signals);
            }
        }
    }
}
