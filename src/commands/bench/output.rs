//! Formats results: as tables for people, as JSON, and as the key=value lines of
//! gdl-perf, a public comparison of engines.

use super::peers::{Comparison, Peer, Peers};
use super::report::{BenchOutcome, BenchReport, Figures, TreeFigures};
use comfy_table::{Cell, CellAlignment, Table, presets};
use serde::Serialize;
use std::fmt::Write as _;

/// A result together with its comparisons.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct BenchRow {
    #[serde(flatten)]
    pub(super) report: BenchReport,
    /// Playouts per second relative to the slowest engine on the same game.
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio_to_slowest: Option<f64>,
    /// Comparisons with other engines, the fastest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    peers: Vec<Comparison>,
}

/// Compares the results of one game.
pub(super) fn rows(reports: Vec<BenchReport>, peers: Option<&Peers>) -> Vec<BenchRow> {
    let speeds = reports.iter().filter_map(speed);
    let slowest = (speeds.clone().count() > 1)
        .then(|| speeds.fold(f64::INFINITY, f64::min))
        .filter(|&slowest| slowest > 0.0);
    reports
        .into_iter()
        .map(|report| BenchRow {
            ratio_to_slowest: speed(&report)
                .zip(slowest)
                .map(|(ours, least)| ours / least),
            peers: peers
                .zip(report.figures())
                .map_or_else(Vec::new, |(peers, figures)| {
                    peers.compare(&report.subject.game, figures)
                }),
            report,
        })
        .collect()
}

fn speed(report: &BenchReport) -> Option<f64> {
    report.figures().map(|figures| figures.playouts_per_second)
}

/// An object, or an array of several.
pub(super) fn json(rows: &[BenchRow]) -> serde_json::Result<String> {
    match rows {
        [row] => serde_json::to_string_pretty(row),
        rows => serde_json::to_string_pretty(rows),
    }
}

/// Formats one result for gdl-perf.
pub(super) fn gdl_perf(report: &BenchReport) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let engine = &report.subject.engine;
    match &report.outcome {
        BenchOutcome::Measured(figures) => format!(
            "version={version} {engine}\nmillisecondsTaken={:.0}\n\
             numStateChanges={}\nnumRollouts={}\n",
            figures.seconds * 1000.0,
            figures.states,
            figures.playouts,
        ),
        BenchOutcome::Failed { error } => {
            let line = error.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("version={version} {engine}\nerrorMessage={line}\n")
        }
    }
}

/// Formats the results of one game as a table, followed by what does not fit into it.
pub(super) fn game(rows: &[BenchRow], peer: Option<&Peer>) -> String {
    let mut text = String::new();
    if let Some(row) = rows.first() {
        let _ = writeln!(text, "{}", row.report.subject.file);
    }
    if rows.iter().any(|row| row.report.figures().is_some()) {
        let _ = writeln!(text, "{}", table(rows, peer).trim_fmt());
    }
    for row in rows {
        below(row, &mut text);
    }
    text
}

