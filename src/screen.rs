//! Shows matches at the terminal.

use gdl_agent::matches::{Ending, MatchEvent, PlayedMatch, Round};
use gdl_agent::search::SearchReport;
use gdl_agent::search::SearchResult;
use gdl_boards::{GameEvidence, StateLayout};
use gdl_runtime::engine::{Engine, Role};
use gdlc::source::Source;
use indicatif::{HumanCount, ProgressBar};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

/// Number of moves shown besides the chosen one.
const OTHERS: usize = 3;

/// How much of a match is shown, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verbosity {
    /// Everything, on standard output.
    All,
    /// Everything, on standard error.
    Aside,
    /// Only results, on standard output.
    Results,
    /// Nothing.
    Silent,
}

/// Shows matches, and sums up their results.
pub struct Screen {
    verbosity: Verbosity,
    layout: StateLayout,
    spinner: Option<ProgressBar>,
    matches: u32,
    totals: Vec<i64>,
}

impl Screen {
    /// Creates a screen for a game; infers how its states look if they are to be shown.
    pub fn new(engine: &mut dyn Engine, rules: &Arc<Source>, verbosity: Verbosity) -> Self {
        let layout = match verbosity {
            Verbosity::All | Verbosity::Aside => infer_layout(engine, rules),
            Verbosity::Results | Verbosity::Silent => StateLayout::default(),
        };
        Self {
            verbosity,
            layout,
            spinner: None,
            matches: 0,
            totals: vec![0; engine.roles().len()],
        }
    }

    /// Prints a text to the same place as everything else.
    pub fn print(&self, text: &str) {
        match self.verbosity {
            Verbosity::All | Verbosity::Results => print!("{text}"),
            Verbosity::Aside => eprint!("{text}"),
            Verbosity::Silent => {}
        }
    }

    /// Prints who plays which role, and the seed.
    pub fn introduce(&self, game: &str, engine: &dyn Engine, players: &[String], seed: u64) {
        if self.verbosity == Verbosity::Results {
            // Results stand alone, but without the seed the match could not be repeated.
            eprintln!("seed {seed}");
            return;
        }
        let pairs = engine.roles().iter().zip(players);
        let players: Vec<String> = pairs.map(|(role, who)| format!("{role} = {who}")).collect();
        let name = engine.name();
        let players = players.join(", ");
        self.print(&format!("{game} on {name}: {players}; seed {seed}\n"));
    }

    /// Shows an event of the current match.
    pub fn show(&mut self, engine: &dyn Engine, event: &MatchEvent<'_>) {
        if !matches!(self.verbosity, Verbosity::All | Verbosity::Aside) {
            return;
        }
        match event {
            MatchEvent::Reached(state, _, rounds) => {
                let picture = self.layout.picture(&engine.facts(state));
                let board = self.layout.text(&picture);
                self.print(&format!("\nState {}\n{board}", rounds + 1));
            }
            MatchEvent::Thinking(report) => self.spin(report),
            MatchEvent::Moved(round) => {
                if let Some(spinner) = self.spinner.take() {
                    spinner.finish_and_clear();
                }
                self.print(&describe_round(engine, round));
            }
        }
    }

    /// Shows the progress of a search on standard error, if that is a terminal.
    fn spin(&mut self, report: &SearchReport) {
        let spinner = self.spinner.get_or_insert_with(ProgressBar::new_spinner);
        spinner.set_message(describe_search(report));
        spinner.tick();
    }

    /// Shows the result of a match.
    pub fn conclude(&mut self, engine: &dyn Engine, record: &PlayedMatch) {
        self.matches += 1;
        for (total, &goal) in self.totals.iter_mut().zip(&record.goals) {
            *total += i64::from(goal);
        }
        let rounds = record.rounds.len();
        let how = match record.ending {
            Ending::Terminal => format!("after {rounds} moves"),
            Ending::Quit => format!("left after {rounds} moves"),
            Ending::TooLong => format!("given up after {rounds} moves"),
        };
        let goals: Vec<String> = record.goals.iter().map(ToString::to_string).collect();
        let goals = pair(engine.roles(), &goals);
        self.print(&format!("Goals: {goals} ({how})\n"));
    }

