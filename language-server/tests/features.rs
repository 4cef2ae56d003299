//! Each feature on a small game.
#![allow(clippy::unwrap_used)]

use crate::editor::{CURSOR, Editor, URI, apply, in_range, without_cursor};
use serde_json::{Value, json};

/// A game with comments, capitals and characters outside the basic plane.
pub const GAME: &str = "; 🎲 a game
(role white)
(role black)
(init (cell 1 empty)) (init (control white))
(succ 1 2)
(<= (legal ?r (mark ?n))
    (true (control ?r)) ; 🎲
    (true (cell ?n empty)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (cell ?n ?r)) (does ?r (mark ?n)))
(<= (next (control ?n)) (role ?n) (not (true (control ?n))))
(<= full (true (cell ?n ?r)) (role ?r) (succ ?n ?m))
(<= (goal ?r 50) (role ?r))
(<= terminal full)
";

/// The game with the cursor at the start of the `number`-th occurrence of a text.
pub fn at(needle: &str, number: usize) -> String {
    let (start, _) = GAME.match_indices(needle).nth(number).unwrap();
    format!("{}{CURSOR}{}", &GAME[..start], &GAME[start..])
}

fn hover(needle: &str, number: usize) -> String {
    let (mut editor, _) = Editor::with(GAME);
    let answer = editor.at(&at(needle, number), "hover", json!({})).unwrap();
    answer["contents"]["value"]
        .as_str()
        .unwrap_or("")
        .to_owned()
}

/// The lines, from 1, and texts that a request finds.
fn found(needle: &str, number: usize, method: &str, more: Value) -> Vec<(u64, String)> {
    let (mut editor, _) = Editor::with(GAME);
    let answer = editor.at(&at(needle, number), method, more).unwrap();
    let places = answer.as_array().unwrap().iter().map(|place| {
        assert_eq!(place["uri"], URI);
        let range = &place["range"];
        let line = range["start"]["line"].as_u64().unwrap() + 1;
        (line, in_range(GAME, range).to_owned())
    });
    places.collect()
}

fn lines(places: &[(u64, String)]) -> Vec<u64> {
    places.iter().map(|(line, _)| *line).collect()
}

#[test]
fn a_game_without_fault_has_no_diagnostics() {
    let (editor, found) = Editor::with(GAME);
    assert_eq!(found, Vec::<Value>::new());
    editor.quit();
}

#[test]
fn diagnostics_have_ranges_codes_notes_and_places() {
    let text = "(role 🎲) (role é)
(init (a 🎲)) (<= (legal ?r x) (role ?r)) (goal 🎲 1) (goal é 1)
(<= terminal (true (a 🎲)) (b ?x) (b))
(<= (b ?x) (true (a ?x)) (Role ?x)) (<= (next (a ?x)) (true (a ?x)))
";
    let (editor, found) = Editor::with(text);
    let shown = |one: &Value| {
        let place = &one["relatedInformation"][0];
        assert_eq!(
            (&one["source"], &one["severity"]),
            (&"gdl".into(), &2.into())
        );
        let place = place["location"]["range"].as_object().map(|_| {
            let under = in_range(text, &place["location"]["range"]);
            format!("{}: {under}", place["message"].as_str().unwrap())
        });
        [
            one["code"].as_str().unwrap().to_owned(),
            in_range(text, &one["range"]).to_owned(),
            one["message"].as_str().unwrap().to_owned(),
            place.unwrap_or_default(),
        ]
    };
    let expected = [
        [
            "several-arities",
            "(b)",
            "the relation `b` is used with 1 and with 0 arguments (no argument here)\n\
             these are two different relations",
            "one argument here: (b ?x)",
        ],
        [
            "never-derived",
            "(b)",
            "nothing derives `b` (never holds)",
            "",
        ],
        [
            "capitalisation",
            "Role",
            "`role` and `Role` are the same name",
            "first written like this: role",
        ],
    ];
    assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), expected);
    editor.quit();
}

