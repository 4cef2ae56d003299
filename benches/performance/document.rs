//! Renders the figures as Markdown, and writes them into documents.

use super::ceiling::Ceiling;
use super::machine;
use super::record::{Figures, Outcome, Record, Tree};
use anyhow::Context as _;
use gdl_contests::markdown::MarkdownTable;
use std::fmt::Write as _;
use std::path::Path;

const BEGIN: &str = "<!-- figures: what is between these lines is written by the command -->\n";
const END: &str = "<!-- end of figures -->\n";

/// The number of weakest games that the summary names for each ratio.
const WEAKEST: usize = 6;

/// A ratio to summarise: its title, and how to compute it.
type Ratio = (&'static str, fn(&Figures) -> Option<f64>);

const RATIOS: [Ratio; 7] = [
    ("native to hand-written", |game| {
        game.ratio("native", "hand-written")
    }),
    ("native to hand-written AVX-512", |game| {
        game.ratio("native", "AVX-512")
    }),
    ("native to the best other program", |game| {
        game.to_peer("native")
    }),
    ("net to the best other program", |game| game.to_peer("net")),
    ("net to native", |game| game.ratio("net", "native")),
    ("native to reference", |game| {
        game.ratio("native", "reference")
    }),
    ("simulations to plain playouts", |game| {
        game.tree.as_ref()?.sound_ratio()
    }),
];

/// A record as a line of progress.
pub fn line(record: &Record) -> String {
    let name = record.name();
    let figures = match &record.outcome {
        Outcome::Measured(figures) => figures,
        Outcome::Failed { error } => return format!("{name} failed: {error}"),
    };
    let mut line = name;
    for (engine, speed) in &figures.speeds {
        let _ = write!(line, " {engine}={speed:.0}");
    }
    if let Some(tree) = &figures.tree {
        let _ = write!(line, " tree={:.0}", tree.simulations_per_second);
    }
    line
}

/// Writes the figures into a document, and keeps its other text.
pub fn write(path: &Path, figures: &str) -> anyhow::Result<()> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| shown.to_string())?;
    let parts = text.split_once(BEGIN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    let (before, after) =
        parts.with_context(|| format!("{shown} lacks the lines between which figures stand"))?;
    std::fs::write(path, format!("{before}{BEGIN}{figures}{END}{after}"))?;
    eprintln!("written: {shown}");
    Ok(())
}

/// The generated text of the performance document.
pub fn figures(records: &[Record], seconds: f64, ceilings: &[Ceiling]) -> String {
    let mut text = format!(
        "\nMachine: {}. Date: {}. Compiler: {}. One thread, {seconds} s for each engine and game, \
         all engines of a game in turns. Command: `cargo bench --bench performance`.\n",
        machine::machine(),
        machine::date(),
        machine::rustc(),
    );
    summary(&mut text, records);
    heading(&mut text, "Playouts a second");
    text.push_str(&speeds(records).to_string());
    heading(&mut text, "Sizes");
    text.push_str(&sizes(records).to_string());
    heading(&mut text, "The machine's limit");
    text.push_str(&limits(ceilings).to_string());
    if let Some(ceiling) = ceilings.first() {
        text.push('\n');
        text.push_str(&shares(records, ceiling).to_string());
    }
    heading(&mut text, "Set-up, in seconds");
    text.push_str(&setup(records).to_string());
    failures(&mut text, records);
    text.push('\n');
    text
}

/// A short table of our own games.
pub fn own_games(records: &[Record]) -> String {
    let (machine, date) = (machine::machine(), machine::date());
    let mut text = format!("{machine}; {date}:\n\n");
    let mut table = MarkdownTable::new(
        1,
        [
            "game",
            "native",
            "net",
            "reference",
            "hand-written",
            "native to hand-written",
            "average length",
        ],
    );
    for (record, figures) in measured(records).filter(|(record, _)| record.is_ours()) {
        let speed = |engine| rate(figures.speed(engine));
        let length = figures.length;
        table.row([
            record.name(),
            speed("native"),
            speed("net"),
            speed("reference"),
            speed("hand-written"),
            times(figures.ratio("native", "hand-written")),
            length.map_or_else(String::new, |length| format!("{length:.1}")),
        ]);
    }
    text.push_str(&table.to_string());
    text
}

