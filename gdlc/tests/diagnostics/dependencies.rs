//! Relations that depend on what they must not.

use super::{expect, in_game};

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
            error[unrestricted-recursion]: the argument `?n` of the recursive `number` may grow without bound
             --> game.kif:2:21
              |
            2 | (<= (number (s ?n)) (number ?n))
              |                     ^^^^^^^^^^^ `number` depends on itself
              |
              = note: GDL requires `?n` to be ground, an argument of the head, or an argument of a literal outside the recursion

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
            error[unrestricted-recursion]: the argument `(pred ?n)` of the recursive `odd` may grow without bound
             --> game.kif:2:15
              |
            2 | (<= (even ?n) (odd (pred ?n)) (number ?n))
              |               ^^^^^^^^^^^^^^^ `odd` and `even` depend on each other
              |
              = note: GDL requires `(pred ?n)` to be ground, an argument of the head, or an argument of a literal outside the recursion

            error[unrestricted-recursion]: the argument `(pred ?n)` of the recursive `even` may grow without bound
             --> game.kif:3:18
              |
            3 | (<= (odd ?n) (or (even (pred ?n)) (even ?m)) (number ?n))
              |                  ^^^^^^^^^^^^^^^^ `even` and `odd` depend on each other
              |
              = note: GDL requires `(pred ?n)` to be ground, an argument of the head, or an argument of a literal outside the recursion

            error[unrestricted-recursion]: the argument `?m` of the recursive `even` may grow without bound
             --> game.kif:3:35
              |
            3 | (<= (odd ?n) (or (even (pred ?n)) (even ?m)) (number ?n))
              |                                   ^^^^^^^^^ `even` and `odd` depend on each other
              |
              = note: GDL requires `?m` to be ground, an argument of the head, or an argument of a literal outside the recursion

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