    /// Prints the mean goals over all matches, if there were several.
    pub fn summarise(&self, engine: &dyn Engine) {
        if self.matches > 1 {
            let mean = |&total: &i64| format!("{:.1}", total as f64 / f64::from(self.matches));
            let means: Vec<String> = self.totals.iter().map(mean).collect();
            let means = pair(engine.roles(), &means);
            self.print(&format!(
                "Mean goals of {} matches: {means}\n",
                self.matches
            ));
        }
    }
}

/// Infers how the states of a game look, from its rules and from random games. A slow
/// engine is given less than a second.
pub fn infer_layout(engine: &mut dyn Engine, rules: &Arc<Source>) -> StateLayout {
    StateLayout::infer(&GameEvidence::of_game(
        engine,
        rules,
        Duration::from_millis(700),
    ))
}

fn pair(roles: &[String], values: &[String]) -> String {
    let pairs = roles.iter().zip(values);
    let pairs: Vec<String> = pairs
        .map(|(role, value)| format!("{role} {value}"))
        .collect();
    pairs.join(", ")
}

/// Describes the moves of a round, and the searches behind them. Roles without a choice
/// are left out unless no role had one.
fn describe_round(engine: &dyn Engine, round: &Round) -> String {
    let choosing = |role: Role| round.position.legal[role].len() > 1;
    let any_choice = (0..round.results.len()).any(choosing);
    let mut text = String::new();
    for (role, result) in round.results.iter().enumerate() {
        if choosing(role) || !any_choice {
            describe_move(engine, role, result, &mut text);
        }
    }
    text
}

fn describe_move(engine: &dyn Engine, role: Role, result: &SearchResult, text: &mut String) {
    let name = &engine.roles()[role];
    let _ = write!(text, "{name}: {}", engine.move_name(role, result.chosen));
    if let Some(evaluation) = result
        .evaluation()
        .filter(|evaluation| evaluation.visits > 0)
    {
        let proven = if evaluation.proven { " (proven)" } else { "" };
        let visits = HumanCount(u64::from(evaluation.visits));
        let _ = write!(
            text,
            "   value {:.1}{proven}, {visits} visits",
            evaluation.value
        );
    }
    text.push('\n');
    if result.evaluations.is_empty() {
        return;
    }
    let others = result
        .evaluations
        .iter()
        .filter(|evaluation| evaluation.mv != result.chosen && evaluation.visits > 0);
    let others: Vec<String> = others
        .take(OTHERS)
        .map(|evaluation| {
            let visits = HumanCount(u64::from(evaluation.visits));
            let mv = engine.move_name(role, evaluation.mv);
            format!("{mv} {:.1} ({visits})", evaluation.value)
        })
        .collect();
    if !others.is_empty() {
        let _ = writeln!(text, "  rather than {}", others.join(", "));
    }
    let _ = writeln!(text, "  {}", describe_search(&result.report));
    if let Some(choice) = &result.choice {
        let _ = writeln!(text, "  champion: {choice}");
    }
    if let Some(cutoff) = &result.cutoff {
        let _ = writeln!(text, "  cutoff: {cutoff}");
    }
}

fn describe_search(report: &SearchReport) -> String {
    let seconds = report.elapsed.as_secs_f64();
    let simulations = HumanCount(report.simulations);
    let rate = HumanCount((report.simulations as f64 / seconds.max(1e-9)) as u64);
    let nodes = HumanCount(report.nodes as u64);
    let deepest = report.deepest;
    let mut text = format!("{simulations} simulations in {seconds:.2} s ({rate}/s)");
    if report.known > 0 {
        let known = HumanCount(report.known);
        let _ = write!(text, ", {known} of them to known nodes");
    }
    if report.evaluations > 0 {
        let evaluations = HumanCount(report.evaluations);
        let _ = write!(text, ", {evaluations} states evaluated");
    }
    let _ = write!(text, ", {nodes} nodes, depth {deepest}");
    text
}
