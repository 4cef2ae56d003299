//! The speeds and means of other engines on the same games, compared with ours.

use super::report::Figures;
use crate::measure::Mean;
use anyhow::{Context as _, bail, ensure};
use serde::Serialize;
use std::path::Path;

/// Means may differ by this many standard errors of their difference.
const TOLERANCE: f64 = 5.0;

/// Half a unit of the last decimal given for lengths.
const LENGTH_ROUNDING: f64 = 0.0005;

/// Half a unit of the last decimal given for goals.
const GOAL_ROUNDING: f64 = 0.005;

const COLUMNS: [&str; 6] = [
    "engine",
    "game",
    "playouts_per_s",
    "states_per_s",
    "average_length",
    "mean_goals",
];

/// Measured runs of other engines.
#[derive(Debug, Clone, PartialEq)]
pub struct Peers {
    runs: Vec<Peer>,
    /// The number of seconds for which each of them was measured.
    seconds: f64,
}

/// One run of another engine.
#[derive(Debug, Clone, PartialEq)]
pub struct Peer {
    /// The name of the engine.
    pub engine: String,
    game: String,
    /// Games finished per second, on one thread.
    pub playouts_per_second: f64,
    pub(super) states_per_second: f64,
    pub(super) average_length: f64,
    pub(super) mean_goals: Vec<f64>,
}

/// Our results compared with those of another engine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Comparison {
    pub(super) engine: String,
    pub(super) playouts_per_second: f64,
    /// Our playouts per second divided by theirs.
    pub(super) ratio: f64,
    pub(super) average_length: MeanComparison,
    pub(super) mean_goals: Vec<MeanComparison>,
    /// Whether all means agree; `None` if none contradicts and too few games were finished
    /// to tell.
    pub(super) agrees: Option<bool>,
}

/// One of our means compared with theirs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct MeanComparison {
    theirs: f64,
    /// The difference in standard errors; `None` if there is no variance.
    pub(super) z: Option<f64>,
    agrees: Option<bool>,
}

impl Peers {
    /// Reads a file of comma-separated values: the results of engines that were measured
    /// for `seconds` each.
    ///
    /// # Errors
    /// If it cannot be read or lacks a column.
    pub fn read(path: &Path, seconds: f64) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text, seconds).with_context(|| format!("in {}", path.display()))
    }

    /// Reads comma-separated values with a line of column names. Rows without
    /// playouts stand for engines that failed and are skipped.
    fn parse(text: &str, seconds: f64) -> anyhow::Result<Self> {
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let names = reader.headers()?.clone();
        ensure!(!names.is_empty(), "the file is empty");
        let mut columns = [0; COLUMNS.len()];
        for (column, wanted) in columns.iter_mut().zip(COLUMNS) {
            *column = names
                .iter()
                .position(|name| name == wanted)
                .with_context(|| format!("there is no column {wanted}"))?;
        }
        let mut runs = Vec::new();
        for row in reader.records() {
            let row = row?;
            let line = row.position().map_or(0, csv::Position::line);
            let cell = |column: usize| row.get(column).unwrap_or_default();
            let peer = Peer::parse(columns.map(cell));
            runs.extend(peer.with_context(|| format!("in line {line}"))?);
        }
        Ok(Self { runs, seconds })
    }

    /// Returns the other engines that play a game, fastest first.
    #[must_use]
    pub fn of(&self, game: &str) -> Vec<&Peer> {
        let mut found: Vec<&Peer> = self.runs.iter().filter(|peer| peer.game == game).collect();
        found.sort_by(|one, two| two.playouts_per_second.total_cmp(&one.playouts_per_second));
        found
    }

    /// Compares our results for a game with those of every other engine, fastest first.
    pub(super) fn compare(&self, game: &str, ours: &Figures) -> Vec<Comparison> {
        self.of(game)
            .into_iter()
            .map(|peer| Comparison::new(ours, peer, self.seconds))
            .collect()
    }
}

impl Comparison {
    /// Compares our results with those of a peer that was measured for `seconds`.
    fn new(ours: &Figures, peer: &Peer, seconds: f64) -> Self {
        let playouts = peer.playouts_per_second * seconds;
        let length = ours.length();
        let average_length =
            MeanComparison::of(length, peer.average_length, playouts, LENGTH_ROUNDING);
        let mean_goals: Vec<MeanComparison> = ours
            .goals()
            .zip(&peer.mean_goals)
            .map(|(ours, &theirs)| MeanComparison::of(Some(ours), theirs, playouts, GOAL_ROUNDING))
            .collect();
        let same_roles = ours.roles.len() == peer.mean_goals.len();
        let all = mean_goals.iter().chain([&average_length]);
        let verdicts: Vec<Option<bool>> = all
            .map(|agreement| agreement.agrees)
            .chain([Some(same_roles)])
            .collect();
        Self {
            engine: peer.engine.clone(),
            playouts_per_second: peer.playouts_per_second,
            ratio: ours.playouts_per_second / peer.playouts_per_second,
            average_length,
            mean_goals,
            agrees: conclude(&verdicts),
        }
    }
}

/// Returns `Some(false)` if any verdict is, otherwise `None` if any is.
fn conclude(verdicts: &[Option<bool>]) -> Option<bool> {
    if verdicts.contains(&Some(false)) {
        return Some(false);
    }
    (!verdicts.contains(&None)).then_some(true)
}

