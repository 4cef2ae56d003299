//! Drawing one board.

use super::element::{Attribute, SvgWriter, attribute, cut, number};
use super::measure::UNIT;
use super::overlay::{Arrow, Overlay};
use super::sign::{self, SignBox};
use crate::layout::{BoardLayout, Cell, CellId, Geometry, StateLayout};
use crate::picture::{BoardPicture, CellContent, CellLink};
use crate::piece::PieceSign;

/// The largest number of things drawn on a cell.
const MOST_ON_CELL: usize = 4;

/// A board with what is on it.
pub(super) struct BoardDrawing<'a> {
    pub(super) layout: &'a StateLayout,
    /// The position of the board in the layout.
    pub(super) index: usize,
    pub(super) board: &'a BoardLayout,
    pub(super) content: &'a BoardPicture,
    pub(super) overlay: &'a Overlay,
    /// Whether its name is drawn above it.
    pub(super) is_named: bool,
}

impl BoardDrawing<'_> {
    pub(super) fn draw(&self, writer: &mut SvgWriter) {
        self.draw_labels(writer);
        for &(from, to) in &self.board.lines {
            let ends = [from, to].map(|cell| centre(&self.board.cells[cell as usize]));
            writer.empty("line", &line(ends, "gdl-edge"));
        }
        let chequered = self.is_chequered();
        for (index, cell) in self.board.cells.iter().enumerate() {
            self.draw_cell(index, cell, chequered, writer);
        }
        for link in &self.content.links {
            self.draw_link(link, writer);
        }
        for cell in self
            .board
            .cells
            .iter()
            .filter(|_| self.board.links_join_corners)
        {
            let (x, y) = self.end_of_link(cell);
            let dot = [
                attribute("cx", x),
                attribute("cy", y),
                attribute("r", 4.5),
                ("class", "gdl-dot".to_owned()),
            ];
            writer.empty("circle", &dot);
        }
        for arrow in &self.overlay.arrows {
            self.draw_arrow(arrow, writer);
        }
    }

    /// Whether cells alternate in colour, as for chess and draughts.
    fn is_chequered(&self) -> bool {
        let known = |sign: PieceSign| {
            matches!(sign, PieceSign::Man | PieceSign::CrownedMan)
                || (PieceSign::King..=PieceSign::Pawn).contains(&sign)
        };
        self.board.geometry == Geometry::Squares
            && self.board.pieces.iter().any(|piece| known(piece.sign))
    }

    fn draw_labels(&self, writer: &mut SvgWriter) {
        let bottom = self
            .board
            .cells
            .iter()
            .map(|cell| cell.y)
            .fold(0.0, f64::max);
        let mut label = |x: f64, y: f64, class: &str, text: &str| {
            let place = [
                attribute("x", x * UNIT),
                attribute("y", y * UNIT + 4.0),
                ("class", class.to_owned()),
            ];
            writer.text_element("text", &place, text);
        };
        for column in &self.board.column_labels {
            label(column.at, bottom + 0.75, "gdl-label", &cut(&column.text, 6));
        }
        for row in &self.board.row_labels {
            let first = self
                .board
                .cells
                .iter()
                .filter(|cell| (cell.y - row.at).abs() < 0.01);
            let left = first.map(|cell| cell.x).fold(f64::INFINITY, f64::min);
            label(left - 0.78, row.at, "gdl-label", &cut(&row.text, 4));
        }
        if self.is_named {
            let right = self
                .board
                .cells
                .iter()
                .map(|cell| cell.x)
                .fold(0.0, f64::max);
            let most = (right * 7.0) as usize + 8;
            label(
                right / 2.0,
                -0.8,
                "gdl-label gdl-name",
                &cut(&self.board.name, most),
            );
        }
    }

    fn draw_cell(&self, index: usize, cell: &Cell, chequered: bool, writer: &mut SvgWriter) {
        let id = CellId {
            board: self.index,
            cell: index,
        };
        let content = self.content.cells.get(index);
        writer.open(
            "g",
            &[
                ("data-board", self.index.to_string()),
                ("data-cell", index.to_string()),
            ],
        );
        writer.text_element("title", &[], &cut(&describe(cell, content), 200));
        let class = match (
            chequered,
            (cell.column + self.board.rows - 1 - cell.row) % 2,
        ) {
            (false, _) => "gdl-cell",
            (true, 0) => "gdl-cell gdl-cell-dark",
            (true, _) => "gdl-cell gdl-cell-light",
        };
        if !cell.is_corner {
            self.draw_shape(cell, 1.0, class, writer);
        }
        if self.overlay.last_move.contains(&id) {
            self.draw_shape(cell, 0.94, "gdl-last", writer);
        }
        if let Some(content) = content {
            draw_content(cell, content, writer);
        }
        if self.overlay.highlights.contains(&id) {
            self.draw_shape(cell, 0.9, "gdl-highlight", writer);
        }
        writer.close("g");
    }

    /// Draws the outline of a cell.
    fn draw_shape(&self, cell: &Cell, scale: f64, class: &str, writer: &mut SvgWriter) {
        let (x, y) = centre(cell);
        let half = 0.5 * UNIT * scale;
        match self.board.geometry {
            Geometry::Squares => {
                let shape = [
                    attribute("x", x - half),
                    attribute("y", y - half),
                    attribute("width", 2.0 * half),
                    attribute("height", 2.0 * half),
                    ("class", class.to_owned()),
                ];
                writer.empty("rect", &shape);
            }
            Geometry::Hexagons => {
                let tall = half / 0.75_f64.sqrt();
                let corners = [
                    (0.0, -1.0),
                    (1.0, -0.5),
                    (1.0, 0.5),
                    (0.0, 1.0),
                    (-1.0, 0.5),
                    (-1.0, -0.5),
                ];
                let points = corners
                    .map(|(dx, dy)| format!("{},{}", number(x + dx * half), number(y + dy * tall)));
                writer.empty(
                    "polygon",
                    &[("points", points.join(" ")), ("class", class.to_owned())],
                );
            }
            Geometry::Points => {
                let shape = [
                    attribute("cx", x),
                    attribute("cy", y),
                    attribute("r", 0.84 * half),
                    ("class", class.replace("gdl-cell", "gdl-point")),
                ];
                writer.empty("circle", &shape);
            }
        }
    }

    fn draw_link(&self, link: &CellLink, writer: &mut SvgWriter) {
        let ends = [link.from, link.to].map(|id| self.end_of_link(self.layout.cell_at(id)));
        if let Some(piece) = &link.piece {
            let class = format!("gdl-link gdl-stroke gdl-{}", piece.colour.name());
            writer.empty("line", &line(ends, &class));
        }
    }

    /// Where links to a cell end.
    fn end_of_link(&self, cell: &Cell) -> (f64, f64) {
        let (x, y) = centre(cell);
        match self.board.links_join_corners {
            true => (x - 0.5 * UNIT, y + 0.5 * UNIT),
            false => (x, y),
        }
    }

    fn draw_arrow(&self, arrow: &Arrow, writer: &mut SvgWriter) {
        if arrow.from.board != self.index || arrow.to.board != self.index {
            return;
        }
        let [from, to] = [arrow.from, arrow.to].map(|id| centre(self.layout.cell_at(id)));
        let opacity = attribute("opacity", 0.25 + 0.65 * arrow.weight.clamp(0.0, 1.0));
        if arrow.from == arrow.to {
            let ring = [
                attribute("cx", to.0),
                attribute("cy", to.1),
                attribute("r", 0.42 * UNIT),
            ];
            let ring: Vec<Attribute> = ring
                .into_iter()
                .chain([("class", "gdl-arrow".to_owned()), opacity])
                .collect();
            writer.empty("circle", &ring);
            return;
        }
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let tip = (to.0 - ux * 6.0, to.1 - uy * 6.0);
        let wing = |side: f64| {
            let back = (
                tip.0 - 14.0 * ux - side * 10.0 * uy,
                tip.1 - 14.0 * uy + side * 10.0 * ux,
            );
            format!("{} {}", number(back.0), number(back.1))
        };
        let path = format!(
            "M{} {}L{} {}M{}L{} {}L{}",
            number(from.0),
            number(from.1),
            number(tip.0),
            number(tip.1),
            wing(1.0),
            number(tip.0),
            number(tip.1),
            wing(-1.0)
        );
        writer.empty(
            "path",
            &[("d", path), ("class", "gdl-arrow".to_owned()), opacity],
        );
    }
}

