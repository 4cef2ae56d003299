//! Prints ground programs.

use super::{GroundProgram, GroundRule};
use std::fmt::Write as _;

/// The roles, fluents and moves, then the rules, one per line, as KIF.
#[must_use]
pub fn show_ground(program: &GroundProgram) -> String {
    let mut text = format!(
        "; {} roles, {} fluents, {} moves, {} atoms, {} rules, {} literals\n",
        program.roles.len(),
        program.bases.len(),
        program.moves.len(),
        program.atoms.len(),
        program.rules.len(),
        program
            .rules
            .iter()
            .map(|rule| rule.body.len())
            .sum::<usize>()
    );
    for role in &program.roles {
        let _ = writeln!(text, "(role {role})");
    }
    for base in &program.bases {
        let word = if base.initially { "init" } else { "base" };
        let _ = writeln!(text, "({word} {})", base.name);
    }
    for mv in &program.moves {
        let _ = writeln!(text, "(input {} {})", program.roles[mv.role], mv.name);
    }
    for rule in &program.rules {
        let _ = writeln!(text, "{}", show_rule(program, rule));
    }
    text
}

fn show_rule(program: &GroundProgram, rule: &GroundRule) -> String {
    let head = &program.atoms[rule.head].name;
    if rule.body.is_empty() {
        return head.clone();
    }
    let mut text = format!("(<= {head}");
    for literal in &rule.body {
        let atom = &program.atoms[literal.atom].name;
        let _ = match literal.negated {
            true => write!(text, " (not {atom})"),
            false => write!(text, " {atom}"),
        };
    }
    text.push(')');
    text
}
