//! Battle: the armies, and what happens when both move at once.

use super::play::Match;

/// A position before the first capture.
fn at(cells: &str) -> Match {
    let rest = "(captured white 0) (captured black 0) (step 1)";
    Match::at("battle", &format!("{cells} {rest}"))
}

/// What stands where, sorted.
fn cells(game: &Match) -> Vec<String> {
    let mut cells = game.facts_of("cell");
    cells.sort();
    cells
}

#[test]
fn twenty_disks_each_stand_along_two_sides() {
    let game = Match::new("battle");
    let (white, black): (Vec<_>, Vec<_>) = cells(&game)
        .into_iter()
        .partition(|cell| cell.ends_with("white"));
    assert_eq!((white.len(), black.len()), (20, 20));
    let corner = ["a 1 white", "b 6 white", "f 2 white"].map(str::to_owned);
    assert!(corner.iter().all(|cell| white.contains(cell)));
    let corner = ["c 8 black", "g 3 black", "h 8 black"].map(str::to_owned);
    assert!(corner.iter().all(|cell| black.contains(cell)));
}

#[test]
fn what_stays_is_captured_and_what_moves_escapes() {
    let start = "(cell d 4 white) (cell e 5 black) (cell h 8 black) (cell a 1 white)";
    let mut game = at(start);
    game.together(&["(move d 4 e 5)", "(move h 8 h 7)"]);
    assert_eq!(cells(&game), ["a 1 white", "e 5 white", "h 7 black"]);
    assert_eq!(game.goals(), [100, 0]);
    let mut game = at(start);
    game.together(&["(move d 4 e 5)", "(move e 5 f 5)"]);
    let expected = ["a 1 white", "e 5 white", "f 5 black", "h 8 black"];
    assert_eq!(cells(&game), expected);
    assert_eq!(game.goals(), [50, 50]);
}

#[test]
fn disks_that_go_for_each_other_swap() {
    let mut game = at("(cell d 4 white) (cell e 5 black)");
    game.together(&["(move d 4 e 5)", "(move e 5 d 4)"]);
    assert_eq!(cells(&game), ["d 4 black", "e 5 white"]);
    assert_eq!(game.goals(), [50, 50]);
}

#[test]
fn disks_that_enter_one_square_are_both_captured() {
    let mut game = at("(cell d 4 white) (cell e 6 black) (cell a 1 white) (cell h 8 black)");
    game.together(&["(move d 4 e 5)", "(move e 6 e 5)"]);
    assert_eq!(cells(&game), ["a 1 white", "h 8 black"]);
    assert_eq!(game.goals(), [50, 50]);
}

#[test]
fn both_may_capture_at_once_and_ten_end_the_game() {
    for (captured, goals) in [(8, [100, 0]), (9, [50, 50])] {
        let cells = "(cell a 1 white) (cell a 2 black) (cell h 8 white) (cell h 7 black)";
        let facts = format!("{cells} (captured white 9) (captured black {captured}) (step 40)");
        let mut game = Match::at("battle", &facts);
        game.together(&["(move a 1 a 2)", "(move h 7 h 8)"]);
        assert_eq!(game.result(), Some(goals.to_vec()));
    }
}

#[test]
fn a_hundred_steps_end_the_game() {
    let cells = "(cell a 1 white) (cell h 8 black)";
    let facts = format!("{cells} (captured white 1) (captured black 2) (step 100)");
    let mut game = Match::at("battle", &facts);
    assert_eq!(game.result(), None);
    game.together(&["(move a 1 a 2)", "(move h 8 h 7)"]);
    assert_eq!(game.result(), Some(vec![0, 100]));
}

#[test]
fn who_has_captured_more_is_ahead() {
    Match::see_random_games("battle", |game| {
        let cells = cells(game);
        let disks = |of| cells.iter().filter(|cell| cell.ends_with(of)).count();
        game.assert_ahead(disks("white"), disks("black"));
    });
}
