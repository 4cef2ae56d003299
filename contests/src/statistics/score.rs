//! Scores: which agent did better in an encounter.
//!
//! The score of one agent against another in an encounter is 1 if its goals
//! there are higher, 1/2 if they are equal and 0 if they are lower. With two roles
//! this is the win percentage of the papers, draws counting half. An agent that plays
//! several roles has the mean of their goals, and one with several opponents the mean
//! of its scores against each, so that equal agents expect 1/2 in any game.
//!
//! An encounter is a game; in games of one role, which have no opponents, it is a set
//! of games in which every agent played once.

/// The mean goals of every agent in an encounter; `None` for agents that did not take
/// part. `games` are pairs of the index of the agent and of the goal value of each
/// role.
#[must_use]
pub fn mean_goals<'a>(
    agents: usize,
    games: impl IntoIterator<Item = (&'a [usize], &'a [i32])>,
) -> Vec<Option<f64>> {
    let mut sums = vec![(0.0, 0_u32); agents];
    for (seats, goals) in games {
        for (&agent, &goal) in seats.iter().zip(goals) {
            if let Some((sum, seats)) = sums.get_mut(agent) {
                *sum += f64::from(goal);
                *seats += 1;
            }
        }
    }
    let mean = |(sum, seats)| (seats > 0).then(|| sum / f64::from(seats));
    sums.into_iter().map(mean).collect()
}

/// The score of an agent's goals against those of an opponent.
#[must_use]
pub fn compare(own: f64, other: f64) -> f64 {
    match own.total_cmp(&other) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    }
}

/// An agent's score in an encounter with these mean goals; `None` if it had no
/// opponent.
#[must_use]
pub fn score(goals: &[Option<f64>], agent: usize) -> Option<f64> {
    let own = goals.get(agent).copied().flatten()?;
    let opponents = goals
        .iter()
        .enumerate()
        .filter(|&(other, _)| other != agent);
    let scores: Vec<f64> = opponents
        .filter_map(|(_, goals)| goals.map(|other| compare(own, other)))
        .collect();
    (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(agents: usize, seats: &[usize], goals: &[i32]) -> Vec<Option<f64>> {
        let goals = mean_goals(agents, [(seats, goals)]);
        (0..agents).map(|agent| score(&goals, agent)).collect()
    }

    #[test]
    fn of_two_the_higher_goal_wins() {
        assert_eq!(scores(2, &[0, 1], &[100, 0]), [Some(1.0), Some(0.0)]);
        assert_eq!(scores(2, &[1, 0], &[100, 0]), [Some(0.0), Some(1.0)]);
        assert_eq!(scores(2, &[0, 1], &[50, 50]), [Some(0.5), Some(0.5)]);
        assert_eq!(scores(2, &[0, 1], &[75, 70]), [Some(1.0), Some(0.0)]);
    }

    #[test]
    fn of_three_each_meets_two() {
        assert_eq!(
            scores(3, &[2, 0, 1], &[100, 50, 0]),
            [Some(0.5), Some(0.0), Some(1.0)]
        );
        assert_eq!(
            scores(3, &[0, 1, 2], &[100, 0, 0]),
            [Some(1.0), Some(0.25), Some(0.25)]
        );
    }

    #[test]
    fn an_agent_at_two_roles_has_their_mean() {
        assert_eq!(scores(2, &[0, 1, 0], &[0, 50, 100]), [Some(0.5), Some(0.5)]);
        assert_eq!(scores(2, &[0, 1, 0], &[0, 0, 100]), [Some(1.0), Some(0.0)]);
    }

    #[test]
    fn alone_they_meet_in_two_games() {
        let games: [(&[usize], &[i32]); 2] = [(&[0], &[80]), (&[1], &[60])];
        let goals = mean_goals(2, games);
        assert_eq!(goals, [Some(80.0), Some(60.0)]);
        assert_eq!(score(&goals, 0), Some(1.0));
        assert_eq!(score(&mean_goals(2, [games[0]]), 0), None);
    }
}
