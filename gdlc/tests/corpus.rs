//! Every game of the public corpus passes the checks.
#![allow(clippy::unwrap_used)]

use gdlc::compile::ground_rules;
use gdlc::diag::{Severity, render};
use gdlc::functional::rewrite;
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
    let program = checked("laikLee_hex");
    let ground = ground_rules(&program, &GroundingBudget::default()).unwrap();
    assert!(ground.atoms.len() < 2000, "{} atoms", ground.atoms.len());
}

/// Without that proof, chess is too large to ground. Grounding the rewritten rules takes half a
/// minute and is left to the benchmark of set-up.
#[test]
#[ignore = "needs the public corpus"]
fn the_squares_of_the_kings_of_chess_are_proved_to_be_functional() {
    let rewritten = rewrite(&checked("chess"), &GroundingBudget::default()).unwrap();
    let negates = |literal: &Literal| match literal {
        Literal::Negative(atom) => {
            rewritten.symbols[rewritten.relations[atom.relation].name].starts_with("threatened@")
        }
        _ => false,
    };
    assert!(
        rewritten
            .rules
            .iter()
            .any(|rule| rule.body.iter().any(negates))
    );
}

fn checked(game: &str) -> Program {
    let path = gdl_testing::corpus()
        .join("games")
        .join(format!("{game}.kif"));
    let text = fs::read_to_string(path).unwrap();
    gdlc::rules::check(Source::new(game, text)).program.unwrap()
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
