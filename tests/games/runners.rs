//! Runners: the ends of the track, and the winner.

use super::play::Match;

#[test]
fn runners_stay_on_the_track() {
    let mut game = Match::new("runners");
    let forward = [
        "(run forward 1)",
        "(run forward 2)",
        "(run forward 3)",
        "stand",
    ];
    assert_eq!(game.legal(0), forward);
    let mut game = Match::at("runners", "(at red 1) (at blue 48) (turn 20)");
    assert_eq!(game.legal(0), [&["(run back 1)"][..], &forward].concat());
    let near_goal = ["(run back 1)", "(run back 2)", "(run back 3)"];
    let near_goal = [
        &near_goal[..],
        &["(run forward 1)", "(run forward 2)", "stand"],
    ]
    .concat();
    assert_eq!(game.legal(1), near_goal);
}

#[test]
fn who_is_ahead_leads_at_any_time() {
    let mut game = Match::new("runners");
    assert_eq!(game.goals(), [50, 50]);
    game.together(&["(run forward 3)", "(run forward 2)"]);
    assert_eq!(game.goals(), [100, 0]);
    game.together(&["(run back 1)", "stand"]);
    assert_eq!(game.goals(), [50, 50]);
    game.together(&["stand", "(run forward 1)"]);
    assert_eq!(game.goals(), [0, 100]);
    assert!(game.holds("(at red 2)") && game.holds("(at blue 3)"));
}

#[test]
fn the_race_ends_at_the_goal_or_after_fifty_turns() {
    let mut game = Match::at("runners", "(at red 49) (at blue 48) (turn 17)");
    game.together(&["(run forward 1)", "(run forward 2)"]);
    assert_eq!(game.result(), Some(vec![50, 50]));
    let mut game = Match::at("runners", "(at red 20) (at blue 22) (turn 50)");
    assert_eq!(game.result(), None);
    game.together(&["(run forward 3)", "stand"]);
    assert_eq!(game.result(), Some(vec![100, 0]));
}

#[test]
fn the_quickest_run_takes_seventeen_turns() {
    let mut game = Match::new("runners");
    for _ in 0..16 {
        game.together(&["(run forward 3)", "stand"]);
    }
    assert_eq!(game.result(), None);
    game.together(&["(run forward 2)", "stand"]);
    assert_eq!(game.result(), Some(vec![100, 0]));
}
