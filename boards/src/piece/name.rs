//! The names of pieces, taken apart.

use super::{PieceColour, PieceSign};

/// A name of a piece as words, in lower case: `white king`, `black_king` and `whiteRook`
/// have two, and so has `blackpawn`, which begins with a colour.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let begins = letter.is_uppercase() && before.is_lowercase();
        if begins || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    if let [word] = &words[..]
        && let Some((_, rest)) = PieceColour::split_word(word)
        && !rest.is_empty()
    {
        let (colour, rest) = word.split_at(word.len() - rest.len());
        return vec![colour.to_owned(), rest.to_owned()];
    }
    words
}

/// A short text that is not taken yet: a name of one or two letters, or the initials of the words,
/// followed by as many letters of the last word as needed.
pub(super) fn abbreviate(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if name.chars().count() <= 2 && !is_taken(name) {
        return name.to_owned();
    }
    let words = words(name);
    let initials: String = words
        .iter()
        .filter_map(|word| word.chars().next())
        .take(4)
        .collect();
    let rest = words.last().map_or("", |word| word.as_str());
    let mut symbol = initials;
    for letter in rest.chars().skip(1).take(5) {
        if !is_taken(&symbol) {
            return symbol;
        }
        symbol.push(letter);
    }
    if !symbol.is_empty() && !is_taken(&symbol) {
        return symbol;
    }
    let mut numbered = (2..).map(|number| format!("{symbol}{number}"));
    numbered.find(|text| !is_taken(text)).unwrap_or_default()
}

/// The chess piece that a word means.
pub(super) fn chess_piece(word: &str) -> Option<PieceSign> {
    Some(match word {
        "king" => PieceSign::King,
        "queen" => PieceSign::Queen,
        "rook" | "castle" => PieceSign::Rook,
        "bishop" => PieceSign::Bishop,
        "knight" => PieceSign::Knight,
        "pawn" => PieceSign::Pawn,
        _ => return None,
    })
}

/// The chess piece whose letter this is.
pub(super) fn chess_letter(letter: char) -> Option<PieceSign> {
    Some(match letter {
        'k' => PieceSign::King,
        'q' => PieceSign::Queen,
        'r' => PieceSign::Rook,
        'b' => PieceSign::Bishop,
        'n' => PieceSign::Knight,
        'p' => PieceSign::Pawn,
        _ => return None,
    })
}

/// The sign of a thing that is no chess piece, but well known.
pub(super) fn common_sign(word: &str) -> Option<PieceSign> {
    const BLOCKS: [&str; 8] = [
        "wall", "block", "blocked", "blk", "obstacle", "dirt", "arrow", "limits",
    ];
    if BLOCKS.iter().any(|block| word.ends_with(block)) {
        return Some(PieceSign::Block);
    }
    Some(match word {
        "disc" | "disk" | "stone" | "peg" | "marble" | "token" | "ball" => PieceSign::Disc,
        "man" | "checker" => PieceSign::Man,
        "ecks" => PieceSign::Cross,
        "oh" => PieceSign::Nought,
        _ => return None,
    })
}

/// The bar at the side of a cell that a word for a direction means, alone or at the end of
/// a name such as `blockedEast`.
pub(super) fn side(word: &str) -> Option<PieceSign> {
    const SIDES: [(PieceSign, &[&str]); 4] = [
        (PieceSign::BarTop, &["north", "up", "above", "top"]),
        (PieceSign::BarRight, &["east", "right"]),
        (PieceSign::BarBottom, &["south", "down", "below", "bottom"]),
        (PieceSign::BarLeft, &["west", "left"]),
    ];
    let ends = |names: &[&str]| names.iter().any(|name| word.ends_with(name));
    SIDES
        .iter()
        .find(|(_, names)| ends(names))
        .map(|&(sign, _)| sign)
}

/// Whether a word usually says that a cell is empty.
pub(super) fn means_empty(word: &str) -> bool {
    matches!(
        word,
        "blank"
            | "empty"
            | "none"
            | "nothing"
            | "nil"
            | "free"
            | "vacant"
            | "dot"
            | "nolight"
            | "available"
            | "unmarked"
    )
}
