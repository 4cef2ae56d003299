//! Pictures of states, and the cells that moves name.

use std::sync::Arc;
use std::time::Duration;

use gdl_boards::svg::{Overlay, SvgOptions};
use gdl_boards::{CellId, GameEvidence, StateLayout};
use gdl_runtime::engine::Engine;
use gdlc::source::Source;

use crate::messages::MoveText;

/// How long random games are played to find out what states look like.
const SURVEY: Duration = Duration::from_millis(100);

/// How the states of a game look.
pub(crate) struct Pictures {
    title: String,
    layout: StateLayout,
}

impl Pictures {
    /// Infers the look of a game's states from its rules and from random games.
    pub(crate) fn new(title: &str, rules: &str, engine: &mut dyn Engine) -> Self {
        let rules = Source::new(title, rules);
        Self::infer(title, &GameEvidence::of_game(engine, &rules, SURVEY))
    }

    /// Infers the look of a game's states from its rules and the facts of one of them.
    pub(crate) fn of_facts(title: &str, rules: &str, roles: &[String], facts: &[String]) -> Self {
        let mut evidence = GameEvidence::new(roles);
        if let Some(program) = gdlc::rules::check(Source::new(title, rules)).program {
            evidence.add_rules(&Arc::new(program));
        }
        evidence.add_state(facts, &[], &[]);
        Self::infer(title, &evidence)
    }

    fn infer(title: &str, evidence: &GameEvidence) -> Self {
        Self {
            title: title.to_owned(),
            layout: StateLayout::infer(evidence),
        }
    }

    /// A state as SVG, without a style sheet. What changed since the state before is marked:
    /// the cells that the moves name or, if they name none, those that look different.
    pub(crate) fn draw(
        &self,
        facts: &[String],
        before: Option<&[String]>,
        led_by: &[String],
    ) -> String {
        let picture = self.layout.picture(facts);
        let named = led_by.iter().flat_map(|mv| self.layout.cells_of_move(mv));
        let mut last_move: Vec<CellId> = named.filter(|cells| cells.len() == 1).flatten().collect();
        if let (true, Some(before)) = (last_move.is_empty(), before) {
            last_move = picture.changed_cells(&self.layout.picture(before));
        }
        let options = SvgOptions {
            title: self.title.clone(),
            without_style: true,
            overlay: Overlay {
                last_move,
                ..Overlay::default()
            },
            ..SvgOptions::default()
        };
        self.layout.svg(&picture, &options)
    }

    /// A move with the cells that it names.
    pub(crate) fn move_text(&self, text: String) -> MoveText {
        let named = self.layout.cells_of_move(&text);
        let names = |cells: Vec<CellId>| cells.into_iter().map(cell_name).collect();
        MoveText {
            cells: named.into_iter().map(names).collect(),
            text,
        }
    }
}

/// The name of a cell on the page.
fn cell_name(id: CellId) -> String {
    format!("{}.{}", id.board, id.cell)
}
