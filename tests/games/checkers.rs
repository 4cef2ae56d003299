//! Draughts: multiple jumps.

use super::play::Match;

#[test]
fn the_piece_that_has_jumped_jumps_on_in_draughts() {
    let mut game = Match::new("checkers");
    game.turns(&["(move a 3 b 4)", "(move b 6 a 5)", "(move b 2 a 3)"]);
    game.turns(&["(move a 7 b 6)", "(move b 4 c 5)"]);
    assert_eq!(game.legal(1), ["(jump b 6 d 4)", "(jump d 6 b 4)"]);
    game.turn("(jump b 6 d 4)");
    let facts = game.facts();
    assert!(facts.contains(&"(chain d 4)".to_owned()), "{facts:?}");
    assert!(facts.contains(&"(turn white)".to_owned()), "{facts:?}");
    assert_eq!(game.legal(0), ["noop"]);
    assert_eq!(game.legal(1), ["(jump d 4 b 2)"]);
    game.turn("(jump d 4 b 2)");
    assert!(game.facts().contains(&"(turn black)".to_owned()));
}
