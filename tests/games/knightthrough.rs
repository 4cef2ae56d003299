//! Knightthrough: the moves of its knights, and the winner.

use super::play::Match;

#[test]
fn knights_only_advance_and_jump_over_others() {
    let mut game = Match::at(
        "knightthrough",
        "(cell d 4 white) (cell d 5 black) (cell c 6 black) (cell b 5 white) (turn white)",
    );
    let moves = game.legal(0);
    let of_d4: Vec<&String> = moves
        .iter()
        .filter(|mv| mv.starts_with("(move d 4"))
        .collect();
    assert_eq!(
        of_d4,
        ["(move d 4 c 6)", "(move d 4 e 6)", "(move d 4 f 5)"]
    );
    game.turn("(move d 4 c 6)");
    assert!(!game.holds("(cell c 6 black)"));
    assert_eq!(
        game.legal(1),
        [
            "(move d 5 b 4)",
            "(move d 5 c 3)",
            "(move d 5 e 3)",
            "(move d 5 f 4)"
        ]
    );
}

#[test]
fn the_far_rank_wins_and_so_does_the_last_knight() {
    let mut game = Match::at(
        "knightthrough",
        "(cell a 1 white) (cell h 3 black) (turn black)",
    );
    game.turn("(move h 3 g 1)");
    assert_eq!(game.result(), Some(vec![0, 100]));
    let mut game = Match::at(
        "knightthrough",
        "(cell a 1 white) (cell b 3 black) (turn white)",
    );
    game.turn("(move a 1 b 3)");
    assert_eq!(game.result(), Some(vec![100, 0]));
}
