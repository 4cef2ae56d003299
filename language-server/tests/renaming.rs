//! Renaming: all of it, nothing else, and not to everything.
#![allow(clippy::unwrap_used)]

use crate::editor::{CURSOR, Editor, URI, apply, in_range, without_cursor};
use crate::features::{GAME, at};
use serde_json::json;

fn renamed(text: &str, name: &str) -> Result<String, String> {
    let (mut editor, _) = Editor::with(GAME);
    let edit = editor.at(text, "rename", json!({ "newName": name }))?;
    Ok(apply(&without_cursor(text), &edit["changes"][URI]))
}

#[test]
fn a_relation_is_renamed_in_the_whole_sheet() {
    assert_eq!(
        renamed(&at("full", 0), "filled").unwrap(),
        GAME.replace("full", "filled")
    );
    assert_eq!(
        renamed(&at("succ", 1), "前").unwrap(),
        GAME.replace("succ", "前")
    );
}

#[test]
fn a_fluent_is_renamed_and_a_relation_of_its_name_is_not() {
    let text = format!("{GAME}(<= (CELL ?x) (true (Cell ?x ?y)))\n(<= (z) (cell ?x) (z))\n");
    let text = text.replacen("cell", &format!("{CURSOR}cell"), 1);
    let expected = without_cursor(&text)
        .replace("(cell 1", "(square 1")
        .replace("(cell ?n", "(square ?n")
        .replace("(Cell ?x", "(square ?x");
    assert_eq!(renamed(&text, "square").unwrap(), expected);
}

#[test]
fn a_variable_is_renamed_in_its_rule() {
    let expected = GAME
        .replace("(mark ?n))\n", "(mark ?place))\n")
        .replace("(cell ?n empty)", "(cell ?place empty)");
    assert_eq!(renamed(&at("?n", 0), "?place").unwrap(), expected);
}

#[test]
fn capitals_may_change() {
    assert_eq!(
        renamed(&at("full", 0), "Full").unwrap(),
        GAME.replace("full", "Full")
    );
}

/// The rules after renaming, with the old name put back, are those before.
#[test]
fn renaming_everything_in_turn_changes_no_rule() {
    let rules = |text: &str| {
        let checked = gdlc::rules::check(gdlc::source::Source::new("game", text));
        gdlc::rules::show_rules(&checked.program.unwrap())
    };
    for word in [
        "white", "cell", "1 empty", "empty", "control", "succ", "mark", "noop", "full",
    ] {
        let name = word.split(' ').next().unwrap();
        let after = renamed(&at(word, 0), "zzz").unwrap();
        assert_ne!(rules(&after), rules(GAME), "{word}");
        assert_eq!(rules(&after).replace("zzz", name), rules(GAME), "{word}");
    }
}

#[test]
fn names_that_are_not_valid_are_refused() {
    let cases = [
        ("full", "", "is not a name"),
        ("full", "two words", "is not a name"),
        ("full", " full", "is not a name"),
        ("full", "(full)", "is not a name"),
        ("full", "; full", "is not a name"),
        ("full", "?full", "only they, begin with `?`"),
        ("?n", "n", "only they, begin with `?`"),
        ("?n", "?", "is not a name"),
        ("full", "Next", "is a word of GDL"),
        ("full", "distinct", "is a word of GDL"),
        ("white", "<=", "is a word of GDL"),
        ("full", "SUCC", "already is the name"),
        ("white", "Black", "already is the name"),
        ("?n", "?R", "already is the name"),
        ("50", "many", "is the value of a goal"),
    ];
    for (word, name, reason) in cases {
        let error = renamed(&at(word, 0), name).unwrap_err();
        assert!(error.contains(reason), "{word} to {name:?}: {error}");
    }
}

#[test]
fn numbers_are_not_renamed_where_a_goal_takes_its_value_from_elsewhere() {
    let text = format!("{GAME}(value {CURSOR}70)\n(<= (goal ?r ?v) (role ?r) (value ?v))\n");
    for name in ["many", "80"] {
        let error = renamed(&text, name).unwrap_err();
        assert!(error.contains("may be the value of a goal"), "{error}");
    }
    let numbers = renamed(&at("1 empty", 0), "first").unwrap();
    assert!(numbers.contains("(succ first 2)"), "{numbers}");
}

#[test]
fn words_of_the_language_cannot_be_renamed() {
    for word in ["role", "true", "<=", "not", "terminal"] {
        let error = renamed(&at(word, 0), "other").unwrap_err();
        assert!(error.contains("is a word of GDL"), "{word}: {error}");
    }
    assert!(
        renamed(&at(" a game", 0), "other")
            .unwrap_err()
            .contains("no name here")
    );
}

#[test]
fn what_can_be_renamed_is_shown_before() {
    let (mut editor, _) = Editor::with(GAME);
    let range = editor
        .at(&at("full", 1), "prepareRename", json!({}))
        .unwrap();
    assert_eq!(in_range(GAME, &range), "full");
    editor
        .at(&at("true", 1), "prepareRename", json!({}))
        .unwrap_err();
}
