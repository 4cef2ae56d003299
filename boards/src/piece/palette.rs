//! Palettes: the pieces of one relation, with what distinguishes them.

use super::name::{abbreviate, chess_letter, chess_piece, common_sign, means_empty, side, words};
use super::{Piece, PieceColour, PieceSign};
use std::collections::{BTreeMap, BTreeSet};

/// The pieces of one relation by their contents.
#[derive(Debug, Clone, Default)]
pub(crate) struct Palette {
    /// By content in lower case; `None` for an empty cell.
    known: BTreeMap<String, Option<Piece>>,
    roles: Vec<String>,
    /// Whether the facts are marks beside pieces.
    is_mark: bool,
    /// The symbols of the board's other pieces, with their names.
    taken: BTreeMap<String, String>,
}

/// What a palette is made for.
pub(crate) struct PaletteFacts<'a> {
    /// The roles of the game.
    pub(crate) roles: &'a [String],
    /// The name that a piece has if the facts have no content.
    pub(crate) relation: &'a str,
    /// All contents that were seen, with the number of facts in the first state.
    pub(crate) contents: BTreeMap<String, usize>,
    /// The number of cells.
    pub(crate) cells: usize,
    /// Whether the facts are marks beside pieces.
    pub(crate) is_mark: bool,
    /// The symbols of the board's other pieces, with their names.
    pub(crate) taken: &'a BTreeMap<String, String>,
}

/// How the codes of a palette are read, such as `wk` or `x`.
struct Codes {
    /// Whether contents are a letter for the owner and one for a chess piece.
    chess: bool,
    /// Whether there are both x and o.
    crosses: bool,
    /// Whether kings and pawns are pieces of draughts.
    draughts: bool,
    /// Whether the owners' letters are w and b, whatever the roles are called.
    white_and_black: bool,
}

impl Palette {
    /// Chooses signs, colours and symbols.
    pub(crate) fn new(facts: &PaletteFacts<'_>) -> Self {
        let mut palette = Self {
            known: BTreeMap::new(),
            roles: facts.roles.to_vec(),
            is_mark: facts.is_mark,
            taken: facts.taken.clone(),
        };
        let empty: BTreeSet<&str> = facts
            .contents
            .keys()
            .map(String::as_str)
            .filter(|content| facts.is_empty_cell(content))
            .collect();
        let full = facts.contents.keys().map(String::as_str);
        let full: Vec<&str> = full.filter(|content| !empty.contains(content)).collect();
        let codes = Codes::of(&full, facts.roles);
        for content in full {
            let piece = palette.make(facts.relation, content, &codes);
            palette.known.insert(content.to_lowercase(), Some(piece));
        }
        let empty = empty
            .into_iter()
            .map(|content| (content.to_lowercase(), None));
        palette.known.extend(empty);
        palette
    }

    /// The piece of a content; `None` for an empty cell.
    pub(crate) fn piece(&self, relation: &str, content: &str) -> Option<Piece> {
        match self.known.get(&content.to_lowercase()) {
            Some(known) => known.clone(),
            None => Some(self.make(relation, content, &Codes::of(&[content], &self.roles))),
        }
    }

