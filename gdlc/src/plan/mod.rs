//! Plans: what a machine computes in a step, in order, as luts of two or three inputs.
//!
//! Input: a [`Propnet`]. Output: a [`Plan`]: each [`Op`] is one lut. All back ends
//! read the same plan. Stages: `choices` (which moves compete), `parts` (large choices as
//! several small ones), `candidates` (rules in terms of candidates instead of moves),
//! `lower` (propnet and selection trees to a circuit), `restart` (from terminal states to the
//! initial one), `cover` (circuit to luts), `resubstitution` (fewer luts), `schedule` (luts to
//! phases), and, for one engine's way of storing values, `store`.

mod arity;
mod candidate_legality;
mod candidates;
mod choices;
mod circuit;
mod conditions;
mod cover;
mod layout;
mod lower;
mod move_sets;
mod parts;
mod phase_sets;
mod restart;
mod resubstitution;
mod schedule;
mod selection;
mod show;
pub mod store;
mod truth;

pub use arity::Arity;
pub use gdl_runtime::program::Phase;
pub use layout::layout;
pub use show::show_plan;
pub(crate) use truth::permute;

use crate::ground::{BaseId, MoveId, RoleId};
use crate::id::{IdVec, ids};
use crate::propnet::Propnet;
use crate::propnet::analyses::{ImpliedLiterals, MutexGroups, find_mutex_groups};
use std::convert::Infallible;
use tracing::debug_span;

ids! {
    /// An operation of a plan.
    pub struct OpId;
}

/// What a machine computes in a step.
#[derive(Debug, Clone)]
pub struct Plan {
    /// How many inputs an operation may have.
    pub arity: Arity,
    /// The roles' names.
    pub roles: IdVec<RoleId, String>,
    /// The fluents.
    pub bases: IdVec<BaseId, PlannedBase>,
    /// The moves; a role's moves are neighbours, roles in order.
    pub moves: IdVec<MoveId, PlannedMove>,
    /// The operations.
    pub ops: IdVec<OpId, Op>,
    /// What each phase does, in order.
    pub phases: [Vec<PlanStep>; 5],
    /// Whether the game is over.
    pub terminal: PlanValue,
    /// The goal values, by role, ascending.
    pub goals: Vec<PlannedGoal>,
    /// The choices.
    pub choices: Vec<PlannedChoice>,
    /// The number of recursive atoms.
    pub loops: u32,
}

/// A part of a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanStep {
    /// One operation.
    Op(OpId),
    /// A least fixpoint: the atoms start false, the body is computed from them
    /// and gives them new values, until nothing changes.
    Loop {
        /// The atoms and their new values.
        atoms: Vec<(u32, PlanValue)>,
        /// The operations that depend on the atoms, in order.
        body: Vec<OpId>,
    },
}

/// One lookup table (lut).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Op {
    /// Bit `4a + 2b + c` is the result for arguments a, b, c.
    pub truth: u8,
    /// The arguments; those that the result does not depend on are
    /// [`PlanValue::Zero`].
    pub args: [PlanValue; 3],
}

/// A row of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlanValue {
    /// Always false.
    Zero,
    /// A fluent.
    Base(BaseId),
    /// A bit of the rank drawn for a choice.
    Rank {
        /// The choice.
        choice: u32,
        /// The bit, 0 the lowest.
        bit: u32,
    },
    /// A recursive atom.
    Loop(u32),
    /// The result of an operation.
    Op(OpId),
}

/// A fluent.
#[derive(Debug, Clone)]
pub struct PlannedBase {
    /// As KIF.
    pub name: String,
    /// Whether it holds in the initial state.
    pub initially: bool,
    /// Its next value; after a terminal state, its value in the initial state.
    pub next: PlanValue,
}

/// A move.
#[derive(Debug, Clone)]
pub struct PlannedMove {
    /// The role that it belongs to.
    pub role: RoleId,
    /// As KIF.
    pub name: String,
    /// Whether it is legal.
    pub legal: PlanValue,
    /// The choice that it is a candidate of and its position there; `None` for a
    /// move that is made whenever it is legal.
    pub choice: Option<(u32, u32)>,
}

/// A goal value of a role.
#[derive(Debug, Clone)]
pub struct PlannedGoal {
    /// The role that it belongs to.
    pub role: RoleId,
    /// The value.
    pub value: i32,
    /// Whether it holds.
    pub holds: PlanValue,
}

/// A choice.
#[derive(Debug, Clone)]
pub struct PlannedChoice {
    /// How many candidates it has.
    pub candidates: usize,
    /// The bits of the number of candidates that can be chosen, lowest first:
    /// operations of their own, so that they can be stored side by side.
    pub count: Vec<OpId>,
    /// The number of bits of the rank.
    pub rank_bits: u32,
}

