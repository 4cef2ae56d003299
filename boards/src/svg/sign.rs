//! The signs of pieces.

use super::element::{Attribute, SvgWriter, attribute, cut, number};
use super::measure::UNIT;
use crate::piece::{Piece, PieceColour, PieceSign};

/// Silhouettes of chess pieces on a square of 100 by 100.
const KING: &str = "M46 8h8v8h8v8h-8v8c20-8 32 4 30 18-1 10-8 16-14 24v8l6 8H24l6-8v-8c-6-8-13-14-14-24-2-14 10-26 30-18v-8h-8v-8h8z";
const QUEEN: &str = "M18 30l14 18 6-28 12 24 12-24 6 28 14-18-10 42v8l6 8H22l6-8v-8z";
const ROOK: &str = "M26 16h12v9h8v-9h8v9h8v-9h12v22l-8 7v27l8 8v8H26v-8l8-8V45l-8-7z";
const BISHOP: &str = "M50 10a6 6 0 0 1 4 10c12 8 18 18 18 28 0 8-4 14-10 18l3 8h8v6l6 8H21l6-8v-6h8l3-8c-6-4-10-10-10-18 0-10 6-20 18-28a6 6 0 0 1 4-10z";
const KNIGHT: &str = "M28 88v-8c0-16 14-22 16-34-6 2-10 8-16 8-5 0-9-4-9-9 0-6 12-14 16-24l-1-9 10 6c20 0 32 16 32 40v30z";
const PAWN: &str = "M50 18a14 14 0 0 1 9 25c6 4 10 10 10 17h-8c2 10 6 15 13 20v8H26v-8c7-5 11-10 13-20h-8c0-7 4-13 10-17a14 14 0 0 1 9-25z";
const CROWN: &str = "M28 38l10 10 12-16 12 16 10-10-5 26H33z";

/// Where and how large a sign is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct SignBox {
    /// The centre, in pixels.
    pub(super) x: f64,
    pub(super) y: f64,
    /// The width of the square that it may fill, in pixels.
    pub(super) size: f64,
}

/// Draws a piece.
pub(super) fn draw(piece: &Piece, at: SignBox, writer: &mut SvgWriter) {
    match piece.sign {
        PieceSign::King => silhouette(KING, piece, at, writer),
        PieceSign::Queen => silhouette(QUEEN, piece, at, writer),
        PieceSign::Rook => silhouette(ROOK, piece, at, writer),
        PieceSign::Bishop => silhouette(BISHOP, piece, at, writer),
        PieceSign::Knight => silhouette(KNIGHT, piece, at, writer),
        PieceSign::Pawn => silhouette(PAWN, piece, at, writer),
        PieceSign::Disc => circle(0.39, "gdl-piece", piece, at, writer),
        PieceSign::Man => man(piece, at, writer),
        PieceSign::CrownedMan => {
            man(piece, at, writer);
            let class = format!("gdl-piece {}", on(piece.colour));
            path(CROWN, class, at, writer);
        }
        PieceSign::Cross => {
            let (low, high) = (0.26 * at.size, 0.26 * at.size);
            for (from, to) in [(-low, high), (high, -low)] {
                let ends = [
                    attribute("x1", at.x - low),
                    attribute("y1", at.y + from),
                    attribute("x2", at.x + high),
                    attribute("y2", at.y + to),
                ];
                writer.empty("line", &with_class(&ends, "gdl-open gdl-stroke", piece));
            }
        }
        PieceSign::Nought => circle(0.28, "gdl-open gdl-stroke", piece, at, writer),
        PieceSign::Block => block(piece, at, writer),
        PieceSign::Text => letters(piece, "gdl-plain", at, writer),
        PieceSign::Token => {
            circle(0.39, "gdl-piece", piece, at, writer);
            letters(piece, on(piece.colour), at, writer);
        }
        PieceSign::BarTop => bar(piece, at, (0.0, -0.5), writer),
        PieceSign::BarRight => bar(piece, at, (0.5, 0.0), writer),
        PieceSign::BarBottom => bar(piece, at, (0.0, 0.5), writer),
        PieceSign::BarLeft => bar(piece, at, (-0.5, 0.0), writer),
    }
}

