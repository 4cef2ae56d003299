//! Symmetries of games, in the numbers of their engines' fluents and roles.

use gdl_runtime::engine::Engine;
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::layout::Layout;
use gdl_runtime::symmetry::StateSymmetry;
use gdlc::compile::ground_rules;
use gdlc::ground::GroundingBudget;
use gdlc::propnet::symmetries::{Symmetry, SymmetryGroup, prepare};
use gdlc::propnet::{Propnet, assemble};
use gdlc::rules::Program;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// Symmetries are not searched for in games that took longer to compile, in seconds: the
/// search takes about as long again, of somebody's start clock.
const LONGEST_COMPILATION: f64 = 0.3;

/// Looks at this many gates and operands at most; some tenths of a second.
const MOST_WORK: u64 = 50_000_000;

/// The engine of a program, which finds the symmetries of the game when they are asked for,
/// unless that would take long by the seconds that the stages of its compilation took.
#[must_use]
pub fn find_symmetries_later(
    engine: LaneEngine,
    program: &Program,
    stages: &[(&str, f64)],
) -> LaneEngine {
    let seconds: f64 = stages.iter().map(|(_, seconds)| seconds).sum();
    let Some(layout) = Engine::layout(&engine).filter(|_| seconds <= LONGEST_COMPILATION) else {
        return engine;
    };
    let program = program.clone();
    let found = OnceLock::new();
    engine.with_symmetry_finder(Arc::new(move || {
        Arc::clone(found.get_or_init(|| find_symmetries(&program, &layout)))
    }))
}

/// Generators of the symmetries that keep the initial state.
fn find_symmetries(program: &Program, layout: &Layout) -> Arc<[StateSymmetry]> {
    let Ok(ground) = ground_rules(program, &GroundingBudget::default()) else {
        return Arc::default();
    };
    let net = prepare(assemble(&ground));
    let group = SymmetryGroup::find_within(&net, MOST_WORK);
    let generators = group.generators.iter();
    let found = generators.filter_map(|symmetry| in_layout(symmetry, &net, layout));
    found.collect()
}

/// A symmetry in the numbers of a layout; `None` if the layout lacks the image of one of its
/// fluents, since the engine tells it from others.
fn in_layout(symmetry: &Symmetry, net: &Propnet, layout: &Layout) -> Option<StateSymmetry> {
    let images = net.bases.iter_ids().map(|(id, base)| {
        let image = &net.bases[symmetry.bases[id]];
        (&*base.name, &*image.name)
    });
    let images: HashMap<&str, &str> = images.collect();
    let names = (0..).zip(&layout.bases);
    let numbers: HashMap<&str, u32> = names.map(|(number, base)| (&*base.name, number)).collect();
    let fluents = layout.bases.iter().map(|base| {
        let image = images.get(&*base.name)?;
        numbers.get(image).copied()
    });
    let roles = net.roles.ids().map(|role| {
        let image = &net.roles[symmetry.roles[role]];
        layout.roles.iter().position(|name| name == image)
    });
    Some(StateSymmetry {
        fluents: fluents.collect::<Option<_>>()?,
        roles: roles.collect::<Option<_>>()?,
    })
}
