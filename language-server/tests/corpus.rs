//! Sessions over the public corpus.
#![allow(clippy::unwrap_used)]

use crate::editing::ask_everything;
use crate::editor::{Editor, URI};
use rand::prelude::*;
use rand::rngs::SmallRng;
use std::time::Duration;

/// How long an answer may take for a sheet of 500 lines: five times as long as it should, since
/// tests run side by side.
const LIMIT: Duration = Duration::from_millis(250);

#[test]
#[ignore = "needs the public corpus"]
fn corpus_is_edited_without_a_panic_and_without_waiting() {
    let mut random = SmallRng::seed_from_u64(gdl_testing::seed());
    let mut editor = Editor::new();
    editor.open(URI, "");
    for path in gdl_testing::corpus_games() {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let lines = text.lines().count().max(1);
        editor.slowest = Duration::ZERO;
        for round in 0..6 {
            let at = text.floor_char_boundary(random.random_range(0..=text.len()));
            let edited = match round {
                0 | 1 => text.clone(),
                2 => text[..at].to_owned(),
                3 => format!("{}({}", &text[..at], &text[at..]),
                4 => format!("{}(<= (x ?y)\n{}", &text[..at], &text[at..]),
                _ => format!("{}){}", &text[..at], &text[at..]),
            };
            editor.change(&edited);
            ask_everything(&mut editor, &text[..at]);
        }
        let slowest = editor.slowest;
        println!("{}: {lines} lines, {slowest:.1?}", path.display());
        let limit = LIMIT.mul_f64((lines as f64 / 500.0).max(1.0));
        assert!(slowest < limit, "{} took {slowest:?}", path.display());
    }
    editor.quit();
}
