//! What each error and each warning looks like.
//!
//! Every case is a few rules in front of an otherwise correct game; the whole
//! of what is reported about them is compared. `UPDATE_EXPECT=1` rewrites the
//! expectations.
#![allow(clippy::needless_pass_by_value)]

use expect_test::{Expect, expect};
use gdlc::diag::render;
use gdlc::source::Source;

/// A game without fault, for rules under test to stand in front of.
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

mod syntax {
    use super::{expect, in_game, whole};

    #[test]
    fn open_parenthesis() {
        whole(
            "\
(role white)
(<= (p a)
    (q a)
(r b)
(s c)
",
            expect![[r#"
                error[syntax]: this `(` is never closed
                 --> game.kif:2:1
                  |
                2 | (<= (p a)
                  | ^ opened here
                  |
                  = note: a `)` is missing somewhere after it

            "#]],
        );
    }

    #[test]
    fn stray_parenthesis() {
        in_game(
            "\
(<= terminal (true (control white))))
",
            expect![[r#"
                error[syntax]: unmatched `)`
                 --> game.kif:1:37
                  |
                1 | (<= terminal (true (control white))))
                  |                                     ^ closes nothing

            "#]],
        );
    }

    #[test]
    fn several_at_once() {
        in_game(
            "\
(role ?x
(role (a)) )
()
(<= ?h (role white))
(<= terminal ?b)
((p) a)
",
            expect![[r#"
                error[keyword-arity]: `role` takes one argument, not 2
                 --> game.kif:1:1
                  |
                1 | / (role ?x
                2 | | (role (a)) )
                  | |____________^ wrong number of arguments

                error[unsafe-variable]: the variable `?x` of a fact is not bound
                 --> game.kif:1:7
                  |
                1 | (role ?x
                  |       ^^ a fact has no variables

                error[keyword-as-function]: the keyword `role` is used as a function
                 --> game.kif:2:1
                  |
                2 | (role (a)) )
                  | ^^^^^^^^^^ this is a term, not a literal

                error[syntax]: an empty list cannot be a statement
                 --> game.kif:3:1
                  |
                3 | ()
                  | ^^ nothing in it

                error[syntax]: a variable cannot be a head of a rule
                 --> game.kif:4:5
                  |
                4 | (<= ?h (role white))
                  |     ^^ a name belongs here

                error[syntax]: a variable cannot be a condition
                 --> game.kif:5:14
                  |
                5 | (<= terminal ?b)
                  |              ^^ a name belongs here

                error[syntax]: a statement starts with a name
                 --> game.kif:6:2
                  |
                6 | ((p) a)
                  |  ^^^ a name belongs here

            "#]],
        );
    }

    #[test]
    fn lone_question_mark() {
        in_game(
            "\
(<= terminal (true (control ?)))
",
            expect![[r#"
                error[syntax]: a variable needs a name after its `?`
                 --> game.kif:1:29
                  |
                1 | (<= terminal (true (control ?)))
                  |                             ^

            "#]],
        );
    }

    #[test]
    fn control_character() {
        in_game(
            "(role \u{7})\n",
            expect![[r#"
            error[syntax]: unexpected character '\u{7}'
             --> game.kif:1:7
              |
            1 | (role ␇)
              |       ^

        "#]],
        );
    }

    #[test]
    fn rule_without_head() {
        in_game(
            "\
(<=)
",
            expect![[r#"
                error[syntax]: a rule needs a head
                 --> game.kif:1:1
                  |
                1 | (<=)
                  | ^^^^ `<=` stands alone

            "#]],
        );
    }

    #[test]
    fn connective_arity() {
        in_game(
            "\
(<= terminal (not) (distinct a))
",
            expect![[r#"
                error[keyword-arity]: `not` takes one argument, not 0
                 --> game.kif:1:14
                  |
                1 | (<= terminal (not) (distinct a))
                  |              ^^^^^ wrong number of arguments

                error[keyword-arity]: `distinct` takes two arguments, not 1
                 --> game.kif:1:20
                  |
                1 | (<= terminal (not) (distinct a))
                  |                    ^^^^^^^^^^^^ wrong number of arguments

            "#]],
        );
    }

    #[test]
    fn after_a_long_line() {
        let line = format!("(<= terminal {} (true ?))\n", "(role white)".repeat(400));
        in_game(
            &line,
            expect![[r#"
            error[syntax]: a variable needs a name after its `?`
             --> game.kif:1:4821
              |
             ::: 
            1 | hite)(role white)(role white)(role white)(role white) (true ?))
              |                                                             ^

        "#]],
        );
    }
}

mod errors {
    use super::{expect, in_game, whole};

    #[test]
    fn unsafe_head() {
        in_game(
            "\
(<= (legal white (mark ?x ?y)) (true (control ?x)))
",
            expect![[r#"
                error[unsafe-variable]: the variable `?y` of the head is not bound
                 --> game.kif:1:27
                  |
                1 | (<= (legal white (mark ?x ?y)) (true (control ?x)))
                  |                           ^^ no positive literal of the body contains it

            "#]],
        );
    }

    #[test]
    fn unsafe_negation() {
        in_game(
            "\
(<= terminal (not (true (control ?x))))
",
            expect![[r#"
                error[unsafe-variable]: the variable `?x` of a `not` is not bound
                 --> game.kif:1:34
                  |
                1 | (<= terminal (not (true (control ?x))))
                  |                                  ^^ no positive literal of the body contains it

            "#]],
        );
    }

    #[test]
    fn unsafe_distinct() {
        in_game(
            "\
(<= terminal (role ?x) (distinct ?x ?y))
",
            expect![[r#"
                error[unsafe-variable]: the variable `?y` of a `distinct` is not bound
                 --> game.kif:1:37
                  |
                1 | (<= terminal (role ?x) (distinct ?x ?y))
                  |                                     ^^ no positive literal of the body contains it

            "#]],
        );
    }

    #[test]
    fn unsafe_fact() {
        in_game(
            "\
(init (control ?anyone))
",
            expect![[r#"
                error[unsafe-variable]: the variable `?anyone` of a fact is not bound
                 --> game.kif:1:16
                  |
                1 | (init (control ?anyone))
                  |                ^^^^^^^ a fact has no variables

            "#]],
        );
    }

    #[test]
    fn unsafe_in_one_alternative() {
        in_game(
            "\
(<= (legal ?r pass) (or (role ?r) (true (control white))))
",
            expect![[r#"
                error[unsafe-variable]: the variable `?r` of the head is not bound
                 --> game.kif:1:12
                  |
                1 | (<= (legal ?r pass) (or (role ?r) (true (control white))))
                  |            ^^ no positive literal of the body contains it

            "#]],
        );
    }

    #[test]
    fn bound_in_every_alternative() {
        in_game(
            "\
(<= (legal ?r pass) (or (role ?r) (true (control ?r))) (distinct ?r black))
",
            expect![],
        );
    }

    #[test]
    fn constant_reserved() {
        in_game(
            "\
(init (control does))
(init (control not))
",
            expect![[r#"
                error[keyword-as-constant]: the keyword `does` is used as an object constant
                 --> game.kif:1:16
                  |
                1 | (init (control does))
                  |                ^^^^ reserved word

                error[keyword-as-constant]: the keyword `not` is used as an object constant
                 --> game.kif:2:16
                  |
                2 | (init (control not))
                  |                ^^^ reserved word

            "#]],
        );
    }

    #[test]
    fn function_reserved() {
        in_game(
            "\
(init (true (control white)))
",
            expect![[r#"
                error[keyword-as-function]: the keyword `true` is used as a function
                 --> game.kif:1:7
                  |
                1 | (init (true (control white)))
                  |       ^^^^^^^^^^^^^^^^^^^^^^ this is a term, not a literal

            "#]],
        );
    }

    #[test]
    fn missing() {
        whole(
            "\
(init (control white))
(<= (next ?f) (true ?f))
",
            expect![[r#"
                error[missing-keyword]: the game has no role
                 --> game.kif:1:1
                  |
                1 | (init (control white))
                  | ^
                  |
                  = note: declare every player by a fact `(role name)`

                error[missing-keyword]: nothing derives `legal`
                 --> game.kif:1:1
                  |
                1 | (init (control white))
                  | ^
                  |
                  = note: no role has a move

                error[missing-keyword]: nothing derives `goal`
                 --> game.kif:1:1
                  |
                1 | (init (control white))
                  | ^
                  |
                  = note: no role has a goal value

                error[missing-keyword]: nothing derives `terminal`
                 --> game.kif:1:1
                  |
                1 | (init (control white))
                  | ^
                  |
                  = note: the game never ends

            "#]],
        );
    }

    #[test]
    fn keyword_arity() {
        in_game(
            "\
(<= (goal white) (true control white))
(<= (terminal now) (role white))
",
            expect![[r#"
                error[keyword-arity]: `goal` takes two arguments, not 1
                 --> game.kif:1:5
                  |
                1 | (<= (goal white) (true control white))
                  |     ^^^^^^^^^^^^ wrong number of arguments

                error[keyword-arity]: `true` takes one argument, not 2
                 --> game.kif:1:18
                  |
                1 | (<= (goal white) (true control white))
                  |                  ^^^^^^^^^^^^^^^^^^^^ wrong number of arguments

                error[keyword-arity]: `terminal` takes no argument, not 1
                 --> game.kif:2:5
                  |
                2 | (<= (terminal now) (role white))
                  |     ^^^^^^^^^^^^^^ wrong number of arguments

            "#]],
        );
    }

    #[test]
    fn forbidden_heads() {
        in_game(
            "\
(<= (role ?x) (true (control ?x)))
(<= (true (control white)) (role white))
(<= (does white noop) (role white))
(true (control white))
(does white noop)
(not (role red))
",
            expect![[r#"
                error[forbidden-head]: `role` cannot be the head of a rule
                 --> game.kif:1:5
                  |
                1 | (<= (role ?x) (true (control ?x)))
                  |     ^^^^^^^^^ every role is declared by a fact of its own

                error[forbidden-head]: `true` cannot be the head of a rule
                 --> game.kif:2:5
                  |
                2 | (<= (true (control white)) (role white))
                  |     ^^^^^^^^^^^^^^^^^^^^^^ the state decides what is `true`: use `init` and `next`

                error[forbidden-head]: `does` cannot be the head of a rule
                 --> game.kif:3:5
                  |
                3 | (<= (does white noop) (role white))
                  |     ^^^^^^^^^^^^^^^^^ the players decide what they do: use `legal`

                error[forbidden-head]: `true` cannot stand as a fact
                 --> game.kif:4:1
                  |
                4 | (true (control white))
                  | ^^^^^^^^^^^^^^^^^^^^^^ the state decides what is `true`: use `init` and `next`

                error[forbidden-head]: `does` cannot stand as a fact
                 --> game.kif:5:1
                  |
                5 | (does white noop)
                  | ^^^^^^^^^^^^^^^^^ the players decide what they do: use `legal`

                error[forbidden-head]: `not` cannot stand as a fact
                 --> game.kif:6:1
                  |
                6 | (not (role red))
                  | ^^^^^^^^^^^^^^^^ only relations hold or are derived

                error[keyword-as-function]: the keyword `role` is used as a function
                 --> game.kif:6:6
                  |
                6 | (not (role red))
                  |      ^^^^^^^^^^ this is a term, not a literal

            "#]],
        );
    }

    #[test]
    fn forbidden_in_body() {
        in_game(
            "\
(base (control white))
(input white noop)
(<= terminal (init (control ?x)) (next (control ?x)))
(<= terminal (base (control ?x)) (input ?x noop))
",
            expect![[r#"
                error[forbidden-in-body]: `init` cannot be in the body of a rule
                 --> game.kif:3:14
                  |
                3 | (<= terminal (init (control ?x)) (next (control ?x)))
                  |              ^^^^^^^^^^^^^^^^^^^ what holds at the start cannot be asked for

                error[forbidden-in-body]: `next` cannot be in the body of a rule
                 --> game.kif:3:34
                  |
                3 | (<= terminal (init (control ?x)) (next (control ?x)))
                  |                                  ^^^^^^^^^^^^^^^^^^^ what holds next cannot be asked for

                error[forbidden-in-body]: `base` cannot be in the body of a rule
                 --> game.kif:4:14
                  |
                4 | (<= terminal (base (control ?x)) (input ?x noop))
                  |              ^^^^^^^^^^^^^^^^^^^ declarations cannot be asked for

                error[forbidden-in-body]: `input` cannot be in the body of a rule
                 --> game.kif:4:34
                  |
                4 | (<= terminal (base (control ?x)) (input ?x noop))
                  |                                  ^^^^^^^^^^^^^^^ declarations cannot be asked for

            "#]],
        );
    }

    #[test]
    fn state_in_init() {
        in_game(
            "\
(<= (init (control ?x)) (turn ?x))
(<= (turn ?x) (true (control ?x)))
(<= (base (control ?x)) (true (control ?x)))
(<= (input ?r ?m) (does ?r ?m))
",
            expect![[r#"
                error[depends-on-time]: `init` must not depend on the state
                 --> game.kif:1:25
                  |
                1 | (<= (init (control ?x)) (turn ?x))
                  |                         ^^^^^^^^^ `turn` depends on `true`
                2 | (<= (turn ?x) (true (control ?x)))
                  |               ------------------- `turn` depends on `true`

                error[depends-on-time]: `base` must not depend on the state
                 --> game.kif:3:25
                  |
                3 | (<= (base (control ?x)) (true (control ?x)))
                  |                         ^^^^^^^^^^^^^^^^^^^ varies with the state

                error[depends-on-time]: `input` must not depend on the moves made
                 --> game.kif:4:19
                  |
                4 | (<= (input ?r ?m) (does ?r ?m))
                  |                   ^^^^^^^^^^^^ varies with the moves made

            "#]],
        );
    }

    #[test]
    fn moves_in_legal() {
        in_game(
            "\
(<= (legal ?r pass) (moved ?r))
(<= (moved ?r) (passed ?r))
(<= (passed ?r) (does ?r noop))
(<= (goal ?r 10) (does ?r noop))
(<= terminal (not (does white noop)))
",
            expect![[r#"
                error[depends-on-time]: `legal` must not depend on the moves made
                 --> game.kif:1:21
                  |
                1 | (<= (legal ?r pass) (moved ?r))
                  |                     ^^^^^^^^^^ `moved` depends on `does`
                2 | (<= (moved ?r) (passed ?r))
                  |                ----------- `moved` depends on `passed`
                3 | (<= (passed ?r) (does ?r noop))
                  |                 -------------- `passed` depends on `does`

                error[depends-on-time]: `goal` must not depend on the moves made
                 --> game.kif:4:18
                  |
                4 | (<= (goal ?r 10) (does ?r noop))
                  |                  ^^^^^^^^^^^^^^ varies with the moves made

                error[depends-on-time]: `terminal` must not depend on the moves made
                 --> game.kif:5:19
                  |
                5 | (<= terminal (not (does white noop)))
                  |                   ^^^^^^^^^^^^^^^^^ varies with the moves made

            "#]],
        );
    }

    #[test]
    fn compound_negation() {
        in_game(
            "\
(<= terminal (not (or (role white) (role black))))
(<= terminal (not (and (role white))))
(<= terminal (not (not (role white))))
(<= terminal (not (distinct a b)))
",
            expect![[r#"
                error[negated-compound]: `not` applies to an atom, not to `or`
                 --> game.kif:1:19
                  |
                1 | (<= terminal (not (or (role white) (role black))))
                  |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ use several `not`s, or a relation

                error[negated-compound]: `not` applies to an atom, not to `and`
                 --> game.kif:2:19
                  |
                2 | (<= terminal (not (and (role white))))
                  |                   ^^^^^^^^^^^^^^^^^^ use an `or` of `not`s, or a relation

                error[negated-compound]: `not` applies to an atom, not to `not`
                 --> game.kif:3:19
                  |
                3 | (<= terminal (not (not (role white))))
                  |                   ^^^^^^^^^^^^^^^^^^ two `not` cancel out: leave out both

                error[negated-compound]: `not` applies to an atom, not to `distinct`
                 --> game.kif:4:19
                  |
                4 | (<= terminal (not (distinct a b)))
                  |                   ^^^^^^^^^^^^^^ use one variable for both terms

            "#]],
        );
    }

    #[test]
    fn cycle_through_negation() {
        in_game(
            "\
(<= terminal (p ?x))
(<= (p ?x) (role ?x)
    (not (q ?x)))
(<= (q ?x) (r ?x))
(<= (r ?x) (p ?x))
",
            expect![[r#"
                error[unstratified]: `p` depends on its own negation
                 --> game.kif:3:10
                  |
                3 |     (not (q ?x)))
                  |          ^^^^^^ `p` depends on the negation of `q`
                4 | (<= (q ?x) (r ?x))
                  |            ------ `q` depends on `r`
                5 | (<= (r ?x) (p ?x))
                  |            ------ `r` depends on `p`
                  |
                  = note: the cycle: p -> not q -> r -> p

            "#]],
        );
    }

    #[test]
    fn cycle_through_own_negation() {
        in_game(
            "\
(<= open (not open))
(<= terminal open)
",
            expect![[r#"
                error[unstratified]: `open` depends on its own negation
                 --> game.kif:1:15
                  |
                1 | (<= open (not open))
                  |               ^^^^ `open` depends on the negation of `open`
                  |
                  = note: the cycle: open -> not open

            "#]],
        );
    }

    #[test]
    fn unrestricted_recursion() {
        in_game(
            "\
(number zero)
(<= (number (s ?n)) (number ?n))
(<= terminal (number zero))
",
            expect![[r#"
                error[unrestricted-recursion]: the argument `?n` of the recursive `number` may grow without end
                 --> game.kif:2:21
                  |
                2 | (<= (number (s ?n)) (number ?n))
                  |                     ^^^^^^^^^^^ `number` depends on itself
                  |
                  = note: GDL wants `?n` ground, or an argument of the head, or of a literal outside the recursion

            "#]],
        );
    }

    #[test]
    fn mutual_recursion() {
        in_game(
            "\
(<= (even zero) (role white))
(<= (even ?n) (odd (pred ?n)) (number ?n))
(<= (odd ?n) (or (even (pred ?n)) (even ?m)) (number ?n))
(number zero)
(<= terminal (even zero))
",
            expect![[r#"
                error[unrestricted-recursion]: the argument `(pred ?n)` of the recursive `odd` may grow without end
                 --> game.kif:2:15
                  |
                2 | (<= (even ?n) (odd (pred ?n)) (number ?n))
                  |               ^^^^^^^^^^^^^^^ `odd` and `even` depend on each other
                  |
                  = note: GDL wants `(pred ?n)` ground, or an argument of the head, or of a literal outside the recursion

                error[unrestricted-recursion]: the argument `(pred ?n)` of the recursive `even` may grow without end
                 --> game.kif:3:18
                  |
                3 | (<= (odd ?n) (or (even (pred ?n)) (even ?m)) (number ?n))
                  |                  ^^^^^^^^^^^^^^^^ `even` and `odd` depend on each other
                  |
                  = note: GDL wants `(pred ?n)` ground, or an argument of the head, or of a literal outside the recursion

                error[unrestricted-recursion]: the argument `?m` of the recursive `even` may grow without end
                 --> game.kif:3:35
                  |
                3 | (<= (odd ?n) (or (even (pred ?n)) (even ?m)) (number ?n))
                  |                                   ^^^^^^^^^ `even` and `odd` depend on each other
                  |
                  = note: GDL wants `?m` ground, or an argument of the head, or of a literal outside the recursion

            "#]],
        );
    }

    #[test]
    fn restricted_recursion() {
        in_game(
            "\
(link a b)
(<= (reach ?x ?y) (link ?x ?y))
(<= (reach ?x ?z) (reach ?x ?y) (link ?y ?z))
(<= terminal (reach a ?x))
",
            expect![],
        );
    }

    #[test]
    fn role_not_constant() {
        in_game(
            "\
(role (team red))
",
            expect![[r#"
                error[role-name]: a role is named by a constant
                 --> game.kif:1:7
                  |
                1 | (role (team red))
                  |       ^^^^^^^^^^ not a constant

            "#]],
        );
    }

    #[test]
    fn too_many_alternatives() {
        let ors = "(or (role white) (role black)) ".repeat(40);
        in_game(
            &format!("(<= terminal {ors})\n"),
            expect![[r#"
                error[too-many-alternatives]: the `or`s of this rule make 1099511627776 rules with 43980465111040 literals
                 --> game.kif:1:1
                  |
                 ::: 
                1 | (<= terminal (or (role white) (role black)) (or (role white) (role black)) (or (role white) (role black)) (or (role whit
                  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ split this rule
                  |
                  = note: 100000 literals are accepted in one rule, 1000000 in all

            "#]],
        );
    }
}

mod warnings {
    use super::{expect, in_game};

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
                warning[never-asked]: the fluent `clock` is never asked for
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
                  |              ^^^^ never holds, and neither does the rule

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

                warning[goal-value]: `101` is no goal value
                 --> game.kif:2:17
                  |
                2 | (<= (goal white 101) (true (control black)))
                  |                 ^^^ a whole number from 0 to 100

                warning[goal-value]: `best` is no goal value
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
                  = note: GDL wants `?x` ground, or an argument of the head, or of a literal outside the recursion

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
}
