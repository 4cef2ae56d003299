//! Othello: the discs that are turned.

use super::play::Match;

#[test]
fn othello_turns_what_is_enclosed() {
    let mut game = Match::new("othello");
    game.turn("(place d 3)");
    let black: Vec<String> = (game.facts().into_iter())
        .filter(|fact| fact.ends_with(" black)") && fact.starts_with("(cell"))
        .collect();
    assert_eq!(
        black,
        [
            "(cell d 3 black)",
            "(cell d 4 black)",
            "(cell d 5 black)",
            "(cell e 4 black)"
        ]
    );
}
