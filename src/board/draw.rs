//! Drawing boards as text.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use gdl_runtime::kif::GroundTerm;

use super::DrawnBoard;
use super::find::as_constant;

/// Width of lists of facts, in columns.
const WIDTH: usize = 78;

impl DrawnBoard {
    /// Draws the facts that belong to this board, and returns the others.
    pub(super) fn draw<'a>(&self, facts: &[&'a str], text: &mut String) -> Vec<&'a str> {
        let mut squares = vec![None; self.files.len() * self.ranks.len()];
        let mut rest = Vec::new();
        for &fact in facts {
            match self.locate(fact, &squares) {
                Some((square, content)) => squares[square] = Some(content),
                None => rest.push(fact),
            }
        }
        self.draw_squares(&squares, text);
        self.draw_legend(&squares, text);
        rest
    }

    /// Returns the square of a fact on this board, and its content.
    fn locate(&self, fact: &str, squares: &[Option<String>]) -> Option<(usize, String)> {
        let fact = GroundTerm::parse(fact).ok()?;
        if fact.symbol() != self.relation || fact.args().len() != self.arity {
            return None;
        }
        let at = |values: &[String], argument: usize| {
            let name = as_constant(&fact.args()[argument])?;
            values.iter().position(|value| value == name)
        };
        let rank = at(&self.ranks, self.rank)?;
        let square = rank * self.files.len() + at(&self.files, self.file)?;
        squares[square]
            .is_none()
            .then(|| (square, self.content(&fact)))
    }

    fn symbol<'a>(&'a self, content: &'a str) -> &'a str {
        self.symbols.get(content).map_or(content, String::as_str)
    }

    fn draw_squares(&self, squares: &[Option<String>], text: &mut String) {
        let symbol = |square: &Option<String>| match square {
            Some(content) => self.symbol(content).to_owned(),
            None => (if self.has_blank { " " } else { "." }).to_owned(),
        };
        let cells: Vec<String> = squares.iter().map(symbol).collect();
        let longest = |texts: &[String]| texts.iter().map(|text| text.chars().count()).max();
        let width = longest(&cells).max(longest(&self.files)).unwrap_or(1);
        let margin = longest(&self.ranks).unwrap_or(1);
        let mut line = |label: &str, cells: &[String]| {
            let mut line = format!("{label:>margin$} ");
            for cell in cells {
                let _ = write!(line, " {cell:width$}");
            }
            text.push_str(line.trim_end());
            text.push('\n');
        };
        // The lowest rank is drawn last.
        for (rank, cells) in self.ranks.iter().zip(cells.chunks(self.files.len())).rev() {
            line(rank, cells);
        }
        line("", &self.files);
    }

    /// Explains the symbols on the board that differ from their content.
    fn draw_legend(&self, squares: &[Option<String>], text: &mut String) {
        let present: BTreeSet<&String> = squares.iter().flatten().collect();
        let entries: Vec<String> = present
            .into_iter()
            .filter(|content| ![content.as_str(), "."].contains(&self.symbol(content)))
            .map(|content| format!("{} {content}", self.symbol(content)))
            .collect();
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        list(&entries, ", ", text);
    }
}

/// Appends items with separators, in lines that fit a terminal; items are not broken.
pub(super) fn list(items: &[&str], separator: &str, text: &mut String) {
    let mut column = 0;
    for item in items {
        let length = item.chars().count();
        if column > 0 && column + separator.len() + length > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push_str(separator);
            column += separator.len();
        }
        text.push_str(item);
        column += length;
    }
    if column > 0 {
        text.push('\n');
    }
}