impl Peer {
    fn parse(cells: [&str; COLUMNS.len()]) -> anyhow::Result<Option<Self>> {
        let [engine, game, playouts, states, length, goals] = cells;
        if playouts.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self {
            engine: engine.to_owned(),
            game: game.to_owned(),
            playouts_per_second: positive(playouts)?,
            states_per_second: positive(states)?,
            average_length: number(length)?,
            mean_goals: goals.split(';').map(number).collect::<Result<_, _>>()?,
        }))
    }
}

fn number(text: &str) -> anyhow::Result<f64> {
    match text.trim().parse() {
        Ok(number) if f64::is_finite(number) => Ok(number),
        _ => bail!("{text:?} is not a number"),
    }
}

fn positive(text: &str) -> anyhow::Result<f64> {
    let number = number(text)?;
    if number <= 0.0 {
        bail!("{text} is not above 0");
    }
    Ok(number)
}

impl MeanComparison {
    /// Compares one of our means with one over `playouts` games of another engine. Its
    /// standard error is not given, but if both play the same game its games have the
    /// same variance as ours.
    fn of(ours: Option<Mean>, theirs: f64, playouts: f64, rounding: f64) -> Self {
        let compared = ours.and_then(|ours| Some((ours, ours.error?)));
        let Some((ours, error)) = compared else {
            return Self {
                theirs,
                z: None,
                agrees: None,
            };
        };
        let deviation = error * (ours.count as f64).sqrt();
        let of_difference = error.hypot(deviation / playouts.max(1.0).sqrt());
        let difference = ours.value - theirs;
        Self {
            theirs,
            z: (of_difference > 0.0).then(|| difference / of_difference),
            agrees: Some(difference.abs() <= TOLERANCE * of_difference + rounding),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::report;
    use super::*;

    const FILE: &str = "\
engine,game,setup_ms,playouts_per_s,states_per_s,average_length,mean_goals
slow,tictactoe,270,20.0,150,9.500,55.00;45.00
fast,tictactoe,1744,80.0,800,10.100,61.00;39.00

fast,amazons,failed,,,,
";

    #[test]
    fn the_fastest_engine_is_the_best() {
        let peers = Peers::parse(FILE, 5.0).expect("the file is sound");
        assert_eq!(peers.runs.len(), 2);
        let best = peers.of("tictactoe")[0];
        assert_eq!(
            (best.engine.as_str(), best.states_per_second),
            ("fast", 800.0)
        );
        assert_eq!(best.mean_goals, [61.0, 39.0]);
        assert_eq!(peers.of("amazons"), [] as [&Peer; 0]);
    }

    #[test]
    fn means_are_compared_by_the_errors_of_both_sides() {
        // 80 playouts/s for 5 s are 400 games, as many as ours: the error of the
        // difference is the square root of 2 times ours.
        let peers = Peers::parse(FILE, 5.0).expect("the file is sound");
        let ours = report("tictactoe", "net", 800.0);
        let figures = ours.figures().expect("it has figures");
        let comparison = &peers.compare("tictactoe", figures)[0];
        assert_eq!(comparison.ratio, 10.0);
        let z = comparison.average_length.z.expect("there is a spread");
        assert!((z - -0.1 / (0.5 * 2.0_f64.sqrt())).abs() < 1e-9, "{z}");
        assert_eq!(comparison.agrees, Some(true));
    }

    #[test]
    fn differences_beyond_chance_are_found() {
        let far = FILE.replace("61.00;39.00", "85.00;39.00");
        let peers = Peers::parse(&far, 5.0).expect("the file is sound");
        let ours = report("tictactoe", "net", 800.0);
        let figures = ours.figures().expect("it has figures");
        let comparison = &peers.compare("tictactoe", figures)[0];
        let verdicts: Vec<_> = comparison
            .mean_goals
            .iter()
            .map(|goal| goal.agrees)
            .collect();
        assert_eq!(verdicts, [Some(false), Some(true)]);
        assert_eq!(comparison.agrees, Some(false));
    }

    #[test]
    fn constants_agree_up_to_rounding_and_single_games_say_nothing() {
        let mean = |error| {
            Some(Mean {
                value: 60.0,
                error,
                count: 9,
            })
        };
        let agrees = |ours, theirs| MeanComparison::of(ours, theirs, 100.0, 0.0005).agrees;
        assert_eq!(agrees(mean(Some(0.0)), 60.0004), Some(true));
        assert_eq!(agrees(mean(Some(0.0)), 60.001), Some(false));
        assert_eq!(agrees(mean(None), 99.0), None);
        assert_eq!(agrees(None, 99.0), None);
    }

    #[test]
    fn broken_files_are_refused_with_their_line() {
        let message = |text: &str| match Peers::parse(text, 5.0) {
            Ok(_) => String::new(),
            Err(error) => format!("{error:#}"),
        };
        assert_eq!(message(""), "the file is empty");
        assert_eq!(
            message("engine,game\n"),
            "there is no column playouts_per_s"
        );
        let wrong = FILE.replace("20.0", "many");
        assert_eq!(message(&wrong), "in line 2: \"many\" is not a number");
        let zero = FILE.replace("20.0", "0");
        assert_eq!(message(&zero), "in line 2: 0 is not above 0");
    }
}
