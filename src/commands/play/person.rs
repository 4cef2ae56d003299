//! A person at the terminal.

use gdl_agent::player::{NoMove, Player, Reply, Turn};
use gdl_agent::search::SearchReport;
use gdl_agent::search::SearchResult;
use gdl_runtime::kif::normalise;
use std::fmt::Write as _;
use std::io::{self, BufRead as _, Write};

/// Reads the next line: `None` at the end of the input.
type Lines = Box<dyn FnMut() -> io::Result<Option<String>> + Send>;

/// Asks for moves, and asks again until one is legal.
pub(super) struct Person {
    lines: Lines,
    out: Box<dyn Write + Send>,
}

/// The meaning of a line of input.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    /// The move at this zero-based index in the list.
    Move(usize),
    Undo,
    Quit,
    Unclear,
}

const HELP: &str = "Type a number or a move; undo takes back your last move, quit leaves.";

impl Person {
    /// A person at the terminal of this process; `aside` writes to standard error instead
    /// of standard output.
    pub(super) fn at_terminal(aside: bool) -> Self {
        let lines = || {
            let mut line = Vec::new();
            // Standard input may be shared by several people, so it is read line by line.
            let read = io::stdin().lock().read_until(b'\n', &mut line)?;
            Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
        };
        let out: Box<dyn Write + Send> = if aside {
            Box::new(io::stderr())
        } else {
            Box::new(io::stdout())
        };
        Self {
            lines: Box::new(lines),
            out,
        }
    }

    /// Errors are ignored: a terminal that is gone is noticed when reading from it.
    fn say(&mut self, text: &str) {
        let _ = self.out.write_all(text.as_bytes());
        let _ = self.out.flush();
    }
}

impl Player for Person {
    fn name(&self) -> String {
        "human".to_owned()
    }

    fn choose(
        &mut self,
        turn: &Turn<'_>,
        _watch: &mut dyn FnMut(&SearchReport),
    ) -> Result<Reply, NoMove> {
        let role = &turn.engine.roles()[turn.role];
        let legal = turn.legal();
        match legal {
            [] => return Err(NoMove { role: role.clone() }),
            [only] => return Ok(Reply::Play(SearchResult::without_search(*only))),
            _ => {}
        }
        let names: Vec<String> = legal
            .iter()
            .map(|&mv| turn.engine.move_name(turn.role, mv))
            .collect();
        self.say(&numbered(&names));
        loop {
            self.say(&format!("{role}> "));
            let Ok(Some(line)) = (self.lines)() else {
                self.say("\n");
                return Ok(Reply::Quit);
            };
            match understand(&line, &names) {
                Answer::Move(index) => {
                    return Ok(Reply::Play(SearchResult::without_search(legal[index])));
                }
                Answer::Undo => return Ok(Reply::Undo),
                Answer::Quit => return Ok(Reply::Quit),
                Answer::Unclear => self.say(&format!("{HELP}\n")),
            }
        }
    }
}

fn understand(line: &str, names: &[String]) -> Answer {
    let text = plain(line);
    match text.as_str() {
        "undo" => return Answer::Undo,
        "quit" | "exit" => return Answer::Quit,
        _ => {}
    }
    let number = text
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_sub(1))
        .filter(|&number| number < names.len());
    // Moves can be numbers themselves: what looks like a move is that move.
    let named = names.iter().position(|name| plain(name) == text);
    match named.or(number) {
        Some(index) => Answer::Move(index),
        None => Answer::Unclear,
    }
}

/// Normalises a term: lower case, single spaces, without its outermost parentheses.
fn plain(term: &str) -> String {
    let text = normalise(term);
    let inside = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    inside.unwrap_or(&text).to_owned()
}

/// Lists the moves with their numbers, in as many columns as fit.
fn numbered(names: &[String]) -> String {
    let longest = names.iter().map(|name| name.chars().count()).max();
    let width = longest.unwrap_or(0);
    let columns = (78 / (width + 7)).max(1);
    let mut text = String::new();
    for (index, name) in names.iter().enumerate() {
        let last = (index + 1).is_multiple_of(columns) || index + 1 == names.len();
        let _ = if last {
            writeln!(text, "{:4} {name}", index + 1)
        } else {
            write!(text, "{:4} {name:width$}  ", index + 1)
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        ["(mark 1 2)", "(move a 1 B 2)", "noop", "(f (g x) y)"]
            .map(str::to_owned)
            .to_vec()
    }

    #[test]
    fn lines_are_numbers_moves_or_words() {
        let meant = |line: &str| understand(line, &names());
        assert_eq!(meant("2\n"), Answer::Move(1));
        assert_eq!(meant("(MARK  1 2 )"), Answer::Move(0));
        assert_eq!(meant("mark 1 2"), Answer::Move(0));
        assert_eq!(meant("move a 1 b 2"), Answer::Move(1));
        assert_eq!(meant("(f(g x)y)"), Answer::Move(3));
        assert_eq!(meant(" NoOp "), Answer::Move(2));
        assert_eq!((meant("Undo"), meant("quit")), (Answer::Undo, Answer::Quit));
        for unclear in [
            "",
            "0",
            "5",
            "-1",
            "mark 1",
            "((mark 1 2))",
            "99999999999999999999",
        ] {
            assert_eq!(meant(unclear), Answer::Unclear, "{unclear}");
        }
    }

    #[test]
    fn moves_that_are_numbers_go_before_places_in_the_list() {
        let names = ["7", "3", "1"].map(str::to_owned);
        let meant = ["3", "1", "2", "7"].map(|line| understand(line, &names));
        assert_eq!(meant, [1, 2, 1, 0].map(Answer::Move));
    }

    #[test]
    fn moves_are_listed_in_columns() {
        let names: Vec<String> = (0..7).map(|n| format!("(move {n} somewhere)")).collect();
        // Not `expect!`, which takes away the indentation.
        let listed = "   1 (move 0 somewhere)     2 (move 1 somewhere)     3 (move 2 somewhere)
   4 (move 3 somewhere)     5 (move 4 somewhere)     6 (move 5 somewhere)
   7 (move 6 somewhere)
";
        assert_eq!(numbered(&names), listed);
    }
}
