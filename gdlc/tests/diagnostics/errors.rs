//! Other errors: negations, roles and sizes.

use super::{expect, in_game};

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
              |                   ^^^^^^^^^^^^^^ the terms are equal then: write one in place of the other

        "#]],
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
            error[too-many-alternatives]: the `or`s of this rule expand into 1099511627776 rules with 43980465111040 literals and 536561674354688 bytes
             --> game.kif:1:1
              |
             ::: 
            1 | (<= terminal (or (role white) (role black)) (or (role white) (role black)) (or (role white) (role black)) (or (role whit
              | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ split this rule
              |
              = note: at most 100000 rules with 100000 literals and 4000000 bytes are accepted per rule, and 1000000 rules with 1000000 literals and 20000000 bytes in all

        "#]],
    );
}
