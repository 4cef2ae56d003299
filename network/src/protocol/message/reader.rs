//! Reads messages: finds the arguments, checks them, and locates errors.

use super::{BadMessage, Message};
use gdl_runtime::kif::{Expression, expressions, one_line};
use gdlc::source::Source;
use std::ops::Range;
use std::time::Duration;

/// The greatest length of the name of a match or role, in bytes.
pub(super) const LONGEST_NAME: usize = 1000;

/// Longer clocks are cut to this length.
const LONGEST_CLOCK: Duration = Duration::from_secs(24 * 60 * 60);

/// How much of a wrong word an error quotes, in characters.
const QUOTED: usize = 40;

/// Reads a message.
pub(super) fn read(text: &str) -> Result<Message, BadMessage> {
    ArgumentReader::open(text)?.message()
}

/// Reads the arguments of a message from first to last.
struct ArgumentReader<'a> {
    text: &'a str,
    /// The offset at which the arguments begin.
    offset: usize,
    arguments: std::vec::IntoIter<Expression>,
    /// The offset of the closing parenthesis.
    end: usize,
}

impl<'a> ArgumentReader<'a> {
    /// Finds the arguments of the one list of which the text consists.
    fn open(text: &'a str) -> Result<Self, BadMessage> {
        let found = expressions(text).map_err(|unbalanced| {
            let what = match text.as_bytes().get(unbalanced.0) {
                Some(b'(') => "this parenthesis is never closed",
                _ => "this parenthesis has no opening counterpart",
            };
            bad(text, unbalanced.0, what)
        })?;
        let mut found = found.into_iter();
        let list = match found.next() {
            Some(first) if first.is_list => first.range,
            Some(word) => {
                return Err(bad(
                    text,
                    word.range.start,
                    "expected an opening parenthesis",
                ));
            }
            None => return Err(bad(text, 0, "the message is empty")),
        };
        if let Some(more) = found.next() {
            return Err(bad(
                text,
                more.range.start,
                "there is more text after the message",
            ));
        }
        let inside = list.start + 1..list.end - 1;
        // A balanced text is balanced inside its outer parentheses, too.
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
            _ => return Err(self.bad(at, format!("unknown message {}", quoted(name)))),
        })
    }

    /// The next argument: its range in the text, and whether it is a list.
    fn argument(&mut self) -> Option<(Range<usize>, bool)> {
        let next = self.arguments.next()?;
        let range = next.range.start + self.offset..next.range.end + self.offset;
        Some((range, next.is_list))
    }

    fn expect(&mut self, what: &str) -> Result<(Range<usize>, bool), BadMessage> {
        let argument = self.argument();
        argument.ok_or_else(|| self.bad(self.end, format!("the {what} is missing")))
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

    /// The name of a role, which may be a compound term.
    fn role(&mut self) -> Result<String, BadMessage> {
        let (range, _) = self.expect("role")?;
        let name = one_line(&self.text[range.clone()]);
        self.check_name(&name, range.start, "role")?;
        Ok(name)
    }

    fn check_name(&self, name: &str, at: usize, what: &str) -> Result<(), BadMessage> {
        if name.len() > LONGEST_NAME {
            return Err(self.bad(
                at,
                format!("the {what} is longer than {LONGEST_NAME} bytes"),
            ));
        }
        if name.chars().any(char::is_control) {
            return Err(self.bad(at, format!("the {what} contains a control character")));
        }
        Ok(())
    }

    fn rules(&mut self) -> Result<String, BadMessage> {
        match self.expect("rule sheet")? {
            (range, true) => Ok(self.text[range.start + 1..range.end - 1].to_owned()),
            (range, false) => Err(self.bad(range.start, "the rule sheet is not a list".to_owned())),
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
            .ok_or_else(|| self.bad(at, format!("the {what} is not a number: {}", quoted(word))))
    }

    /// The moves of a round; a single word other than `NIL` is the move of the only
    /// role.
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

/// A word in quotes, shortened, on one line.
fn quoted(word: &str) -> String {
    let mut shown: String = word.chars().take(QUOTED).collect();
    if shown.len() < word.len() {
        shown.push('…');
    }
    format!("{shown:?}")
}
