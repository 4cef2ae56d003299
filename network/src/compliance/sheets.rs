//! Small rule sheets for testing players.

use std::fmt::Write as _;

/// Two players in turns, at most nine rounds.
pub const TICTACTOE: &str = include_str!("rules/tictactoe.kif");

/// Two players who move simultaneously, two rounds.
pub const DUEL: &str = include_str!("rules/duel.kif");

/// One player, three rounds.
pub const LAMPS: &str = include_str!("rules/lamps.kif");

/// One round; its names are not identifiers in any programming language.
pub const ODD_NAMES: &str = include_str!("rules/odd_names.kif");

/// A game that has more facts than fit into memory: what is legal depends on whether
/// eight numbers out of forty form a cycle.
pub fn explosion() -> String {
    let mut sheet = String::from("(role a) (init (on 0)) (<= terminal (true (on 1)))\n");
    sheet += "(<= (next (on ?x)) (does a (go ?x))) (goal a 50)\n";
    for number in 0..40 {
        let _ = write!(sheet, "(n {number}) ");
    }
    let numbers = ["?a", "?b", "?c", "?d", "?e", "?f", "?g", "?h"];
    let all = numbers.join(" ");
    let each: Vec<String> = (numbers.iter()).map(|one| format!("(n {one})")).collect();
    let turned = [&numbers[1..], &numbers[..1]].concat().join(" ");
    let _ = write!(
        sheet,
        "\n(<= (tuple {all}) {})\n\
         (<= (cycle {all}) (tuple {turned}) (true (on ?a)))\n\
         (<= (cycle {all}) (cycle {turned}))\n\
         (<= (legal a (go ?a)) (cycle {all}))\n",
        each.join(" ")
    );
    sheet
}
