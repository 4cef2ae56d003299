//! Plans and emitted code are the same on every run, and no name from a rule
//! sheet becomes code.

use crate::lanes;
use gdl_runtime::lanes::Width;
use gdlc::compile::{CompileOptions, compile};
use gdlc::emit::{ModuleHeader, emit, rule_lines};
use gdlc::plan::show_plan;
use gdlc::rules::Program;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;

/// A game in which everything can be given another name.
const TEMPLATE: &str = "
(role N0) (role N1)
(N7 N3) (N7 N4) (N7 N9)
(init (N2 N9 (N10 N9)))
(init (N5 N0))
(<= (legal ?p (N6 ?x (N10 ?x))) (true (N5 ?p)) (N7 ?x) (not (true (N2 ?x (N10 ?x)))))
(<= (legal ?p N8) (role ?p) (not (true (N5 ?p))))
(<= (next (N2 ?x ?y)) (does ?p (N6 ?x ?y)))
(<= (next (N2 ?x ?y)) (true (N2 ?x ?y)))
(<= (next (N5 N1)) (true (N5 N0)))
(<= (next (N5 N0)) (true (N5 N1)))
(<= (N11 N9) (true (N2 N9 ?y)))
(<= (N11 N4) (N11 N3) (true (N2 N4 ?y)))
(<= (N11 N3) (N11 N4))
(<= (N11 N3) (N11 N9) (true (N2 N3 ?y)))
(<= terminal (N11 N4))
(<= (goal ?p 100) (true (N5 ?p)) (N11 N3))
(<= (goal ?p 0) (role ?p) (not (true (N5 ?p))))
(<= (goal ?p 50) (true (N5 ?p)) (not (N11 N3)))
";

/// Keywords, ends of strings, comments and blocks, attributes, macros, escapes.
const HOSTILE: [&[&str]; 2] = [
    &[
        "fn",
        "type",
        "\"",
        "}",
        "\\\"}",
        "*/",
        "\"#",
        "{}",
        "r#loop",
        "#![no_core]",
        "$crate",
        "//",
    ],
    &[
        "now",
        "game",
        "work\\",
        "```",
        "\\u{22}",
        "///",
        "'",
        "\u{202e}flip\u{2066}",
        "\"+panic!{}+\"",
        "w::lut3",
        "]]>",
        "include_str!{\"/etc/passwd\"}",
    ],
];

/// The template with these names.
fn named(names: &[&str]) -> Program {
    let mut text = TEMPLATE.to_owned();
    for (index, name) in names.iter().enumerate().rev() {
        text = text.replace(&format!("N{index}"), name);
    }
    lanes::program("named.kif", &text)
}

fn emitted(program: &Program, name: &str) -> String {
    let compilation = compile(program, &CompileOptions::default()).expect("the game fits");
    let rules = rule_lines(program);
    let header = ModuleHeader {
        name,
        rules: &rules,
        widths: &Width::ALL,
    };
    emit(&compilation.plan, &header).expect("what is emitted is Rust")
}

fn tokens(code: &str) -> TokenStream {
    let file = syn::parse_file(code).expect("what is emitted is Rust");
    assert!(!file.items.is_empty());
    code.parse().expect("what is emitted is Rust")
}

/// Calls `visit` with every token, inside groups too.
fn for_each_token(tokens: TokenStream, visit: &mut impl FnMut(&TokenTree)) {
    for token in tokens {
        visit(&token);
        if let TokenTree::Group(group) = token {
            for_each_token(group.stream(), visit);
        }
    }
}

#[test]
fn plans_are_the_same_on_every_run() {
    for name in ["breakthrough", "tron", "checkers"] {
        let program = lanes::game(name);
        let plan = || {
            show_plan(
                &compile(&program, &CompileOptions::default())
                    .expect("it fits")
                    .plan,
            )
        };
        assert_eq!(plan(), plan(), "{name}");
    }
}

#[test]
fn code_is_the_same_on_every_run_and_parses() {
    for name in ["breakthrough", "tron", "hex"] {
        let program = lanes::game(name);
        let code = emitted(&program, name);
        assert_eq!(code, emitted(&program, name), "{name}");
        tokens(&code);
    }
}

/// The words that emitted code consists of, except numbered ones.
const WORDS: &[&str] = &[
    "Base",
    "Choice",
    "GAME",
    "LAYOUT",
    "List",
    "Row",
    "StaticBase",
    "StaticGoal",
    "StaticLayout",
    "StaticMove",
    "Text",
    "W",
    "Word",
    "Work",
    "allow",
    "always",
    "bases",
    "break",
    "changed",
    "choice",
    "choices",
    "compiled",
    "compiled_game",
    "const",
    "count",
    "count_bits",
    "doc",
    "false",
    "fn",
    "gdl_runtime",
    "goals",
    "if",
    "indifferent",
    "initially",
    "inline",
    "is_zero",
    "lanes",
    "layout",
    "legal",
    "legal_order",
    "let",
    "loop",
    "lut3",
    "moves",
    "mut",
    "name",
    "next",
    "now",
    "of",
    "operations",
    "portable128",
    "portable256",
    "pub",
    "rank",
    "rank_bits",
    "role",
    "roles",
    "row",
    "static",
    "terminal",
    "true",
    "unused_imports",
    "unused_variables",
    "use",
    "value",
    "w128",
    "w256",
    "w512",
    "w64",
    "widths",
    "work",
];

/// Whether a word is one of ours: listed, or a kind of name with a number.
fn is_ours(word: &str) -> bool {
    let numbered = ["v", "terminal_", "goals_", "legal_", "count_", "next_"]
        .iter()
        .any(|prefix| {
            let number = word.strip_prefix(prefix).unwrap_or("");
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        });
    numbered || WORDS.binary_search(&word).is_ok()
}

#[test]
fn identifiers_are_ours() {
    assert!(WORDS.is_sorted());
    let games = ["tictactoe", "hex", "peg_solitaire"].map(lanes::game);
    let named = HOSTILE.map(named);
    for program in games.iter().chain(&named) {
        let mut foreign = BTreeSet::new();
        for_each_token(tokens(&emitted(program, "} fn")), &mut |token| {
            if let TokenTree::Ident(ident) = token
                && !is_ours(&ident.to_string())
            {
                foreign.insert(ident.to_string());
            }
        });
        assert_eq!(foreign, BTreeSet::new());
    }
}

/// Names arrive in the strings as they are, however odd.
#[test]
fn names_survive() {
    for names in HOSTILE {
        let mut strings = BTreeSet::new();
        for_each_token(tokens(&emitted(&named(names), "game")), &mut |token| {
            if let TokenTree::Literal(literal) = token
                && let Ok(syn::Lit::Str(text)) = syn::parse_str(&literal.to_string())
            {
                strings.insert(text.value());
            }
        });
        let [red, _, cell, a, _, turn, mark, _, wait, _, wrap, _] = names else {
            panic!("twelve names")
        };
        for name in [
            (*red).to_owned(),
            (*wait).to_owned(),
            format!("({turn} {red})"),
            format!("({cell} {a} ({wrap} {a}))"),
            format!("({mark} {a} ({wrap} {a}))"),
        ] {
            assert!(strings.contains(&name), "{name} is not among {strings:?}");
        }
    }
}

/// Characters that change the direction of writing make code look like other code:
/// rustc refuses them even in comments.
#[test]
fn nothing_turns_the_direction_of_writing() {
    let code = emitted(&named(HOSTILE[1]), "\u{202e}game");
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    assert_eq!(code.lines().find(|line| line.contains(turns)), None);
}
