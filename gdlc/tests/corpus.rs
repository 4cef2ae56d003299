//! Every game of the public corpus passes the checks.
#![allow(clippy::unwrap_used)]

use gdlc::compile::ground_rules;
use gdlc::diag::{Severity, render};
use gdlc::ground::GroundingBudget;
use gdlc::id::Id as _;
use gdlc::rules::{Literal, Program};
use gdlc::source::Source;
use std::fs;

#[test]
#[ignore = "needs the public corpus"]
fn no_game_has_an_error() {
    for path in gdl_testing::corpus_games() {
        let text = fs::read_to_string(&path).unwrap();
        let checked = gdlc::rules::check(Source::new(path.display().to_string(), text));
        let mut errors = checked.diagnostics;
        errors.retain(|found| found.severity == Severity::Error);
        assert!(errors.is_empty(), "{}", render(&errors, false));
        let program = checked.program.unwrap();
        assert!(!program.roles.is_empty(), "{} has no role", path.display());
        assert_stratified(&program);
    }
}

/// Its rules list the cells that a walk has visited: an atom for every path over the board.
#[test]
#[ignore = "needs the public corpus"]
fn a_walk_over_hexagons_is_ground_without_its_lists() {
    let path = gdl_testing::corpus().join("games/laikLee_hex.kif");
    let text = fs::read_to_string(path).unwrap();
    let checked = gdlc::rules::check(Source::new("laikLee_hex", text));
    let ground = ground_rules(&checked.program.unwrap(), &GroundingBudget::default()).unwrap();
    assert!(ground.atoms.len() < 2000, "{} atoms", ground.atoms.len());
}

/// The strata are what the documentation of [`Program`] says.
fn assert_stratified(program: &Program) {
    let mut stratum_of = vec![None; program.relations.len()];
    for (number, stratum) in program.strata.iter().enumerate() {
        for relation in stratum {
            assert_eq!(stratum_of[relation.index()].replace(number), None);
        }
    }
    for rule in &program.rules {
        let head = stratum_of[rule.head.relation.index()].unwrap();
        for (atom, negated) in rule.body.iter().filter_map(Literal::atom) {
            let body = stratum_of[atom.relation.index()].unwrap();
            let text = program.show_rule(rule);
            assert!(body < head || (body == head && !negated), "{text}");
        }
    }
}
