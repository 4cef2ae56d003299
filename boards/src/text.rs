//! Drawing pictures as text.

use crate::layout::{BoardLayout, Geometry, StateLayout};
use crate::picture::{BoardPicture, CellContent, Picture};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The width of lists, in columns.
const WIDTH: usize = 78;

/// The largest number of letters of a cell.
const WIDEST_CELL: usize = 6;

impl StateLayout {
    /// Draws a picture as text: boards, then what the symbols on them mean, then
    /// everything else.
    #[must_use]
    pub fn text(&self, picture: &Picture) -> String {
        let mut text = String::new();
        for (board, content) in self.boards.iter().zip(&picture.boards) {
            if self.boards.len() > 1 {
                let _ = writeln!(text, "{}:", board.name);
            }
            draw(board, content, &mut text);
        }
        legend(picture, &mut text);
        list(&picture.status(), ", ", &mut text);
        list(&self.beside_pieces(picture), "  ", &mut text);
        list(&picture.facts, "  ", &mut text);
        text
    }

    /// What a text cannot show in its place: marks and further pieces, and what lies
    /// between cells.
    fn beside_pieces(&self, picture: &Picture) -> Vec<String> {
        let mut items = Vec::new();
        for (board, content) in self.boards.iter().zip(&picture.boards) {
            for (cell, on) in board.cells.iter().zip(&content.cells) {
                for piece in shown(on).1 {
                    items.push(format!("{} at {}", piece, cell.coordinates.join(" ")));
                }
            }
            for link in &content.links {
                let [from, to] =
                    [link.from, link.to].map(|id| self.cell_at(id).coordinates.join(" "));
                let names = link.piece.iter().map(|piece| &piece.name);
                items.extend(names.map(|name| format!("{name} from {from} to {to}")));
            }
        }
        items
    }
}

/// The symbol that is shown for a cell, and the names of what is not.
fn shown(cell: &CellContent) -> (Option<&str>, impl Iterator<Item = &str>) {
    let all = || cell.pieces.iter().chain(&cell.marks);
    // A wall at one side of a cell leaves it free.
    let first = all().position(|piece| !piece.sign.is_bar());
    let rest = all()
        .enumerate()
        .filter(move |(index, _)| Some(*index) != first);
    let symbol = first
        .and_then(|first| all().nth(first))
        .map(|piece| piece.symbol.as_str());
    (symbol, rest.map(|(_, piece)| piece.name.as_str()))
}

fn symbol(cell: &CellContent) -> String {
    shown(cell)
        .0
        .unwrap_or(".")
        .chars()
        .take(WIDEST_CELL)
        .collect()
}

fn longest<'t>(texts: impl Iterator<Item = &'t str>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}

fn draw(board: &BoardLayout, content: &BoardPicture, text: &mut String) {
    let symbols: Vec<String> = content.cells.iter().map(symbol).collect();
    let named = board.geometry == Geometry::Points;
    if named {
        // Points have no rows: each is listed with its name.
        let items = board.cells.iter().zip(&symbols);
        let items: Vec<String> = items
            .map(|(cell, symbol)| format!("{} {symbol}", cell.coordinates.join(" ")))
            .collect();
        list(&items, "  ", text);
        return;
    }
    let short = |label: &str| label.chars().take(WIDEST_CELL).collect::<String>();
    let columns: Vec<(f64, String)> = board
        .column_labels
        .iter()
        .map(|label| (label.at, short(&label.text)))
        .collect();
    let rows: Vec<(f64, String)> = board
        .row_labels
        .iter()
        .map(|label| (label.at, short(&label.text)))
        .collect();
    let margin = longest(rows.iter().map(|row| row.1.as_str()));
    let cell = longest(symbols.iter().map(String::as_str));
    let step = cell
        .max(longest(columns.iter().map(|column| column.1.as_str())))
        .max(1)
        + 1;
    // Half cells need an even step, so that hexagons are between those above them.
    let step = match board.geometry {
        Geometry::Hexagons => step + step % 2,
        Geometry::Squares | Geometry::Points => step,
    };
    let at = |x: f64| margin + 1 + (x * step as f64).round() as usize;
    let mut lines: BTreeMap<i64, Vec<(usize, &str)>> = BTreeMap::new();
    for (cell, symbol) in board.cells.iter().zip(&symbols) {
        lines
            .entry((cell.y * 1000.0) as i64)
            .or_default()
            .push((at(cell.x), symbol));
    }
    for (y, cells) in &lines {
        let label = rows.iter().find(|row| (row.0 * 1000.0) as i64 == *y);
        let label = label.map_or("", |row| row.1.as_str());
        line(&format!("{label:>margin$}"), cells, text);
    }
    if !columns.is_empty() {
        let labels: Vec<(usize, &str)> = columns
            .iter()
            .map(|column| (at(column.0), column.1.as_str()))
            .collect();
        line("", &labels, text);
    }
}

/// Appends a line with texts at columns.
fn line(start: &str, texts: &[(usize, &str)], out: &mut String) {
    let mut line = start.to_owned();
    for (column, text) in texts {
        let length = line.chars().count();
        let gap = (column + 1)
            .saturating_sub(length)
            .max(usize::from(length > 0));
        line.extend(std::iter::repeat_n(' ', gap));
        line.push_str(text);
    }
    out.push_str(line.trim_end());
    out.push('\n');
}

/// Explains the symbols that differ from the names of their pieces.
fn legend(picture: &Picture, text: &mut String) {
    let mut entries = BTreeSet::new();
    for cell in picture.boards.iter().flat_map(|board| &board.cells) {
        let mut all = cell.pieces.iter().chain(&cell.marks);
        let first = all.find(|piece| !piece.sign.is_bar());
        if let Some(piece) = first.filter(|piece| piece.symbol != piece.name) {
            entries.insert((&piece.symbol, &piece.name));
        }
    }
    let entries: Vec<String> = entries
        .into_iter()
        .map(|(symbol, name)| format!("{symbol} {name}"))
        .collect();
    list(&entries, ", ", text);
}

/// Appends items with separators, in lines that fit a terminal; items are not broken.
fn list(items: &[String], separator: &str, text: &mut String) {
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
