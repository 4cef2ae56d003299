//! Measures one game: set-up, playouts of all engines in turns, and tree search.

use super::handwritten::yardsticks;
use super::machine::peak_memory;
use super::record::{Figures, Tree};
use super::subjects::CORPUS;
use gdl_agent::agents::Agent;
use gdl_cli::commands::bench::Peers;
use gdl_cli::measure::{self, Effort, Measurement, PlayoutRunner};
use gdl_engines::input;
use gdl_engines::{EngineKind, EngineOptions, LoadedEngine, load_timed};
use gdl_runtime::engine::Engine;
use gdl_runtime::lanes::Width;
use std::path::Path;

/// The greatest number of operations per step at which the reference engine finishes
/// games in reasonable time.
const LARGEST_FOR_REFERENCE: usize = 60_000;

/// The number of games per lane for which a search should last.
const GAMES_OF_ALL_LANES: f64 = 40.0;
/// The longest search, in seconds.
const LONGEST_SEARCH: f64 = 20.0;

/// The seconds for which the other engines were measured. Speeds do not depend on this.
const PEER_SECONDS: f64 = 5.0;

/// Measures a game, each engine for `seconds`.
///
/// # Errors
/// If not even the net engine can run it.
pub fn measure(sheet: &Path, seconds: f64) -> anyhow::Result<Figures> {
    let effort = Effort {
        seconds,
        threads: 1,
        seed: 1,
    };
    let source = input::read(sheet)?;
    let load = |kind| load_timed(&source, kind, &EngineOptions::default());
    let net = load(EngineKind::Net)?;
    let peak_bytes = peak_memory();
    let native = load(EngineKind::Native);
    let mut figures = describe(&net, native.as_ref().ok());
    figures.peak_bytes = peak_bytes;
    figures.native_error = native.as_ref().err().map(|error| format!("{error:#}"));
    figures.peer = peer(sheet)?;

    let mut contestants = Contestants::default();
    let preferred = native.as_ref().unwrap_or(&net).engine.as_ref();
    if native.is_ok() {
        contestants.enter("native", preferred, &effort);
    }
    contestants.enter("net", net.engine.as_ref(), &effort);
    if figures.operations <= LARGEST_FOR_REFERENCE
        && let Ok(reference) = load(EngineKind::Reference)
    {
        contestants.enter("reference", reference.engine.as_ref(), &effort);
    }
    for yardstick in yardsticks() {
        if Path::new(yardstick.sheet) == sheet
            && let Some(player) = (yardstick.player)(effort.seed)
        {
            contestants.names.push(yardstick.kind.to_owned());
            contestants.players.push(vec![player]);
        }
    }
    (figures.speeds, figures.length) = contestants.play(seconds);
    figures.tree = Some(search(preferred, figures.speeds[0].1, &effort));
    Ok(figures)
}

/// Measures tree search on an engine of this speed. At first all lanes are in their
/// first game, so a search has to last many games for its rate to mean anything.
fn search(engine: &dyn Engine, speed: f64, effort: &Effort) -> Tree {
    let game_of_all_lanes = Width::widest().lanes() as f64 / speed.max(1.0);
    let seconds = (GAMES_OF_ALL_LANES * game_of_all_lanes).min(LONGEST_SEARCH);
    let effort = Effort {
        seconds: effort.seconds.max(seconds),
        ..*effort
    };
    let tree = measure::measure_tree(engine, &Agent::default(), &effort);
    Tree {
        simulations_per_second: tree.simulations_per_second(),
        ratio: tree.ratio(),
        known: tree.is_mostly_known(),
    }
}

/// Sizes and set-up.
fn describe(net: &LoadedEngine, native: Option<&LoadedEngine>) -> Figures {
    let stages = native.into_iter().flat_map(|loaded| &loaded.setup);
    let rustc = stages.filter(|(stage, _)| *stage == "rustc");
    let setup = net.setup.iter().chain(rustc);
    let setup = setup.map(|&(stage, seconds)| (stage.to_owned(), seconds));
    let mut figures = Figures {
        setup: setup.collect(),
        ..Figures::default()
    };
    if let Some(size) = net.size {
        figures.phase_operations = size.phase_operations;
    }
    if let Some(size) = native.unwrap_or(net).size {
        figures.roles = size.roles;
        figures.fluents = size.fluents;
        figures.moves = size.moves;
        figures.gates = size.gates;
        figures.operations = size.operations;
        figures.bytes = size.bytes;
    }
    figures
}

/// The fastest other engine on a public game.
fn peer(sheet: &Path) -> anyhow::Result<Option<(String, f64)>> {
    let path = Path::new(CORPUS).join("peers.csv");
    if !sheet.starts_with(CORPUS) || !path.exists() {
        return Ok(None);
    }
    let peers = Peers::read(&path, PEER_SECONDS)?;
    let game = sheet.file_stem().unwrap_or_default().to_string_lossy();
    let best = peers.of(&game).into_iter().next();
    Ok(best.map(|peer| (peer.engine.clone(), peer.playouts_per_second)))
}

/// The engines and hand-written players that are measured in turns.
#[derive(Default)]
struct Contestants {
    names: Vec<String>,
    players: Vec<Vec<Box<dyn PlayoutRunner>>>,
}

impl Contestants {
    fn enter(&mut self, name: &str, engine: &dyn Engine, effort: &Effort) {
        self.names.push(name.to_owned());
        self.players
            .push(measure::runners_per_thread(engine, effort));
    }

    /// The playouts per second of each, and the average length of those of the first.
    fn play(self, seconds: f64) -> (Vec<(String, f64)>, Option<f64>) {
        let measured = measure::take_turns(self.players, seconds, |_| ());
        let speeds = measured.iter().map(Measurement::playouts_per_second);
        let length = measured.first().and_then(Measurement::length);
        (
            self.names.into_iter().zip(speeds).collect(),
            length.map(|length| length.value),
        )
    }
}
