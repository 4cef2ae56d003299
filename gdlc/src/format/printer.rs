//! Prints pieces in the canonical layout.

use super::MAX_WIDTH;
use super::tree::{Content, LayoutPiece};

/// The indentation of what continues an atom or a term.
const INDENT: usize = 4;

/// No line is indented further, so that the length of the output stays proportional to
/// that of the input, however deeply it nests.
const MAX_INDENT: usize = 60;

/// The statements and comments of a rule sheet as text.
pub fn print(pieces: &[LayoutPiece<'_>]) -> String {
    let mut printer = Printer {
        text: String::new(),
        column: 0,
    };
    for (number, piece) in pieces.iter().enumerate() {
        if let Some(before) = number.checked_sub(1) {
            printer.separate_statements(&pieces[before], piece);
        }
        printer.piece(piece, 0);
    }
    if !pieces.is_empty() {
        printer.text.push('\n');
    }
    printer.text
}

struct Printer {
    text: String,
    /// The columns of the last line so far.
    column: usize,
}

impl Printer {
    fn separate_statements(&mut self, before: &LayoutPiece<'_>, piece: &LayoutPiece<'_>) {
        let stays = piece.breaks == 0
            && (piece.is_comment()
                || are_facts_of_one_relation(before, piece) && self.fits_after_blank(piece, 0));
        if stays {
            self.push(" ");
            return;
        }
        if piece.breaks > 1 {
            self.text.push('\n');
        }
        self.new_line(0);
    }

    /// Prints a piece that `closing` parentheses will follow.
    fn piece(&mut self, piece: &LayoutPiece<'_>, closing: usize) {
        match &piece.content {
            Content::Word(text) | Content::Comment(text) => self.push(text),
            Content::List(pieces) if self.fits(piece, closing) => self.flat_list(pieces),
            Content::List(pieces) => self.broken_list(piece, pieces, closing),
        }
    }

    fn flat_list(&mut self, pieces: &[LayoutPiece<'_>]) {
        self.push("(");
        for (number, piece) in pieces.iter().enumerate() {
            if number > 0 {
                self.push(" ");
            }
            self.piece(piece, 0);
        }
        self.push(")");
    }

    fn broken_list(&mut self, list: &LayoutPiece<'_>, pieces: &[LayoutPiece<'_>], closing: usize) {
        let start = self.column.min(MAX_INDENT);
        let has_conditions = list.has_conditions();
        let indent = match list.name() {
            Some(word) if has_conditions => start + word.len() + 2,
            _ => start + INDENT,
        };
        self.push("(");
        let mut before: Option<&LayoutPiece<'_>> = None;
        let mut before_is_flat = true;
        for (number, piece) in pieces.iter().enumerate() {
            let is_last = number + 1 == pieces.len();
            let closing = if is_last { closing + 1 } else { 0 };
            if let Some(before) = before {
                let stays = if before.is_comment() {
                    false
                } else if piece.is_comment() {
                    piece.breaks == 0
                } else if has_conditions {
                    number == 1
                } else {
                    before_is_flat && self.fits_after_blank(piece, closing)
                };
                if stays {
                    self.push(" ");
                } else {
                    self.new_line(indent.min(MAX_INDENT));
                }
            }
            let length = self.text.len();
            self.piece(piece, closing);
            before_is_flat = !self.text[length..].contains('\n');
            before = Some(piece);
        }
        if before.is_some_and(LayoutPiece::is_comment) {
            self.new_line(start);
        }
        self.push(")");
    }

    /// Whether a piece can be on this line with the parentheses that follow.
    fn fits(&self, piece: &LayoutPiece<'_>, closing: usize) -> bool {
        piece
            .width
            .is_some_and(|width| self.column + width + closing <= MAX_WIDTH)
    }

    fn fits_after_blank(&self, piece: &LayoutPiece<'_>, closing: usize) -> bool {
        self.fits(piece, closing + 1)
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += text.chars().count();
    }

    fn new_line(&mut self, indent: usize) {
        self.text.push('\n');
        self.column = 0;
        (0..indent).for_each(|_| self.push(" "));
    }
}

/// Whether two statements are facts of the same relation.
fn are_facts_of_one_relation(one: &LayoutPiece<'_>, other: &LayoutPiece<'_>) -> bool {
    match (one.name(), other.name()) {
        (Some(name), Some(other)) => name != "<=" && name.to_lowercase() == other.to_lowercase(),
        _ => false,
    }
}
