//! Reachability: which role is first to reach what several roles can bring about, such as an
//! empty square.
//!
//! Each role is considered as if it alone moved, again and again, and as if nothing that holds
//! ever ceased to hold. This is the delete relaxation of planning (Hoffmann and Nebel, "The FF
//! planning system", 2001), by levels as in its planning graphs. What does not hold now counts
//! as never being in the way, so the levels are monotone. In games of movement the levels are
//! distances (Michulke and Schiffel, "Distance features for general game playing", 2012), and
//! what a role reaches first is its territory.
//!
//! - `turns`: whose turn it is, where that does not depend on the moves: levels are
//!   computed as if it were always the role's own turn.
//! - `relaxation`: what a role can bring about within a given number of moves.
//! - `sites`: which fluents of different roles are about the same thing.
//! - `gates`: gates under construction.
//!
//! Input: a [prepared](prepare) propnet. Output: a propnet without moves whose
//! additional fluents tell, for each site and role, whether the role is first to reach
//! the site.

mod gates;
mod relaxation;
mod sites;
mod turns;

use super::passes::run_passes;
use super::{PropNode, Propnet, PropnetBase, Signal};
use crate::ground::RoleId;
use crate::id::IdVec;
use gates::GateBuilder;
use relaxation::Relaxation;
use sites::{ContestedSite, find_sites};
use turns::find_turns;

/// The largest number of levels.
const MOST_LEVELS: usize = 16;

/// Fewer levels than this tell no more than which moves are legal.
const FEWEST_LEVELS: usize = 2;

/// No further level is added once there are more gates than this.
const MOST_GATES: usize = 20_000;

/// No more gates than this are looked at.
const MOST_WORK: usize = 2_000_000;

/// A propnet whose fluents are those of a game, followed by what roles reach first.
#[derive(Debug)]
pub struct Reachability {
    /// The propnet. It has no moves; the next values of the game's fluents are all false, those
    /// of the fluents after them are what roles reach first.
    pub net: Propnet,
    /// The number of levels that it tells apart.
    pub levels: usize,
}

/// An assembled propnet with passes that assume nothing about which moves are made together.
#[must_use]
pub fn prepare(assembled: Propnet) -> Propnet {
    let without = [
        "canonical_move_sets",
        "factoring",
        "cube_extraction",
        "subset_sharing",
    ];
    run_passes(assembled, &without.map(str::to_owned)).0
}

/// Why it is not known what roles reach first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnknownReachability {
    /// There is nothing that several roles can bring about.
    #[error("there is nothing that several roles can bring about")]
    NothingContested,
    /// The rules are recursive.
    #[error("the rules are recursive, which is not supported here")]
    Recursive,
    /// The propnet has too many nodes, or its gates grow too fast.
    #[error("the game is too large")]
    TooLarge,
}

impl Reachability {
    /// What roles reach first.
    ///
    /// # Errors
    /// If there is nothing that several roles can bring about, or if the propnet is recursive or
    /// too large.
    pub fn find(net: &Propnet) -> Result<Self, UnknownReachability> {
        let work = net.nodes.len() * net.roles.len() * FEWEST_LEVELS;
        if net.roles.len() < 2 {
            return Err(UnknownReachability::NothingContested);
        }
        if !net.loops.is_empty() {
            return Err(UnknownReachability::Recursive);
        }
        if work > MOST_WORK {
            return Err(UnknownReachability::TooLarge);
        }
        let turns = find_turns(net);
        let mut gates = GateBuilder::new(net);
        let mut relaxations: IdVec<RoleId, Relaxation<'_>> = net
            .roles
            .ids()
            .map(|role| Relaxation::new(net, role, &turns[role], &gates))
            .collect();
        let added: IdVec<RoleId, _> = relaxations
            .iter_mut()
            .map(|relaxation| relaxation.add_level(&mut gates))
            .collect();
        let sites = find_sites(net, &added);
        if sites.is_empty() {
            return Err(UnknownReachability::NothingContested);
        }
        let mut race = Race::new(net, sites);
        race.add_level(&relaxations, &mut gates);
        let mut levels = 1;
        let mut looks = work;
        while levels < MOST_LEVELS && gates.len() < MOST_GATES && looks <= MOST_WORK {
            for relaxation in relaxations.iter_mut() {
                relaxation.add_level(&mut gates);
            }
            race.add_level(&relaxations, &mut gates);
            levels += 1;
            looks += net.nodes.len() * net.roles.len();
        }
        if levels < FEWEST_LEVELS {
            return Err(UnknownReachability::TooLarge);
        }
        Ok(Self {
            net: race.into_propnet(&relaxations, gates),
            levels,
        })
    }
}