impl Plan {
    /// The moves of a role with their number within it, in the order in which
    /// legal moves are listed: those of a choice stand in the order of its
    /// candidates, so that a move's rank is its place among the legal ones.
    #[must_use]
    pub fn legal_order(&self, role: RoleId) -> Vec<u32> {
        let moves = self.moves.iter().filter(|mv| mv.role == role);
        let mut order: Vec<_> = moves
            .enumerate()
            .map(|(number, mv)| (mv.choice.map(|(_, place)| place), number as u32))
            .collect();
        order.sort_unstable();
        order.into_iter().map(|(_, number)| number).collect()
    }

    /// Whether a role gets the same goal value however the game ends: the greatest one that it
    /// can get always holds, or holds in all terminal states.
    #[must_use]
    pub fn is_indifferent(&self, role: RoleId) -> bool {
        let mut goals = self.goals.iter().filter(|goal| goal.role == role);
        let greatest = goals.next_back();
        greatest.is_none_or(|goal| goal.holds == self.terminal || self.always_holds(goal.holds))
    }

    fn always_holds(&self, value: PlanValue) -> bool {
        let PlanValue::Op(op) = value else {
            return false;
        };
        let Op { truth, args } = self.ops[op];
        args == [PlanValue::Zero; 3] && truth & 1 != 0
    }

    /// The number of operations of all phases.
    #[must_use]
    pub fn size(&self) -> usize {
        self.phase_sizes().iter().sum()
    }

    /// The number of operations of each phase, in the order of [`Phase::ALL`].
    #[must_use]
    pub fn phase_sizes(&self) -> [usize; 5] {
        [0, 1, 2, 3, 4].map(|phase| self.phases[phase].iter().map(show::size).sum())
    }
}

/// How many three-input operations the rules of a propnet take without the selection
/// of moves: the legal moves and the next fluents, computed from the fluents and the
/// moves made.
///
/// This is what `benches/synthesis.rs` compares with logic synthesis, and nothing else
/// needs it. It is here because a circuit and its cover are private to this module.
#[must_use]
pub fn rule_operations(net: &Propnet) -> usize {
    let mut lowered = lower::lower_rules(net);
    let mut cover = cover::Cover::find(&lowered.circuit, &lowered.needed(), Arity::Three);
    resubstitution::resubstitute(&mut lowered, &mut cover, Arity::Three, |_, _| false);
    cover.luts.iter().flatten().count()
}

/// Plans a propnet without moves.
#[must_use]
pub fn plan_functions(net: &Propnet, arity: Arity) -> Plan {
    let choices = choices::Choices::default();
    let groups = MutexGroups::new(net.bases.len(), Vec::new());
    let Ok(plan) = plan_with(net, net, &choices, &groups, arity, || {
        Ok::<(), Infallible>(())
    });
    plan
}

/// Plans a propnet, with operations of at most this many inputs, and asks before each stage
/// whether to go on.
///
/// # Errors
/// The error that `proceed` returns.
pub fn plan<E>(
    net: &Propnet,
    arity: Arity,
    proceed: impl Fn() -> Result<(), E>,
) -> Result<Plan, E> {
    proceed()?;
    let implied = debug_span!("implied_literals").in_scope(|| ImpliedLiterals::find(net));
    proceed()?;
    let groups = debug_span!("mutex_groups").in_scope(|| find_mutex_groups(net, &implied));
    proceed()?;
    let choices =
        debug_span!("choices").in_scope(|| choices::Choices::find(net, &implied, &groups));
    proceed()?;
    let stated =
        debug_span!("state_candidates").in_scope(|| candidates::state_candidates(net, &choices));
    plan_with(&stated, net, &choices, &groups, arity, proceed)
}

/// Plans a propnet in which moves are restated for these choices; `rules` is the one before that.
fn plan_with<E>(
    stated: &Propnet,
    rules: &Propnet,
    choices: &choices::Choices,
    groups: &MutexGroups,
    arity: Arity,
    proceed: impl Fn() -> Result<(), E>,
) -> Result<Plan, E> {
    proceed()?;
    let mut lowered = debug_span!("lower").in_scope(|| lower::lower(stated, rules, choices));
    proceed()?;
    let mut cover = debug_span!("cover")
        .in_scope(|| cover::Cover::find(&lowered.circuit, &lowered.needed(), arity));
    proceed()?;
    debug_span!("resubstitute").in_scope(|| {
        resubstitution::resubstitute(&mut lowered, &mut cover, arity, |one, other| {
            groups.exclude(one, other)
        });
    });
    proceed()?;
    Ok(debug_span!("schedule")
        .in_scope(|| schedule::schedule(stated, choices, &lowered, &cover, arity)))
}