fn heading(text: &mut String, title: &str) {
    let _ = write!(text, "\n## {title}\n\n");
}

/// Appends the geometric mean, the minimum and the weakest games of each ratio.
fn summary(text: &mut String, records: &[Record]) {
    heading(text, "In short");
    let mut table = MarkdownTable::new(
        1,
        ["ratio", "games", "geometric mean", "least", "weakest first"],
    );
    for (what, ratio) in RATIOS {
        let mut found: Vec<(f64, String)> = records
            .iter()
            .filter_map(|record| Some((ratio(record.figures()?)?, record.name())))
            .filter(|(ratio, _)| ratio.is_finite() && *ratio > 0.0)
            .collect();
        found.sort_by(|one, two| one.0.total_cmp(&two.0));
        let Some((least, _)) = found.first() else {
            continue;
        };
        let logarithms: f64 = found.iter().map(|(ratio, _)| ratio.ln()).sum();
        let weakest = found.iter().take(WEAKEST);
        let weakest = weakest.map(|(ratio, name)| format!("{name} {}", times(Some(*ratio))));
        table.row([
            what.to_owned(),
            found.len().to_string(),
            times(Some((logarithms / found.len() as f64).exp())),
            times(Some(*least)),
            weakest.collect::<Vec<_>>().join(", "),
        ]);
    }
    text.push_str(&table.to_string());
}

fn speeds(records: &[Record]) -> MarkdownTable {
    let mut table = MarkdownTable::new(
        1,
        [
            "game",
            "native",
            "net",
            "reference",
            "hand-written",
            "best other program",
            "native to hand-written",
            "native to other",
            "net to other",
            "net to native",
            "simulations in the tree",
            "to plain playouts",
        ],
    );
    for (record, figures) in measured(records) {
        let speed = |engine| rate(figures.speed(engine));
        let handwritten = match figures.speed("AVX-512") {
            Some(vectors) => format!("{}; AVX-512 {}", speed("hand-written"), rate(Some(vectors))),
            None => speed("hand-written"),
        };
        let peer = figures.peer.as_ref();
        let peer = peer.map(|(name, speed)| format!("{} {name}", rate(Some(*speed))));
        let tree = figures.tree.as_ref();
        table.row([
            record.name(),
            speed("native"),
            speed("net"),
            speed("reference"),
            handwritten,
            peer.unwrap_or_default(),
            times(figures.ratio("native", "hand-written")),
            times(figures.to_peer("native")),
            times(figures.to_peer("net")),
            times(figures.ratio("net", "native")),
            tree.map(simulations).unwrap_or_default(),
            times(tree.and_then(Tree::sound_ratio)),
        ]);
    }
    table
}

/// Simulations per second, or `known` if the game was solved too early to measure them.
fn simulations(tree: &Tree) -> String {
    if tree.known {
        return "known".to_owned();
    }
    rate(Some(tree.simulations_per_second))
}

fn sizes(records: &[Record]) -> MarkdownTable {
    let mut table = MarkdownTable::new(
        1,
        [
            "game",
            "roles",
            "fluents",
            "moves",
            "gates",
            "operations",
            "working set, KiB",
        ],
    );
    for (record, figures) in measured(records) {
        table.row([
            record.name(),
            figures.roles.to_string(),
            figures.fluents.to_string(),
            figures.moves.to_string(),
            figures.gates.to_string(),
            figures.operations.to_string(),
            format!("{:.0}", figures.bytes as f64 / 1024.0),
        ]);
    }
    table
}

