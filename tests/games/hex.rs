//! Hex: the neighbours of a stone.

use super::play::Match;

#[test]
fn hex_is_won_by_a_bent_chain() {
    let mut game = Match::new("hex");
    // Red climbs in column 4 and slants to column 3; blue plays elsewhere.
    for row in 1..=6 {
        game.turns(&[&format!("(place 4 {row})"), &format!("(place 7 {row})")]);
        assert_eq!(game.result(), None);
    }
    game.turn("(place 3 7)");
    assert_eq!(game.result(), Some(vec![100, 0]));
}

#[test]
fn hex_cells_that_only_look_near_do_not_join() {
    let mut game = Match::new("hex");
    for row in 1..=6 {
        game.turns(&[&format!("(place 4 {row})"), &format!("(place 1 {row})")]);
    }
    game.turn("(place 5 7)");
    assert_eq!(game.result(), None);
}
