//! Skirmish: the moves of its pieces, blocked moves, and the values of captures.

use super::play::Match;

const START: &str = "(captured white 0) (captured black 0) (ply 1) (turn white)";

/// A position with white to move.
fn at(cells: &str) -> Match {
    Match::at("skirmish", &format!("{cells} {START}"))
}

/// Where white's piece can go from a square, as one text.
fn ways(game: &mut Match, from: &str) -> String {
    let prefix = format!("(move {from} ");
    let moves = game.legal(0);
    let ways = moves.iter().filter_map(|mv| mv.strip_prefix(&prefix));
    let squares: Vec<String> = ways
        .map(|to| to.trim_end_matches(')').replace(' ', ""))
        .collect();
    squares.join(" ")
}

#[test]
fn nothing_but_knights_crosses_the_blocked_squares() {
    let mut game = at(
        "(cell c 1 white_rook) (cell a 1 white_bishop) (cell b 1 white_knight) (cell h 8 black_rook)",
    );
    // The rook is stopped before c3 and by the knight, the bishop on b2.
    assert_eq!(ways(&mut game, "c 1"), "c2 d1 e1 f1 g1 h1");
    assert_eq!(ways(&mut game, "a 1"), "b2");
    assert_eq!(ways(&mut game, "b 1"), "a3 d2");
    // From d1 the knight gets beyond c2 and c3.
    let mut game = at("(cell d 1 white_knight) (cell h 8 black_rook)");
    assert_eq!(ways(&mut game, "d 1"), "b2 e3 f2");
}

#[test]
fn gliding_pieces_stop_at_the_first_piece() {
    // It captures on d6, stops before f4, and is blocked at c3 and f6.
    let mut game = at(
        "(cell d 4 white_queen) (cell d 6 black_pawn) (cell f 4 white_pawn) (cell b 2 black_rook)",
    );
    let expected = "a4 a7 b4 b6 c4 c5 d1 d2 d3 d5 d6 e3 e4 e5 f2 g1";
    assert_eq!(ways(&mut game, "d 4"), expected);
}

#[test]
fn pawns_move_only_by_capturing_and_become_queens() {
    let mut game = at("(cell d 7 white_pawn) (cell c 8 black_knight) (cell h 2 black_rook)");
    assert_eq!(game.legal(0), ["(move d 7 c 8)"]);
    game.turn("(move d 7 c 8)");
    assert!(game.holds("(cell c 8 white_queen)"));
    assert!(game.holds("(captured white 1)"));
    assert_eq!(game.goals(), [10, 0]);
    assert_eq!(game.result(), None);
}

#[test]
fn a_player_without_moves_ends_the_game_and_keeps_the_points() {
    let facts = "(cell d 4 white_pawn) (cell d 5 black_pawn) (cell h 8 black_rook)
        (captured white 3) (captured black 4) (ply 30) (turn white)";
    let mut game = Match::at("skirmish", facts);
    assert_eq!(game.result(), Some(vec![30, 40]));
    let mut game = Match::at("skirmish", &facts.replace("turn white", "turn black"));
    assert_eq!(game.result(), None);
}

#[test]
fn the_game_ends_after_the_last_piece_or_sixty_plies() {
    let facts = "(cell a 1 white_rook) (cell a 8 black_rook) (turn white)";
    let last = format!("{facts} (captured white 9) (captured black 9) (ply 30)");
    let mut game = Match::at("skirmish", &last);
    game.turn("(move a 1 a 8)");
    assert_eq!(game.result(), Some(vec![100, 90]));
    let late = format!("{facts} (captured white 2) (captured black 0) (ply 60)");
    let mut game = Match::at("skirmish", &late);
    game.turn("(move a 1 b 1)");
    assert_eq!(game.result(), Some(vec![20, 0]));
}

#[test]
fn goals_count_the_pieces_that_are_gone() {
    Match::see_random_games("skirmish", |game| {
        let goals = game.goals();
        let cells = game.facts_of("cell");
        for (of, by) in [("black", goals[0]), ("white", goals[1])] {
            let pieces = cells.iter().filter(|cell| cell.contains(of)).count() as i32;
            assert_eq!(pieces, 10 - by / 10, "{cells:?}");
        }
    });
}

#[test]
fn counted_skirmish_differs_in_its_goals_only() {
    Match::see_random_games("skirmish_counted", |game| {
        let mut plain = Match::at("skirmish", &game.facts().join(" "));
        assert_eq!(plain.result(), None);
        for role in 0..2 {
            assert_eq!(game.legal(role), plain.legal(role));
        }
        let points = plain.goals();
        game.assert_ahead(points[0] as usize, points[1] as usize);
    });
    let facts = "(cell a 1 white_rook) (cell a 8 black_rook) (turn white)
        (captured white 9) (captured black 9) (ply 30)";
    let mut game = Match::at("skirmish_counted", facts);
    assert_eq!(game.result(), None);
    game.turn("(move a 1 a 8)");
    assert_eq!(game.result(), Some(vec![100, 0]));
}
