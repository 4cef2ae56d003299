//! States as people read them: as boards where fluents form one, else as a
//! list of facts.
//!
//! Input: facts as KIF without `true`, as an engine gives them. A relation
//! forms a board if two of its arguments range over ordered sets (numbers,
//! letters, numbers with a common prefix) and a square holds one content at
//! a time. Rule sheets do not say which of their fluents are boards, so this
//! is learned from some states of the game. Invariant: no fact is lost; what no
//! board shows is listed beneath.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use runtime::engine::Engine;

/// States looked at to learn a game's boards.
const STATES: usize = 200;

/// Time that may take: an engine may be slow.
const TIME: Duration = Duration::from_millis(300);

/// The most ranks or files that are still drawn.
const LARGEST: usize = 40;

/// Fewer facts than this at once are not drawn as a board.
const FEWEST: usize = 4;

/// Columns of a terminal that lists of facts fill.
const WIDTH: usize = 78;

/// The boards of a game, and how to draw them.
#[derive(Debug, Clone, Default)]
pub struct Boards(Vec<Board>);

#[derive(Debug, Clone)]
struct Board {
    relation: String,
    arity: usize,
    /// Which argument is the file, which the rank.
    file: usize,
    rank: usize,
    files: Vec<String>,
    ranks: Vec<String>,
    /// What stands for a content.
    symbols: BTreeMap<String, String>,
    /// Whether a content stands for an empty square. Then squares without a
    /// fact are not part of the board.
    has_blank: bool,
}

/// A fact taken apart: the relation's name and its arguments as text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Fact<'a> {
    relation: &'a str,
    arguments: Vec<&'a str>,
}

impl<'a> Fact<'a> {
    fn parse(text: &'a str) -> Self {
        let text = text.trim();
        let inner = text
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        let mut parts = split(inner.unwrap_or(text));
        let relation = if parts.is_empty() {
            ""
        } else {
            parts.remove(0)
        };
        Self {
            relation,
            arguments: parts,
        }
    }
}

/// The terms of a list, nested ones whole.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, None);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if letter.is_whitespace() && depth == 0 {
            parts.extend(start.take().map(|start| &text[start..at]));
        } else {
            start = start.or(Some(at));
        }
    }
    parts.extend(start.map(|start| &text[start..]));
    parts
}

impl Boards {
    /// Learns the boards of a game from some of its states.
    pub fn survey(engine: &mut dyn Engine) -> Self {
        let deadline = Instant::now() + TIME;
        let mut states = Vec::new();
        let mut state = engine.initial();
        let mut turn = 0usize;
        while states.len() < STATES && (states.is_empty() || Instant::now() < deadline) {
            states.push(engine.facts(&state));
            let position = engine.examine(&state);
            // Far from random, but different moves are made all the time.
            let pick = |moves: &Vec<_>| moves.get(turn * 7 % moves.len().max(1)).copied();
            let joint: Option<Vec<_>> = position.legal.iter().map(pick).collect();
            turn += 1;
            state = match joint {
                Some(joint) if !position.terminal => engine.next(&state, &joint),
                _ => engine.initial(),
            };
        }
        Self::find(&states)
    }

    /// The boards that fluents form in these states, the first being the
    /// initial one.
    #[must_use]
    pub fn find(states: &[Vec<String>]) -> Self {
        let mut relations: Vec<(&str, usize)> = Vec::new();
        let parsed: Vec<Vec<Fact<'_>>> = states
            .iter()
            .map(|facts| facts.iter().map(|fact| Fact::parse(fact)).collect())
            .collect();
        for fact in parsed.iter().flatten() {
            let relation = (fact.relation, fact.arguments.len());
            if relation.1 >= 3 && !relations.contains(&relation) {
                relations.push(relation);
            }
        }
        relations.sort_unstable();
        let find = |&(relation, arity): &(&str, usize)| {
            let own = |fact: &&Fact<'_>| fact.relation == relation && fact.arguments.len() == arity;
            let states: Vec<Vec<&Fact<'_>>> = parsed
                .iter()
                .map(|facts| facts.iter().filter(own).collect())
                .collect();
            Board::find(relation, arity, &states)
        };
        Self(relations.iter().filter_map(find).collect())
    }

