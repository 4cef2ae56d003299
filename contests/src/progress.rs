//! What a person sees of a contest under way, and hears when it is interrupted.

use crate::report::text::percent;
use crate::summary::ContestSummary;
use anyhow::Context as _;
use gdl_runtime::stop_flag::StopFlag;
use indicatif::{ProgressBar, ProgressStyle};
use std::process::exit;
use std::time::Duration;

/// A bar with the running score; nothing where standard error is no terminal.
#[derive(Debug, Clone)]
pub struct Progress {
    bar: ProgressBar,
    stop: StopFlag,
}

impl Progress {
    /// A bar of so many games, and from now on a word at every interruption: how
    /// to go on. The process then ends, unless games are hosted: a host takes leave
    /// of its players first. To be called once a process.
    ///
    /// # Errors
    /// If interruptions cannot be heard of.
    pub fn start(games: u64, hosted: bool) -> anyhow::Result<Self> {
        let style =
            ProgressStyle::with_template("{bar:30} {pos}/{len} games {elapsed} {wide_msg}")?;
        let bar = ProgressBar::new(games).with_style(style);
        bar.enable_steady_tick(Duration::from_millis(500));
        let shown = bar.clone();
        let command = command_line(std::env::args());
        let stop = StopFlag::default();
        let raised = stop.clone();
        ctrlc::set_handler(move || {
            shown.abandon();
            let games = shown.position();
            eprintln!(
                "\ninterrupted after {games} games, all of them kept; to go on:\n  {command}"
            );
            if !hosted || raised.is_raised() {
                exit(2);
            }
            raised.raise();
        })
        .context("cannot listen for interruptions")?;
        Ok(Self { bar, stop })
    }

    /// Is called when hosted games are to end.
    #[must_use]
    pub fn stop(&self) -> &StopFlag {
        &self.stop
    }

    /// So many games are there already.
    pub fn skip(&self, games: u64) {
        self.bar.inc(games);
        // They took no time that says how long the others will.
        self.bar.reset_eta();
    }

    /// A game has ended.
    pub fn advance(&self) {
        self.bar.inc(1);
    }

    /// Shows the running score.
    pub fn show(&self, summary: &ContestSummary) {
        let names = summary.names().join(" - ");
        let score = percent(summary.score, summary.lower, summary.upper);
        self.bar
            .set_message(format!("{} {names}: {score}", summary.game));
    }

    /// Whether anybody sees it.
    #[must_use]
    pub fn is_seen(&self) -> bool {
        !self.bar.is_hidden()
    }

    /// Prints a line above the bar, to standard error.
    pub fn note(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Arguments as a shell would take them.
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
