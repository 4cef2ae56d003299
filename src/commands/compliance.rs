//! `gdl compliance`: tests a player against the protocol.

use anyhow::Context as _;
use comfy_table::{CellAlignment, Table, presets};
use gdl_network::compliance::{self, CheckReport, Group, TestedPlayer};
use gdl_network::protocol::client::Address;
use indicatif::ProgressBar;
use serde_json::json;
use std::process::ExitCode;
use std::time::Duration;

/// Test a player against the protocol: every message, unusual spelling, faults, matches
///
/// The player is sent what hosts send, in all its variants, and what no host should
/// send; after each check it must still answer INFO. With the default clock, all checks
/// take a minute or two. Players that keep a second or more of each clock in reserve
/// need a longer one.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit codes:
  0  the player passed every check
  1  it failed some
  2  no player listens there

Examples:
  gdl compliance http://localhost:9147
  gdl compliance localhost:9147 --only games --clock 10
  gdl compliance localhost:9147 --json | jq '.checks[] | select(.passed | not)'")]
pub struct ComplianceArgs {
    /// The player: http://HOST:PORT or HOST:PORT
    #[arg(value_name = "URL")]
    address: Address,
    /// Start clock and play clock of every match
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=3600))]
    clock: u64,
    /// Run only the checks of one group
    #[arg(long, value_name = "GROUP")]
    only: Option<Group>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the checks and prints their results.
///
/// # Errors
/// If no player listens at the address.
pub fn run(args: &ComplianceArgs) -> anyhow::Result<ExitCode> {
    let player = TestedPlayer::new(args.address.clone(), Duration::from_secs(args.clock));
    (player.reach()).with_context(|| format!("there is no player at {}", args.address))?;
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(200));
    let outcomes = compliance::run(&player, args.only, |check| bar.set_message(check));
    bar.finish_and_clear();
    let passed = outcomes.iter().filter(|outcome| outcome.passed).count();
    if args.json {
        let report = json!({
            "player": args.address.to_string(),
            "clock": args.clock,
            "passed": passed,
            "failed": outcomes.len() - passed,
            "checks": outcomes,
        });
        println!("{report:#}");
    } else {
        println!("{}", table(&outcomes));
        println!("passed {passed} of {} checks", outcomes.len());
    }
    Ok(ExitCode::from(u8::from(passed < outcomes.len())))
}

fn table(outcomes: &[CheckReport]) -> String {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_header(["", "check", "seconds", "reason"]);
    if let Some(seconds) = table.column_mut(2) {
        seconds.set_cell_alignment(CellAlignment::Right);
    }
    for outcome in outcomes {
        table.add_row([
            if outcome.passed { "passed" } else { "FAILED" }.to_owned(),
            outcome.check.to_owned(),
            format!("{:.1}", outcome.seconds),
            outcome.reason.clone().unwrap_or_default(),
        ]);
    }
    table.trim_fmt()
}
