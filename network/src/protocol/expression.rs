//! KIF expressions as texts: taken apart without recursion and in linear time,
//! since what arrives from a network can nest as deep as it likes.

use std::ops::Range;

/// A piece of a KIF text; comments and blanks lie between pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token {
    /// `(`
    Open,
    /// `)`
    Close,
    /// Anything else up to the next blank, parenthesis or comment.
    Word,
}

/// The pieces of a text with their places in it.
pub fn tokens(text: &str) -> impl Iterator<Item = (Token, Range<usize>)> + '_ {
    let mut position = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = &text[position..];
            let first = rest.chars().next()?;
            let start = position;
            position += match first {
                ';' => rest.find(['\n', '\r']).unwrap_or(rest.len()),
                '(' | ')' => 1,
                _ if is_blank(first) => first.len_utf8(),
                _ => rest.find(ends_word).unwrap_or(rest.len()),
            };
            let token = match first {
                '(' => Token::Open,
                ')' => Token::Close,
                _ if first == ';' || is_blank(first) => continue,
                _ => Token::Word,
            };
            return Some((token, start..position));
        }
    })
}

/// Blanks of any alphabet, and the mark with which some editors begin a file.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

fn ends_word(character: char) -> bool {
    matches!(character, '(' | ')' | ';') || is_blank(character)
}

/// An expression of a text: a word or a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    /// Where it stands, parentheses included.
    pub range: Range<usize>,
    /// Whether it is a list.
    pub is_list: bool,
}

/// The offset of a parenthesis without its counterpart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unbalanced(pub usize);

/// The expressions of a text, one after another.
///
/// # Errors
/// If a parenthesis lacks its counterpart: the first that closes nothing, or
/// else the outermost that is never closed.
pub fn expressions(text: &str) -> Result<Vec<Expression>, Unbalanced> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    for (token, range) in tokens(text) {
        match token {
            Token::Open => {
                if depth == 0 {
                    start = range.start;
                }
                depth += 1;
            }
            Token::Close => {
                depth = depth.checked_sub(1).ok_or(Unbalanced(range.start))?;
                if depth == 0 {
                    found.push(Expression {
                        range: start..range.end,
                        is_list: true,
                    });
                }
            }
            Token::Word if depth == 0 => found.push(Expression {
                range,
                is_list: false,
            }),
            Token::Word => {}
        }
    }
    if depth > 0 {
        return Err(Unbalanced(start));
    }
    Ok(found)
}

/// A text in one line without comments: single blanks, none inside the edges of
/// parentheses, as engines write moves.
pub fn flat(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for (token, range) in tokens(text) {
        if token != Token::Close && !line.is_empty() && !line.ends_with('(') {
            line.push(' ');
        }
        line.push_str(&text[range]);
    }
    line
}

/// Counts parentheses while a text arrives.
#[derive(Debug, Default)]
pub struct Balance {
    depth: usize,
    in_comment: bool,
}

impl Balance {
    /// Reads on; gives the offset in `bytes` at which the outermost parenthesis is
    /// closed, and reads no further.
    pub fn read(&mut self, bytes: &[u8]) -> Option<usize> {
        for (offset, &byte) in bytes.iter().enumerate() {
            match byte {
                b'\n' | b'\r' => self.in_comment = false,
                _ if self.in_comment => {}
                b';' => self.in_comment = true,
                b'(' => self.depth += 1,
                b')' if self.depth == 1 => {
                    self.depth = 0;
                    return Some(offset + 1);
                }
                b')' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        None
    }

    /// Whether a parenthesis is open.
    pub fn is_open(&self) -> bool {
        self.depth > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Result<Vec<&str>, Unbalanced> {
        let found = expressions(text)?;
        Ok(found.into_iter().map(|one| &text[one.range]).collect())
    }

    #[test]
    fn texts_are_taken_apart() {
        assert_eq!(
            texts("\u{feff}a(b (c))d ;(\n()\u{a0}é;"),
            Ok(vec!["a", "(b (c))", "d", "()", "é"])
        );
        assert_eq!(texts(" ; nothing"), Ok(vec![]));
        assert_eq!(texts("(a))"), Err(Unbalanced(3)));
        assert_eq!(texts("a ((b)"), Err(Unbalanced(2)));
    }

    #[test]
    fn a_flat_text_is_what_engines_write() {
        let flattened = flat(" ( move ; far\n\tA( b c )d ) noop ");
        assert_eq!(flattened, "(move A (b c) d) noop");
        assert_eq!(
            gdl_runtime::kif::normalise(&flattened),
            flattened.to_lowercase()
        );
    }

    #[test]
    fn a_balance_ends_with_the_first_expression_however_it_arrives() {
        let text = ") ;(\n(a ; )\r(b)) (";
        let end = text.len() - 2;
        assert_eq!(Balance::default().read(text.as_bytes()), Some(end));
        let mut balance = Balance::default();
        let read = text
            .bytes()
            .map(|byte| balance.read(&[byte]).is_some())
            .position(|ended| ended);
        assert_eq!(read, Some(end - 1));
    }
}
