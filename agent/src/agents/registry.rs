//! The list of all components.
//!
//! To add a component to an existing slot (a playout policy, a selection rule, an
//! estimate, …):
//! 1. Write it in a file of its own in the folder of its slot, and declare that file
//!    in the folder's `mod.rs`: the implementation of the slot's trait
//!    ([`Playout`](crate::playout::Playout),
//!    [`SelectionRule`](crate::selection::SelectionRule), …) and a constant
//!    [`Component`] whose `build` enters it into the builder.
//! 2. Add that constant to [`COMPONENTS`].
//!
//! To add a slot:
//! 1. Add a variant with its description to [`Slot`](crate::component::Slot).
//! 2. Add a field with its default to
//!    [`SearchSettings`](crate::search::settings::SearchSettings); a component's
//!    `build` sets it, and the code it controls reads it.
//!
//! Agent texts, `gdl agents` and all commands that take agents then know it.

use crate::component::Component;
use crate::{
    backup, champion, closed, cutoff, factored, growth, opponents, player, playout, search,
    selection, simultaneous, solver, symmetric,
};

/// All components, in the order in which they are explained.
pub const COMPONENTS: &[&Component] = &[
    &selection::uct::COMPONENT,
    &champion::COMPONENT,
    &player::random::COMPONENT,
    &selection::roulette::COMPONENT,
    &selection::rave::COMPONENT,
    &selection::selective_rave::COMPONENT,
    &selection::grave::COMPONENT,
    &selection::moving_average::COMPONENT,
    &selection::temporal_difference::SINGLE_BACKUP,
    &selection::temporal_difference::WEIGHTED_REWARDS,
    &selection::temporal_difference::MERGED_BOOTSTRAPPING,
    &selection::sufficiency::COMPONENT,
    &selection::guided::COMPONENT,
    &selection::urgency::COMPONENT,
    &selection::progressive_bias::COMPONENT,
    &selection::progressive_unpruning::COMPONENT,
    &selection::proof_numbers::COMPONENT,
    &simultaneous::sequential::COMPONENT,
    &simultaneous::exp3::COMPONENT,
    &simultaneous::regret_matching::COMPONENT,
    &opponents::COMPONENT,
    &playout::mast::MAST,
    &playout::mast::TO_MAST,
    &playout::past::COMPONENT,
    &playout::fast::COMPONENT,
    &playout::ngram::GREEDY,
    &playout::ngram::GIBBS,
    &playout::mini::COMPONENT,
    &playout::product::COMPONENT,
    &playout::fallback::COMPONENT,
    &playout::last_reply::COMPONENT,
    &playout::decay::COMPONENT,
    &symmetric::COMPONENT,
    &factored::COMPONENT,
    &growth::COMPONENT,
    &cutoff::early::COMPONENT,
    &backup::DISCOUNT,
    &closed::COMPONENT,
    &solver::UNPROVEN,
    &search::TWO_LEVEL,
    &search::cost_model::LANES,
    &search::THREADS,
    &search::TREES,
];
