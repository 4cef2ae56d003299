//! Contests as text for people: all figures of one, or one line each of several.

use super::format::{dash, grid, percent};
use crate::budget::MoveBudget;
use crate::summary::AgentSummary;
use crate::summary::ContestSummary;
use indicatif::HumanCount;
use std::fmt::Write as _;

/// All figures of one contest.
#[must_use]
pub fn contest(summary: &ContestSummary) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{}: {} a move, engine {}, seed {}",
        summary.game,
        summary.conditions(),
        summary.engine,
        summary.seed
    );
    let head = [
        "agent",
        "score",
        "95 %",
        "mean goal",
        "simulations/s",
        "a move",
        "overruns",
    ];
    let rows = summary.agents.iter().map(agent_row);
    let _ = writeln!(text, "{}", grid(&head.map(str::to_owned), rows));
    let _ = writeln!(text, "{}", outcome(summary));
    text.push_str(&remarks(summary));
    text
}

fn agent_row(agent: &AgentSummary) -> Vec<String> {
    let range = match (agent.lower, agent.upper) {
        (Some(lower), Some(upper)) => format!("{:.1} … {:.1}", 100.0 * lower, 100.0 * upper),
        _ => dash(),
    };
    vec![
        agent.agent.clone(),
        agent
            .score
            .map_or_else(dash, |score| format!("{:.1} %", 100.0 * score)),
        range,
        agent
            .mean_goal
            .map_or_else(dash, |goal| format!("{goal:.1}")),
        agent.simulations_per_second.map_or_else(dash, count),
        agent.simulations_per_move.map_or_else(dash, count),
        agent.overruns.to_string(),
    ]
}

fn count(value: f64) -> String {
    HumanCount(value.round() as u64).to_string()
}

/// Games, wins, draws, losses and Elo of the first agent.
#[must_use]
pub fn outcome(summary: &ContestSummary) -> String {
    let names = summary.names();
    let (first, others) = match &names[..] {
        [first, others @ ..] => (*first, others.join(", ")),
        [] => ("nobody", String::new()),
    };
    let length = summary
        .average_length
        .map_or_else(dash, |length| format!("{length:.1}"));
    format!(
        "{first} against {others}: +{} ={} -{} in {} games of {length} rounds; Elo {}",
        summary.wins,
        summary.draws,
        summary.losses,
        summary.games,
        elo(summary),
    )
}

fn elo(summary: &ContestSummary) -> String {
    let (Some(score), Some(lower), Some(upper)) = (summary.score, summary.lower, summary.upper)
    else {
        return dash();
    };
    let points = |points: Option<f64>, score: f64| match points {
        Some(points) => format!("{points:+.0}"),
        None if score > 0.5 => "+∞".to_owned(),
        None => "-∞".to_owned(),
    };
    format!(
        "{} ({} … {})",
        points(summary.elo, score),
        points(summary.elo_lower, lower),
        points(summary.elo_upper, upper)
    )
}

/// The moves that took too long. A host waits no longer than its clocks allow, and also
/// counts moves that never came.
fn overruns(summary: &ContestSummary) -> String {
    let moves = summary.overruns;
    if matches!(summary.budget, MoveBudget::Clocks(_)) {
        return format!("{moves} moves were late or missing");
    }
    let longest = 1000.0 * summary.longest_overrun;
    format!("{moves} moves overran their time by more than 50 ms, the longest by {longest:.0} ms")
}

/// Everything out of the ordinary, one line each.
fn remarks(summary: &ContestSummary) -> String {
    let mut text = String::new();
    if summary.interval.as_deref() == Some("wilson") {
        text.push_str("all scores were the same: the interval is Wilson's\n");
    }
    if summary.overruns > 0 {
        let _ = writeln!(text, "{}", overruns(summary));
    }
    if summary.illegal > 0 {
        let _ = writeln!(text, "{} moves were illegal", summary.illegal);
    }
    for agent in &summary.agents {
        if let Some(cuts) = agent.cuts {
            let name = &agent.agent;
            let share = 100.0 * cuts;
            let _ = writeln!(
                text,
                "the cutoff of {name} applied in {share:.0} % of the games"
            );
        }
    }
    if summary.unfinished > 0 {
        let _ = writeln!(
            text,
            "{} games were given up as too long",
            summary.unfinished
        );
    }
    if summary.interrupted > 0 {
        let _ = writeln!(
            text,
            "{} games were interrupted and resumed by new players",
            summary.interrupted
        );
    }
    if let Some(test) = &summary.sprt {
        let accepted = match &test.accepted {
            Some(hypothesis) => format!("{hypothesis} accepted"),
            None => "undecided".to_owned(),
        };
        let _ = writeln!(
            text,
            "sequential test: {accepted}, log likelihood ratio {:.2} ({:.2} … {:.2})",
            test.llr, test.lower_bound, test.upper_bound
        );
    }
    text
}

