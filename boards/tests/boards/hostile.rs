//! Names that try to be markup, to be long or to be strange.

use crate::games::well_formed;
use crate::surveyed::SurveyedGame;
use gdl_boards::svg::{Overlay, SvgOptions};
use gdl_boards::{GameEvidence, StateLayout};

/// A board of four cells with these pieces.
fn game(names: [&str; 2]) -> String {
    let [piece, place] = names;
    format!(
        "(role {piece}) (init (cell 1 1 {piece})) (init (cell 1 2 {place}))
        (init (cell 2 1 {piece})) (init (cell 2 2 {place})) (init (control {piece}))
        (init {place}) (init (score {piece} {place}))
        (legal {piece} (mark 1 1)) (legal {piece} (take {place}))
        (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p))) (<= (next {place}) (true {place}))
        (<= terminal (true never)) (goal {piece} 100)"
    )
}

#[test]
fn hostile_names_are_texts() {
    let long = "x".repeat(10_000);
    let names = [
        ["<script>alert`1`</script>", "\"onload=\"alert`1`"],
        ["'><img/src=x>", "]]>&lt&#0<!--"],
        [long.as_str(), "\u{202e}z"],
        ["%s{}", "&#0\u{2066}"],
    ];
    for names in names {
        let mut game = SurveyedGame::of_rules(&game(names));
        for facts in game.states(3) {
            let picture = game.layout.picture(&facts);
            assert_eq!(picture.fact_count(), facts.len(), "{names:?}");
            let options = SvgOptions {
                title: names.concat(),
                ..SvgOptions::default()
            };
            let svg = game.layout.svg(&picture, &options);
            assert_eq!(well_formed(&svg), Ok(()), "{svg}");
            for markup in ["<script", "<img", "<!--", "\"onload", "]]>"] {
                assert!(!svg.contains(markup), "{svg}");
            }
            assert!(svg.len() < 100_000, "{} bytes", svg.len());
            assert!(!game.layout.text(&picture).is_empty());
        }
    }
}

/// Cells with names such as `b9` are in a column of that number only if it is small.
#[test]
fn numbers_of_columns_may_be_great() {
    for number in ["4000000000", "9000000000000000000"] {
        let rules = format!(
            "(role r) (init (cell a1 x)) (init (cell a2 x)) (init (cell b1 x))
            (init (cell b{number} x)) (<= (legal r (mark ?c)) (true (cell ?c x)))
            (<= (next (cell ?c x)) (true (cell ?c x))) (<= terminal (true over)) (goal r 0)"
        );
        let mut game = SurveyedGame::of_rules(&rules);
        for facts in game.states(1) {
            let text = game.layout.text(&game.layout.picture(&facts));
            assert!(text.len() < 1000, "{} bytes", text.len());
        }
    }
}

/// Texts that are no facts, and cells that do not exist, are shown or left out.
#[test]
fn nonsense_is_no_panic() {
    let texts = |texts: &[&str]| {
        texts
            .iter()
            .map(|&text| text.to_owned())
            .collect::<Vec<_>>()
    };
    let mut evidence = GameEvidence::new(&[]);
    evidence.add_state(
        &texts(&[
            "((",
            "",
            "(f)",
            "()",
            "(c 1 1 x)",
            "(c 9223372036854775807 -9223372036854775808 x)",
        ]),
        &[],
        &texts(&["("]),
    );
    evidence.add_state(&[], &[texts(&["", "(((", "(m)"])], &[]);
    let layout = StateLayout::infer(&evidence);
    let picture = layout.picture(&texts(&["((", "(c 1 1 x)", "(c 99 1 x)", "(c)"]));
    assert_eq!(picture.fact_count(), 4);
    let options = SvgOptions {
        overlay: Overlay::default(),
        ..SvgOptions::default()
    };
    assert_eq!(well_formed(&layout.svg(&picture, &options)), Ok(()));
    let nothing = StateLayout::infer(&GameEvidence::default());
    assert_eq!(nothing.text(&nothing.picture(&[])), "");
    assert_eq!(
        well_formed(&nothing.svg(&nothing.picture(&[]), &options)),
        Ok(())
    );
}
