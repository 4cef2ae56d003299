//! Variables that no positive literal binds.

use super::{expect, in_game};

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
