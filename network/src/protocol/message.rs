//! What a host says to a player.
//!
//! Read leniently, since hosts differ: keywords in any case, comments and line
//! ends anywhere, arguments after the last one ignored. Written as ggp-base's
//! host writes it: in one line, without comments.

use gdl_runtime::kif::{Expression, expressions, one_line};
use gdlc::source::Source;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::time::Duration;

/// The longest name of a match or a role, in bytes.
const LONGEST_NAME: usize = 1000;

/// Clocks above this count as this.
const LONGEST_CLOCK: Duration = Duration::from_secs(24 * 60 * 60);

/// How much of a wrong word an error quotes, in characters.
const QUOTED: usize = 40;

/// What a host says to a player. Names have at most 1,000 bytes, no blanks and
/// no control characters, and compare without regard to case, as all of KIF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// Is the player there, and free?
    Info,
    /// A game that may be played soon.
    Preview {
        /// The rule sheet.
        rules: String,
        /// The time to look at it.
        clock: Duration,
    },
    /// A match begins.
    Start {
        /// The match.
        id: String,
        /// The role that the player has.
        role: String,
        /// The rule sheet: what stands between its outer parentheses, comments
        /// and line ends included.
        rules: String,
        /// The time until the player must be ready.
        start_clock: Duration,
        /// The time for every move.
        play_clock: Duration,
    },
    /// The last round's moves; what does the player do next?
    Play {
        /// The match.
        id: String,
        /// The move of every role in order, each with single blanks and none
        /// inside the edges of parentheses; none in the first round.
        moves: Option<Vec<String>>,
    },
    /// The last round's moves, and the match is over.
    Stop {
        /// The match.
        id: String,
        /// As in [`Play`](Self::Play).
        moves: Option<Vec<String>>,
    },
    /// The match ends without a result.
    Abort {
        /// The match.
        id: String,
    },
}

/// Why a text is no message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadMessage {
    /// What is wrong, in one line.
    pub what: String,
    /// The line in which it is wrong, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
}

impl fmt::Display for BadMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.what)
    }
}

impl std::error::Error for BadMessage {}

impl FromStr for Message {
    type Err = BadMessage;

    fn from_str(text: &str) -> Result<Self, BadMessage> {
        ArgumentReader::open(text)?.message()
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Info => f.write_str("( INFO )"),
            Self::Preview { rules, clock } => {
                write!(f, "( PREVIEW ({}) {} )", one_line(rules), seconds(*clock))
            }
            Self::Start {
                id,
                role,
                rules,
                start_clock,
                play_clock,
            } => {
                let (start, play) = (seconds(*start_clock), seconds(*play_clock));
                write!(
                    f,
                    "( START {id} {role} ({}) {start} {play} )",
                    one_line(rules)
                )
            }
            Self::Play { id, moves } => write!(f, "( PLAY {id} {} )", round(moves.as_deref())),
            Self::Stop { id, moves } => write!(f, "( STOP {id} {} )", round(moves.as_deref())),
            Self::Abort { id } => write!(f, "( ABORT {id} )"),
        }
    }
}

fn seconds(clock: Duration) -> String {
    clock.as_secs_f64().to_string()
}

fn round(moves: Option<&[String]>) -> String {
    match moves {
        None | Some([]) => "NIL".to_owned(),
        Some(moves) => format!("({})", moves.join(" ")),
    }
}

/// A message's arguments, read from first to last.
struct ArgumentReader<'a> {
    text: &'a str,
    /// Where the arguments begin in the text.
    offset: usize,
    arguments: std::vec::IntoIter<Expression>,
    /// The place of the last parenthesis.
    end: usize,
}

