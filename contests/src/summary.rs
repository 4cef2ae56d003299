//! The figures of a contest, computed from its games.

use crate::budget::MoveBudget;
use crate::configuration::ContestConfiguration;
use crate::idle_search::IdleSearch;
use crate::journal::{GameLine, StoredContest};
use crate::journal::{PlayerLine, is_zero};
use crate::published_value::PublishedValue;
use crate::statistics::elo::EloInterval;
use crate::statistics::interval::{Interval, Method, Scores, Z, half_width};
use crate::statistics::score;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The figures of a contest. Scores are from 0 to 1 (see `crate::statistics::score`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContestSummary {
    /// The rule sheet's name.
    pub game: String,
    /// What a move might cost.
    pub budget: MoveBudget,
    /// What players searched while they had nothing to decide.
    #[serde(default, skip_serializing_if = "IdleSearch::is_none")]
    pub idle: IdleSearch,
    /// The contest's seed.
    pub seed: u64,
    /// The engine that ran the game.
    pub engine: String,
    /// The score of the first agent.
    pub score: Option<f64>,
    /// The lower end of its 95 % interval.
    pub lower: Option<f64>,
    /// The upper end.
    pub upper: Option<f64>,
    /// The method of the interval: `normal`, or `wilson` if all scores were the same.
    pub interval: Option<String>,
    /// The Elo difference that the score shows; absent if it is infinite.
    pub elo: Option<f64>,
    /// The Elo difference of the lower end.
    pub elo_lower: Option<f64>,
    /// The Elo difference of the upper end.
    pub elo_upper: Option<f64>,
    /// The number of games played.
    pub games: u64,
    /// The number of encounters: of games or, in games of one role, of sets of games.
    pub encounters: u64,
    /// The number of encounters in which the first agent beat all others.
    pub wins: u64,
    /// The number of encounters in which it neither beat nor lost to all others.
    pub draws: u64,
    /// The number of encounters in which it lost to all others.
    pub losses: u64,
    /// The number of games that were given up as too long.
    pub unfinished: u64,
    /// The number of games that were interrupted and resumed by new players.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub interrupted: u64,
    /// The mean number of rounds per game.
    pub average_length: Option<f64>,
    /// The number of moves, of all agents, that were not legal.
    pub illegal: u64,
    /// The number of moves, of all agents, that exceeded their time; in hosted matches, that
    /// were late or missing.
    pub overruns: u64,
    /// The greatest number of seconds by which a move exceeded its time.
    pub longest_overrun: f64,
    /// Simulations per second of search, of all agents.
    pub simulations_per_second: Option<f64>,
    /// The figures of each agent.
    pub agents: Vec<AgentSummary>,
    /// The result of the sequential test, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SequentialReport>,
    /// A published value to compare with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paper: Option<PublishedValue>,
}

/// The figures of one agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentSummary {
    /// The agent as text.
    pub agent: String,
    /// Its score.
    pub score: Option<f64>,
    /// The lower end of its 95 % interval.
    pub lower: Option<f64>,
    /// The upper end.
    pub upper: Option<f64>,
    /// Its mean goal value.
    pub mean_goal: Option<f64>,
    /// Simulations per second of search.
    pub simulations_per_second: Option<f64>,
    /// Simulations per search.
    pub simulations_per_move: Option<f64>,
    /// The share of the games in which its cutoff ended simulations early; absent if it
    /// has no cutoff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cuts: Option<f64>,
    /// The number of its moves that were not legal.
    pub illegal: u64,
    /// The number of its moves that exceeded their time; in hosted matches, that were late or
    /// missing.
    pub overruns: u64,
    /// The greatest number of seconds by which a move exceeded its time.
    pub longest_overrun: f64,
}

/// How far a sequential test has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SequentialReport {
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// The value at which the null hypothesis is accepted.
    pub lower_bound: f64,
    /// The value at which the alternative is accepted.
    pub upper_bound: f64,
    /// `H0` or `H1` once the test is decided.
    pub accepted: Option<String>,
}

/// Figures for programs: one line of JSON per contest.
///
/// # Errors
/// If they cannot be written as JSON.
pub fn lines(summaries: &[ContestSummary]) -> serde_json::Result<String> {
    let line = |summary| serde_json::to_string(summary).map(|line| line + "\n");
    summaries.iter().map(line).collect()
}