/// One line per contest.
#[must_use]
pub fn contests(summaries: &[ContestSummary]) -> String {
    let head = [
        "game", "first", "second", "budget", "score", "games", "length", "overruns",
    ];
    let row = |summary: &ContestSummary| {
        let names = summary.names();
        vec![
            summary.game.clone(),
            names.first().map_or_else(dash, |&name| name.to_owned()),
            names[1.min(names.len())..].join(", "),
            summary.conditions(),
            percent(summary.score, summary.lower, summary.upper),
            summary.games.to_string(),
            summary
                .average_length
                .map_or_else(dash, |length| format!("{length:.1}")),
            summary.overruns.to_string(),
        ]
    };
    format!(
        "{}\n",
        grid(&head.map(str::to_owned), summaries.iter().map(row))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::{line, stored};
    use expect_test::expect;
    use gdl_network::host::clocks;

    fn summary() -> ContestSummary {
        let games = [[100, 0], [0, 100], [50, 50], [100, 0]];
        let lines = games.iter().zip(0..).map(|(goals, game)| line(game, goals));
        ContestSummary::new(&stored(lines), u64::MAX)
    }

    #[test]
    fn a_contest_is_a_table_and_a_line() {
        expect![[r#"
            hex: 100 simulations a move, engine net, seed 1
             agent    score          95 %  mean goal  simulations/s  a move  overruns
             uct     62.5 %  15.6 … 100.0       62.5          2,000     100         0
             random  37.5 %    0.0 … 84.4       37.5          2,000     100         0
            uct against random: +2 =1 -1 in 4 games of 11.5 rounds; Elo +89 (-293 … +∞)
        "#]]
        .assert_eq(&contest(&summary()));
    }

    #[test]
    fn what_is_out_of_the_ordinary_has_lines() {
        let one_win = ContestSummary::new(&stored([line(0, &[100, 0])]), u64::MAX);
        let mut odd = ContestSummary {
            overruns: 3,
            longest_overrun: 0.1234,
            unfinished: 2,
            interrupted: 1,
            ..one_win
        };
        odd.agents[0].cuts = Some(0.25);
        expect![[r#"
            hex: 100 simulations a move, engine net, seed 1
             agent     score          95 %  mean goal  simulations/s  a move  overruns
             uct     100.0 %  20.7 … 100.0      100.0          2,000     100         0
             random    0.0 %    0.0 … 79.3        0.0          2,000     100         0
            uct against random: +1 =0 -0 in 1 games of 10.0 rounds; Elo +∞ (-234 … +∞)
            all scores were the same: the interval is Wilson's
            3 moves overran their time by more than 50 ms, the longest by 123 ms
            the cutoff of uct applied in 25 % of the games
            2 games were given up as too long
            1 games were interrupted and resumed by new players
        "#]]
        .assert_eq(&contest(&odd));
    }

    #[test]
    fn a_host_counts_moves_that_never_came() {
        let mut hosted = ContestSummary {
            overruns: 3,
            ..summary()
        };
        hosted.budget = MoveBudget::Clocks(clocks::DEFAULT);
        assert_eq!(overruns(&hosted), "3 moves were late or missing");
    }

    #[test]
    fn contests_have_a_line_each() {
        let nothing = ContestSummary::new(&stored([]), u64::MAX);
        let text = contests(&[summary(), nothing]);
        // A line without a margin, since the margin of all lines is not compared.
        expect![[r#"
            all:
             game  first  second           budget          score  games  length  overruns
             hex     uct  random  100 simulations  62.5 ± 46.9 %      4    11.5         0
             hex     uct  random  100 simulations              -      0       -         0
        "#]]
        .assert_eq(&format!("all:\n{text}"));
    }
}