    /// The pieces in the order of their contents.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &Piece> {
        self.known.values().flatten()
    }

    fn make(&self, relation: &str, content: &str, codes: &Codes) -> Piece {
        let name = if content.is_empty() {
            relation
        } else {
            content
        };
        let words = words(name);
        let coded = codes.read(content, &self.roles);
        let owner = coded
            .as_ref()
            .and_then(|coded| coded.owner)
            .or_else(|| owner(&words, &self.roles));
        let colour = coded
            .as_ref()
            .map(|coded| coded.colour)
            .or_else(|| words.iter().find_map(|word| PieceColour::of_word(word)))
            .or_else(|| owner.map(|role| role_colour(&self.roles, role)));
        let rest: Vec<&str> = words
            .iter()
            .map(String::as_str)
            .filter(|word| PieceColour::of_word(word).is_none() && !is_role(word, &self.roles))
            .collect();
        let sign = match (coded, &words[..]) {
            (Some(coded), _) => coded.sign,
            (None, [letter]) if letter == "x" && codes.crosses => PieceSign::Cross,
            (None, [letter]) if letter == "o" && codes.crosses => PieceSign::Nought,
            (None, _) => self.sign(&rest, colour.is_some(), codes),
        };
        let spare = || match sign {
            PieceSign::Block => PieceColour::Grey,
            PieceSign::Cross => PieceColour::Red,
            PieceSign::Nought => PieceColour::Blue,
            _ => PieceColour::SPARE[self.known.len() % PieceColour::SPARE.len()],
        };
        let is_taken = |symbol: &str| {
            let other = self.taken.get(symbol).is_some_and(|other| other != name);
            other || self.pieces().any(|piece| piece.symbol == symbol)
        };
        let symbol = match &rest[..] {
            [number] if is_number(number) && sign == PieceSign::Token && !is_taken(number) => {
                (*number).to_owned()
            }
            _ => abbreviate(name, is_taken),
        };
        Piece {
            colour: colour.unwrap_or_else(spare),
            name: name.to_owned(),
            symbol,
            sign,
            owner,
        }
    }

    /// The sign of a name without the words for colours and roles.
    fn sign(&self, rest: &[&str], has_colour: bool, codes: &Codes) -> PieceSign {
        let chess = rest.iter().find_map(|word| chess_piece(word));
        let bar = || {
            rest.last()
                .and_then(|word| side(word))
                .filter(|_| self.is_mark)
        };
        let common = || rest.iter().find_map(|word| common_sign(word));
        match (rest, chess) {
            (_, Some(PieceSign::King)) if codes.draughts => PieceSign::CrownedMan,
            (_, Some(PieceSign::Pawn)) if codes.draughts => PieceSign::Man,
            (_, Some(sign)) => sign,
            ([], _) => PieceSign::Disc,
            ([number], _) if is_number(number) && !has_colour => PieceSign::Text,
            _ => bar().or_else(common).unwrap_or(PieceSign::Token),
        }
    }
}

impl PaletteFacts<'_> {
    /// Whether a content stands for an empty cell.
    fn is_empty_cell(&self, content: &str) -> bool {
        let words = words(if content.is_empty() {
            self.relation
        } else {
            content
        });
        let [word] = &words[..] else {
            return false;
        };
        let at_first = self.contents.get(content).copied().unwrap_or(0);
        let is_most = 2 * at_first >= self.cells;
        // b may be blank or black: blank if most of the board is.
        let only_word = || {
            let others = self.contents.keys().filter(|other| *other != content);
            let mut others = others.peekable();
            others.peek().is_some() && others.all(|other| is_number(other))
        };
        means_empty(word)
            || matches!(word.as_str(), "b" | "e" | "o" | "n") && is_most
            || word.chars().count() == 1 && !is_number(word) && only_word()
    }
}

/// The reading of a code.
struct Coded {
    colour: PieceColour,
    sign: PieceSign,
    owner: Option<usize>,
}

impl Codes {
    fn of(contents: &[&str], roles: &[String]) -> Self {
        let lower: Vec<String> = contents
            .iter()
            .map(|content| content.to_lowercase())
            .collect();
        let has = |code: &str| lower.iter().any(|content| content == code);
        let is_code = |content: &&String| {
            let letters: Vec<char> = content.chars().collect();
            (2..=3).contains(&letters.len())
                && letters.iter().all(char::is_ascii_alphabetic)
                && chess_letter(letters[1]).is_some()
        };
        let initial = |content: &String| content.chars().next().unwrap_or(' ');
        let known =
            |letter: char| matches!(letter, 'w' | 'b') || role_of_initial(letter, roles).is_some();
        let coded: Vec<&String> = lower.iter().filter(is_code).collect();
        let chess = !coded.is_empty()
            && coded.len() == lower.len()
            && coded.iter().all(|content| known(initial(content)));
        let by_roles = |content: &&String| role_of_initial(initial(content), roles).is_some();
        let kinds: BTreeSet<PieceSign> = match chess {
            true => coded
                .iter()
                .filter_map(|code| code.chars().nth(1))
                .filter_map(chess_letter)
                .collect(),
            false => {
                let words = contents.iter().flat_map(|content| words(content));
                words.filter_map(|word| chess_piece(&word)).collect()
            }
        };
        Self {
            chess,
            crosses: has("x") && has("o"),
            draughts: kinds == BTreeSet::from([PieceSign::King, PieceSign::Pawn])
                || kinds == BTreeSet::from([PieceSign::Pawn]) && is_coloured(contents),
            white_and_black: !coded.iter().all(by_roles),
        }
    }

