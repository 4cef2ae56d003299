//! Chinook: two simultaneous races.

use super::play::Match;

#[test]
fn the_players_change_colours_after_every_step() {
    let mut game = Match::new("chinook");
    // b1 and a2 are light, a1 and b2 dark.
    assert!(game.legal(0).contains(&"(move a 2 b 3)".to_owned()));
    assert!(!game.legal(0).contains(&"(move b 2 a 3)".to_owned()));
    assert!(game.legal(1).contains(&"(move a 7 b 6)".to_owned()));
    assert!(!game.legal(1).contains(&"(move b 7 a 6)".to_owned()));
    game.together(&["(move a 2 b 3)", "(move a 7 b 6)"]);
    assert!(game.legal(0).contains(&"(move b 2 a 3)".to_owned()));
    assert!(!game.legal(0).contains(&"(move b 3 a 4)".to_owned()));
    assert!(game.legal(1).contains(&"(move b 7 a 6)".to_owned()));
}

#[test]
fn pawns_jump_over_opponents_only_and_need_not() {
    let mut game = Match::at(
        "chinook",
        "(cell c 4 white) (cell d 5 black) (cell b 5 white) (cell g 2 black)
            (plays white light) (plays black dark)",
    );
    assert_eq!(
        game.legal(0),
        ["(jump c 4 e 6)", "(move b 5 a 6)", "(move b 5 c 6)"]
    );
    assert_eq!(game.legal(1), ["pass"]);
    game.together(&["(jump c 4 e 6)", "pass"]);
    assert!(!game.holds("(cell d 5 black)") && game.holds("(cell e 6 white)"));
}

#[test]
fn the_first_on_the_far_rank_wins_and_two_at_once_draw() {
    let both = "(cell a 7 white) (cell h 2 black) (plays white dark) (plays black dark)";
    let mut game = Match::at("chinook", both);
    game.together(&["(move a 7 b 8)", "(move h 2 g 1)"]);
    assert_eq!(game.result(), Some(vec![50, 50]));
    let mut game = Match::at("chinook", &both.replace("h 2", "h 4"));
    game.together(&["(move a 7 b 8)", "(move h 4 g 3)"]);
    assert_eq!(game.result(), Some(vec![100, 0]));
}

#[test]
fn a_race_without_moves_is_drawn() {
    // All on light squares, shoulder to shoulder in two ranks each.
    let white = ["b 3", "d 3", "f 3", "h 3", "a 4", "c 4", "e 4", "g 4"];
    let black = ["b 5", "d 5", "f 5", "h 5", "a 6", "c 6", "e 6", "g 6"];
    let white = white.map(|at| format!("(cell {at} white)")).concat();
    let black = black.map(|at| format!("(cell {at} black)")).concat();
    let facts = format!("{white}{black}(plays white dark)(plays black light)");
    assert_eq!(Match::at("chinook", &facts).result(), Some(vec![50, 50]));
    // With d3 empty, black jumps there over c4 and over e4.
    let mut game = Match::at("chinook", &facts.replace("(cell d 3 white)", ""));
    assert_eq!(game.result(), None);
    assert_eq!(game.legal(1), ["(jump b 5 d 3)", "(jump f 5 d 3)"]);
}
