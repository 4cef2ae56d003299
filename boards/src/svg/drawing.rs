//! Drawing a picture: the boards, and what is beside them.

use super::arrangement::Arrangement;
use super::board::BoardDrawing;
use super::element::{SvgWriter, attribute, cut, number};
use super::measure::{LINE, UNIT};
use super::overlay::Overlay;
use super::style::STYLE;
use crate::layout::StateLayout;
use crate::picture::Picture;

/// The largest number of lines of text below the boards.
const MOST_LINES: usize = 14;

/// The least width of a drawing with lines of text.
pub(super) const LINES_WIDTH: f64 = 5.0 * UNIT;

/// How a picture is drawn.
#[derive(Debug, Clone, Default)]
pub struct SvgOptions {
    /// The title that screen readers read first, such as the name of the game.
    pub title: String,
    /// Whether the style sheet is left out, since the page that contains the drawing has
    /// it: a page with a strict content security policy cannot use the drawing's.
    pub without_style: bool,
    /// Whether the texts beside the boards are left out.
    pub boards_only: bool,
    /// What is drawn above the boards.
    pub overlay: Overlay,
}

impl StateLayout {
    /// Draws a picture as an SVG document.
    #[must_use]
    pub fn svg(&self, picture: &Picture, options: &SvgOptions) -> String {
        let mut writer = SvgWriter::new();
        let size = Arrangement::of(self).size();
        let lines = match options.boards_only {
            true => Vec::new(),
            false => self.lines_beside(picture, size.0.max(LINES_WIDTH)),
        };
        let width = size
            .0
            .max(if lines.is_empty() { UNIT } else { LINES_WIDTH });
        let height =
            size.1.max(1.0) + LINE * lines.len() as f64 + if lines.is_empty() { 0.0 } else { 10.0 };
        writer.begin(width, height, &options.title, &self.description(picture));
        if !options.without_style {
            writer.style(STYLE);
        }
        self.draw_at(picture, options, &mut writer);
        draw_lines(&lines, size.1, &mut writer);
        writer.finish()
    }

    /// Draws the boards of a picture.
    pub(super) fn draw_at(&self, picture: &Picture, options: &SvgOptions, writer: &mut SvgWriter) {
        let arrangement = Arrangement::of(self);
        for (index, board) in self.boards.iter().enumerate() {
            let Some(content) = picture.boards.get(index) else {
                continue;
            };
            let (x, y) = arrangement.origin(index);
            writer.open(
                "g",
                &[(
                    "transform",
                    format!("translate({} {})", number(x), number(y)),
                )],
            );
            let drawing = BoardDrawing {
                layout: self,
                index,
                board,
                content,
                overlay: &options.overlay,
                is_named: self.boards.len() > 1,
            };
            drawing.draw(writer);
            writer.close("g");
        }
    }

    /// What stands beside the boards, in lines of this width in pixels: the turn and counters, and
    /// other facts.
    pub(super) fn lines_beside(&self, picture: &Picture, width: f64) -> Vec<String> {
        let mut lines = Vec::new();
        let status = picture.status();
        if !status.is_empty() {
            lines.push(status.join(" · "));
        }
        if !picture.facts.is_empty() {
            lines.push(picture.facts.join("  "));
        }
        wrapped(&lines, width)
    }

    /// The picture in words, for those who cannot see it.
    fn description(&self, picture: &Picture) -> String {
        let mut parts = picture.status();
        for (board, content) in self.boards.iter().zip(&picture.boards) {
            for (cell, on) in board.cells.iter().zip(&content.cells) {
                if !on.pieces.is_empty() {
                    let names: Vec<&str> =
                        on.pieces.iter().map(|piece| piece.name.as_str()).collect();
                    parts.push(format!(
                        "{} {}",
                        cell.coordinates.join(" "),
                        names.join(", ")
                    ));
                }
            }
        }
        cut(&parts.join("; "), 2000)
    }
}

impl Picture {
    /// Turns and counters as short texts.
    pub(crate) fn status(&self) -> Vec<String> {
        let turns = self.turns.iter().map(|turn| {
            format!("{} to move {}", turn.role, turn.detail)
                .trim_end()
                .to_owned()
        });
        let counters = self.counters.iter().map(|counter| {
            let words = [&counter.name, &counter.of, &counter.value];
            let words: Vec<&str> = words
                .iter()
                .map(|word| word.as_str())
                .filter(|word| !word.is_empty())
                .collect();
            words.join(" ")
        });
        turns.chain(counters).collect()
    }
}

/// Draws lines of text, the first of which begins at this height.
pub(super) fn draw_lines(lines: &[String], top: f64, writer: &mut SvgWriter) {
    for (index, line) in lines.iter().enumerate() {
        let at = [
            attribute("x", 8.0),
            attribute("y", top + LINE * (index as f64 + 0.8)),
            ("class", "gdl-line".to_owned()),
        ];
        writer.text_element("text", &at, line);
    }
}

/// Breaks texts into lines of this width in pixels, no more than [`MOST_LINES`].
fn wrapped(texts: &[String], width: f64) -> Vec<String> {
    let most = ((width - 16.0) / 7.2).max(20.0) as usize;
    let mut lines = Vec::new();
    for text in texts {
        let mut line = String::new();
        for word in text.split(' ') {
            let word = cut(word, most);
            if !line.is_empty() && line.chars().count() + word.chars().count() + 1 > most {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() || word.is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
        }
        lines.push(line);
        if lines.len() > MOST_LINES {
            lines.truncate(MOST_LINES - 1);
            lines.push("…".to_owned());
            return lines;
        }
    }
    lines
}