    /// Reads a code of one letter, or of two letters and perhaps a third.
    fn read(&self, content: &str, roles: &[String]) -> Option<Coded> {
        let lower = content.to_lowercase();
        let mut letters = lower.chars();
        let first = letters.next()?;
        let second = letters.next();
        let owner = role_of_initial(first, roles).filter(|_| !self.white_and_black);
        let colour = match (owner, first) {
            (Some(role), _) => role_colour(roles, role),
            (None, _) if !self.chess && colour_of_initial(first, roles).is_some() => {
                colour_of_initial(first, roles)?
            }
            (None, 'w') => PieceColour::White,
            (None, 'b') => PieceColour::Black,
            _ => return None,
        };
        match second.map(chess_letter) {
            None if !matches!(first, 'x' | 'o') => Some(PieceSign::Disc),
            Some(Some(PieceSign::King)) if self.chess && self.draughts => {
                Some(PieceSign::CrownedMan)
            }
            Some(Some(PieceSign::Pawn)) if self.chess && self.draughts => Some(PieceSign::Man),
            Some(sign) if self.chess => sign,
            _ => None,
        }
        .map(|sign| Coded {
            colour,
            sign,
            owner,
        })
    }
}

/// Whether a content names a colour that chess does not have.
fn is_coloured(contents: &[&str]) -> bool {
    let words = contents.iter().flat_map(|content| words(content));
    let mut colours = words.filter_map(|word| PieceColour::of_word(&word));
    colours.any(|colour| !matches!(colour, PieceColour::White | PieceColour::Black))
}

/// Whether a word is a number, perhaps with a letter before it.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix(|letter: char| letter.is_ascii_alphabetic() || letter == '-');
    let digits = digits.unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_role(word: &str, roles: &[String]) -> bool {
    roles.iter().any(|role| role.eq_ignore_ascii_case(word))
}

/// The only role that begins with this letter.
fn role_of_initial(letter: char, roles: &[String]) -> Option<usize> {
    let begins = |role: &&String| role.to_lowercase().starts_with(letter);
    match roles.iter().filter(begins).count() {
        1 => roles.iter().position(|role| begins(&role)),
        _ => None,
    }
}

/// The colour of all roles that begin with this letter.
fn colour_of_initial(letter: char, roles: &[String]) -> Option<PieceColour> {
    let begins = roles
        .iter()
        .filter(|role| role.to_lowercase().starts_with(letter));
    let colours: BTreeSet<Option<PieceColour>> = begins.map(|role| named_colour(role)).collect();
    match colours.iter().collect::<Vec<_>>()[..] {
        [colour] => *colour,
        _ => None,
    }
}

/// The role that owns a piece: the one whose name is among the words, or the only one
/// whose colour is.
fn owner(words: &[String], roles: &[String]) -> Option<usize> {
    let named = roles
        .iter()
        .position(|role| words.iter().any(|word| role.eq_ignore_ascii_case(word)));
    named.or_else(|| {
        let colour = words.iter().find_map(|word| PieceColour::of_word(word))?;
        let own = |role: &&String| named_colour(role) == Some(colour);
        match roles.iter().filter(own).count() {
            1 => roles.iter().position(|role| own(&role)),
            _ => None,
        }
    })
}

fn named_colour(role: &str) -> Option<PieceColour> {
    let words = words(role);
    words.iter().find_map(|word| PieceColour::of_word(word))
}

/// The colour of a role's pieces, if their names say none.
fn role_colour(roles: &[String], role: usize) -> PieceColour {
    let spare = PieceColour::SPARE[role % PieceColour::SPARE.len()];
    roles
        .get(role)
        .and_then(|role| named_colour(role))
        .unwrap_or(spare)
}
