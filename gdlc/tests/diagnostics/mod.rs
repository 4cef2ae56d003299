//! What each error and each warning looks like.
//!
//! Every case is a few rules in front of an otherwise correct game; the whole
//! of what is reported about them is compared. `UPDATE_EXPECT=1` rewrites the
//! expectations.
#![allow(clippy::needless_pass_by_value)]

mod dependencies;
mod errors;
mod safety;
mod syntax;
mod warnings;
mod words;

use expect_test::{Expect, expect};
use gdlc::diag::render;
use gdlc::source::Source;

/// A correct game, in front of which the rules under test are put.
const GAME: &str = "
(role white)
(role black)
(init (control white))
(<= (legal ?r noop) (role ?r))
(<= (next (control black)) (true (control white)))
(<= (next (control white)) (does black noop) (true (control black)))
(<= (goal ?r 50) (role ?r))
(<= terminal (true (control black)))
";

fn in_game(rules: &str, expected: Expect) {
    whole(&format!("{}{GAME}", rules.trim_start()), expected);
}

fn whole(text: &str, expected: Expect) {
    let checked = gdlc::rules::check(Source::new("game.kif", text));
    let rendered = render(&checked.diagnostics, false);
    assert_eq!(
        checked.program.is_none(),
        rendered.contains("error["),
        "a program comes out if and only if there is no error"
    );
    expected.assert_eq(&rendered);
}

#[test]
fn a_game_without_fault() {
    in_game("", expect![]);
}
