//! Prints programs.

use super::{Dependence, Literal, Program, RelationId};
use crate::id::Id as _;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The rules as a rule sheet, one per line.
#[must_use]
pub fn show_rules(program: &Program) -> String {
    let literals: usize = program.rules.iter().map(|rule| rule.body.len()).sum();
    let mut text = format!(
        "; {} rules, {literals} literals, {} relations, {} strata\n",
        program.rules.len(),
        program.relations.len(),
        program.strata.len()
    );
    for rule in &program.rules {
        let _ = writeln!(text, "{}", program.show_rule(rule));
    }
    text
}

/// The relations in an order in which they can be evaluated, one per line.
#[must_use]
pub fn show_strata(program: &Program) -> String {
    let mut text = format!(
        "; {} relations in {} strata\n",
        program.relations.len(),
        program.strata.len()
    );
    for (number, stratum) in program.strata.iter().enumerate() {
        for &relation in stratum {
            let varies = match program.relations[relation].dependence {
                Dependence::Static => "static",
                Dependence::State => "varies with the state",
                Dependence::Moves => "varies with the moves",
            };
            let rules = program.rules_of(relation).count();
            let name = name(program, relation);
            let _ = writeln!(text, "{number:>4}  {name:<28} {rules:>4} rules, {varies}");
        }
    }
    text
}

/// The dependencies between relations in Graphviz's language: strata are boxes,
/// dashed edges are negations.
#[must_use]
pub fn show_strata_dot(program: &Program) -> String {
    let mut text = "digraph strata {\n  rankdir = BT;\n  node [shape=box];\n".to_owned();
    for (number, stratum) in program.strata.iter().enumerate() {
        let _ = writeln!(text, "  subgraph cluster_{number} {{");
        for &relation in stratum {
            let label = name(program, relation);
            let _ = writeln!(text, "    r{} [label={label:?}];", relation.index());
        }
        text.push_str("  }\n");
    }
    for (from, to, negated) in dependencies(program) {
        let style = if negated { " [style=dashed]" } else { "" };
        let _ = writeln!(text, "  r{from} -> r{to}{style};");
    }
    text.push_str("}\n");
    text
}

/// The edges from the relation of a literal to that of the head, and whether the
/// literal is negated.
fn dependencies(program: &Program) -> BTreeSet<(usize, usize, bool)> {
    let mut edges = BTreeSet::new();
    for rule in &program.rules {
        for (atom, negated) in rule.body.iter().filter_map(Literal::atom) {
            edges.insert((atom.relation.index(), rule.head.relation.index(), negated));
        }
    }
    edges
}

fn name(program: &Program, relation: RelationId) -> String {
    let relation = &program.relations[relation];
    format!("{}/{}", program.symbols[relation.name], relation.arity)
}
