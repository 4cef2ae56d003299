//! Symmetries of games, in terms of their engines' fluent, move and role numbers.

use crate::small_games::{MOST_WORK, ground_small};
use gdl_runtime::automorphism::Automorphism;
use gdl_runtime::layout::{Layout, MoveRow};
use gdl_runtime::symmetry::StateSymmetry;
use gdlc::propnet::symmetries::{Symmetry, SymmetryGroup, prepare};
use gdlc::propnet::{Propnet, assemble};
use gdlc::rules::Program;
use std::collections::HashMap;
use std::sync::Arc;

/// Generators of the symmetries that keep the initial state.
pub(crate) fn find_symmetries(program: &Program, layout: &Layout) -> Arc<[Automorphism]> {
    let Some(ground) = ground_small(program) else {
        return Arc::default();
    };
    let net = prepare(assemble(&ground));
    let group = SymmetryGroup::find_within(&net, MOST_WORK);
    let generators = group.generators.iter();
    let found = generators.filter_map(|symmetry| in_layout(symmetry, &net, layout));
    found.collect()
}

/// A symmetry in the numbers of a layout; `None` if the layout lacks the image of one of its
/// fluents or moves, since the engine tells it from others.
fn in_layout(symmetry: &Symmetry, net: &Propnet, layout: &Layout) -> Option<Automorphism> {
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
    let states = StateSymmetry {
        fluents: fluents.collect::<Option<_>>()?,
        roles: roles.collect::<Option<_>>()?,
    };
    let moves = move_images(symmetry, net, layout, &states.roles)?;
    Some(Automorphism { states, moves })
}

/// For every role of a layout, the images of its moves, given those of roles.
fn move_images(
    symmetry: &Symmetry,
    net: &Propnet,
    layout: &Layout,
    roles: &[usize],
) -> Option<Box<[Box<[u32]>]>> {
    let images = net.moves.iter_ids().map(|(id, mv)| {
        let image = &net.moves[symmetry.moves[id]];
        ((&*net.roles[mv.role], &*mv.name), &*image.name)
    });
    let images: HashMap<(&str, &str), &str> = images.collect();
    let numbers = layout.moves.iter().map(|moves| {
        let names = (0..).zip(moves);
        names.map(|(number, mv)| (&*mv.name, number)).collect()
    });
    let numbers: Vec<HashMap<&str, u32>> = numbers.collect();
    let of_role = |(role, moves): (usize, &Vec<MoveRow>)| {
        let image = |mv: &MoveRow| {
            let image = images.get(&(&*layout.roles[role], &*mv.name))?;
            numbers[roles[role]].get(image).copied()
        };
        moves.iter().map(image).collect::<Option<Box<[u32]>>>()
    };
    layout.moves.iter().enumerate().map(of_role).collect()
}