/// For each site and role, whether the role comes first, as far as levels have been added.
struct Race<'a> {
    net: &'a Propnet,
    sites: Vec<ContestedSite>,
    /// For each site and each of its roles.
    first: Vec<Vec<Signal>>,
}

impl<'a> Race<'a> {
    fn new(net: &'a Propnet, sites: Vec<ContestedSite>) -> Self {
        let first = sites
            .iter()
            .map(|site| vec![Signal::FALSE; site.roles.len()])
            .collect();
        Self { net, sites, first }
    }

    /// Who comes first by the levels so far.
    fn add_level(&mut self, relaxations: &IdVec<RoleId, Relaxation<'_>>, gates: &mut GateBuilder) {
        for (site, first) in self.sites.iter().zip(&mut self.first) {
            let alone = reached_alone(site, relaxations, gates);
            for (first, alone) in first.iter_mut().zip(alone) {
                *first = gates.or([*first, alone]);
            }
        }
    }

    /// The propnet of who comes first, and of who comes at all while no other role does.
    fn into_propnet(
        self,
        relaxations: &IdVec<RoleId, Relaxation<'_>>,
        mut gates: GateBuilder,
    ) -> Propnet {
        let mut bases: IdVec<_, PropnetBase> = self.net.bases.clone();
        for base in bases.iter_mut() {
            base.next = Signal::FALSE;
        }
        for (site, first) in self.sites.iter().zip(&self.first) {
            let alone = reached_alone(site, relaxations, &mut gates);
            for (what, signals) in [("first", first), ("only", &alone)] {
                for ((role, _), &next) in site.roles.iter().zip(signals) {
                    bases.push(PropnetBase {
                        name: format!("({what} {} {})", self.net.roles[*role], site.name).into(),
                        initially: false,
                        next,
                    });
                }
            }
        }
        Propnet {
            roles: IdVec::new(),
            moves: IdVec::new(),
            loops: IdVec::new(),
            goals: Vec::new(),
            mutex_groups: None,
            terminal: Signal::FALSE,
            nodes: gates.into_nodes(),
            bases,
        }
    }
}

/// For each role of a site, whether it and no other role can be there by the levels so far.
fn reached_alone(
    site: &ContestedSite,
    relaxations: &IdVec<RoleId, Relaxation<'_>>,
    gates: &mut GateBuilder,
) -> Vec<Signal> {
    let reached: Vec<Signal> = site
        .roles
        .iter()
        .map(|(role, fluents)| {
            let reached = &relaxations[*role].reached;
            gates.or(fluents.iter().map(|&fluent| reached[fluent]))
        })
        .collect();
    (0..reached.len())
        .map(|own| {
            let signals = reached.iter().enumerate();
            gates.and(signals.map(|(role, &signal)| signal.invert_if(role != own)))
        })
        .collect()
}

impl Propnet {
    /// Signals of which at least one holds if a signal does.
    fn disjuncts(&self, signal: Signal) -> Vec<Signal> {
        match &self.nodes[signal.node()] {
            PropNode::And(operands) if signal.inverted() => {
                operands.iter().map(|&operand| !operand).collect()
            }
            _ => vec![signal],
        }
    }
}