#[test]
fn hover_explains_keywords() {
    let text = hover("true (control", 0);
    assert!(text.contains("(true ?fluent)"), "{text}");
    assert!(text.contains("changes with the state"), "{text}");
    assert!(hover("<=", 0).contains("A rule"));
    assert!(hover("not", 0).contains("cannot be derived"));
    assert_eq!(hover(" a game", 0), "", "there is nothing in comments");
}

#[test]
fn hover_tells_what_a_relation_is() {
    let text = hover("succ", 1);
    assert!(
        text.starts_with("**succ** is a relation with 2 arguments."),
        "{text}"
    );
    assert!(text.contains("static"), "{text}");
    assert!(text.contains("Stratum "), "{text}");
    assert!(text.contains("1 fact:\n```gdl\n(succ 1 2)\n```"), "{text}");
    let text = hover("full", 1);
    assert!(text.contains("no arguments"), "{text}");
    assert!(text.contains("depends on `true`"), "{text}");
    assert!(text.contains("1 rule:\n```gdl\n(<= full (true"), "{text}");
    assert!(hover("next", 0).contains("2 rules:"));
    assert!(hover("next", 0).contains("on `does`"));
}

#[test]
fn hover_tells_what_a_term_is() {
    assert!(hover("cell", 0).starts_with("**cell** is a fluent with 2 arguments."));
    assert!(hover("mark", 1).starts_with("**mark** is a move with 1 argument."));
    assert!(hover("white", 0).starts_with("**white** is a role."));
    assert!(hover("empty", 0).contains("is a constant"));
    let text = hover("?n", 0);
    assert!(
        text.starts_with("**?n** is a variable of this rule: 2 occurrences"),
        "{text}"
    );
    let text = hover("?m", 0);
    assert!(text.contains("It stands for anything."), "{text}");
}

#[test]
fn definitions_are_heads_sources_and_binding_conditions() {
    let definitions = |needle, number| found(needle, number, "definition", json!({}));
    assert_eq!(definitions("succ", 1), [(5, "succ".to_owned())]);
    assert_eq!(definitions("full", 1), [(12, "full".to_owned())]);
    assert_eq!(lines(&definitions("next", 0)), [10, 11]);
    assert_eq!(lines(&definitions("cell", 1)), [4, 10], "init and next");
    assert_eq!(lines(&definitions("mark", 1)), [6], "legal");
    assert_eq!(lines(&definitions("white", 1)), [2], "role");
    assert_eq!(lines(&definitions("?n", 0)), [8], "where it is bound");
    assert_eq!(definitions("true", 0), [], "nothing derives it");
}

#[test]
fn references_are_those_of_the_same_kind() {
    let references = |needle, number, with: bool| {
        let context = json!({ "context": { "includeDeclaration": with } });
        found(needle, number, "references", context)
    };
    assert_eq!(lines(&references("full", 0, true)), [12, 14]);
    assert_eq!(lines(&references("full", 0, false)), [14]);
    assert_eq!(lines(&references("cell", 0, true)), [4, 8, 10, 12]);
    assert_eq!(lines(&references("?n", 0, true)), [6, 8], "of one rule");
    let (mut editor, _) = Editor::with(GAME);
    let marks = editor
        .at(&at("?n", 2), "documentHighlight", json!({}))
        .unwrap();
    assert_eq!(marks.as_array().unwrap().len(), 2);
}

