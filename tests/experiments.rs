//! The papers' tables: their tournaments can be played, and `docs/experiments.md` shows what
//! the committed summaries say.

use expect_test::expect_file;
use gdl_contests::report::{plot, published};
use gdl_contests::summary::ContestSummary;
use gdl_contests::tournament::Tournament;
use std::path::{Path, PathBuf};

/// This test writes what is between these lines of the document.
const BEGIN: &str =
    "<!-- tables: written by UPDATE_EXPECT=1 cargo test --test tests experiments -->\n";
const END: &str = "<!-- end of tables -->";

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The files of a folder with this extension, sorted.
fn files(name: &str, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder(name)).expect("the folder can be listed");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    paths.sort();
    paths
}

#[test]
fn the_tables_tournaments_are_sound() {
    let (mut cells, mut values) = (0, 0);
    for path in files("experiments", "toml") {
        let tournament = Tournament::read(&path).unwrap_or_else(|error| panic!("{error:#}"));
        for pairing in &tournament.pairings {
            assert!(pairing.file.exists(), "{}", pairing.file.display());
            let paper = pairing.paper.as_ref().expect("a cell of a table");
            assert!(paper.table.is_some() && paper.row.is_some() && paper.column.is_some());
            if paper.percent.is_some() {
                values += 1;
                assert!(paper.draws().is_some_and(|draws| draws < 0.6), "{paper:?}");
            }
        }
        cells += tournament.pairings.len();
    }
    // 2009: 3 games by 4, 3, 1 and 1 controls; 2010: 4 games by 5, 4, 2 and 2; 2012: 10
    // games by 4 and 3. Four of the latter have no value: the cutoff did not apply.
    let published = 3 * (4 + 3 + 1 + 1) + 4 * (5 + 4 + 2 + 2) + 10 * (4 + 3) - 4;
    assert_eq!(values, published);
    // The survey has no values: 10 games by 13, 12 and 4 components, 3 games by 3, 8 by 3
    // against MAST and 10 by 3 at equal time. Nor have the parameters of FAST: 2 games by 3, 4
    // by 2.
    let survey = 10 * (13 + 12 + 4) + 3 * 3 + 8 * 3 + 10 * 3;
    assert_eq!(cells, published + 4 + survey + 2 * 3 + 4 * 2);
}

/// The summaries of a file.
fn summaries(path: &Path) -> Vec<ContestSummary> {
    let lines = std::fs::read_to_string(path).expect("a file of summaries");
    let parsed = lines.lines().map(serde_json::from_str);
    parsed
        .map(|summary| summary.expect("a summary a line"))
        .collect()
}

/// The results that the figure of the document shows.
const DRAWN: &str = "experiments/results/20000-steps-start.jsonl";

#[test]
fn the_figure_shows_the_summaries() {
    let drawing = plot::against_published(&summaries(&folder(DRAWN))).expect("there are cells");
    expect_file![folder("docs/experiments.svg")].assert_eq(&drawing);
}

#[test]
fn the_document_shows_the_summaries() {
    let path = folder("docs/experiments.md");
    let text = std::fs::read_to_string(&path).expect("the document can be read");
    let (before, rest) = text.split_once(BEGIN).expect("the tables begin somewhere");
    let (_, after) = rest.split_once(END).expect("and end");
    let mut all: Vec<ContestSummary> = Vec::new();
    for path in files("experiments/results", "jsonl") {
        all.extend(summaries(&path));
    }
    assert!(!all.is_empty());
    let tables = published::tables(&all);
    expect_file![path].assert_eq(&format!("{before}{BEGIN}\n{tables}\n{END}{after}"));
}
