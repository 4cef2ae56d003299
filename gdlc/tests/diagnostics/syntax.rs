//! What is not KIF, or not a sentence of GDL.

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
              | ^^ this list is empty

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