impl<'a> ArgumentReader<'a> {
    fn open(text: &'a str) -> Result<Self, BadMessage> {
        let found = expressions(text).map_err(|unbalanced| {
            let what = match text.as_bytes().get(unbalanced.0) {
                Some(b'(') => "this parenthesis is never closed",
                _ => "this parenthesis closes nothing",
            };
            bad(text, unbalanced.0, what)
        })?;
        let mut found = found.into_iter();
        let list = match found.next() {
            Some(first) if first.is_list => first.range,
            Some(word) => return Err(bad(text, word.range.start, "no parenthesis opens here")),
            None => return Err(bad(text, 0, "the message is empty")),
        };
        if let Some(more) = found.next() {
            return Err(bad(text, more.range.start, "the message ended before this"));
        }
        let inside = list.start + 1..list.end - 1;
        // The message is balanced, and so is what stands inside.
        let arguments = expressions(&text[inside.clone()]).unwrap_or_default();
        Ok(Self {
            text,
            offset: inside.start,
            arguments: arguments.into_iter(),
            end: inside.end,
        })
    }

    fn message(&mut self) -> Result<Message, BadMessage> {
        let (name, at) = self.word("name of the message")?;
        Ok(match name.to_ascii_uppercase().as_str() {
            "INFO" => Message::Info,
            "PREVIEW" => Message::Preview {
                rules: self.rules()?,
                clock: self.clock("clock")?,
            },
            "START" => Message::Start {
                id: self.id()?,
                role: self.role()?,
                rules: self.rules()?,
                start_clock: self.clock("start clock")?,
                play_clock: self.clock("play clock")?,
            },
            "PLAY" => Message::Play {
                id: self.id()?,
                moves: self.moves(),
            },
            "STOP" => Message::Stop {
                id: self.id()?,
                moves: self.moves(),
            },
            "ABORT" => Message::Abort { id: self.id()? },
            _ => return Err(self.bad(at, format!("no message is called {}", quoted(name)))),
        })
    }

    /// The next argument: its place in the text and whether it is a list.
    fn argument(&mut self) -> Option<(Range<usize>, bool)> {
        let next = self.arguments.next()?;
        let range = next.range.start + self.offset..next.range.end + self.offset;
        Some((range, next.is_list))
    }

    fn expect(&mut self, what: &str) -> Result<(Range<usize>, bool), BadMessage> {
        let missing = self.bad(self.end, format!("the {what} is missing"));
        self.argument().ok_or(missing)
    }

    fn word(&mut self, what: &str) -> Result<(&'a str, usize), BadMessage> {
        match self.expect(what)? {
            (range, false) => Ok((&self.text[range.clone()], range.start)),
            (range, true) => Err(self.bad(range.start, format!("the {what} cannot be a list"))),
        }
    }

    fn id(&mut self) -> Result<String, BadMessage> {
        let what = "name of the match";
        let (name, at) = self.word(what)?;
        self.check_name(name, at, what)?;
        Ok(name.to_owned())
    }

    /// A role can be a term.
    fn role(&mut self) -> Result<String, BadMessage> {
        let (range, _) = self.expect("role")?;
        let name = one_line(&self.text[range.clone()]);
        self.check_name(&name, range.start, "role")?;
        Ok(name)
    }

    fn check_name(&self, name: &str, at: usize, what: &str) -> Result<(), BadMessage> {
        if name.len() > LONGEST_NAME {
            return Err(self.bad(at, format!("the {what} has over {LONGEST_NAME} bytes")));
        }
        if name.chars().any(char::is_control) {
            return Err(self.bad(at, format!("the {what} has a control character")));
        }
        Ok(())
    }

    fn rules(&mut self) -> Result<String, BadMessage> {
        match self.expect("rule sheet")? {
            (range, true) => Ok(self.text[range.start + 1..range.end - 1].to_owned()),
            (range, false) => Err(self.bad(range.start, "the rule sheet is no list".to_owned())),
        }
    }

    fn clock(&mut self, what: &str) -> Result<Duration, BadMessage> {
        let (word, at) = self.word(what)?;
        let is_number = word
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
        let seconds = word.parse::<f64>().ok().filter(|_| is_number);
        let longest = LONGEST_CLOCK.as_secs_f64();
        seconds
            .map(|seconds| Duration::from_secs_f64(seconds.min(longest)))
            .ok_or_else(|| self.bad(at, format!("the {what} is no number: {}", quoted(word))))
    }

