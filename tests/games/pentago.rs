//! Pentago: rotations of quadrants, and rows of five.

use super::play::Match;

#[test]
fn a_twist_carries_its_quadrant_round_and_nothing_else() {
    let start = "(cell a 1 white) (cell a 2 black) (cell b 2 white) (cell d 4 black)
        (turn white) (due twist)";
    let mut game = Match::at("pentago", start);
    game.turn("(twist west south clockwise)");
    let mut cells = game.facts_of("cell");
    cells.sort();
    // The lower left corner goes to the upper left one.
    assert_eq!(cells, ["a 3 white", "b 2 white", "b 3 black", "d 4 black"]);
    let mut game = Match::at("pentago", start);
    game.turn("(twist west south counterclockwise)");
    let mut cells = game.facts_of("cell");
    cells.sort();
    assert_eq!(cells, ["b 1 black", "b 2 white", "c 1 white", "d 4 black"]);
    let mut game = Match::at("pentago", start);
    game.turn("(twist east north clockwise)");
    assert!(game.holds("(cell d 6 black)") && game.holds("(cell a 1 white)"));
}

#[test]
fn a_player_places_and_twists_in_turn() {
    let mut game = Match::new("pentago");
    assert_eq!(game.legal(0).len(), 36);
    game.turn("(place a 1)");
    assert_eq!((game.legal(0).len(), game.legal(1).len()), (8, 1));
    game.turn("(twist east north clockwise)");
    assert_eq!((game.legal(0).len(), game.legal(1).len()), (1, 35));
}

#[test]
fn five_win_before_the_twist_and_after_it() {
    let four = "(cell b 2 white) (cell c 3 white) (cell d 4 white) (cell e 5 white)";
    let mut game = Match::at("pentago", &format!("{four} (turn white) (due place)"));
    game.turn("(place f 6)");
    assert_eq!(game.result(), Some(vec![100, 0]));
    // Black's twist brings the marbles on f1 and f2 to d1 and e1.
    let row = "(cell a 1 white) (cell b 1 white) (cell c 1 white) (cell f 1 white) (cell f 2 white)
        (turn black) (due twist)";
    let mut game = Match::at("pentago", row);
    assert_eq!(game.result(), None);
    game.turn("(twist east south clockwise)");
    assert_eq!(game.result(), Some(vec![100, 0]));
    let mut game = Match::at("pentago", row);
    game.turn("(twist east south counterclockwise)");
    assert_eq!(game.result(), None);
}

#[test]
fn a_row_of_both_is_a_draw() {
    // Turned clockwise, file f gets five black marbles and rank 6 five white ones.
    let facts = "(cell a 6 white) (cell b 6 white) (cell c 6 white)
        (cell d 4 white) (cell d 5 white)
        (cell f 1 black) (cell f 2 black) (cell f 3 black)
        (cell f 6 black) (cell e 6 black)
        (turn white) (due twist)";
    let mut game = Match::at("pentago", facts);
    assert_eq!(game.result(), None);
    game.turn("(twist east north clockwise)");
    assert_eq!(game.result(), Some(vec![50, 50]));
}