/// The labels that are offered where the cursor is, in order.
fn offered(text: &str) -> Vec<String> {
    let (mut editor, _) = Editor::with(GAME);
    let answer = editor.at(text, "completion", json!({})).unwrap();
    let items = answer["items"].as_array().unwrap().iter();
    items
        .map(|item| item["label"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn completion_depends_on_the_place() {
    let condition = offered(&format!("{GAME}(<= (draw) ({CURSOR}"));
    assert!(
        condition.starts_with(&["draw", "full", "succ"].map(str::to_owned)),
        "{condition:?}"
    );
    assert!(condition.contains(&"true".to_owned()) && condition.contains(&"not".to_owned()));
    assert!(!condition.contains(&"next".to_owned()), "{condition:?}");
    assert!(!condition.contains(&"cell".to_owned()), "{condition:?}");

    let fluents = offered(&format!("{GAME}(<= (draw) (true (c{CURSOR}"));
    assert_eq!(fluents[..2], ["cell", "control"], "{fluents:?}");
    let moves = offered(&format!("{GAME}(<= (next x) (does ?who {CURSOR}))"));
    assert_eq!(moves[..3], ["?who", "mark", "noop"], "{moves:?}");
    let roles = offered(&format!("{GAME}(<= (next x) (does {CURSOR}"));
    assert_eq!(roles[..2], ["black", "white"], "{roles:?}");

    let variables = offered(&format!(
        "{GAME}(<= (draw ?a ?Bc) (succ ?{CURSOR}) (true ?a))"
    ));
    assert_eq!(variables, ["?a", "?Bc"]);
    let heads = offered(&format!("{GAME}({CURSOR})"));
    assert_eq!(heads[0], "<=");
    assert!(heads.contains(&"init".to_owned()) && !heads.contains(&"does".to_owned()));
    assert_eq!(
        offered(&format!("{GAME}; a comment {CURSOR}")),
        Vec::<String>::new()
    );
}

#[test]
fn completion_replaces_the_word_that_is_typed() {
    let (mut editor, _) = Editor::with(GAME);
    let text = format!("{GAME}; 🎲\n(<= 🎲 (su{CURSOR}c) full)");
    let answer = editor.at(&text, "completion", json!({})).unwrap();
    let items = answer["items"].as_array().unwrap();
    let item = items.iter().find(|item| item["label"] == "succ").unwrap();
    assert_eq!(item["detail"], "relation/2");
    let edits = Value::Array(vec![item["textEdit"].clone()]);
    let after = apply(&without_cursor(&text), &edits);
    assert!(after.ends_with("(<= 🎲 (succ) full)"), "{after}");
    // Where a list has to begin, its parenthesis comes along.
    let text = format!("{GAME}(<= x {CURSOR})");
    let answer = editor.at(&text, "completion", json!({})).unwrap();
    let items = answer["items"].as_array().unwrap();
    let new = |label: &str| {
        let item = items.iter().find(|item| item["label"] == label).unwrap();
        item["textEdit"]["newText"].as_str().unwrap().to_owned()
    };
    assert_eq!([new("succ"), new("full")], ["(succ", "full"]);
}

#[test]
fn every_word_is_offered_once_enough_of_it_is_typed() {
    let facts: String = (0..2000).map(|number| format!("(r w{number})\n")).collect();
    let (mut editor, _) = Editor::with(&facts);
    let mut complete = |typed: &str| {
        let text = format!("{facts}(r {typed}{CURSOR}");
        editor.at(&text, "completion", json!({})).unwrap()
    };
    let few = complete("W199");
    assert_eq!(few["isIncomplete"], true);
    let labels = few["items"].as_array().unwrap().iter();
    let labels: Vec<_> = labels.map(|item| item["label"].as_str().unwrap()).collect();
    assert_eq!(labels[0], "w199");
    assert_eq!(labels.len(), 11, "{labels:?}");
    assert_eq!(complete("")["items"].as_array().unwrap().len(), 1000);
}

#[test]
fn symbols_group_statements_about_one_relation() {
    let (mut editor, _) = Editor::with(GAME);
    let params = json!({ "textDocument": { "uri": URI } });
    let symbols = editor
        .request("textDocument/documentSymbol", params)
        .unwrap();
    let symbols = symbols.as_array().unwrap();
    let names: Vec<_> = symbols
        .iter()
        .map(|symbol| symbol["name"].as_str().unwrap())
        .collect();
    let expected = [
        "role/1",
        "init/1",
        "succ/2",
        "legal/2",
        "next/1",
        "full/0",
        "goal/2",
        "terminal/0",
    ];
    assert_eq!(names, expected);
    let legal = &symbols[3];
    assert_eq!(legal["children"].as_array().unwrap().len(), 2);
    assert_eq!(
        legal["children"][1]["name"],
        "(legal ?r noop) (role ?r) (not (true (control ?r)))"
    );
    assert!(in_range(GAME, &legal["range"]).starts_with("(<= (legal ?r (mark ?n))\n"));
    assert_eq!(in_range(GAME, &legal["selectionRange"]), "legal");
}

#[test]
fn a_rule_is_one_however_its_arrow_is_spaced() {
    let rules = "( <= (p ?x) (q ?x))\n(<=(p ?x) (r ?x))\n(p a)\n";
    let (mut editor, _) = Editor::with(rules);
    let params = json!({ "textDocument": { "uri": URI } });
    let symbols = editor.request("textDocument/documentSymbol", params);
    let symbols = symbols.unwrap()[0]["children"].take();
    let names = symbols.as_array().unwrap().iter();
    let names: Vec<_> = names
        .map(|symbol| symbol["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["(p ?x) (q ?x)", "(p ?x) (r ?x)", "(p a)"]);
    let text = format!("( <= ({CURSOR}{}", &rules["( <= (".len()..]);
    let hover = editor.at(&text, "hover", json!({})).unwrap();
    let hover = hover["contents"]["value"].as_str().unwrap();
    assert!(hover.contains("1 fact and 2 rules:"), "{hover}");
}

#[test]
fn formatting_gives_the_canonical_layout() {
    let text = GAME
        .replace("(role black)", "  (role  black )\n\n\n; 🎲")
        .replace('\n', "\r\n");
    let (mut editor, _) = Editor::with(&text);
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let params = json!({ "textDocument": { "uri": URI }, "options": options });
    let edits = editor
        .request("textDocument/formatting", params.clone())
        .unwrap();
    let after = apply(&text, &edits);
    let source = gdlc::source::Source::new("game", text.as_str());
    assert_eq!(after, gdlc::format::format(&source).unwrap());
    assert_ne!(after, text);
    editor.change(&after);
    assert_eq!(
        editor
            .request("textDocument/formatting", params.clone())
            .unwrap(),
        json!([])
    );
    editor.change("(role white");
    assert_eq!(
        editor.request("textDocument/formatting", params).unwrap(),
        json!([])
    );
}

#[test]
fn quick_fixes_do_what_the_notes_say() {
    let (mut editor, _) = Editor::with(GAME);
    let mut fixed = |text: &str, range: Value| {
        editor.change(text);
        let context = json!({ "diagnostics": [] });
        let params = json!({ "textDocument": { "uri": URI }, "range": range, "context": context });
        let actions = editor.request("textDocument/codeAction", params).unwrap();
        let actions = actions.as_array().unwrap().clone();
        let titles: Vec<_> = actions
            .iter()
            .map(|action| action["title"].clone())
            .collect();
        let edits = actions
            .first()
            .map(|action| apply(text, &action["edit"]["changes"][URI]));
        (titles, edits)
    };
    let whole =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let text = format!("{GAME}(<= (draw) (draw) (sucs ?x ?x) (sucs ?y ?x))\n");
    let (titles, after) = fixed(&text, whole.clone());
    assert_eq!(titles, ["Replace `sucs` by `succ` in 2 places"]);
    assert_eq!(after.unwrap(), text.replace("sucs", "succ"));

    let text = GAME.replace("(goal ?r 50) (role", "(goal ?r 50) (Role");
    let (titles, after) = fixed(&text, whole.clone());
    assert_eq!(titles, ["Replace `Role` by `role`"]);
    assert_eq!(after.unwrap(), GAME);

    let text = GAME.replace("(true (cell ?n empty))", "(cell ?n empty)");
    let (_, after) = fixed(&text, whole.clone());
    assert_eq!(after.unwrap(), GAME);

    let both = text.replace("(true (cell ?n ?r))", "(cell ?n ?r)");
    let (titles, after) = fixed(&both, whole);
    let expected =
        "Replace `(cell ?n empty)` by `(true (cell ?n empty))`, and likewise in all 2 places";
    assert_eq!(titles[0], expected);
    assert_eq!(after.unwrap(), GAME);

    let elsewhere =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 1, "character": 0 } });
    assert_eq!(fixed(&text, elsewhere).0, Vec::<Value>::new());
}
