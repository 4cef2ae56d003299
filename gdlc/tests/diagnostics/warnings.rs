//! Rules that are a game, though hardly the one that was meant.

use super::{GAME, expect, in_game};
use gdlc::rules::check;
use gdlc::source::Source;

#[test]
fn several_arities() {
    in_game(
        "\
(p a)
(p a b)
(<= terminal (p a) (p a (f a)) (p a (f a b)))
",
        expect![[r#"
            warning[several-arities]: the relation `p` is used with 1 and with 2 arguments
             --> game.kif:2:1
              |
            1 | (p a)
              | ----- one argument here
            2 | (p a b)
              | ^^^^^^^ two arguments here
              |
              = note: these are two different relations

            warning[several-arities]: the function `f` is used with 1 and with 2 arguments
             --> game.kif:3:37
              |
            3 | (<= terminal (p a) (p a (f a)) (p a (f a b)))
              |                         -----       ^^^^^^^ two arguments here
              |                         |
              |                         one argument here
              |
              = note: these are two different functions

        "#]],
    );
}

#[test]
fn never_derived() {
    in_game(
        "\
(<= terminal (won ?x))
",
        expect![[r#"
            warning[never-derived]: nothing derives `won`
             --> game.kif:1:14
              |
            1 | (<= terminal (won ?x))
              |              ^^^^^^^^ never holds

        "#]],
    );
}

/// Keywords with a letter missing, or with two letters exchanged.
#[test]
fn misspelt_keyword() {
    in_game(
        "\
(<= terminal (tru (control white)))
(<= (goal white 100) (deos black noop) (distnict white black))
",
        expect![[r#"
            warning[never-derived]: nothing derives `tru`
             --> game.kif:1:14
              |
            1 | (<= terminal (tru (control white)))
              |              ^^^^^^^^^^^^^^^^^^^^^ never holds
              |
              = note: did you mean `true`?

            warning[never-derived]: nothing derives `deos`
             --> game.kif:2:22
              |
            2 | (<= (goal white 100) (deos black noop) (distnict white black))
              |                      ^^^^^^^^^^^^^^^^^ never holds
              |
              = note: did you mean `does`?

            warning[never-derived]: nothing derives `distnict`
             --> game.kif:2:40
              |
            2 | (<= (goal white 100) (deos black noop) (distnict white black))
              |                                        ^^^^^^^^^^^^^^^^^^^^^^ never holds
              |
              = note: did you mean `distinct`?

        "#]],
    );
}

/// A relation with an extra letter and in another case, and one with a letter replaced:
/// of the two similar names, the one with the same number of arguments is meant.
#[test]
fn misspelt_relation() {
    in_game(
        "\
(line white)
(lane white black)
(<= terminal (LinEs white) (lone white black))
(<= terminal (line white) (lane white black))
",
        expect![[r#"
            warning[never-derived]: nothing derives `LinEs`
             --> game.kif:3:14
              |
            3 | (<= terminal (LinEs white) (lone white black))
              |              ^^^^^^^^^^^^^ never holds
              |
              = note: did you mean `line`?

            warning[never-derived]: nothing derives `lone`
             --> game.kif:3:28
              |
            3 | (<= terminal (LinEs white) (lone white black))
              |                            ^^^^^^^^^^^^^^^^^^ never holds
              |
              = note: did you mean `lane`?

        "#]],
    );
}

/// Names of one character, or two edits away, are not taken for misspellings.
#[test]
fn no_suggestion() {
    in_game(
        "\
(p white)
(<= terminal (p white) (q white) (terminate) (truest white))
",
        expect![[r#"
            warning[never-derived]: nothing derives `q`
             --> game.kif:2:24
              |
            2 | (<= terminal (p white) (q white) (terminate) (truest white))
              |                        ^^^^^^^^^ never holds

            warning[never-derived]: nothing derives `terminate`
             --> game.kif:2:34
              |
            2 | (<= terminal (p white) (q white) (terminate) (truest white))
              |                                  ^^^^^^^^^^^ never holds

            warning[never-derived]: nothing derives `truest`
             --> game.kif:2:46
              |
            2 | (<= terminal (p white) (q white) (terminate) (truest white))
              |                                              ^^^^^^^^^^^^^^ never holds

        "#]],
    );
}

#[test]
fn never_used() {
    in_game(
        "\
(successor 1 2)
(successor 2 3)
",
        expect![[r#"
            warning[never-used]: `successor` is never used
             --> game.kif:1:1
              |
            1 | (successor 1 2)
              | ^^^^^^^^^^^^^^^ derived here

        "#]],
    );
}

#[test]
fn never_true() {
    in_game(
        "\
(<= terminal (true (clock 9)))
",
        expect![[r#"
            warning[never-true]: the fluent `clock` never becomes true
             --> game.kif:1:14
              |
            1 | (<= terminal (true (clock 9)))
              |              ^^^^^^^^^^^^^^^^

        "#]],
    );
}

#[test]
fn never_asked() {
    in_game(
        "\
(init (clock 1))
",
        expect![[r#"
            warning[never-asked]: the fluent `clock` is never used
             --> game.kif:1:1
              |
            1 | (init (clock 1))
              | ^^^^^^^^^^^^^^^^

        "#]],
    );
}

#[test]
fn relation_and_function() {
    in_game(
        "\
(<= terminal (control black))
",
        expect![[r#"
            warning[relation-and-function]: `control` is both a relation and a function
             --> game.kif:1:14
              |
            1 | (<= terminal (control black))
              |              ^^^^^^^^^^^^^^^ a relation here
            ...
            5 | (init (control white))
              |       --------------- a function here
              |
              = note: a fluent holds as `(true …)`, not by itself

            warning[never-derived]: nothing derives `control`
             --> game.kif:1:14
              |
            1 | (<= terminal (control black))
              |              ^^^^^^^^^^^^^^^ never holds

        "#]],
    );
}

#[test]
fn capitals() {
    in_game(
        "\
(<= terminal (Role ?x) (true (Control ?X)) (distinct ?x Black))
",
        expect![[r#"
            warning[capitalisation]: `?x` and `?X` are the same name
             --> game.kif:1:39
              |
            1 | (<= terminal (Role ?x) (true (Control ?X)) (distinct ?x Black))
              |                    --                 ^^
              |                    |
              |                    first written like this

            warning[capitalisation]: `Role` and `role` are the same name
             --> game.kif:3:2
              |
            1 | (<= terminal (Role ?x) (true (Control ?X)) (distinct ?x Black))
              |               ---- first written like this
            2 |
            3 | (role white)
              |  ^^^^

            warning[capitalisation]: `Black` and `black` are the same name
             --> game.kif:4:7
              |
            1 | (<= terminal (Role ?x) (true (Control ?X)) (distinct ?x Black))
              |                                                         ----- first written like this
            ...
            4 | (role black)
              |       ^^^^^

            warning[capitalisation]: `Control` and `control` are the same name
             --> game.kif:5:8
              |
            1 | (<= terminal (Role ?x) (true (Control ?X)) (distinct ?x Black))
              |                               ------- first written like this
            ...
            5 | (init (control white))
              |        ^^^^^^^

        "#]],
    );
}

/// The text after all fixes of a kind of finding, of which there are none any more.
fn fixed(text: &str, code: &str) -> String {
    let findings = |text: &str| {
        let mut found = check(Source::new("game.kif", text)).diagnostics;
        found.retain(|found| found.code == code);
        found
    };
    let mut fixed = text.to_owned();
    for found in findings(text).iter().rev() {
        let fix = found.fix.as_ref().expect("there is a fix");
        for (span, text) in fix.edits.iter().rev() {
            fixed.replace_range(span.start as usize..span.end as usize, text);
        }
    }
    assert_ne!(fixed, text);
    assert_eq!(findings(&fixed), []);
    fixed
}

#[test]
fn one_fix_changes_every_other_capitalisation() {
    let text = format!("{GAME}(<= terminal (ROLE ?x) (Role ?X) (true (ROLE ?x ?X)))");
    fixed(&text, "capitalisation");
}

#[test]
fn one_fix_makes_facts_of_all_fluents() {
    let text = format!("{GAME}(<= done (or (control white) (not (control ?x))) (role ?x))");
    let meant = text
        .replace("(or (control white)", "(or (true (control white))")
        .replace("(not (control ?x))", "(not (true (control ?x)))");
    assert_eq!(fixed(&text, "relation-and-function"), meant);
}

#[test]
fn empty_body() {
    in_game(
        "\
(<= (legal white pass))
",
        expect![[r#"
            warning[empty-body]: this rule has no body
             --> game.kif:1:1
              |
            1 | (<= (legal white pass))
              | ^^^^^^^^^^^^^^^^^^^^^^^ always holds: could be a fact

        "#]],
    );
}

#[test]
fn empty_or() {
    in_game(
        "\
(<= terminal (or))
(<= terminal (and))
",
        expect![[r#"
            warning[empty-or]: this `or` has no alternatives
             --> game.kif:1:14
              |
            1 | (<= terminal (or))
              |              ^^^^ never holds, so neither does the rule

            warning[empty-and]: this `and` has no parts
             --> game.kif:2:14
              |
            2 | (<= terminal (and))
              |              ^^^^^ always holds

        "#]],
    );
}

#[test]
fn repeated_role() {
    in_game(
        "\
(role white)
",
        expect![[r#"
            warning[repeated-role]: the role `white` is declared twice
             --> game.kif:3:1
              |
            1 | (role white)
              | ------------ first declared here
            2 |
            3 | (role white)
              | ^^^^^^^^^^^^

        "#]],
    );
}

#[test]
fn unknown_role_and_goal_value() {
    in_game(
        "\
(<= (legal blakc noop) (true (control black)))
(<= (goal white 101) (true (control black)))
(<= (goal white best) (does whit noop))
",
        expect![[r#"
            warning[unknown-role]: there is no role `blakc`
             --> game.kif:1:12
              |
            1 | (<= (legal blakc noop) (true (control black)))
              |            ^^^^^ the first argument of `legal` is a role

            warning[goal-value]: `101` is not a goal value
             --> game.kif:2:17
              |
            2 | (<= (goal white 101) (true (control black)))
              |                 ^^^ a whole number from 0 to 100

            warning[goal-value]: `best` is not a goal value
             --> game.kif:3:17
              |
            3 | (<= (goal white best) (does whit noop))
              |                 ^^^^ a whole number from 0 to 100

            error[depends-on-time]: `goal` must not depend on the moves made
             --> game.kif:3:23
              |
            3 | (<= (goal white best) (does whit noop))
              |                       ^^^^^^^^^^^^^^^^ varies with the moves made

            warning[unknown-role]: there is no role `whit`
             --> game.kif:3:29
              |
            3 | (<= (goal white best) (does whit noop))
              |                             ^^^^ the first argument of `does` is a role

        "#]],
    );
}

#[test]
fn recursion_bound_inside_a_function() {
    in_game(
        "\
(init (link white black))
(<= (linked white) (role white))
(<= (linked ?y) (linked ?x) (true (link ?x ?y)))
(<= terminal (linked black))
",
        expect![[r#"
            warning[unrestricted-recursion]: the argument `?x` of the recursive `linked` is bound inside a function only
             --> game.kif:3:17
              |
            3 | (<= (linked ?y) (linked ?x) (true (link ?x ?y)))
              |                 ^^^^^^^^^^^ `linked` depends on itself
              |
              = note: GDL requires `?x` to be ground, an argument of the head, or an argument of a literal outside the recursion

        "#]],
    );
}

#[test]
fn base_as_constant() {
    in_game(
        "\
(init (control base))
",
        expect![[r#"
            warning[keyword-as-constant]: the keyword `base` is used as an object constant
             --> game.kif:1:16
              |
            1 | (init (control base))
              |                ^^^^ reserved word

        "#]],
    );
}

#[test]
fn stratified_by_arguments() {
    in_game(
        "\
(<= (goal ?r 100) (role ?r) (true (control ?r)))
(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))
",
        expect![[r#"
            warning[stratified-by-arguments]: `goal` and the negation of `goal` depend on each other by name
             --> game.kif:2:32
              |
            2 | (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))
              |                                ^^^^^^^^^^^^^ only the arguments prevent a cycle

        "#]],
    );
}
