//! Rules that are no game, or none within the limits.

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
