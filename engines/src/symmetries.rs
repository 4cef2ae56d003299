//! Symmetries of games, in the numbers of their engines' fluents and roles.

use gdl_runtime::engine::Engine;
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::layout::Layout;
use gdl_runtime::symmetry::StateSymmetry;
use gdlc::ground::{GroundingBudget, ground};
use gdlc::propnet::symmetries::{Symmetry, SymmetryGroup, prepare};
use gdlc::propnet::{Propnet, assemble};
use gdlc::rules::Program;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Symmetries are not searched for in games with more rule instances: the time is part of
/// somebody's start clock, and with 300,000 it was up to two seconds.
const MOST_INSTANCES: u64 = 12_000;

/// Nor in games whose rules take longer to ground.
const LONGEST_GROUNDING: Duration = Duration::from_millis(300);

/// Looks at this many gates and operands at most.
const MOST_WORK: u64 = 10_000_000;

/// The engine of a program, which finds the symmetries of the game when they are asked for.
#[must_use]
pub fn find_symmetries_later(engine: LaneEngine, program: &Program) -> LaneEngine {
    let Some(layout) = Engine::layout(&engine) else {
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
    let budget = GroundingBudget {
        instances: MOST_INSTANCES,
        time: LONGEST_GROUNDING,
        ..GroundingBudget::default()
    };
    let Ok(ground) = ground(program, &budget) else {
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
