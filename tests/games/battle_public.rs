//! Battle of the public rules: the armies, defence, and what a capture is worth.

use super::play::Match;

/// A position before the first capture.
fn at(cells: &str) -> Match {
    let rest = "(captured white 0) (captured black 0) (step 1)";
    Match::at("battle_public", &format!("{cells} {rest}"))
}

/// What stands where, sorted.
fn cells(game: &Match) -> Vec<String> {
    let mut cells = game.facts_of("cell");
    cells.sort();
    cells
}

/// What stands where after both have moved, and what that is worth.
fn after(start: &str, white: &str, black: &str) -> (Vec<String>, Vec<i32>) {
    let mut game = at(start);
    game.together(&[white, black]);
    (cells(&game), game.goals())
}

#[test]
fn each_has_eight_kings_and_twelve_pawns() {
    let all = cells(&Match::new("battle_public"));
    let count = |piece: &str| all.iter().filter(|cell| cell.ends_with(piece)).count();
    assert_eq!((count("white_king"), count("white_pawn")), (8, 12));
    assert_eq!((count("black_king"), count("black_pawn")), (8, 12));
    for cell in [
        "a 3 white_king",
        "f 1 white_king",
        "a 2 white_pawn",
        "c 2 white_pawn",
    ] {
        assert!(all.contains(&cell.to_owned()), "{cell}");
    }
    for cell in [
        "h 6 black_king",
        "c 8 black_king",
        "g 8 black_pawn",
        "g 3 black_pawn",
    ] {
        assert!(all.contains(&cell.to_owned()), "{cell}");
    }
}

#[test]
fn only_kings_step_diagonally() {
    let mut game = at("(cell a 1 white_king) (cell h 8 black_pawn)");
    let king = [
        "(defend a 1)",
        "(move a 1 a 2)",
        "(move a 1 b 1)",
        "(move a 1 b 2)",
    ];
    assert_eq!(game.legal(0), king);
    let pawn = ["(defend h 8)", "(move h 8 g 8)", "(move h 8 h 7)"];
    assert_eq!(game.legal(1), pawn);
}

#[test]
fn what_stays_is_captured_and_what_moves_escapes() {
    let start = "(cell d 4 white_king) (cell d 5 black_pawn) (cell h 8 black_king)";
    let (cells, goals) = after(start, "(move d 4 d 5)", "(move h 8 h 7)");
    assert_eq!(
        (cells, goals),
        (owned(["d 5 white_king", "h 7 black_king"]), vec![10, 0])
    );
    let (cells, goals) = after(start, "(move d 4 d 5)", "(move d 5 d 4)");
    let expected = ["d 4 black_pawn", "d 5 white_king", "h 8 black_king"];
    assert_eq!((cells, goals), (owned(expected), vec![0, 0]));
}

#[test]
fn a_defended_piece_captures_who_attacks_it() {
    let start = "(cell d 4 white_king) (cell a 1 white_king) (cell d 5 black_pawn)";
    let (cells, goals) = after(start, "(move d 4 d 5)", "(defend d 5)");
    assert_eq!(
        (cells, goals),
        (owned(["a 1 white_king", "d 5 black_pawn"]), vec![0, 10])
    );
    // To defend what nobody attacks changes nothing.
    let (cells, goals) = after(start, "(move a 1 a 2)", "(defend d 5)");
    let expected = ["a 2 white_king", "d 4 white_king", "d 5 black_pawn"];
    assert_eq!((cells, goals), (owned(expected), vec![0, 0]));
}

#[test]
fn pieces_that_enter_one_square_are_both_gone() {
    let start = "(cell d 4 white_king) (cell a 1 white_king) (cell d 6 black_pawn) \
                 (cell h 8 black_pawn)";
    let (cells, goals) = after(start, "(move d 4 d 5)", "(move d 6 d 5)");
    assert_eq!(
        (cells, goals),
        (owned(["a 1 white_king", "h 8 black_pawn"]), vec![0, 0])
    );
}

#[test]
fn ten_captures_no_pieces_or_thirty_steps_end_the_game() {
    let both = "(cell d 4 white_king) (cell d 5 black_pawn) (cell h 8 black_pawn)";
    let ends = |facts: &str| {
        let mut game = Match::at("battle_public", facts);
        assert_eq!(game.result(), None);
        game.together(&["(move d 4 d 5)", "(move h 8 h 7)"]);
        game.result()
    };
    let ten = format!("{both} (captured white 9) (captured black 3) (step 20)");
    assert_eq!(ends(&ten), Some(vec![100, 30]));
    let nine = format!("{both} (captured white 8) (captured black 3) (step 20)");
    assert_eq!(ends(&nine), None);
    let late = format!("{both} (captured white 4) (captured black 3) (step 30)");
    assert_eq!(ends(&late), Some(vec![50, 30]));
    let facts = "(cell d 4 white_king) (cell d 5 black_pawn) (captured white 2) \
                 (captured black 3) (step 20)";
    let mut game = Match::at("battle_public", facts);
    game.together(&["(defend d 4)", "(move d 5 d 4)"]);
    assert_eq!(game.result(), Some(vec![30, 30]));
}

fn owned<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}