fn table(rows: &[BenchRow], peer: Option<&Peer>) -> Table {
    let figures = || rows.iter().filter_map(|row| row.report.figures());
    let ratios = rows.iter().any(|row| row.ratio_to_slowest.is_some());
    let mut head: Vec<String> = ["engine", "lanes", "playouts/s", "states/s"]
        .map(str::to_owned)
        .into();
    head.extend(ratios.then(|| "ratio".to_owned()));
    head.extend(peer.map(|peer| format!("to {}", peer.engine)));
    head.push("length".to_owned());
    let roles = figures().next().map_or(&[][..], |figures| &figures.roles);
    head.extend(roles.iter().map(|role| format!("goal {role}")));
    head.push("set-up s".to_owned());

    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(head);
    for row in rows {
        if let Some(figures) = row.report.figures() {
            let ratios = [
                ratios.then(|| times(row.ratio_to_slowest)),
                peer.map(|_| times(ratio_to_best(row))),
            ];
            let ratios = ratios.into_iter().flatten();
            table.add_row(to_cells(cells(&row.report.subject.engine, figures, ratios)));
        }
    }
    table.add_row_if(
        |_, _| peer.is_some(),
        to_cells(peer.map_or_else(Vec::new, |peer| peer_cells(peer, ratios))),
    );
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn to_cells(cells: Vec<String>) -> Vec<Cell> {
    cells.into_iter().map(Cell::new).collect()
}

fn cells(engine: &str, figures: &Figures, ratios: impl Iterator<Item = String>) -> Vec<String> {
    let mut cells = vec![
        engine.to_owned(),
        figures.lanes.to_string(),
        rate(figures.playouts_per_second),
        rate(figures.states_per_second),
    ];
    cells.extend(ratios);
    let mean = |value: Option<f64>, error: Option<f64>, decimals: usize| match (value, error) {
        (Some(value), Some(error)) => format!("{value:.decimals$} ± {error:.decimals$}"),
        (Some(value), None) => format!("{value:.decimals$}"),
        (None, _) => "-".to_owned(),
    };
    cells.push(mean(
        figures.average_length,
        figures.average_length_error,
        3,
    ));
    for role in 0..figures.roles.len() {
        let value = figures.mean_goals.get(role).copied();
        let error = figures.mean_goals_error.get(role).copied().flatten();
        cells.push(mean(value, error, 2));
    }
    cells.push(format!("{:.3}", figures.setup_seconds));
    cells
}

fn peer_cells(peer: &Peer, ratios: bool) -> Vec<String> {
    let mut cells = vec![
        peer.engine.clone(),
        String::new(),
        rate(peer.playouts_per_second),
        rate(peer.states_per_second),
    ];
    cells.extend(ratios.then(String::new));
    cells.push(String::new());
    cells.push(format!("{:.3}", peer.average_length));
    cells.extend(peer.mean_goals.iter().map(|goal| format!("{goal:.2}")));
    cells
}

/// Appends the failure, or the stages of the set-up, and the agreement with peers.
fn below(row: &BenchRow, text: &mut String) {
    let engine = &row.report.subject.engine;
    match &row.report.outcome {
        BenchOutcome::Failed { error } => {
            let _ = writeln!(text, "{engine} failed: {error}");
        }
        BenchOutcome::Measured(figures) => {
            let stages: Vec<String> = figures
                .setup
                .iter()
                .map(|(stage, seconds)| format!("{stage} {:.3}", seconds.as_f64().unwrap_or(0.0)))
                .collect();
            let _ = writeln!(text, "{engine} set-up: {} s", stages.join(", "));
            if let Some(tree) = &figures.tree {
                let _ = writeln!(text, "{engine} {}", in_tree(tree));
            }
        }
    }
    for peer in &row.peers {
        let _ = writeln!(text, "{engine} {}", agreement(peer));
    }
}

fn in_tree(tree: &TreeFigures) -> String {
    let caution = match tree.mostly_known {
        true => "; these say little, since most simulations ended at known states",
        false => "",
    };
    format!(
        "tree search: {} simulations/s, {:.1} % of {} playouts/s; {:.1} % of the lanes busy, \
         {:.3} nodes a simulation{caution}",
        rate(tree.simulations_per_second),
        100.0 * tree.ratio,
        rate(tree.plain_playouts_per_second),
        100.0 * tree.busy_lanes,
        tree.nodes_per_simulation,
    )
}

fn agreement(peer: &Comparison) -> String {
    let verdict = match peer.agrees {
        Some(true) => "agrees with",
        Some(false) => "DIFFERS from",
        None => "has too few playouts to be compared with",
    };
    let z = |z: Option<f64>| z.map_or_else(|| "-".to_owned(), |z| format!("{z:+.1}"));
    let goals: Vec<String> = peer.mean_goals.iter().map(|goal| z(goal.z)).collect();
    format!(
        "{verdict} {} (z of length {}, of goals {})",
        peer.engine,
        z(peer.average_length.z),
        goals.join(" ")
    )
}

fn ratio_to_best(row: &BenchRow) -> Option<f64> {
    row.peers.first().map(|peer| peer.ratio)
}

/// Formats geometric means of ratios over several games: of every engine to the first
/// one, to the best other engine, and of the tree search to plain playouts.
pub(super) fn summary(games: &[Vec<BenchRow>]) -> String {
    let mut text = String::new();
    let mut engines: Vec<&str> = Vec::new();
    for row in games.iter().flatten() {
        let engine = row.report.subject.engine.as_str();
        if !engines.contains(&engine) {
            engines.push(engine);
        }
    }
    for (index, &engine) in engines.iter().enumerate() {
        let to_peers = games
            .iter()
            .filter_map(|game| ratio_to_best(find(game, engine)?));
        mean_line(&mut text, engine, "the best other engine", to_peers);
        let in_trees = (games.iter())
            .filter_map(|game| Some(find(game, engine)?.report.figures()?.tree?.ratio));
        let searching = format!("{engine} in the tree search");
        mean_line(&mut text, &searching, "plain playouts", in_trees);
        if index > 0 {
            let to_first = games.iter().filter_map(|game| {
                let ours = speed(&find(game, engine)?.report)?;
                Some(ours / speed(&find(game, engines[0])?.report)?)
            });
            mean_line(&mut text, engine, engines[0], to_first);
        }
    }
    text
}

fn find<'a>(game: &'a [BenchRow], engine: &str) -> Option<&'a BenchRow> {
    game.iter().find(|row| row.report.subject.engine == engine)
}

