//! `gdl show board`: what states look like.

use super::positions::{SeenPositions, SeenState};
use crate::screen::infer_layout;
use anyhow::{Context as _, bail};
use gdl_boards::svg::{Overlay, StripPicture, SvgOptions, animation, strip};
use gdl_boards::{Picture, StateLayout};
use gdl_engines::{EngineKind, EngineOptions, input};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Options of `gdl show board`.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
pub(super) struct BoardOptions {
    /// Make these moves first: that of the role that has a choice, or those of all roles in one
    /// argument
    #[arg(long, value_name = "MOVES", num_args = 1.., conflicts_with_all = ["random", "record"])]
    after: Vec<String>,
    /// Make this many random moves first
    #[arg(long, value_name = "N", conflicts_with = "record")]
    random: Option<usize>,
    /// Seed of the random moves (1 if none is given)
    #[arg(long, requires = "random")]
    seed: Option<u64>,
    /// Show a state of a recorded game: a trace, a line of `gdl play --json`, or the JSON
    /// of a host
    #[arg(long, value_name = "RECORD")]
    record: Option<PathBuf>,
    /// The number of moves before the state to show; by default that of the last state
    #[arg(long, value_name = "N", requires = "record")]
    step: Option<usize>,
    /// Show this many states, evenly spaced from the first to the last
    #[arg(long, value_name = "N", requires = "out")]
    strip: Option<usize>,
    /// Show all states one after another in an animated drawing, each for this many seconds
    #[arg(long, value_name = "SECONDS", requires = "out", conflicts_with = "strip",
          value_parser = parse_seconds)]
    animate: Option<f64>,
    /// Write an SVG drawing to this file, `-` for standard output
    #[arg(short = 'o', long = "output", id = "out", value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw the boards alone, without what stands beside them
    #[arg(long, requires = "out")]
    boards_only: bool,
    /// Draw an arrow for the last move
    #[arg(long, requires = "out")]
    arrow: bool,
    /// Print the layout and the picture as a line of JSON
    #[arg(long, conflicts_with = "out")]
    json: bool,
    /// The engine that runs the game (net if none is given)
    #[arg(long, value_enum, value_name = "ENGINE")]
    engine: Option<EngineKind>,
}

/// Reads a time between two pictures.
fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok();
    seconds
        .filter(|seconds| (0.01..=3600.0).contains(seconds))
        .ok_or_else(|| "it has to be a number of seconds from 0.01 to 3600".to_owned())
}

/// A state as text; nothing if it, or several, are drawn to a file instead.
pub(super) fn show(file: &Path, options: &BoardOptions) -> anyhow::Result<String> {
    let kind = options.engine.unwrap_or(EngineKind::Net);
    let (loaded, rules) = gdl_engines::open_with_rules(file, kind, &EngineOptions::default())?;
    let mut engine = loaded.engine;
    let layout = infer_layout(&mut *engine, &rules);
    let mut positions = SeenPositions::begin(&mut *engine);
    match &options.record {
        Some(record) => positions.make_recorded(record, options.step)?,
        None => {
            positions.make(&options.after)?;
            positions.make_random(options.random.unwrap_or(0), options.seed.unwrap_or(1));
        }
    }
    let states = positions.states;
    let title = input::stem(file);
    let last = states.len().checked_sub(1).context("there is no state")?;
    if let Some(out) = &options.out {
        let drawing = match (options.strip, options.animate) {
            (Some(count), _) => draw_strip(&layout, &states, count, &title, options),
            (None, Some(time)) => draw_animation(&layout, &states, time, &title, options),
            (None, None) => {
                let picture = layout.picture(&states[last].facts);
                let svg_options = svg_options(&layout, &states, last, &picture, &title, options);
                layout.svg(&picture, &svg_options)
            }
        };
        write(out, &drawing)?;
        return Ok(String::new());
    }
    let picture = layout.picture(&states[last].facts);
    if options.json {
        let line = serde_json::json!({ "layout": layout, "picture": picture });
        return Ok(format!("{line}\n"));
    }
    Ok(layout.text(&picture))
}

fn write(out: &Path, drawing: &str) -> anyhow::Result<()> {
    if out == Path::new("-") {
        std::io::stdout().write_all(drawing.as_bytes())?;
        return Ok(());
    }
    if out.extension().is_none_or(|extension| extension != "svg") {
        bail!("{}: drawings are SVG files, *.svg", out.display());
    }
    std::fs::write(out, drawing).with_context(|| format!("cannot write {}", out.display()))
}

/// How a state is drawn: the last move is marked on the cells that it names, or on those
/// that it changed if it names none.
fn svg_options(
    layout: &StateLayout,
    states: &[SeenState],
    index: usize,
    picture: &Picture,
    title: &str,
    options: &BoardOptions,
) -> SvgOptions {
    let overlay = match index.checked_sub(1).map(|before| &states[before]) {
        None => Overlay::default(),
        Some(before) => {
            let last = layout.picture(&before.facts);
            let overlay = Overlay::of_moves(layout, &last, picture, &before.joint);
            match options.arrow {
                true => overlay.with_arrows(layout, &before.joint),
                false => overlay,
            }
        }
    };
    SvgOptions {
        title: title.to_owned(),
        without_style: false,
        boards_only: options.boards_only,
        overlay,
    }
}

/// Draws states evenly spaced from the first to the last, side by side.
fn draw_strip(
    layout: &StateLayout,
    states: &[SeenState],
    count: usize,
    title: &str,
    options: &BoardOptions,
) -> String {
    let last = states.len() - 1;
    let count = count.clamp(1, states.len());
    let step = |index: usize| match count {
        1 => last,
        _ => (index * last + (count - 1) / 2) / (count - 1),
    };
    let steps = (0..count).map(step);
    let pictures: Vec<StripPicture> = steps
        .map(|at| draw_step(layout, states, at, title, options))
        .collect();
    strip(layout, &pictures, title)
}

/// Draws all states one after another.
fn draw_animation(
    layout: &StateLayout,
    states: &[SeenState],
    seconds: f64,
    title: &str,
    options: &BoardOptions,
) -> String {
    let steps = 0..states.len();
    let pictures: Vec<StripPicture> = steps
        .map(|at| draw_step(layout, states, at, title, options))
        .collect();
    animation(layout, &pictures, title, seconds)
}

fn draw_step(
    layout: &StateLayout,
    states: &[SeenState],
    at: usize,
    title: &str,
    options: &BoardOptions,
) -> StripPicture {
    let picture = layout.picture(&states[at].facts);
    StripPicture {
        caption: caption(states, at),
        options: svg_options(layout, states, at, &picture, title, options),
        picture,
    }
}

/// The number of moves made, and the last of them.
fn caption(states: &[SeenState], at: usize) -> String {
    let last = at
        .checked_sub(1)
        .map(|before| states[before].choices.join(" "));
    match last {
        Some(moves) => format!("{at}. {moves}").trim_end().to_owned(),
        None => "start".to_owned(),
    }
}
