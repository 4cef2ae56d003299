//! The games to be measured.

use anyhow::Context as _;
use std::collections::BTreeSet;
use std::path::Path;

/// The folder of the public games; it may be missing.
pub const CORPUS: &str = "../shared/corpus";

/// Large public games: at least 10,000 moves or 100,000 gates.
const LARGE: [&str; 4] = ["amazons", "amazons_10x10", "alexChess", "mineClearingSmall"];

/// The rule sheets: ours, the public ones on which other engines were measured, and
/// large public ones.
pub fn subjects() -> anyhow::Result<Vec<String>> {
    let mut sheets = rule_sheets(Path::new("games"))?;
    let peers = Path::new(CORPUS).join("peers.csv");
    if !peers.exists() {
        eprintln!("without public games: there is no {}", peers.display());
        return Ok(sheets);
    }
    let text = std::fs::read_to_string(peers)?;
    let compared = text
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').nth(1));
    let public: BTreeSet<&str> = compared.chain(LARGE).collect();
    sheets.extend(
        public
            .iter()
            .map(|game| format!("{CORPUS}/games/{game}.kif")),
    );
    Ok(sheets)
}

/// The rule sheets of a folder, sorted.
fn rule_sheets(folder: &Path) -> anyhow::Result<Vec<String>> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let paths: Result<Vec<_>, _> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect();
    let mut sheets: Vec<String> = paths?
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "kif"))
        .map(|path| path.display().to_string())
        .collect();
    sheets.sort();
    Ok(sheets)
}