fn mean_line(text: &mut String, engine: &str, other: &str, ratios: impl Iterator<Item = f64>) {
    let logarithms: Vec<f64> = ratios
        .filter(|ratio| *ratio > 0.0 && ratio.is_finite())
        .map(f64::ln)
        .collect();
    if logarithms.len() > 1 {
        let count = logarithms.len();
        let mean = (logarithms.iter().sum::<f64>() / count as f64).exp();
        let least = logarithms
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min)
            .exp();
        let _ = writeln!(
            text,
            "{engine} to {other}: {} as geometric mean over {count} games, {} at least",
            times(Some(mean)),
            times(Some(least)),
        );
    }
}

fn times(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{}x", rate(ratio)))
}

/// Formats a number with three digits or more, and separators between thousands.
fn rate(value: f64) -> String {
    match value {
        value if value >= 100.0 => indicatif::HumanCount(value.round() as u64).to_string(),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::{failure, report};
    use super::*;
    use expect_test::expect;

    fn game_rows(game: &str) -> Vec<BenchRow> {
        let reports = vec![
            report(game, "native", 123_456.7),
            report(game, "net", 41_152.0),
            failure(game, "reference", "too\nslow"),
        ];
        rows(reports, None)
    }

    #[test]
    fn tables_line_up() {
        let text = game(&game_rows("tictactoe"), None);
        expect![[r#"
            games/tictactoe.kif
             engine  lanes  playouts/s   states/s  ratio          length        goal x        goal o  set-up s
             native     64     123,457  1,234,567  3.00x  10.000 ± 0.500  60.00 ± 2.00  40.00 ± 2.00     0.750
             net        64      41,152    411,520  1.00x  10.000 ± 0.500  60.00 ± 2.00  40.00 ± 2.00     0.750
            native set-up: check 0.250, ground 0.500 s
            net set-up: check 0.250, ground 0.500 s
            reference failed: too
            slow
        "#]].assert_eq(&text);
    }

    #[test]
    fn tree_searches_have_a_line() {
        let tree = TreeFigures {
            simulations: 1000,
            simulations_per_second: 500_000.0,
            plain_playouts_per_second: 2e6,
            ratio: 0.25,
            busy_lanes: 0.995,
            nodes_per_simulation: 0.5,
            mostly_known: false,
        };
        expect!["tree search: 500,000 simulations/s, 25.0 % of 2,000,000 playouts/s; 99.5 % of the lanes busy, 0.500 nodes a simulation"]
            .assert_eq(&in_tree(&tree));
        let known = TreeFigures {
            mostly_known: true,
            ..tree
        };
        assert!(in_tree(&known).ends_with("ended at known states"));
    }

    #[test]
    fn summaries_are_geometric_means() {
        let games = [game_rows("tictactoe"), game_rows("hex")];
        expect![[r#"
            net to native: 0.33x as geometric mean over 2 games, 0.33x at least
        "#]]
        .assert_eq(&summary(&games));
        assert_eq!(summary(&games[..1]), "");
    }

    #[test]
    fn json_is_an_object_or_an_array() {
        let rows = game_rows("tictactoe");
        let text = json(&rows[1..2]).expect("rows are JSON");
        expect![[r#"
            {
              "game": "tictactoe",
              "file": "games/tictactoe.kif",
              "engine": "net",
              "settings": {
                "seconds": 1.0,
                "threads": 1,
                "seed": 1,
                "level": "portable",
                "width": null
              },
              "lanes": 64,
              "seconds": 1.0,
              "playouts": 400,
              "playouts_per_second": 41152.0,
              "states": 4000,
              "states_per_second": 411520.0,
              "average_length": 10.0,
              "average_length_error": 0.5,
              "roles": [
                "x",
                "o"
              ],
              "mean_goals": [
                60.0,
                40.0
              ],
              "mean_goals_error": [
                2.0,
                2.0
              ],
              "setup_seconds": 0.75,
              "setup": {
                "check": 0.25,
                "ground": 0.5
              },
              "ratio_to_slowest": 1.0
            }"#]]
        .assert_eq(&text);
        let value: serde_json::Value = json(&rows)
            .and_then(|text| serde_json::from_str(&text))
            .expect("rows are JSON");
        assert_eq!(value[0]["ratio_to_slowest"], 123_456.7 / 41_152.0);
        assert_eq!(value[2]["error"], "too\nslow");
        assert_eq!(value[2].get("playouts"), None);
    }

    #[test]
    fn gdl_perf_has_one_key_a_line() {
        let rows = game_rows("tictactoe");
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            gdl_perf(&rows[1].report),
            format!(
                "version={version} net\nmillisecondsTaken=1000\n\
                 numStateChanges=4000\nnumRollouts=400\n"
            )
        );
        assert_eq!(
            gdl_perf(&rows[2].report),
            format!("version={version} reference\nerrorMessage=too slow\n")
        );
    }
}
