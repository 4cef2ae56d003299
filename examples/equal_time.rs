//! Two numbers of playouts a node against each other, with equal time for every
//! move: is what the search does with several playouts worth its nodes?
//!
//! `cargo run --release --example equal_time -- games/connect_four.kif 0.1 200 auto 1`
//! plays 200 matches at 0.1 s a move, the roles swapped after every one. Goals
//! are 0 to 100; a side that is no better than the other gets half of the sum.

use std::path::Path;
use std::time::Duration;

use agent::clock::Allowance;
use agent::matches::play;
use agent::player::{Player, SearchPlayer};
use agent::search::Settings;
use anyhow::{Context as _, bail};
use gdl::engines::{EngineKind, Options, open};
use gdl::measure::Mean;

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, seconds, games, one, other] = &args[..] else {
        bail!("usage: equal_time FILE SECONDS GAMES PLAYOUTS PLAYOUTS");
    };
    let time = Duration::from_secs_f64(seconds.parse().context(seconds.clone())?);
    let games: u64 = games.parse().context(games.clone())?;
    let sides = [parse_playouts(one)?, parse_playouts(other)?];
    let mut engine = open(Path::new(file), EngineKind::Native, &Options::default())?.engine;
    let roles = engine.roles().len();
    let (mut sum, mut squares) = (0_i128, 0_i128);
    for game in 0..games {
        let side_of = |role: usize| (role + game as usize) % 2;
        let player = |role: usize| {
            let settings = Settings {
                playouts: sides[side_of(role)],
                ..Settings::default()
            };
            let seed = game * roles as u64 + role as u64;
            Box::new(SearchPlayer::new("uct", &*engine, settings, seed)) as Box<dyn Player>
        };
        let mut players: Vec<_> = (0..roles).map(player).collect();
        let allowance = Allowance::Time(time);
        let record = play(&mut *engine, &mut players, allowance, 1000, &mut |_, _| {})?;
        let goals = record.goals.iter().enumerate();
        let lead: i32 = goals
            .map(|(role, goal)| [1, -1][side_of(role)] * goal)
            .sum();
        sum += i128::from(lead);
        squares += i128::from(lead) * i128::from(lead);
        if (game + 1) % 10 == 0 || game + 1 == games {
            let mean = Mean::from_sums(game + 1, sum, squares).context("a match was played")?;
            println!(
                "{file} {seconds} s: {one} leads {other} by {:+.1} ± {:.1} goal points, {} games",
                mean.value,
                mean.error.unwrap_or(f64::INFINITY),
                mean.count,
            );
        }
    }
    Ok(())
}

/// A number of playouts, or `auto`.
fn parse_playouts(text: &str) -> anyhow::Result<Option<usize>> {
    match text {
        "auto" => Ok(None),
        number => Ok(Some(number.parse().context(number.to_owned())?)),
    }
}
