//! Makes the set of positions with known values again:
//! `cargo run --release -p gdl-positions`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Parser;
use clap::builder::PossibleValuesParser;
use gdl_positions::classes::{CLASSES, PositionClass};
use gdl_positions::maker::Maker;
use gdl_positions::position_set::{ClassSummary, FORMAT, KnownPosition, PositionSet, SetHeader};
use indicatif::{ProgressBar, ProgressStyle};

/// Make the set of positions with known values
#[derive(Parser)]
struct Args {
    /// Classes by name; all if none is given. The repository's file has all of them, so that a
    /// choice has to go to another one
    #[arg(requires = "out", value_parser = PossibleValuesParser::new(CLASSES.iter().map(|class| class.name)))]
    classes: Vec<String>,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Leave out positions for which more states have to be expanded
    #[arg(long, default_value_t = 1_500_000)]
    limit: u64,
    /// The file to write; by default that of the repository
    #[arg(long)]
    out: Option<PathBuf>,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let is_chosen = |class: &&PositionClass| {
        args.classes.is_empty() || args.classes.iter().any(|name| name == class.name)
    };
    let classes: Vec<&PositionClass> = CLASSES.iter().filter(is_chosen).collect();
    let mut header = SetHeader {
        format: FORMAT,
        made_by: "cargo run --release -p gdl-positions".to_owned(),
        seed: args.seed,
        limit: args.limit,
        classes: Vec::new(),
    };
    let mut positions = Vec::new();
    for class in classes {
        let made = make(class, &args)?;
        header.classes.push(summary(class, &made));
        positions.extend(made);
    }
    let set = PositionSet { header, positions };
    let out = args.out.clone().unwrap_or_else(PositionSet::file);
    write(&out, &set.to_text()?).with_context(|| format!("cannot write {}", out.display()))?;
    println!("{} positions in {}", set.positions.len(), out.display());
    Ok(())
}

/// Replaces a file at once, so that an interruption leaves the old one.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let unfinished = path.with_extension("jsonl.new");
    std::fs::write(&unfinished, text)?;
    std::fs::rename(unfinished, path)
}

/// Makes the positions of a class.
fn make(class: &PositionClass, args: &Args) -> anyhow::Result<Vec<KnownPosition>> {
    let wanted = class.empty.clone().count() * class.each * class.candidates;
    let style = ProgressStyle::with_template("{bar:30} {elapsed} {msg} {pos}/{len}")?;
    let progress = ProgressBar::new(wanted as u64).with_style(style);
    progress.set_message(class.name);
    let mut maker = Maker::new(class, args.limit)?;
    let mut made = Vec::new();
    for empty in class.empty.clone() {
        made.extend(maker.make(empty, args.seed, &mut || progress.inc(1))?);
    }
    progress.finish_and_clear();
    let (states, elapsed) = (maker.expanded(), progress.elapsed().as_secs_f64());
    println!(
        "{}: {} positions, {states} states expanded, {elapsed:.1} s",
        class.name,
        made.len()
    );
    Ok(made)
}

/// Counts the positions of a class.
fn summary(class: &PositionClass, positions: &[KnownPosition]) -> ClassSummary {
    let mut counts = BTreeMap::new();
    for position in positions {
        *counts.entry(position.empty).or_insert(0) += 1;
    }
    ClassSummary {
        name: class.name.to_owned(),
        sheet: PathBuf::from(class.sheet),
        positions: counts,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_all_classes_is_not_replaced_by_one_of_some() {
        let parsed = |arguments: &[&str]| {
            let command = ["gdl-positions"].iter().chain(arguments);
            Args::try_parse_from(command).is_ok()
        };
        assert!(parsed(&[]));
        assert!(parsed(&["trio", "--out", "trio.jsonl"]));
        assert!(!parsed(&["trio"]));
        assert!(!parsed(&["tictactoee", "--out", "new.jsonl"]));
    }
}