fn with_class(attributes: &[Attribute], class: &str, piece: &Piece) -> Vec<Attribute> {
    let class = format!("{class} gdl-{}", piece.colour.name());
    let class = [("class", class)];
    attributes.iter().chain(&class).cloned().collect()
}

fn circle(radius: f64, class: &str, piece: &Piece, at: SignBox, writer: &mut SvgWriter) {
    let shape = [
        attribute("cx", at.x),
        attribute("cy", at.y),
        attribute("r", radius * at.size),
    ];
    writer.empty("circle", &with_class(&shape, class, piece));
}

fn man(piece: &Piece, at: SignBox, writer: &mut SvgWriter) {
    circle(0.39, "gdl-piece", piece, at, writer);
    let shape = [
        attribute("cx", at.x),
        attribute("cy", at.y),
        attribute("r", 0.29 * at.size),
        ("class", "gdl-piece gdl-inner".to_owned()),
    ];
    writer.empty("circle", &shape);
}

fn block(piece: &Piece, at: SignBox, writer: &mut SvgWriter) {
    let size = 0.84 * at.size;
    let shape = [
        attribute("x", at.x - size / 2.0),
        attribute("y", at.y - size / 2.0),
        attribute("width", size),
        attribute("height", size),
        attribute("rx", 0.08 * at.size),
    ];
    writer.empty("rect", &with_class(&shape, "gdl-piece", piece));
}

fn bar(piece: &Piece, at: SignBox, side: (f64, f64), writer: &mut SvgWriter) {
    let (width, height) = match side.0 == 0.0 {
        true => (at.size, 0.1 * at.size),
        false => (0.1 * at.size, at.size),
    };
    let shape = [
        attribute("x", at.x + side.0 * at.size - width / 2.0),
        attribute("y", at.y + side.1 * at.size - height / 2.0),
        attribute("width", width),
        attribute("height", height),
    ];
    writer.empty("rect", &with_class(&shape, "gdl-bar", piece));
}

fn silhouette(shape: &str, piece: &Piece, at: SignBox, writer: &mut SvgWriter) {
    path(
        shape,
        format!("gdl-piece gdl-{}", piece.colour.name()),
        at,
        writer,
    );
}

/// Draws a path of 100 by 100.
fn path(shape: &str, class: String, at: SignBox, writer: &mut SvgWriter) {
    let scale = 0.88 * at.size / 100.0;
    let corner = (at.x - 50.0 * scale, at.y - 50.0 * scale);
    let place = format!(
        "translate({} {}) scale({:.4})",
        number(corner.0),
        number(corner.1),
        scale
    );
    let effect = ("vector-effect", "non-scaling-stroke".to_owned());
    writer.empty(
        "path",
        &[
            ("d", shape.to_owned()),
            ("transform", place),
            ("class", class),
            effect,
        ],
    );
}

/// Writes the symbol of a piece.
fn letters(piece: &Piece, class: &str, at: SignBox, writer: &mut SvgWriter) {
    let text = cut(&piece.symbol, 6);
    let length = text.chars().count().max(1) as f64;
    let size = at.size * (0.48_f64).min(1.1 / length.max(2.0));
    let place = [
        attribute("x", at.x),
        attribute("y", at.y + 0.36 * size),
        attribute("font-size", size.max(0.15 * UNIT)),
        ("class", format!("gdl-text {class}")),
    ];
    writer.text_element("text", &place, &text);
}

/// The class of a text on a colour.
const fn on(colour: PieceColour) -> &'static str {
    match colour {
        PieceColour::White | PieceColour::Yellow | PieceColour::Orange => "gdl-on-light",
        _ => "gdl-on-dark",
    }
}
