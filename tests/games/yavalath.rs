//! Yavalath: three in a row, four in a row, and the remaining players.

use super::play::Match;

#[test]
fn three_in_a_row_lose_in_yavalath_and_four_win() {
    let mut game = Match::new("yavalath");
    // Red makes a row of three in its third move and is out.
    game.turns(&["(place 1 1)", "(place 1 3)", "(place 9 9)"]);
    game.turns(&["(place 2 1)", "(place 2 3)", "(place 8 9)"]);
    game.turn("(place 3 1)");
    assert_eq!(game.result(), None);
    // Green and blue go on alone; green closes a gap to make four.
    game.turns(&["(place 4 4)", "(place 5 8)"]);
    assert!(game.facts().contains(&"(out red)".to_owned()));
    game.turns(&["(place 4 3)", "(place 5 6)", "(place 3 3)"]);
    assert_eq!(game.result(), Some(vec![0, 100, 0]));
}