    /// A word that is not `NIL` is the move of the only role.
    fn moves(&mut self) -> Option<Vec<String>> {
        let (range, is_list) = self.argument()?;
        let text = &self.text[range];
        if !is_list {
            return (!text.eq_ignore_ascii_case("nil")).then(|| vec![text.to_owned()]);
        }
        let inside = &text[1..text.len() - 1];
        let moves = expressions(inside).unwrap_or_default();
        let moves = moves.into_iter().map(|mv| one_line(&inside[mv.range]));
        Some(moves.collect()).filter(|moves: &Vec<String>| !moves.is_empty())
    }

    fn bad(&self, at: usize, what: String) -> BadMessage {
        bad(self.text, at, what)
    }
}

fn bad(text: &str, at: usize, what: impl Into<String>) -> BadMessage {
    let (line, column) = Source::new("", text).line_column(at);
    BadMessage {
        what: what.into(),
        line,
        column,
    }
}

/// A word in quotes, shortened, in one line.
fn quoted(word: &str) -> String {
    let mut shown: String = word.chars().take(QUOTED).collect();
    if shown.len() < word.len() {
        shown.push('…');
    }
    format!("{shown:?}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
            ("info", "1:1: no parenthesis opens here"),
            ("(info) (info)", "1:8: the message ended before this"),
            ("\n(info))", "2:7: this parenthesis closes nothing"),
            ("(play m (a)", "1:1: this parenthesis is never closed"),
            ("()", "1:2: the name of the message is missing"),
            ("((info))", "1:2: the name of the message cannot be a list"),
            (
                "(\n \"\x1b\u{7f}\")",
                "2:2: no message is called \"\\\"\\u{1b}\\u{7f}\\\"\"",
            ),
            (
                "(play (m) nil)",
                "1:7: the name of the match cannot be a list",
            ),
            (
                "(abort a\0b)",
                "1:8: the name of the match has a control character",
            ),
            (&long, "1:8: the name of the match has over 1000 bytes"),
            ("(start m r x 1 1)", "1:12: the rule sheet is no list"),
            ("(start m r () 1)", "1:16: the play clock is missing"),
            (
                "(start m r () -1 1)",
                "1:15: the start clock is no number: \"-1\"",
            ),
            (
                "(start m r () 1 inf)",
                "1:17: the play clock is no number: \"inf\"",
            ),
        ] {
            let found = text.parse::<Message>().expect_err(text);
            assert_eq!(found.to_string(), error, "{text:?}");
        }
    }

    #[test]
    fn deep_nesting_takes_no_stack_and_little_time() {
        let nested = format!("{}{}", "(".repeat(100_000), ")".repeat(100_000));
        for text in [
            nested.clone(),
            format!("(play m ({nested}))"),
            format!("(start m {nested} () 1 1)"),
            format!("(start m r ({nested}) 1 1)"),
            "(".repeat(100_000),
            ")".repeat(100_000),
        ] {
            let _ = text.parse::<Message>().map(|message| message.to_string());
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

    proptest! {
        #[test]
        fn printed_messages_read_as_themselves(message in message()) {
            prop_assert_eq!(read(&message.to_string()), message);
        }

        #[test]
        fn layout_and_case_mean_nothing(message in message(), comment in "[^\r\n]{0,8}") {
            let spread = message.to_string().replace(' ', &format!("\t;{comment}\r\n"));
            prop_assert_eq!(read(&spread).to_string(), message.to_string());
        }

        #[test]
        fn no_text_is_too_odd(text in any::<String>(), pieces in "[() a;nilPLAYstr\n.1]{0,40}") {
            for text in [text.clone(), pieces.clone(), format!("(PLAY {text} {pieces})")] {
                let _ = text.parse::<Message>().map(|message| message.to_string());
            }
        }
    }
}
