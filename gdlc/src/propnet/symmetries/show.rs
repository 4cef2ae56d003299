//! Human-readable symmetries.

use std::fmt::Write as _;

use super::group::{Symmetry, SymmetryGroup};
use crate::id::{Id, IdVec};
use crate::propnet::Propnet;

/// The generators of a group as text: which roles, fluents and moves each exchanges, one
/// cycle per line.
#[must_use]
pub fn show_symmetries(net: &Propnet, group: &SymmetryGroup) -> String {
    let order = match (group.order, group.is_complete) {
        (None, _) => "more than 2^128".to_owned(),
        (Some(order), true) => order.to_string(),
        (Some(order), false) => format!("at least {order}"),
    };
    let mut text = format!(
        "; {order} symmetries with the identity, {} generators\n",
        group.generators.len()
    );
    for (number, generator) in group.generators.iter().enumerate() {
        let _ = writeln!(text, "; generator {}", number + 1);
        show_generator(net, generator, &mut text);
    }
    text
}

fn show_generator(net: &Propnet, generator: &Symmetry, text: &mut String) {
    for cycle in cycles(&generator.roles) {
        let roles = cycle.iter().map(|&role| net.roles[role].clone());
        show_cycle("role", roles, text);
    }
    for cycle in cycles(&generator.bases) {
        let bases = cycle.iter().map(|&base| net.bases[base].name.to_string());
        show_cycle("true", bases, text);
    }
    for cycle in cycles(&generator.moves) {
        let moves = cycle.iter().map(|&mv| {
            let mv = &net.moves[mv];
            format!("{} {}", net.roles[mv.role], mv.name)
        });
        show_cycle("does", moves, text);
    }
}

/// As in `(true (cell 1 1 x)) -> (true (cell 1 3 x))`; the last becomes the first.
fn show_cycle(relation: &str, members: impl Iterator<Item = String>, text: &mut String) {
    let members: Vec<String> = members
        .map(|member| format!("({relation} {member})"))
        .collect();
    let _ = writeln!(text, "{}", members.join(" -> "));
}

/// The cycles of a permutation that move anything, by their first members.
fn cycles<I: Id>(images: &IdVec<I, I>) -> Vec<Vec<I>> {
    let mut seen = IdVec::filled(false, images.len());
    let mut cycles = Vec::new();
    for first in images.ids() {
        let mut cycle = Vec::new();
        let mut member = first;
        while !seen[member] {
            seen[member] = true;
            cycle.push(member);
            member = images[member];
        }
        if cycle.len() > 1 {
            cycles.push(cycle);
        }
    }
    cycles
}
