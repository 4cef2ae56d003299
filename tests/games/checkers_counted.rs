//! Counted draughts: multiple jumps in one move, and the winner by count.

use super::play::Match;

/// A position with black to move.
fn at(cells: &str, black: u32, white: u32) -> Match {
    let rest = format!("(pieces black {black}) (pieces white {white}) (turn black) (ply 9)");
    Match::at("checkers_counted", &format!("{cells} {rest}"))
}

#[test]
fn captures_are_optional_and_may_stop() {
    let cells = "(cell a 1 black_man) (cell b 2 white_man) (cell d 4 white_man) \
                 (cell f 6 white_man)";
    let mut game = at(cells, 1, 3);
    let jumps = [
        "(double_jump black_man a 1 c 3 e 5)",
        "(jump black_man a 1 c 3)",
        "(triple_jump black_man a 1 c 3 e 5 g 7)",
    ];
    assert_eq!(game.legal(0), jumps);
    game.turn(jumps[0]);
    let mut cells = game.facts_of("cell");
    cells.sort();
    assert_eq!(cells, ["e 5 black_man", "f 6 white_man"]);
    assert_eq!(game.goals(), [50, 50]);
    assert!(game.holds("(pieces white 1)"));
}

#[test]
fn kings_do_not_jump_over_a_piece_twice() {
    let cells = "(cell a 1 black_king) (cell b 2 white_man) (cell d 4 white_king)";
    let mut game = at(cells, 1, 2);
    let jumps = [
        "(double_jump black_king a 1 c 3 e 5)",
        "(jump black_king a 1 c 3)",
    ];
    assert_eq!(game.legal(0), jumps);
}

#[test]
fn men_become_kings_and_the_last_piece_ends_the_game() {
    let mut game = at(
        "(cell e 5 black_man) (cell f 6 white_man) (cell a 1 white_king)",
        1,
        2,
    );
    game.turn("(move black_man e 5 d 6)");
    game.turn("(move white_king a 1 b 2)");
    game.turn("(move black_man d 6 c 7)");
    game.turn("(move white_man f 6 g 5)");
    game.turn("(move black_man c 7 b 8)");
    assert!(game.holds("(cell b 8 black_king)"));
    assert_eq!(game.result(), None);
    let mut game = at("(cell e 5 black_man) (cell f 6 white_man)", 1, 1);
    game.turn("(jump black_man e 5 g 7)");
    assert_eq!(game.result(), Some(vec![100, 0]));
}

#[test]
fn who_has_more_pieces_is_ahead() {
    Match::see_random_games("checkers_counted", |game| {
        let cells = game.facts_of("cell");
        let pieces = |of| cells.iter().filter(|cell| cell.contains(of)).count();
        game.assert_ahead(pieces("black"), pieces("white"));
    });
}
