//! Tron: crashes.

use super::play::Match;

#[test]
fn both_crash_who_enter_one_square() {
    let mut game = Match::new("tron");
    // Red from (2 4), blue from (7 5).
    game.together(&["(go east)", "(go west)"]);
    game.together(&["(go east)", "(go west)"]);
    game.together(&["(go north)", "(go west)"]);
    assert_eq!(game.result(), Some(vec![50, 50]));
}