impl ContestSummary {
    /// Computes the figures of the games whose index in the schedule is below `below`.
    #[must_use]
    pub fn new(stored: &StoredContest, below: u64) -> Self {
        let configuration = &stored.configuration;
        let games: Vec<&GameLine> = stored.games.range(..below).map(|(_, game)| game).collect();
        let met = encounters(configuration, &games);
        let agents = (0..configuration.agents.len())
            .map(|agent| agent_summary(configuration, agent, &games, &met));
        let scores: Vec<f64> = met
            .iter()
            .filter_map(|goals| score::score(goals, 0))
            .collect();
        let interval = scores.iter().copied().collect::<Scores>().interval();
        let all = total(games.iter().flat_map(|game| &game.players));
        let lengths = games.iter().map(|game| game.moves.len() as f64);
        let points = interval.and_then(|interval| {
            let Interval {
                score,
                lower,
                upper,
                ..
            } = interval;
            EloInterval::of(Some(score), Some(lower), Some(upper))
        });
        Self {
            game: configuration.game.clone(),
            budget: configuration.budget,
            idle: configuration.idle,
            seed: configuration.seed,
            engine: configuration.engine.clone(),
            score: interval.map(|interval| interval.score),
            lower: interval.map(|interval| interval.lower),
            upper: interval.map(|interval| interval.upper),
            interval: interval.map(|interval| method(&interval).to_owned()),
            elo: points.and_then(|points| points.elo),
            elo_lower: points.and_then(|points| points.lower),
            elo_upper: points.and_then(|points| points.upper),
            games: games.len() as u64,
            encounters: scores.len() as u64,
            wins: count(&scores, |score| score == 1.0),
            draws: count(&scores, |score| score > 0.0 && score < 1.0),
            losses: count(&scores, |score| score == 0.0),
            unfinished: games.iter().filter(|game| !game.terminal).count() as u64,
            interrupted: games.iter().filter(|game| game.interruptions > 0).count() as u64,
            average_length: ratio(lengths.sum(), games.len() as f64),
            illegal: all.illegal,
            overruns: all.overruns,
            longest_overrun: all.longest_overrun,
            simulations_per_second: ratio(all.simulations as f64, all.seconds),
            agents: agents.collect(),
            sprt: None,
            paper: configuration.paper.clone(),
        }
    }

    /// What a move might cost and what was searched beside that, as text: contests for which
    /// it is the same can be compared.
    #[must_use]
    pub fn conditions(&self) -> String {
        format!("{}{}", self.budget, self.idle)
    }

    /// Half the width of the interval of the score, from 0 to 1; `None` without games.
    #[must_use]
    pub fn half_width(&self) -> Option<f64> {
        Some(half_width(self.score?, self.lower?, self.upper?))
    }

    /// The standard error of the score, from 0 to 1; `None` without games.
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        Some(self.half_width()? / Z)
    }

    /// The agents as texts.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.agents
            .iter()
            .map(|agent| agent.agent.as_str())
            .collect()
    }

    /// Whether the score is above or below one half; `None` if the interval holds one
    /// half.
    #[must_use]
    pub fn compared_with_half(&self) -> Option<std::cmp::Ordering> {
        match (self.lower, self.upper) {
            (Some(lower), _) if lower > 0.5 => Some(std::cmp::Ordering::Greater),
            (_, Some(upper)) if upper < 0.5 => Some(std::cmp::Ordering::Less),
            _ => None,
        }
    }
}

/// The mean goals of every agent in every complete encounter, as
/// [`score::mean_goals`] returns them.
#[must_use]
pub fn encounters(
    configuration: &ContestConfiguration,
    games: &[&GameLine],
) -> Vec<Vec<Option<f64>>> {
    let agents = configuration.agents.len();
    let alone = configuration.roles.len() == 1;
    let size = configuration.schedule().set_size();
    let mut grouped: BTreeMap<u64, Vec<&GameLine>> = BTreeMap::new();
    for game in games {
        let encounter = if alone { game.game / size } else { game.game };
        grouped.entry(encounter).or_default().push(game);
    }
    let whole = |games: &&Vec<&GameLine>| !alone || games.len() as u64 == size;
    let goals = |games: &Vec<&GameLine>| {
        let games = games.iter().map(|game| (&game.agents[..], &game.goals[..]));
        score::mean_goals(agents, games)
    };
    grouped.values().filter(whole).map(goals).collect()
}

fn agent_summary(
    configuration: &ContestConfiguration,
    agent: usize,
    games: &[&GameLine],
    met: &[Vec<Option<f64>>],
) -> AgentSummary {
    let scores: Scores = met
        .iter()
        .filter_map(|goals| score::score(goals, agent))
        .collect();
    let interval = scores.interval();
    let seats = games.iter().flat_map(|game| {
        let seats = game.agents.iter().zip(game.players.iter().zip(&game.goals));
        seats
            .filter(move |(seat, _)| **seat == agent)
            .map(|(_, seat)| seat)
    });
    let all = total(seats.clone().map(|(player, _)| player));
    let cuts = seats.clone().filter_map(|(player, _)| player.cuts);
    let cuts: Vec<f64> = cuts.map(|cuts| f64::from(u8::from(cuts))).collect();
    let goals: Vec<f64> = seats.map(|(_, &goal)| f64::from(goal)).collect();
    AgentSummary {
        agent: configuration.agents[agent].clone(),
        score: interval.map(|interval| interval.score),
        lower: interval.map(|interval| interval.lower),
        upper: interval.map(|interval| interval.upper),
        mean_goal: ratio(goals.iter().sum(), goals.len() as f64),
        simulations_per_second: ratio(all.simulations as f64, all.seconds),
        simulations_per_move: ratio(all.simulations as f64, all.searches as f64),
        cuts: ratio(cuts.iter().sum(), cuts.len() as f64),
        illegal: all.illegal,
        overruns: all.overruns,
        longest_overrun: all.longest_overrun,
    }
}

