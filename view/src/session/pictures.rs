//! TEMPORARY
use crate::messages::MoveText;
use gdl_runtime::engine::Engine;
pub(super) struct Pictures;
impl Pictures {
    pub(super) fn new(_engine: &mut dyn Engine) -> Self {
        Self
    }
    pub(super) fn draw(&self, facts: &[String], _led_by: &[String]) -> String {
        facts.join(" ")
    }
    pub(super) fn move_text(&self, text: String) -> MoveText {
        MoveText {
            text,
            cells: Vec::new(),
        }
    }
}
