//! Reading and writing messages.

use super::Message;
use super::reader::LONGEST_NAME;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::time::Duration;

fn read(text: &str) -> Message {
    text.parse()
        .unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

#[test]
fn messages_of_hosts_are_read() {
    assert_eq!(read("( INFO )"), Message::Info);
    assert_eq!(read("\r\n(info extra)\r\n"), Message::Info);
    let start = read(
        "( Start Match.1 ; who\n White ( (role white) ; one\n(role black)) 30 10.5 extra (1))",
    );
    assert_eq!(
        start,
        Message::Start {
            id: "Match.1".to_owned(),
            role: "White".to_owned(),
            rules: " (role white) ; one\n(role black)".to_owned(),
            start_clock: Duration::from_secs(30),
            play_clock: Duration::from_millis(10_500),
        }
    );
    let play = |moves: Option<&[&str]>| Message::Play {
        id: "m".to_owned(),
        moves: moves.map(|moves| moves.iter().map(|&mv| mv.to_owned()).collect()),
    };
    for (text, moves) in [
        ("(play m NIL)", None),
        ("(PLAY m nil)", None),
        ("(PLAY m ( ))", None),
        ("(PLAY m)", None),
        ("(PLAY m noop)", Some(&["noop"][..])),
        ("(PLAY m (nil))", Some(&["nil"])),
        (
            "( PLAY m (( move a ( b c ) )noop) )",
            Some(&["(move a (b c))", "noop"]),
        ),
    ] {
        assert_eq!(read(text), play(moves), "{text}");
    }
    assert_eq!(read("(abort 1)"), Message::Abort { id: "1".to_owned() });
    assert_eq!(
        read("(PREVIEW () 99999999999999999999)").to_string(),
        "( PREVIEW () 86400 )"
    );
}

#[test]
fn errors_say_what_and_where() {
    let long = format!("(ABORT {})", "x".repeat(LONGEST_NAME + 1));
    for (text, error) in [
        ("", "1:1: the message is empty"),
        ("info", "1:1: expected an opening parenthesis"),
        ("(info) (info)", "1:8: there is more text after the message"),
        (
            "\n(info))",
            "2:7: this parenthesis has no opening counterpart",
        ),
        ("(play m (a)", "1:1: this parenthesis is never closed"),
        ("()", "1:2: the name of the message is missing"),
        ("((info))", "1:2: the name of the message cannot be a list"),
        (
            "(\n \"\x1b\u{7f}\")",
            "2:2: unknown message \"\\\"\\u{1b}\\u{7f}\\\"\"",
        ),
        (
            "(play (m) nil)",
            "1:7: the name of the match cannot be a list",
        ),
        (
            "(abort a\0b)",
            "1:8: the name of the match contains a control character",
        ),
        (
            &long,
            "1:8: the name of the match is longer than 1000 bytes",
        ),
        ("(start m r x 1 1)", "1:12: the rule sheet is not a list"),
        ("(start m r () 1)", "1:16: the play clock is missing"),
        (
            "(start m r () -1 1)",
            "1:15: the start clock is not a number: \"-1\"",
        ),
        (
            "(start m r () 1 inf)",
            "1:17: the play clock is not a number: \"inf\"",
        ),
    ] {
        let found = text.parse::<Message>().expect_err(text);
        assert_eq!(found.to_string(), error, "{text:?}");
    }
}

/// Reading does not recurse, so nesting costs no stack.
#[test]
fn messages_may_nest_deeply() {
    let nested = format!("{}{}", "(".repeat(100_000), ")".repeat(100_000));
    let play = format!("( PLAY m ({nested}) )");
    assert_eq!(read(&play).to_string(), play);
    let start = Message::Start {
        id: "m".to_owned(),
        role: "r".to_owned(),
        rules: nested.clone(),
        start_clock: Duration::from_secs(1),
        play_clock: Duration::from_secs(1),
    };
    assert_eq!(read(&format!("(start m r ({nested}) 1 1)")), start);
    for (text, error) in [
        (
            nested.clone(),
            "1:2: the name of the message cannot be a list",
        ),
        (
            format!("(start m {nested} () 1 1)"),
            "1:10: the role is longer than 1000 bytes",
        ),
        ("(".repeat(100_000), "1:1: this parenthesis is never closed"),
        (
            ")".repeat(100_000),
            "1:1: this parenthesis has no opening counterpart",
        ),
    ] {
        let found = text.parse::<Message>().expect_err("it is malformed");
        assert_eq!(found.to_string(), error);
    }
}

#[test]
fn rules_are_sent_in_one_line_without_comments() {
    let preview = Message::Preview {
        rules: "(role a) ; (\n( role\tb ) ; no line end".to_owned(),
        clock: Duration::from_millis(1500),
    };
    assert_eq!(preview.to_string(), "( PREVIEW ((role a) (role b)) 1.5 )");
}

fn term() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9+<>=?é_-]{1,8}".prop_recursive(4, 16, 4, |term| {
        proptest::collection::vec(term, 1..4).prop_map(|terms| format!("({})", terms.join(" ")))
    })
}

fn message() -> impl Strategy<Value = Message> {
    let id = || "[a-zA-Z0-9._é-]{1,12}";
    let terms = || proptest::collection::vec(term(), 1..4);
    let rules = || terms().prop_map(|terms| terms.join(" "));
    let clock = || (0..100_000_u64).prop_map(Duration::from_millis);
    let moves = || proptest::option::of(terms());
    prop_oneof![
        Just(Message::Info),
        (rules(), clock()).prop_map(|(rules, clock)| Message::Preview { rules, clock }),
        (id(), term(), rules(), clock(), clock()).prop_map(
            |(id, role, rules, start_clock, play_clock)| Message::Start {
                id,
                role,
                rules,
                start_clock,
                play_clock,
            }
        ),
        (id(), moves()).prop_map(|(id, moves)| Message::Play { id, moves }),
        (id(), moves()).prop_map(|(id, moves)| Message::Stop { id, moves }),
        id().prop_map(|id| Message::Abort { id }),
    ]
}

/// Random cases that follow from the seed, which is printed.
fn config() -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(gdl_testing::seed()),
        ..ProptestConfig::default()
    }
}

/// Expects that a text is either a message, which then survives being written, or
/// refused at a place that exists.
fn assert_read_or_refused(text: &str) -> Result<(), TestCaseError> {
    match text.parse::<Message>() {
        Ok(message) => {
            let written = message.to_string();
            prop_assert_eq!(read(&written).to_string(), written);
        }
        Err(error) => {
            let line = text.split('\n').nth(error.line - 1);
            let line = line.expect("the line of the error exists");
            prop_assert!((1..=line.chars().count() + 1).contains(&error.column));
            prop_assert!(!error.what.is_empty() && !error.what.contains('\n'));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn written_messages_read_as_themselves(message in message()) {
        prop_assert_eq!(read(&message.to_string()), message);
    }

    #[test]
    fn layout_and_comments_do_not_matter(message in message(), comment in "[^\r\n]{0,8}") {
        let spread = message.to_string().replace(' ', &format!("\t;{comment}\r\n"));
        prop_assert_eq!(read(&spread).to_string(), message.to_string());
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>(), pieces in "[() a;nilPLAYstr\n.1]{0,40}") {
        assert_read_or_refused(&text)?;
        assert_read_or_refused(&pieces)?;
        assert_read_or_refused(&format!("(PLAY m {pieces})"))?;
        assert_read_or_refused(&format!("(PLAY {text} {pieces})"))?;
    }
}