fn limits(ceilings: &[Ceiling]) -> MarkdownTable {
    let mut table = MarkdownTable::new(
        1,
        [
            "instructions, lanes",
            "operations a second",
            "one input from a row",
            "two from rows",
            "each on the one before",
            "independent to dependent",
        ],
    );
    for ceiling in ceilings {
        let [registers, one, two] = ceiling.rates;
        table.row([
            format!("{}, {}", ceiling.level, ceiling.lanes),
            rate(Some(registers)),
            rate(Some(one)),
            rate(Some(two)),
            rate(Some(ceiling.dependent)),
            digits(registers / ceiling.dependent),
        ]);
    }
    table
}

/// How much of the machine's limit the net engine reaches.
fn shares(records: &[Record], ceiling: &Ceiling) -> MarkdownTable {
    let mut table = MarkdownTable::new(
        1,
        [
            "game",
            "operations a step of playouts",
            "operations a second",
            "of the ceiling",
        ],
    );
    for (record, figures) in measured(records) {
        let a_step = figures.operations_a_step(ceiling.lanes);
        let a_second = figures.operations_a_second(ceiling.lanes);
        let share = a_second.map(|operations| 100.0 * operations / ceiling.rates[0]);
        table.row([
            record.name(),
            a_step.map_or_else(String::new, |operations| format!("{operations:.0}")),
            rate(a_second),
            share.map_or_else(String::new, |share| format!("{share:.0} %")),
        ]);
    }
    table
}

fn setup(records: &[Record]) -> MarkdownTable {
    let mut stages: Vec<&str> = Vec::new();
    for (stage, _) in measured(records).flat_map(|(_, figures)| &figures.setup) {
        if !stages.contains(&stage.as_str()) {
            stages.push(stage);
        }
    }
    let mut head = vec!["game"];
    head.extend(&stages);
    head.push("peak memory until net plays, MiB");
    let mut table = MarkdownTable::new(1, head);
    for (record, figures) in measured(records) {
        let mut row = vec![record.name()];
        row.extend(stages.iter().map(|stage| {
            let seconds = figures.stage(stage);
            seconds.map_or_else(String::new, |seconds| format!("{seconds:.3}"))
        }));
        let peak = figures.peak_bytes.map(|bytes| bytes as f64 / 1_048_576.0);
        row.push(peak.map_or_else(String::new, |mebibytes| format!("{mebibytes:.0}")));
        table.row(row);
    }
    table
}

/// Appends what could not be measured, and why.
fn failures(text: &mut String, records: &[Record]) {
    let reasons: Vec<(String, &str)> = records
        .iter()
        .filter_map(|record| match &record.outcome {
            Outcome::Measured(figures) => Some((record.name(), figures.native_error.as_deref()?)),
            Outcome::Failed { error } => Some((record.name(), error.as_str())),
        })
        .collect();
    if !reasons.is_empty() {
        heading(text, "Not done");
    }
    for (name, reason) in reasons {
        let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(text, "- {name}: {reason}");
    }
}

fn measured(records: &[Record]) -> impl Iterator<Item = (&Record, &Figures)> {
    records
        .iter()
        .filter_map(|record| Some((record, record.figures()?)))
}

/// Three significant digits, in thousands and millions.
fn rate(value: Option<f64>) -> String {
    match value {
        None => String::new(),
        Some(value) if value >= 1e6 => format!("{} M", digits(value / 1e6)),
        Some(value) if value >= 1e4 => format!("{} k", digits(value / 1e3)),
        Some(value) => digits(value),
    }
}

fn times(ratio: Option<f64>) -> String {
    ratio.map_or_else(String::new, |ratio| format!("{} ×", digits(ratio)))
}

fn digits(value: f64) -> String {
    match value {
        value if value >= 99.95 => format!("{value:.0}"),
        value if value >= 9.995 => format!("{value:.1}"),
        value if value >= 0.0995 => format!("{value:.2}"),
        value => format!("{value:.4}"),
    }
}
