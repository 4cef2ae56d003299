//! What a person sees of a contest while it is played, and when it is interrupted.

use anyhow::Context as _;
use gdl_contests::contest_observer::ContestObserver;
use gdl_contests::journal::{GameLine, StoredContest};
use gdl_contests::report::percent;
use gdl_contests::summary::ContestSummary;
use gdl_runtime::stop_flag::StopFlag;
use indicatif::{ProgressBar, ProgressStyle};
use std::process::exit;
use std::time::Duration;

/// A bar with the running score; nothing if standard error is not a terminal.
#[derive(Debug, Clone)]
pub(super) struct ContestProgress {
    bar: ProgressBar,
}

impl ContestProgress {
    /// Shows a progress bar for `games` games. From now on an interruption prints how to
    /// continue and ends the process; but if games are hosted, the first interruption
    /// only raises `stop`, so that the host can take leave of its players. Call this
    /// once per process.
    ///
    /// # Errors
    /// If interruptions cannot be handled.
    pub(super) fn start(games: u64, hosted: bool, stop: &StopFlag) -> anyhow::Result<Self> {
        let style =
            ProgressStyle::with_template("{bar:30} {pos}/{len} games {elapsed} {wide_msg}")?;
        let bar = ProgressBar::new(games).with_style(style);
        bar.enable_steady_tick(Duration::from_millis(500));
        let shown = bar.clone();
        let command = command_line(std::env::args());
        let stop = stop.clone();
        ctrlc::set_handler(move || {
            shown.abandon();
            let games = shown.position();
            eprintln!(
                "\ninterrupted after {games} games, all of them kept; to go on:\n  {command}"
            );
            if !hosted || stop.is_raised() {
                exit(2);
            }
            stop.raise();
        })
        .context("cannot listen for interruptions")?;
        Ok(Self { bar })
    }

    /// Prints a line above the bar, to standard error.
    pub(super) fn note(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl ContestObserver for ContestProgress {
    fn found(&self, _: &[&StoredContest], games: u64) {
        self.bar.inc(games);
        // Games that were played before say nothing about how long the others will take.
        self.bar.reset_eta();
    }

    fn finished(&self, _: usize, contest: &StoredContest, _: &GameLine) {
        self.bar.inc(1);
        if self.bar.is_hidden() {
            return;
        }
        let summary = ContestSummary::new(contest, u64::MAX);
        let names = summary.names().join(" - ");
        let score = percent(summary.score, summary.lower, summary.upper);
        let game = &summary.game;
        self.bar.set_message(format!("{game} {names}: {score}"));
    }
}

/// A command line, quoted for a shell.
fn command_line(arguments: impl Iterator<Item = String>) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "+-_./=,:@%".contains(letter);
    let quote = |argument: String| {
        if !argument.is_empty() && argument.chars().all(plain) {
            argument
        } else {
            format!("'{}'", argument.replace('\'', "'\\''"))
        }
    };
    arguments.map(quote).collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_can_be_typed_again() {
        let arguments = ["gdl", "match", "my game.kif", "uct+rave(k=10)", "it's", ""];
        assert_eq!(
            command_line(arguments.into_iter().map(str::to_owned)),
            "gdl match 'my game.kif' 'uct+rave(k=10)' 'it'\\''s' ''"
        );
    }
}