fn total<'a>(players: impl Iterator<Item = &'a PlayerLine>) -> PlayerLine {
    let mut all = PlayerLine::default();
    players.for_each(|player| all.add(player));
    all
}

fn method(interval: &Interval) -> &'static str {
    match interval.method {
        Method::Normal => "normal",
        Method::Wilson => "wilson",
    }
}

fn count(scores: &[f64], is: impl Fn(f64) -> bool) -> u64 {
    scores.iter().filter(|&&score| is(score)).count() as u64
}

fn ratio(sum: f64, count: f64) -> Option<f64> {
    (count > 0.0).then(|| sum / count)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::configuration::tests::configuration;

    /// A game of two roles with these goals, agents swapping.
    pub(crate) fn line(game: u64, goals: &[i32]) -> GameLine {
        let player = PlayerLine {
            simulations: 1000,
            seconds: 0.5,
            searches: 10,
            ..PlayerLine::default()
        };
        GameLine {
            game,
            agents: configuration(&["uct", "random"])
                .schedule()
                .fixture(game)
                .agents,
            goals: goals.to_owned(),
            terminal: true,
            players: vec![player; 2],
            interruptions: 0,
            moves: vec![vec!["a".to_owned(), "noop".to_owned()]; 10 + game as usize],
        }
    }

    /// A contest of these games.
    pub(crate) fn stored(games: impl IntoIterator<Item = GameLine>) -> StoredContest {
        StoredContest {
            configuration: configuration(&["uct", "random"]),
            games: games.into_iter().map(|game| (game.game, game)).collect(),
        }
    }

    #[test]
    fn figures_of_four_games() {
        let games = [[100, 0], [0, 100], [50, 50], [100, 0]];
        let lines = games.iter().zip(0..).map(|(goals, game)| line(game, goals));
        let mut stored = stored(lines);
        let game = stored.games.get_mut(&3).expect("it is there");
        game.terminal = false;
        game.players[0].overruns = 2;
        game.players[0].longest_overrun = 0.125;
        let summary = ContestSummary::new(&stored, u64::MAX);
        // Two wins, a draw, and a loss as the second role.
        assert_eq!((summary.wins, summary.draws, summary.losses), (2, 1, 1));
        assert_eq!(summary.score, Some(0.625));
        let lower = summary.lower.expect("there are games");
        assert!((lower - (0.625 - 0.46914)).abs() < 1e-5, "{lower}");
        let elo = summary.elo.expect("it is finite");
        assert!((elo - 88.739).abs() < 1e-3, "{elo}");
        assert_eq!(summary.elo_upper, None);
        assert_eq!(summary.average_length, Some(11.5));
        assert_eq!((summary.overruns, summary.longest_overrun), (2, 0.125));
        assert_eq!((summary.games, summary.unfinished), (4, 1));
        let [uct, random] = &summary.agents[..] else {
            panic!("two agents");
        };
        assert_eq!((uct.mean_goal, random.mean_goal), (Some(62.5), Some(37.5)));
        assert_eq!((uct.overruns, random.overruns), (0, 2));
        assert_eq!(uct.simulations_per_second, Some(2000.0));
        assert_eq!(uct.simulations_per_move, Some(100.0));
        assert_eq!(ContestSummary::new(&stored, 2).score, Some(1.0));
    }

    #[test]
    fn alone_an_encounter_is_a_set() {
        let mut stored = stored([]);
        stored.configuration.roles.truncate(1);
        for (game, goal) in [80, 60, 70, 70, 90].into_iter().enumerate() {
            let mut line = line(game as u64, &[goal]);
            line.agents = vec![game % 2];
            line.players.truncate(1);
            stored.games.insert(game as u64, line);
        }
        let summary = ContestSummary::new(&stored, u64::MAX);
        assert_eq!((summary.games, summary.encounters), (5, 2));
        assert_eq!((summary.wins, summary.draws), (1, 1));
        assert_eq!(summary.agents[0].mean_goal, Some(80.0));
        assert_eq!(summary.agents[1].mean_goal, Some(65.0));
    }

    #[test]
    fn no_games_show_nothing() {
        let summary = ContestSummary::new(&stored([]), u64::MAX);
        assert_eq!((summary.games, summary.score, summary.elo), (0, None, None));
        let text = serde_json::to_string(&summary).expect("summaries are JSON");
        let back: ContestSummary = serde_json::from_str(&text).expect("it was JSON");
        assert_eq!(back, summary);
    }
}
