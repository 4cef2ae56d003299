//! The canonical layout: how it looks, and that it changes nothing but blanks.
#![allow(clippy::unwrap_used)]

use expect_test::{Expect, expect};
use gdlc::format::{MAX_WIDTH, format};
use gdlc::rules::{check, show_rules};
use gdlc::source::Source;
use gdlc::syntax::{TokenKind, tokenize};
use rand::prelude::*;
use rand::rngs::SmallRng;

fn formatted(text: &str) -> String {
    format(&Source::new("text.kif", text)).unwrap()
}

fn check_layout(text: &str, expected: &Expect) {
    let once = formatted(text);
    expected.assert_eq(&once);
    assert_only_blanks_differ(text, &once);
}

/// The words, parentheses and comments of a text.
fn words(text: &str) -> Vec<(TokenKind, &str)> {
    tokenize(text)
        .into_iter()
        .map(|token| {
            let word = &text[token.span.start as usize..token.span.end as usize];
            (token.kind, word.trim_end())
        })
        .collect()
}

fn assert_only_blanks_differ(before: &str, after: &str) {
    assert_eq!(words(before), words(after));
    assert_eq!(formatted(after), after, "not the same when formatted again");
}

#[test]
fn a_rule_is_on_one_line_or_has_one_condition_a_line() {
    check_layout(
        "
(<= (a ?x) (b ?x)   (c ?x)
) (<= (d ?x)
 (b ?x) (c ?x))
(<= (e ?x) (or (b ?x) (c ?x)) (not (d ?x)) (true (cell ?x ?x ?x)) (true (cell ?x ?x ?x)) (true (f)) (true (g)))
",
        &expect![[r#"
            (<= (a ?x) (b ?x) (c ?x))
            (<= (d ?x)
                (b ?x)
                (c ?x))
            (<= (e ?x)
                (or (b ?x) (c ?x))
                (not (d ?x))
                (true (cell ?x ?x ?x))
                (true (cell ?x ?x ?x))
                (true (f))
                (true (g)))
        "#]],
    );
}

#[test]
fn connectives_break_like_rules() {
    check_layout(
        "(<= a (or (and (b) (c))
 (not (or (d)
 (e))) ))",
        &expect![[r"
            (<= a
                (or (and (b) (c))
                    (not (or (d)
                             (e)))))
        "]],
    );
}

#[test]
fn facts_of_one_relation_share_a_line_as_before() {
    check_layout(
        "(succ 1 2)   (succ 2 3)(succ 3 4)
(succ 4 5) (role white) (Role black) terminal
(<= (p) (q)) (<= (q) (p))",
        &expect![[r"
            (succ 1 2) (succ 2 3) (succ 3 4)
            (succ 4 5)
            (role white) (Role black)
            terminal
            (<= (p) (q))
            (<= (q) (p))
        "]],
    );
    let many = "(file a) ".repeat(20);
    let lines = formatted(&many);
    assert_eq!(lines.lines().map(str::len).collect::<Vec<_>>(), [98, 80]);
}

#[test]
fn one_blank_line_stays_of_several() {
    check_layout(
        "\n\n(a)\n\n\n\n(b)\n(c)\n \n; d\n\n\n(<= e\n\n\n (f))\n\n",
        &expect![[r"
            (a)

            (b)
            (c)

            ; d

            (<= e
                (f))
        "]],
    );
}

#[test]
fn comments_stay_where_they_are() {
    check_layout(
        ";;; head   \n;\n  ;; indented
(a 1)    ; behind a fact
(a 2) (a 3) ; behind two
(<= (b ?x) ; behind a head
; before a condition
  (a ?x); behind a condition
  ; at the end
  )
(<= ; behind the arrow
 (c) (or ; behind or
 (a 1)
 ; within or
 (a 2)))
( ; at the start
 d 1)
; last",
        &expect![[r#"
            ;;; head
            ;
            ;; indented
            (a 1) ; behind a fact
            (a 2) (a 3) ; behind two
            (<= (b ?x) ; behind a head
                ; before a condition
                (a ?x) ; behind a condition
                ; at the end
            )
            (<= ; behind the arrow
                (c)
                (or ; behind or
                    (a 1)
                    ; within or
                    (a 2)))
            (; at the start
                d 1)
            ; last
        "#]],
    );
}

#[test]
fn long_terms_are_filled() {
    let cells = (0..30)
        .map(|n| format!("(cell {n} empty)"))
        .collect::<Vec<_>>();
    let text = format!(
        "(<= (board {}) (next (all {} {})))",
        cells[..8].join(" "),
        "x".repeat(120),
        cells.join(" ")
    );
    check_layout(
        &text,
        &expect![[r#"
            (<= (board (cell 0 empty) (cell 1 empty) (cell 2 empty) (cell 3 empty) (cell 4 empty) (cell 5 empty)
                    (cell 6 empty) (cell 7 empty))
                (next
                    (all
                        xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
                        (cell 0 empty) (cell 1 empty) (cell 2 empty) (cell 3 empty) (cell 4 empty)
                        (cell 5 empty) (cell 6 empty) (cell 7 empty) (cell 8 empty) (cell 9 empty)
                        (cell 10 empty) (cell 11 empty) (cell 12 empty) (cell 13 empty) (cell 14 empty)
                        (cell 15 empty) (cell 16 empty) (cell 17 empty) (cell 18 empty) (cell 19 empty)
                        (cell 20 empty) (cell 21 empty) (cell 22 empty) (cell 23 empty) (cell 24 empty)
                        (cell 25 empty) (cell 26 empty) (cell 27 empty) (cell 28 empty) (cell 29 empty))))
        "#]],
    );
}

#[test]
fn lines_end_as_they_did() {
    assert_eq!(formatted("(a)\r\n(b)\n"), "(a)\r\n(b)\r\n");
    assert_eq!(formatted("(a)\n(b)\r\n"), "(a)\n(b)\n");
    assert_eq!(formatted("(a)\r; c\r(b)"), "(a)\n; c\n(b)\n");
    assert_eq!(formatted("\u{feff}(a)"), "(a)\n");
    assert_eq!(formatted(" \n "), "");
}

#[test]
fn what_cannot_be_read_is_not_formatted() {
    for text in ["(a", "a)", "(a ?)", "(a \0)", "(<= (a) ())"] {
        let errors = format(&Source::new("text.kif", text)).unwrap_err();
        assert_eq!(errors[0].code, "syntax", "{text}");
    }
}

/// A random statement with random blanks, line breaks and comments between its words.
struct Author {
    random: SmallRng,
    text: String,
}

impl Author {
    fn blank(&mut self) {
        for _ in 0..self.random.random_range(1..3) {
            let blanks = [
                " ", " ", " ", "\n", "\n", "\t", "\n\n\n", " ; why\n", "\n;; so ", "\u{a0}",
            ];
            let blank = *blanks.choose(&mut self.random).unwrap();
            self.text.push_str(blank);
            if blank.starts_with("\n;;") {
                self.text.push('\n');
            }
        }
    }

    fn term(&mut self, depth: usize) {
        let names = ["a", "?x", "cell", "a-long-name-of-a-piece", "é", "or"];
        if depth == 0 || self.random.random_bool(0.6) {
            self.text.push_str(names.choose(&mut self.random).unwrap());
        } else {
            self.list("f", depth, Self::term);
        }
    }

    fn condition(&mut self, depth: usize) {
        match self.random.random_range(0..6) {
            0 if depth > 0 => self.list("or", depth, Self::condition),
            1 if depth > 0 => self.list("And", depth, Self::condition),
            2 => self.list("true", depth.max(1), Self::term),
            _ => self.list("p", depth.max(1), Self::term),
        }
    }

    fn list(&mut self, name: &str, depth: usize, mut item: impl FnMut(&mut Self, usize)) {
        self.text.push('(');
        if self.random.random_bool(0.1) {
            self.blank();
        }
        self.text.push_str(name);
        for _ in 0..self.random.random_range(1..6) {
            self.blank();
            item(self, depth - 1);
        }
        if self.random.random_bool(0.1) {
            self.blank();
        }
        self.text.push(')');
    }

    fn sheet(&mut self) {
        for _ in 0..self.random.random_range(0..12) {
            if self.random.random_bool(0.5) {
                self.list("<=", 4, Self::condition);
            } else {
                self.list("fact", 4, Self::term);
            }
            self.blank();
        }
    }
}

#[test]
fn random_sheets_keep_their_words_and_are_formatted_once() {
    let mut author = Author {
        random: SmallRng::seed_from_u64(gdl_testing::seed()),
        text: String::new(),
    };
    let mut longest = 0;
    for _ in 0..2_000 {
        author.text.clear();
        author.sheet();
        let Ok(once) = format(&Source::new("random.kif", author.text.as_str())) else {
            // A rule whose head is a connective, for one.
            continue;
        };
        assert_only_blanks_differ(&author.text, &once);
        let code = |line: &str| line.split(';').next().unwrap().trim_end().chars().count();
        longest = longest.max(once.lines().map(code).max().unwrap_or(0));
    }
    assert!(
        (MAX_WIDTH - 1..=MAX_WIDTH).contains(&longest),
        "the widest line has {longest} columns"
    );
}

#[test]
fn deep_nesting_does_not_make_lines_long() {
    let text = format!("{}{}", "(f ".repeat(200), ")".repeat(200));
    let text = text.replacen("(f ", "(f aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ", 150);
    let once = formatted(&text);
    assert_only_blanks_differ(&text, &once);
    assert!(once.len() < 4 * text.len());
}

#[test]
#[ignore = "needs the public corpus"]
fn corpus_means_the_same_when_formatted() {
    for path in gdl_testing::corpus_games() {
        println!("{}", path.display());
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let once = formatted(&text);
        assert_only_blanks_differ(&text, &once);
        let [before, after] = [&text, &once].map(|text| check(Source::new("game", text.as_str())));
        let messages = |checked: &gdlc::rules::Checked| -> Vec<String> {
            let found = checked.diagnostics.iter();
            found.map(|found| found.message.clone()).collect()
        };
        assert_eq!(messages(&before), messages(&after));
        let rules = |checked: gdlc::rules::Checked| show_rules(&checked.program.unwrap());
        assert_eq!(rules(before), rules(after));
    }
}
