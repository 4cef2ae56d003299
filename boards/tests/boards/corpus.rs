//! The public games.

use crate::games::well_formed;
use gdl_boards::svg::SvgOptions;
use gdl_boards::{GameEvidence, StateLayout};
use gdl_engines::{input, trace};
use std::path::Path;
use std::sync::Arc;

/// The number of recorded states that are looked at.
const STATES: usize = 400;

/// No game makes inference or drawing panic, no fact of any state is lost, and drawings are
/// of moderate size.
#[test]
#[ignore = "needs the public corpus"]
fn corpus_states_become_pictures() {
    let corpus = gdl_testing::corpus();
    let mut sheets: Vec<_> = std::fs::read_dir(corpus.join("games"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    sheets.sort();
    assert!(sheets.len() > 100);
    for sheet in sheets {
        let name = input::stem(&sheet);
        let trace = corpus.join("traces").join(format!("{name}.jsonl.gz"));
        check(&name, &sheet, &trace);
    }
}

fn check(name: &str, sheet: &Path, trace: &Path) {
    let (header, records) = trace::records(trace).unwrap();
    let states: Vec<trace::TraceRecord> = records.take(STATES).map(Result::unwrap).collect();
    let mut evidence = GameEvidence::new(&header.roles);
    for record in &states {
        let legal = record.legal.clone().unwrap_or_default();
        let joint = record.joint.clone().unwrap_or_default();
        if !evidence.add_state(&record.state, &legal, &joint) {
            break;
        }
    }
    let source = input::read(sheet).unwrap();
    evidence.add_rules(&Arc::new(input::check(source).unwrap()));
    let layout = StateLayout::infer(&evidence);
    for record in &states {
        let picture = layout.picture(&record.state);
        assert_eq!(
            picture.fact_count(),
            record.state.len(),
            "{name}: {:?}",
            record.state
        );
    }
    for record in states.iter().step_by(states.len().div_ceil(3)) {
        let picture = layout.picture(&record.state);
        let svg = layout.svg(&picture, &SvgOptions::default());
        assert_eq!(well_formed(&svg), Ok(()), "{name}");
        assert!(svg.len() < 1_000_000, "{name}: {} bytes", svg.len());
        assert!(
            !layout.text(&picture).is_empty() || record.state.is_empty(),
            "{name}"
        );
    }
}
