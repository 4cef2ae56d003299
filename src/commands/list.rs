//! `gdl list`: lists the games that are linked into this binary.

use gdl_engines::builtin;
use gdl_runtime::lanes::Width;
use std::process::ExitCode;

/// List the games that are built in
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl list                    the games of games/, compiled into this binary
  gdl play breakthrough       play one of them")]
pub struct ListArgs {
    /// Print one JSON array
    #[arg(long)]
    json: bool,
}

/// Prints one line per game.
///
/// # Errors
/// If standard output cannot be written.
pub fn run(args: &ListArgs) -> anyhow::Result<ExitCode> {
    let games: Vec<serde_json::Value> = builtin()
        .iter()
        .filter_map(|game| game.engine(Width::widest()))
        .map(|engine| {
            let layout = engine.layout();
            serde_json::json!({
                "game": layout.name,
                "roles": layout.roles,
                "fluents": layout.bases.len(),
                "moves": layout.moves.iter().map(Vec::len).sum::<usize>(),
            })
        })
        .collect();
    if args.json {
        println!("{}", serde_json::to_string_pretty(&games)?);
        return Ok(ExitCode::SUCCESS);
    }
    for game in &games {
        let roles = game["roles"].as_array().map_or(0, Vec::len);
        println!(
            "{:<20} {roles} roles, {} fluents, {} moves",
            game["game"].as_str().unwrap_or_default(),
            game["fluents"],
            game["moves"]
        );
    }
    Ok(ExitCode::SUCCESS)
}
