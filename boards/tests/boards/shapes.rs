//! What is recognised, in small examples.

use expect_test::{Expect, expect};
use gdl_boards::svg::{StripPicture, SvgOptions, animation, strip};
use gdl_boards::{GameEvidence, Geometry, StateLayout};
use gdl_runtime::kif::expressions;
use std::collections::BTreeSet;

/// The facts of a text.
fn split(text: &str) -> Vec<String> {
    let facts = expressions(text).unwrap().into_iter();
    facts.map(|fact| text[fact.range].to_owned()).collect()
}

fn layout(states: &[&str], moves: &str) -> StateLayout {
    let mut evidence = GameEvidence::new(&["white".to_owned(), "black".to_owned()]);
    for state in states {
        evidence.add_state(&split(state), &[split(moves)], &[]);
    }
    StateLayout::infer(&evidence)
}

/// Infers from the states, and draws the last one.
fn check(states: &[&str], moves: &str, expected: &Expect) {
    let layout = layout(states, moves);
    let facts = split(states[states.len() - 1]);
    let picture = layout.picture(&facts);
    assert_eq!(picture.fact_count(), facts.len());
    expected.assert_eq(&layout.text(&picture));
}

#[test]
fn blanks_are_dots_and_missing_squares_are_holes() {
    let start = "(cell 1 1 b) (cell 2 1 b) (cell 1 2 b) (cell 2 2 b) (cell 3 2 b)";
    let later = "(cell 1 1 x) (cell 2 1 b) (cell 1 2 b) (cell 2 2 o) (cell 3 2 b) (control x)";
    check(
        &[start, later],
        "",
        &expect![[r#"
        2  . o .
        1  x .
           1 2 3
        control x
    "#]],
    );
}

#[test]
fn b_is_black_where_it_does_not_fill_the_board() {
    let start = "(cell 1 1 w) (cell 2 1 w) (cell 1 2 b) (cell 2 2 b) (cell 1 3 e) (cell 2 3 e)";
    check(
        &[start],
        "",
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
        "",
        &expect![[r#"
        2  wkn bp
        1  wq  wk
           d   e
        bp black pawn, wk white king, wkn white knight, wq white queen
        at whiteKing e1
    "#]],
    );
    let start = "(piece wbc c 1) (piece wk d 1) (piece bk d 2) (piece bbc c 2)";
    check(
        &[start],
        "",
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
        "",
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
        "",
        &expect![[r#"
        r3  y  .
        r2  y  .
        r1  x  y
            c1 c2
    "#]],
    );
}

#[test]
fn coordinates_inside_functions() {
    let start = "(at (square a 1) (piece white rook)) (at (square b 1) (piece white king))
        (at (square a 2) (piece black rook)) (at (square b 2) (piece black king))";
    check(
        &[start],
        "",
        &expect![[r#"
        2  br bk
        1  wr wk
           a  b
        bk black king, br black rook, wk white king, wr white rook
    "#]],
    );
}

#[test]
fn two_boards_have_their_names() {
    let start = "(cell1 1 1 b) (cell1 1 2 b) (cell1 2 1 b) (cell1 2 2 b)
        (cell2 1 1 b) (cell2 1 2 b) (cell2 2 1 b) (cell2 2 2 x)";
    check(
        &[start],
        "",
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
    let start = "(cell 1 1 left b) (cell 1 2 left b) (cell 2 1 left b) (cell 2 2 left b)
        (cell 1 1 right b) (cell 1 2 right b) (cell 2 1 right b) (cell 2 2 right x)";
    check(
        &[start],
        "",
        &expect![[r#"
        cell left:
        2  . .
        1  . .
           1 2
        cell right:
        2  . x
        1  . .
           1 2
    "#]],
    );
}

#[test]
fn walls_and_marks_are_beside_pieces() {
    let start = "(cell 1 1 b) (cell 1 2 b) (cell 2 1 x) (cell 2 2 b) (visited 2 1)
        (wall 1 1 north) (wall 1 1 east) (turn white)";
    check(
        &[start],
        "",
        &expect![[r#"
        2  . .
        1  . x
           1 2
        turn white
        north at 1 1  east at 1 1  visited at 2 1
    "#]],
    );
}

#[test]
fn cells_with_names_of_their_own() {
    let start = "(pit p1 3) (pit p2 3) (pit p3 0) (pit p4 3) (hand white 4) (hand black 10)";
    check(
        &[start],
        "(take p1) (take p2) (take p3) (take p4)",
        &expect![[r#"
          3  3  0  3
          p1 p2 p3 p4
        hand white 4, hand black 10
    "#]],
    );
}

#[test]
fn names_of_two_words_are_places_of_their_own() {
    let boards = |rings: &[String], spokes: &[String]| {
        let every = |fact: &dyn Fn(&str, &str) -> String| {
            let pairs = rings
                .iter()
                .flat_map(|ring| spokes.iter().map(move |spoke| (ring, spoke)));
            pairs
                .map(|(ring, spoke)| fact(ring, spoke))
                .collect::<String>()
        };
        let facts = every(&|ring, spoke| format!("(cell {ring} {spoke} x)"));
        let moves = every(&|ring, spoke| format!("(put {ring} {spoke})"));
        layout(&[&facts], &moves).boards
    };
    let words = |words: [&str; 3]| words.map(str::to_owned);
    let small = boards(
        &words(["inner", "middle", "outer"]),
        &words(["nw", "ne", "south"]),
    );
    let places = small.iter().flat_map(|board| &board.cells);
    let places: BTreeSet<(u32, u32)> = places.map(|cell| (cell.column, cell.row)).collect();
    assert_eq!((small.len(), places.len()), (1, 9));
    // Too many values for columns and rows, and too many cells for names.
    let numbered = |letter: char| (1..=41).map(|number| format!("{letter}{number}")).collect();
    let (columns, rows): (Vec<String>, Vec<String>) = (numbered('c'), numbered('r'));
    assert_eq!(boards(&columns, &rows), []);
}

#[test]
fn boards_have_the_rows_of_their_own_cells() {
    let start = "(cell 1 1 left b) (cell 1 2 left b) (cell 2 1 left b) (cell 2 2 left b)
        (cell 1 2 right b) (cell 1 3 right b) (cell 2 2 right b) (cell 2 3 right x)";
    let layout = layout(&[start, start], "");
    let rows: Vec<u32> = layout.boards.iter().map(|board| board.rows).collect();
    assert_eq!(rows, [2, 2]);
    let labels = layout.boards[1].row_labels.iter();
    let labels: Vec<&str> = labels.map(|label| label.text.as_str()).collect();
    assert_eq!(labels, ["2", "3"]);
}

#[test]
fn symbols_of_different_pieces_differ() {
    check(
        &["(cell 1 1 red 3) (cell 1 2 blue 3) (cell 2 1 red 1) (cell 2 2 blue 1)"],
        "",
        &expect![[r#"
            2  3  1
            1  r3 r1
               1  2
            1 blue 1, 3 blue 3, r1 red 1, r3 red 3
        "#]],
    );
    check(
        &["(cell 1 1 b) (cell 1 2 b) (cell 2 1 b) (cell 2 2 b) (wall 1 1) (worker 2 2)"],
        "",
        &expect![[r#"
            2  .  wo
            1  w  .
               1  2
            w wall, wo worker
        "#]],
    );
}

#[test]
fn strips_without_boards_show_what_would_be_beside_them() {
    let facts = "(score white 4) (score black 10) open";
    let layout = layout(&[facts], "");
    assert_eq!(layout.boards, []);
    let picture = StripPicture {
        picture: layout.picture(&split(facts)),
        caption: "the end".to_owned(),
        options: SvgOptions::default(),
    };
    let drawings = [
        strip(&layout, std::slice::from_ref(&picture), "game"),
        animation(&layout, &[picture], "game", 1.0),
    ];
    for svg in drawings {
        assert!(
            svg.contains("score white 4") && svg.contains("the end"),
            "{svg}"
        );
        assert!(!svg.contains("width=\"0\""), "{svg}");
    }
}

#[test]
fn what_is_no_board_is_listed() {
    check(
        &["(at 1 1 x) (at 2 2 y) (f (g 1) \n 2)"],
        "",
        &expect![[r#"
            (at 1 1 x)  (at 2 2 y)  (f (g 1) 2)
        "#]],
    );
    check(&[""], "", &expect![""]);
    check(
        &["(score white 4) (score black 10) (step 3) open"],
        "",
        &expect![[r#"
        score white 4, score black 10, step 3, open
    "#]],
    );
}

#[test]
fn nested_values_keep_their_functions() {
    check(
        &[
            "(count zero)",
            "(count (after zero))",
            "(count (after (after zero)))",
        ],
        "",
        &expect![[r#"
            (count (after (after zero)))
        "#]],
    );
}

#[test]
fn hexagons_have_six_neighbours_by_the_rules() {
    let rules = |diagonal: &str| {
        format!(
            "(role r) (next 1 2) (next 2 3) (index 1) (index 2) (index 3)
            (<= (near ?x ?y ?x2 ?y) (next ?x ?x2) (index ?y))
            (<= (near ?x ?y ?x ?y2) (index ?x) (next ?y ?y2))
            (<= (near ?x ?y ?x2 ?y2) {diagonal})
            (<= (base (cell ?x ?y)) (index ?x) (index ?y))
            (<= (legal r (mark ?x ?y)) (index ?x) (index ?y) (not (true (cell ?x ?y r))))
            (<= (next (cell ?x ?y r)) (does r (mark ?x ?y)))
            (<= (next (cell ?x ?y r)) (true (cell ?x ?y r)))
            (<= terminal (true (cell ?x ?y r)) (near ?x ?y ?x2 ?y2) (true (cell ?x2 ?y2 r))
                (near ?x2 ?y2 ?x3 ?y3) (true (cell ?x3 ?y3 r)))
            (goal r 100)"
        )
        .replace("(next 1 2) (next 2 3)", "(after 1 2) (after 2 3)")
        .replace("(next ?", "(after ?")
        .replace("(base (cell ?x ?y))", "(base (cell ?x ?y r))")
    };
    let geometry = |diagonal: &str| {
        let game = crate::surveyed::SurveyedGame::of_rules(&rules(diagonal));
        game.layout.boards[0].geometry
    };
    assert_eq!(
        geometry("(after ?x ?x2) (after ?y ?y2)"),
        Geometry::Hexagons
    );
    assert_eq!(
        geometry("(after ?x2 ?x) (after ?y ?y2)"),
        Geometry::Hexagons
    );
    assert_eq!(
        geometry(
            "(after ?x ?x2) (index ?y) (index ?y2) (distinct ?y ?y2) (after ?y ?y2) (after ?y2 ?y)"
        ),
        Geometry::Squares
    );
}
