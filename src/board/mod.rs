//! Shows states to people: as boards where fluents form one, otherwise as a list of
//! facts.
//!
//! Input: facts as KIF without `true`, as returned by an engine. A relation forms a
//! board if two of its arguments range over ordered sets (numbers, letters, numbers with
//! a common prefix) and each square holds one piece of content at a time. Rule sheets do
//! not declare which fluents form boards, so this is learned from some states of the
//! game. Invariant: no fact is lost; facts that no board shows are listed below.

mod draw;
mod find;
mod symbols;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use gdl_runtime::engine::Engine;
use gdl_runtime::kif::GroundTerm;

/// Number of states examined to learn the boards of a game.
const STATES: usize = 200;

/// Maximum time for that, since an engine may be slow.
const TIME: Duration = Duration::from_millis(300);

/// The boards of a game, and how to draw them.
#[derive(Debug, Clone, Default)]
pub struct Boards(Vec<DrawnBoard>);

#[derive(Debug, Clone)]
struct DrawnBoard {
    relation: String,
    arity: usize,
    /// Zero-based index of the argument that is the file.
    file: usize,
    /// Zero-based index of the argument that is the rank.
    rank: usize,
    files: Vec<String>,
    ranks: Vec<String>,
    /// The symbol of each content.
    symbols: BTreeMap<String, String>,
    /// Whether some content stands for an empty square. Then squares without a fact are
    /// not part of the board.
    has_blank: bool,
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
            // Not random, but different moves are made all the time.
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

    /// Finds the boards that fluents form in these states, the first being the initial
    /// one.
    #[must_use]
    pub fn find(states: &[Vec<String>]) -> Self {
        let mut relations: Vec<(&str, usize)> = Vec::new();
        let parsed: Vec<Vec<GroundTerm<'_>>> = states.iter().map(|facts| parse(facts)).collect();
        for fact in parsed.iter().flatten() {
            let relation = (fact.symbol(), fact.args().len());
            if relation.1 >= 3 && !relations.contains(&relation) {
                relations.push(relation);
            }
        }
        relations.sort_unstable();
        let find = |&(relation, arity): &(&str, usize)| {
            let own =
                |fact: &&GroundTerm<'_>| fact.symbol() == relation && fact.args().len() == arity;
            let states: Vec<Vec<&GroundTerm<'_>>> = parsed
                .iter()
                .map(|facts| facts.iter().filter(own).collect())
                .collect();
            DrawnBoard::find(relation, arity, &states)
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
        draw::list(&rest, "  ", &mut text);
        text
    }
}

impl DrawnBoard {
    /// Returns the content that a fact puts on its square.
    fn content(&self, fact: &GroundTerm<'_>) -> String {
        let rest = fact.args().iter().enumerate();
        let rest = rest.filter(|&(at, _)| at != self.file && at != self.rank);
        rest.map(|(_, argument)| argument.to_string())
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// The facts of a state as terms. A text that is not a term is on no board.
fn parse(facts: &[String]) -> Vec<GroundTerm<'_>> {
    let terms = facts.iter().map(|fact| GroundTerm::parse(fact));
    terms.filter_map(Result::ok).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::Boards;
    use expect_test::{Expect, expect};
    use gdl_runtime::kif::expressions;

    /// The facts of a text.
    fn split(text: &str) -> Vec<String> {
        let facts = expressions(text).unwrap().into_iter();
        facts.map(|fact| text[fact.range].to_owned()).collect()
    }

    /// Learns from the states, and draws the last one.
    fn check(states: &[&str], expected: &Expect) {
        let states: Vec<Vec<String>> = states.iter().map(|state| split(state)).collect();
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
        let board = Boards::find(&[split("(c 1 1 x) (c 1 2 x) (c 2 1 y) (c 2 2 y)")]);
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
