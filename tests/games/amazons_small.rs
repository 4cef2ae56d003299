//! Amazons: moves, shots, and players without a move.

use super::play::Match;

#[test]
fn arrows_and_amazons_stop_amazons_and_arrows() {
    let mut game = Match::at(
        "amazons_small",
        "(cell a 1 white) (cell d 1 arrow) (cell a 3 black) (turn white) (due go)",
    );
    let diagonal = ["b 2", "c 3", "d 4", "e 5", "f 6"];
    let mut expected: Vec<String> = ["a 2", "b 1", "c 1"]
        .iter()
        .chain(&diagonal)
        .map(|to| format!("(move a 1 {to})"))
        .collect();
    expected.sort();
    assert_eq!(game.legal(0), expected);
    game.turn("(move a 1 b 1)");
    // The amazon shoots from where it is now, over the square that it left too.
    let shots = [
        "a 1", "a 2", "b 2", "b 3", "b 4", "b 5", "b 6", "c 1", "c 2", "d 3", "e 4", "f 5",
    ];
    assert_eq!(game.legal(0), shots.map(|to| format!("(shoot {to})")));
    game.turn("(shoot a 1)");
    assert!(game.holds("(cell a 1 arrow)") && game.holds("(turn black)"));
    assert!(game.facts_of("shooter").is_empty());
}

#[test]
fn who_cannot_go_loses() {
    let facts = "(cell a 1 white) (cell a 2 arrow) (cell c 1 black) (cell b 2 black)
        (turn black) (due go)";
    let mut game = Match::at("amazons_small", facts);
    game.turns(&["(move c 1 c 2)", "(shoot b 1)"]);
    assert_eq!(game.result(), Some(vec![0, 100]));
}