    /// Draws a state.
    #[must_use]
    pub fn show(&self, facts: &[String]) -> String {
        let mut text = String::new();
        let mut rest: Vec<&str> = facts.iter().map(String::as_str).collect();
        for board in &self.0 {
            if self.0.len() > 1 {
                let _ = writeln!(text, "{}:", board.relation);
            }
            rest = board.draw(&rest, &mut text);
        }
        list(&rest, "  ", &mut text);
        text
    }
}

/// Appends items with a separator between them, in lines that fit a terminal.
fn list(items: &[&str], separator: &str, text: &mut String) {
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

/// The order among the values of an ordered set: what they have in common, and
/// a number.
fn ordinal(value: &str) -> Option<(&str, u32)> {
    let digits = value.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let prefix = &value[..value.len() - digits.len()];
    if !digits.is_empty() {
        return Some((prefix, digits.parse().ok()?));
    }
    let mut letters = value.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_alphabetic() => {
            Some(("", u32::from(letter.to_ascii_lowercase())))
        }
        _ => None,
    }
}

/// The values of an ordered set, gaps filled where there are few.
fn axis<'a>(values: impl Iterator<Item = &'a str>) -> Option<Vec<String>> {
    let values: BTreeSet<&str> = values.collect();
    let first = *values.first()?;
    let (prefix, _) = ordinal(first)?;
    let numeric = first.ends_with(|letter: char| letter.is_ascii_digit());
    let mut ordered = BTreeMap::new();
    for &value in &values {
        let (own, number) = ordinal(value)?;
        let same = own == prefix && value.ends_with(|c: char| c.is_ascii_digit()) == numeric;
        if !same || ordered.insert(number, value.to_owned()).is_some() {
            return None;
        }
    }
    let (low, high) = (*ordered.first_key_value()?.0, *ordered.last_key_value()?.0);
    let range = (high - low) as usize + 1;
    if range <= 3 * ordered.len() && first.len() == prefix.len() + 1 {
        for number in low..=high {
            let value = match char::from_u32(number) {
                Some(letter) if !numeric => letter.to_string(),
                _ => format!("{prefix}{number}"),
            };
            ordered.entry(number).or_insert(value);
        }
    }
    (2..=LARGEST)
        .contains(&ordered.len())
        .then(|| ordered.into_values().collect())
}

impl Board {
    fn find(relation: &str, arity: usize, states: &[Vec<&Fact<'_>>]) -> Option<Self> {
        if states.iter().map(Vec::len).max()? < FEWEST {
            return None;
        }
        for first in 0..arity {
            for second in first + 1..arity {
                let values = |argument: usize| {
                    let facts = states.iter().flatten();
                    axis(facts.map(move |fact| fact.arguments[argument]))
                };
                let (Some(one), Some(other)) = (values(first), values(second)) else {
                    continue;
                };
                if !mostly_differ(states, first, second) {
                    continue;
                }
                let mut board = Self {
                    relation: relation.to_owned(),
                    arity,
                    file: first,
                    rank: second,
                    files: one,
                    ranks: other,
                    symbols: BTreeMap::new(),
                    has_blank: false,
                };
                board.turn();
                board.choose_symbols(states);
                return Some(board);
            }
        }
        None
    }

    /// The first coordinate is the file, unless only the second is a letter or
    /// they are named by r and c.
    fn turn(&mut self) {
        let letters = |values: &[String]| !values[0].ends_with(|c: char| c.is_ascii_digit());
        let swapped = !letters(&self.files) && letters(&self.ranks)
            || self.files[0].starts_with('r') && self.ranks[0].starts_with('c');
        if swapped {
            std::mem::swap(&mut self.files, &mut self.ranks);
            std::mem::swap(&mut self.file, &mut self.rank);
        }
    }

    fn content(&self, fact: &Fact<'_>) -> String {
        let rest = fact.arguments.iter().enumerate();
        let rest = rest.filter(|&(at, _)| at != self.file && at != self.rank);
        rest.map(|(_, &argument)| argument)
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn choose_symbols(&mut self, states: &[Vec<&Fact<'_>>]) {
        let facts = states.iter().flatten();
        let contents: BTreeSet<String> = facts.map(|fact| self.content(fact)).collect();
        let squares = self.files.len() * self.ranks.len();
        let at_first = states.first().map_or(&[][..], Vec::as_slice);
        for content in contents {
            let count = || {
                at_first
                    .iter()
                    .filter(|fact| self.content(fact) == content)
                    .count()
            };
            let lower = content.to_lowercase();
            // b may be blank or black: blank if most of the board is.
            let blank = ["blank", "empty", "none"].contains(&lower.as_str())
                || ["b", "e"].contains(&lower.as_str()) && 2 * count() > squares;
            let symbol = if blank {
                self.has_blank = true;
                ".".to_owned()
            } else {
                abbreviate(&content, &self.symbols)
            };
            self.symbols.insert(content, symbol);
        }
    }

    /// Draws the facts that are this board's, and gives back the others.
    fn draw<'a>(&self, facts: &[&'a str], text: &mut String) -> Vec<&'a str> {
        let mut squares = vec![None; self.files.len() * self.ranks.len()];
        let mut rest = Vec::new();
        for &fact in facts {
            match self.place(fact, &squares) {
                Some((square, content)) => squares[square] = Some(content),
                None => rest.push(fact),
            }
        }
        self.draw_squares(&squares, text);
        self.draw_legend(&squares, text);
        rest
    }