/// Draws what is on a cell: a piece alone fills it, several share it, and marks beside a
/// piece are small.
fn draw_content(cell: &Cell, content: &CellContent, writer: &mut SvgWriter) {
    let (x, y) = centre(cell);
    let pieces = content.pieces.len().min(MOST_ON_CELL);
    let whole = SignBox { x, y, size: UNIT };
    for (index, piece) in content.pieces.iter().take(pieces).enumerate() {
        let at = match pieces {
            1 => whole,
            _ => quarter(whole, index),
        };
        sign::draw(piece, at, writer);
    }
    let mut small = 0;
    for mark in content.marks.iter().take(2 * MOST_ON_CELL) {
        let at = match (mark.sign.is_bar(), pieces) {
            (true, _) => whole,
            (false, 0) if content.marks.len() == 1 => SignBox {
                size: 0.8 * UNIT,
                ..whole
            },
            (false, _) => {
                small += 1;
                quarter(whole, 4 - small.min(4))
            }
        };
        sign::draw(mark, at, writer);
    }
}

/// A quarter of a cell.
fn quarter(whole: SignBox, index: usize) -> SignBox {
    let shift = 0.23 * whole.size;
    let (x, y) = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)][index % 4];
    SignBox {
        x: whole.x + x * shift,
        y: whole.y + y * shift,
        size: 0.5 * whole.size,
    }
}

fn centre(cell: &Cell) -> (f64, f64) {
    (cell.x * UNIT, cell.y * UNIT)
}

fn line(ends: [(f64, f64); 2], class: &str) -> [Attribute; 5] {
    let [from, to] = ends;
    [
        attribute("x1", from.0),
        attribute("y1", from.1),
        attribute("x2", to.0),
        attribute("y2", to.1),
        ("class", class.to_owned()),
    ]
}

/// A cell in words.
fn describe(cell: &Cell, content: Option<&CellContent>) -> String {
    let names = content
        .into_iter()
        .flat_map(|content| content.pieces.iter().chain(&content.marks));
    let names: Vec<&str> = names.map(|piece| piece.name.as_str()).collect();
    match names.is_empty() {
        true => cell.coordinates.join(" "),
        false => format!("{}: {}", cell.coordinates.join(" "), names.join(", ")),
    }
}
