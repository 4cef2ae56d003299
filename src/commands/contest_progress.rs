//! What a person sees of a contest while it is played, and when it is interrupted.

use anyhow::Context as _;
use gdl_contests::budget::MoveBudget;
use gdl_contests::contest_observer::ContestObserver;
use gdl_contests::journal::{GameLine, StoredContest};
use gdl_contests::report::percent;
use gdl_contests::summary::ContestSummary;
use gdl_runtime::stop_flag::StopFlag;
use indicatif::{ProgressBar, ProgressStyle};
use std::ffi::OsString;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Once a score has been computed, games are only counted for this many times as long as that
/// took, so that scores take at most 2 % of a core, however many games there are.
const REST: u32 = 50;

/// A bar with the running score; nothing if standard error is not a terminal.
#[derive(Debug)]
pub(super) struct ContestProgress {
    bar: ProgressBar,
    /// Whether the games that are played now are hosted.
    hosts: Arc<AtomicBool>,
    /// No score is computed before this.
    rests_until: Mutex<Instant>,
}

impl ContestProgress {
    /// Shows a progress bar for `games` games. From now on an interruption prints how to
    /// continue and ends the process; but while games are [hosted](Self::playing), the first
    /// interruption only raises `stop`, so that the host can take leave of its players. Call
    /// this once per process.
    ///
    /// # Errors
    /// If interruptions cannot be handled.
    pub(super) fn start(games: u64, stop: &StopFlag) -> anyhow::Result<Self> {
        let style =
            ProgressStyle::with_template("{bar:30} {pos}/{len} games {elapsed} {wide_msg}")?;
        let bar = ProgressBar::new(games).with_style(style);
        bar.enable_steady_tick(Duration::from_millis(500));
        let hosts = Arc::<AtomicBool>::default();
        let (shown, hosting) = (bar.clone(), Arc::clone(&hosts));
        let command = command_line(std::env::args_os());
        let stop = stop.clone();
        ctrlc::set_handler(move || {
            shown.abandon();
            let games = shown.position();
            eprintln!(
                "\ninterrupted after {games} games, all of them kept; to go on:\n  {command}"
            );
            if !hosting.load(Ordering::Relaxed) || stop.is_raised() {
                exit(2);
            }
            stop.raise();
        })
        .context("cannot listen for interruptions")?;
        Ok(Self {
            bar,
            hosts,
            rests_until: Mutex::new(Instant::now()),
        })
    }

    /// From now on, games on this budget are played.
    pub(super) fn playing(&self, budget: MoveBudget) {
        let hosted = matches!(budget, MoveBudget::Clocks(_));
        self.hosts.store(hosted, Ordering::Relaxed);
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
        let begun = Instant::now();
        let lock = self.rests_until.lock();
        let mut rests_until = lock.unwrap_or_else(PoisonError::into_inner);
        if self.bar.is_hidden() || begun < *rests_until {
            return;
        }
        let summary = ContestSummary::new(contest, u64::MAX);
        let names = summary.names().join(" - ");
        let score = percent(summary.score, summary.lower, summary.upper);
        let game = &summary.game;
        self.bar.set_message(format!("{game} {names}: {score}"));
        *rests_until = begun + (REST + 1) * begun.elapsed();
    }
}

/// A command line, quoted for a shell; what is not Unicode in it is replaced.
fn command_line(arguments: impl Iterator<Item = OsString>) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "+-_./=,:@%".contains(letter);
    let quote = |argument: OsString| {
        let argument = argument.to_string_lossy().into_owned();
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
            command_line(arguments.into_iter().map(OsString::from)),
            "gdl match 'my game.kif' 'uct+rave(k=10)' 'it'\\''s' ''"
        );
    }

    #[cfg(unix)]
    #[test]
    fn arguments_need_not_be_unicode() {
        use std::os::unix::ffi::OsStringExt as _;

        let argument = OsString::from_vec(b"g\xff.kif".to_vec());
        assert_eq!(command_line([argument].into_iter()), "'g\u{fffd}.kif'");
    }
}
