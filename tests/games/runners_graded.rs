//! Runners with points: what every place is worth.

use super::play::Match;

#[test]
fn a_step_is_worth_two_points_at_any_time() {
    let mut game = Match::new("runners_graded");
    assert_eq!(game.goals(), [0, 0]);
    game.together(&["(run forward 3)", "(run forward 2)"]);
    assert_eq!(game.goals(), [6, 4]);
    game.together(&["(run back 2)", "stand"]);
    assert_eq!(game.goals(), [2, 4]);
}

#[test]
fn the_race_ends_at_the_goal_or_after_fifty_turns() {
    let mut game = Match::at("runners_graded", "(at red 49) (at blue 47) (turn 17)");
    game.together(&["(run forward 1)", "(run forward 2)"]);
    assert_eq!(game.result(), Some(vec![100, 98]));
    let mut game = Match::at("runners_graded", "(at red 20) (at blue 22) (turn 50)");
    assert_eq!(game.result(), None);
    game.together(&["(run forward 3)", "stand"]);
    assert_eq!(game.result(), Some(vec![46, 44]));
}

/// Apart from the goals, it is the game without points.
#[test]
fn it_is_runners_but_for_the_goals() {
    let mut plain = Match::new("runners");
    Match::see_random_games("runners_graded", |game| {
        plain.set(&game.facts().concat());
        assert_eq!(
            (game.legal(0), game.legal(1)),
            (plain.legal(0), plain.legal(1))
        );
        let (points, goals) = (game.goals(), plain.goals());
        assert_eq!(points[0].cmp(&points[1]), goals[0].cmp(&goals[1]));
    });
}