    /// Where a fact goes on this board, and what it puts there.
    fn place(&self, fact: &str, squares: &[Option<String>]) -> Option<(usize, String)> {
        let fact = Fact::parse(fact);
        if fact.relation != self.relation || fact.arguments.len() != self.arity {
            return None;
        }
        let at = |values: &[String], argument: usize| {
            values
                .iter()
                .position(|value| value == fact.arguments[argument])
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
        // The lowest rank is nearest to the reader.
        for (rank, cells) in self.ranks.iter().zip(cells.chunks(self.files.len())).rev() {
            line(rank, cells);
        }
        line("", &self.files);
    }

    /// What the symbols on the board stand for, where that is not plain.
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

/// Whether no two facts are about the same square, in the first state and in
/// nearly all others: odd states of a few games are no reason to draw none.
fn mostly_differ(states: &[Vec<&Fact<'_>>], first: usize, second: usize) -> bool {
    let clash = |facts: &&Vec<&Fact<'_>>| !squares_differ(facts, first, second);
    let clashes = states.iter().filter(clash).count();
    !states.first().is_some_and(|facts| clash(&facts)) && 20 * clashes <= states.len()
}

/// Whether no two facts are about the same square.
fn squares_differ(facts: &[&Fact<'_>], first: usize, second: usize) -> bool {
    let squares: BTreeSet<_> = facts
        .iter()
        .map(|fact| (fact.arguments[first], fact.arguments[second]))
        .collect();
    squares.len() == facts.len()
}

/// A short text for a content that no other content has: the initials of its
/// words, with as much of the last word as it takes.
fn abbreviate(content: &str, taken: &BTreeMap<String, String>) -> String {
    if content.chars().count() <= 2 {
        return content.to_owned();
    }
    let words = words(content);
    let initials: String = words
        .iter()
        .filter_map(|word| word.chars().next())
        .collect();
    let last: Vec<char> = words
        .last()
        .map_or_else(Vec::new, |word| word.chars().collect());
    (1..=last.len())
        .map(|length| {
            last[1..length]
                .iter()
                .fold(initials.clone(), |mut symbol, &letter| {
                    symbol.push(letter);
                    symbol
                })
        })
        .find(|symbol| !taken.values().any(|other| other == symbol))
        .unwrap_or_else(|| content.to_owned())
}

/// The words of a name like `white king`, `black_king` or `whiteRook`.
fn words(name: &str) -> Vec<String> {
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
            word.push(letter);
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    /// Learns from the states, and draws the last one.
    fn check(states: &[&str], expected: &Expect) {
        let facts = |state: &&str| split(state).into_iter().map(str::to_owned).collect();
        let states: Vec<Vec<String>> = states.iter().map(facts).collect();
        let drawn = Boards::find(&states).show(&states[states.len() - 1]);
        expected.assert_eq(&drawn);
    }

    #[test]
    fn pieces_on_squares_without_blanks() {
        let start = "(cell a 1 white) (cell b 1 white) (cell c 1 white)
            (cell a 4 black) (cell b 4 black) (cell c 4 black) (turn white)";
        check(
            &[start],
            &expect![[r#"
            4  b b b
            3  . . .
            2  . . .
            1  w w w
               a b c
            b black, w white
            (turn white)
        "#]],
        );
    }

    #[test]
    fn blanks_are_dots_and_missing_squares_are_holes() {
        let start = "(cell 1 1 b) (cell 2 1 b) (cell 1 2 b) (cell 2 2 b) (cell 3 2 b)";
        let later = "(cell 1 1 x) (cell 2 1 b) (cell 1 2 b) (cell 2 2 o) (cell 3 2 b) (control x)";
        check(
            &[start, later],
            &expect![[r#"
            2  . o .
            1  x .
               1 2 3
            (control x)
        "#]],
        );
    }

    #[test]
    fn b_is_black_where_it_does_not_fill_the_board() {
        let start = "(cell 1 1 w) (cell 2 1 w) (cell 1 2 b) (cell 2 2 b) (cell 1 3 e) (cell 2 3 e)";
        check(
            &[start],
            &expect![[r#"
            3  e e
            2  b b
            1  w w
               1 2
        "#]],
        );
    }

    #[test]
    fn contents_of_several_words_and_before_the_square() {
        let start = "(at whiteKing e1) (cell e 1 white king) (cell d 1 white queen)
            (cell d 2 white knight) (cell e 2 black pawn)";
        check(
            &[start],
            &expect![[r#"
            2  wkn bp
            1  wq  wk
               d   e
            bp black pawn, wk white king, wkn white knight, wq white queen
            (at whiteKing e1)
        "#]],
        );
        let start = "(piece wbc c 1) (piece wk d 1) (piece bk d 2) (piece bbc c 2)";
        check(
            &[start],
            &expect![[r#"
            2  b  bk
            1  w  wk
               c  d
            b bbc, w wbc
        "#]],
        );
    }

    #[test]
    fn letters_are_files_and_c_is_a_column() {
        let start = "(cell 1 a x) (cell 2 a y) (cell 3 a y) (cell 1 b y)";
        check(
            &[start],
            &expect![[r#"
            3  y .
            2  y .
            1  x y
               a b
        "#]],
        );
        let start = "(cell r1 c1 x) (cell r2 c1 y) (cell r3 c1 y) (cell r1 c2 y)";
        check(
            &[start],
            &expect![[r#"
            r3  y  .
            r2  y  .
            r1  x  y
                c1 c2
        "#]],
        );
    }

    #[test]
    fn two_boards_have_their_names() {
        let start = "(cell1 1 1 b) (cell1 1 2 b) (cell1 2 1 b) (cell1 2 2 b)
            (cell2 1 1 b) (cell2 1 2 b) (cell2 2 1 b) (cell2 2 2 x)";
        check(
            &[start],
            &expect![[r#"
            cell1:
            2  . .
            1  . .
               1 2
            cell2:
            2  . x
            1  . .
               1 2
        "#]],
        );
    }

    #[test]
    fn no_fact_is_lost() {
        // Twice the same square is no board; nor are walls and three facts.
        let walls = "(wall 1 1 north) (wall 1 1 east) (wall 1 2 north) (wall 2 2 east)";
        check(
            &[walls],
            &expect!["(wall 1 1 north)  (wall 1 1 east)  (wall 1 2 north)  (wall 2 2 east)\n"],
        );
        check(
            &["(at 1 1 x) (at 2 2 y) (f (g 1) \n 2)"],
            &expect!["(at 1 1 x)  (at 2 2 y)  (f (g 1) \n 2)\n"],
        );
        // A square that was never seen, and a second content of a square.
        let board = Boards::find(&[split("(c 1 1 x) (c 1 2 x) (c 2 1 y) (c 2 2 y)")
            .into_iter()
            .map(str::to_owned)
            .collect()]);
        let facts = ["(c 1 1 x)", "(c 1 1 y)", "(c 9 1 x)", "(c 2 2 zzz)"].map(str::to_owned);
        expect![[r#"
            2  .   zzz
            1  x   .
               1   2
            (c 1 1 y)  (c 9 1 x)
        "#]]
        .assert_eq(&board.show(&facts));
        check(&[""], &expect![""]);
    }
}
