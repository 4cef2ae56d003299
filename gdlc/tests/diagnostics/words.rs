//! Words of GDL that are missing or out of place.

use super::{expect, in_game, whole};

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
              = note: declare each player by a fact `(role name)`

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
              |     ^^^^^^^^^ each role is declared by a fact of its own

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

            error[forbidden-head]: `true` cannot be a fact
             --> game.kif:4:1
              |
            4 | (true (control white))
              | ^^^^^^^^^^^^^^^^^^^^^^ the state decides what is `true`: use `init` and `next`

            error[forbidden-head]: `does` cannot be a fact
             --> game.kif:5:1
              |
            5 | (does white noop)
              | ^^^^^^^^^^^^^^^^^ the players decide what they do: use `legal`

            error[forbidden-head]: `not` cannot be a fact
             --> game.kif:6:1
              |
            6 | (not (role red))
              | ^^^^^^^^^^^^^^^^ only relations can be stated or derived

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
              |              ^^^^^^^^^^^^^^^^^^^ a rule cannot test what holds initially

            error[forbidden-in-body]: `next` cannot be in the body of a rule
             --> game.kif:3:34
              |
            3 | (<= terminal (init (control ?x)) (next (control ?x)))
              |                                  ^^^^^^^^^^^^^^^^^^^ a rule cannot test what holds next

            error[forbidden-in-body]: `base` cannot be in the body of a rule
             --> game.kif:4:14
              |
            4 | (<= terminal (base (control ?x)) (input ?x noop))
              |              ^^^^^^^^^^^^^^^^^^^ a rule cannot test declarations

            error[forbidden-in-body]: `input` cannot be in the body of a rule
             --> game.kif:4:34
              |
            4 | (<= terminal (base (control ?x)) (input ?x noop))
              |                                  ^^^^^^^^^^^^^^^ a rule cannot test declarations

        "#]],
    );
}
