//! Draws every game of a folder.
#![allow(clippy::unwrap_used, missing_docs)]
use gdl_boards::svg::{StripPicture, SvgOptions, strip};
use gdl_boards::{GameEvidence, StateLayout};
use gdl_engines::{EngineKind, EngineOptions};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (games, out) = (&args[1], &args[2]);
    let only = &args[3..];
    let mut files: Vec<_> = std::fs::read_dir(games).unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "kif")).collect();
    files.sort();
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        if !only.is_empty() && !only.contains(&name) { continue; }
        let start = Instant::now();
        let source = gdl_engines::input::read(&file).unwrap();
        let mut options = EngineOptions::default();
        options.compilation.budget.time = Duration::from_secs(3);
        let engine = gdl_engines::load(&source, EngineKind::Net, &options).or_else(|_| gdl_engines::load(&source, EngineKind::Reference, &options));
        let Ok(mut engine) = engine else { println!("{name}: cannot be loaded"); continue };
        let loaded = start.elapsed();
        let mut evidence = GameEvidence::new(engine.roles());
        let Some(program) = gdlc::rules::check(Arc::clone(&source)).program else { continue };
        evidence.add_rules(&Arc::new(program));
        let rules = start.elapsed();
        evidence.survey(&mut *engine, 1, Duration::from_millis(700));
        let survey = start.elapsed();
        let layout = StateLayout::infer(&evidence);
        let infer = start.elapsed();
        let mut state = engine.initial();
        let mut pictures = Vec::new();
        let mut text = String::new();
        let mut before = None;
        let mut last_named = Vec::new();
        for step in 0..24 {
            let picture = layout.picture(&engine.facts(&state));
            if step == 0 || step == 14 {
                let mut options = SvgOptions::default();
                if let Some(b) = &before { options.overlay.last_move = picture.changed_cells(b); }
                text.push_str(&layout.text(&picture));
                text.push_str("--\n");
                pictures.push(StripPicture { picture: picture.clone(), caption: format!("{name} {step}"), options });
            }
            if step == 14 { break; }
            let position = engine.examine(&state);
            let joint: Option<Vec<_>> = position.legal.iter().map(|l| l.get((step * 7 + 3) % l.len().max(1)).copied()).collect();
            match joint {
                Some(joint) if !position.terminal => {
                    last_named = joint.iter().enumerate().map(|(r, &m)| { let n = engine.move_name(r, m); let c = layout.cells_of_move(&n); format!("{n} -> {:?}", c.iter().map(|c| c.iter().map(|&c| layout.cell_at(c).coordinates.join("/")).collect::<Vec<_>>().join("|")).collect::<Vec<_>>()) }).collect();
                    before = Some(picture.clone());
                    state = engine.next(&state, &joint);
                }
                _ => { break; }
            }
        }
        let picture = layout.picture(&engine.facts(&state));
        if pictures.len() < 2 { text.push_str(&layout.text(&picture)); pictures.push(StripPicture { picture: picture.clone(), caption: format!("{name} end"), options: SvgOptions::default() }); }
        let one = layout.svg(&picture, &SvgOptions::default());
        std::fs::write(format!("{out}/{name}.svg"), strip(&layout, &pictures, &name)).unwrap();
        std::fs::write(format!("{out}/{name}.one.svg"), one).unwrap();
        std::fs::write(format!("{out}/{name}.txt"), &text).unwrap();
        let kinds: Vec<String> = layout.boards.iter().take(3).map(|b| format!("{:?} {} {}x{} ({} cells)", b.geometry, b.name, b.columns, b.rows, b.cells.len())).collect();
        println!("{name}: {} boards {} | load {} rules {} survey {} infer {} ms | {}", layout.boards.len(), kinds.join(", "), loaded.as_millis(), (rules-loaded).as_millis(), (survey-rules).as_millis(), (infer-survey).as_millis(), last_named.join("; "));
    }
}
