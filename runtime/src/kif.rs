//! KIF, the notation of rule sheets, facts and moves, wherever it arrives as text
//! without being compiled.
//!
//! [`tokens`] is the one lexer. What is built on it: texts respelled word by word
//! ([`respell`], [`one_line`], [`normalise`]), texts split into [`expressions`],
//! and ground terms ([`GroundTerm`]). Everything takes linear time, and nothing
//! but `GroundTerm`, whose depth is bounded, uses recursion, since text from a
//! network can nest arbitrarily deep.
//!
//! Rule sheets are read by the compiler, whose grammar reports errors by position.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::ops::Range;

/// The maximum nesting depth of parentheses in a [`GroundTerm`].
pub const MAX_DEPTH: usize = 1000;

/// A piece of a KIF text; comments and blanks lie between pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token {
    /// `(`
    Open,
    /// `)`
    Close,
    /// Anything else, up to the next blank, parenthesis or comment.
    Word,
}

/// The tokens of a text with their byte ranges.
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

/// Whether a character is a blank of any alphabet or a byte order mark.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

fn ends_word(character: char) -> bool {
    matches!(character, '(' | ')' | ';') || is_blank(character)
}

/// The words of a text, however they are nested.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    tokens(text)
        .filter(|(token, _)| *token == Token::Word)
        .map(|(_, range)| &text[range])
}

/// A text in one line without comments, its words replaced: single spaces between
/// terms, none at the inner edges of parentheses.
pub fn respell<'t>(text: &'t str, mut replace: impl FnMut(&'t str) -> Cow<'t, str>) -> String {
    let mut line = String::with_capacity(text.len());
    for (token, range) in tokens(text) {
        if token != Token::Close && !line.is_empty() && !line.ends_with('(') {
            line.push(' ');
        }
        match token {
            Token::Word => line.push_str(&replace(&text[range])),
            Token::Open | Token::Close => line.push_str(&text[range]),
        }
    }
    line
}

/// A text in one line without comments, spaced as engines print moves.
#[must_use]
pub fn one_line(text: &str) -> String {
    respell(text, Cow::Borrowed)
}

/// The canonical form of a text: one line, lower case. Two terms are the same
/// exactly if their canonical forms are equal.
#[must_use]
pub fn normalise(text: &str) -> String {
    respell(text, |word| Cow::Owned(word.to_lowercase()))
}

/// Writes `(symbol argument…)`, with parentheses even if there is no argument.
///
/// # Errors
/// If `write_arg` or `out` reports one; a `String` never does.
pub fn write_list<W: fmt::Write, A>(
    out: &mut W,
    symbol: &str,
    args: impl IntoIterator<Item = A>,
    mut write_arg: impl FnMut(&mut W, A) -> fmt::Result,
) -> fmt::Result {
    write!(out, "({symbol}")?;
    for arg in args {
        out.write_char(' ')?;
        write_arg(out, arg)?;
    }
    out.write_char(')')
}

/// A top-level word or list of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    /// Its byte range, parentheses included.
    pub range: Range<usize>,
    /// Whether it is a list.
    pub is_list: bool,
}

/// The byte offset of a parenthesis without its counterpart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unbalanced(pub usize);

/// The top-level expressions of a text, in order.
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

/// A term without variables: a fact without `true`, a move, a role. Symbols are
/// spelled as in the text that was read; [`Display`](fmt::Display) prints the term
/// as [`one_line`] does.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroundTerm<'t> {
    /// `symbol`
    Constant(&'t str),
    /// `(symbol argument…)`
    Compound(&'t str, Vec<GroundTerm<'t>>),
}

/// A text that is not one ground term; offsets are in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseKifError {
    /// There is no term, or more than one.
    NotOneTerm,
    /// The parenthesis at this offset lacks its counterpart.
    Unbalanced(usize),
    /// The list that opens at this offset does not begin with a symbol.
    NoSymbol(usize),
    /// The parenthesis at this offset is nested deeper than [`MAX_DEPTH`].
    TooDeep(usize),
}

impl fmt::Display for ParseKifError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOneTerm => f.write_str("not exactly one term"),
            Self::Unbalanced(at) => write!(f, "unmatched parenthesis at byte {at}"),
            Self::NoSymbol(at) => {
                write!(f, "the list at byte {at} does not begin with a symbol")
            }
            Self::TooDeep(at) => write!(
                f,
                "parentheses are nested more than {MAX_DEPTH} deep at byte {at}"
            ),
        }
    }
}

impl Error for ParseKifError {}

impl<'t> GroundTerm<'t> {
    /// Reads one term, in any case and spacing.
    ///
    /// # Errors
    /// See [`ParseKifError`].
    pub fn parse(text: &'t str) -> Result<Self, ParseKifError> {
        /// A list that is not yet closed.
        struct OpenList<'t> {
            start: usize,
            symbol: Option<&'t str>,
            args: Vec<GroundTerm<'t>>,
        }
        let mut open: Vec<OpenList<'t>> = Vec::new();
        let mut whole = None;
        for (token, range) in tokens(text) {
            if whole.is_some() && token != Token::Close {
                return Err(ParseKifError::NotOneTerm);
            }
            let term = match token {
                Token::Open => {
                    match open.last() {
                        Some(list) if list.symbol.is_none() => {
                            return Err(ParseKifError::NoSymbol(list.start));
                        }
                        _ if open.len() == MAX_DEPTH => {
                            return Err(ParseKifError::TooDeep(range.start));
                        }
                        _ => {}
                    }
                    open.push(OpenList {
                        start: range.start,
                        symbol: None,
                        args: Vec::new(),
                    });
                    continue;
                }
                Token::Close => {
                    let list = open.pop().ok_or(ParseKifError::Unbalanced(range.start))?;
                    let symbol = list.symbol.ok_or(ParseKifError::NoSymbol(list.start))?;
                    Self::Compound(symbol, list.args)
                }
                Token::Word => match open.last_mut() {
                    Some(list) if list.symbol.is_none() => {
                        list.symbol = Some(&text[range]);
                        continue;
                    }
                    _ => Self::Constant(&text[range]),
                },
            };
            match open.last_mut() {
                Some(list) => list.args.push(term),
                None => whole = Some(term),
            }
        }
        match open.first() {
            Some(list) => Err(ParseKifError::Unbalanced(list.start)),
            None => whole.ok_or(ParseKifError::NotOneTerm),
        }
    }

    /// The constant, or the outermost function or relation.
    #[must_use]
    pub const fn symbol(&self) -> &'t str {
        match self {
            Self::Constant(symbol) | Self::Compound(symbol, _) => symbol,
        }
    }

    /// The arguments; none for a constant.
    #[must_use]
    pub fn args(&self) -> &[Self] {
        match self {
            Self::Constant(_) => &[],
            Self::Compound(_, args) => args,
        }
    }

    /// The symbol and the arguments, each as KIF.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let args = self.args().iter().map(ToString::to_string);
        std::iter::once(self.symbol().to_owned())
            .chain(args)
            .collect()
    }
}

impl fmt::Display for GroundTerm<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(symbol) => f.write_str(symbol),
            Self::Compound(symbol, args) => write_list(f, symbol, args, |f, arg| arg.fmt(f)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spacing_case_and_comments_do_not_matter() {
        for text in [
            "(cell 1 (at A b))",
            " ( CELL  1(At a\tB) )\n",
            "\u{feff}(cell ; a comment (\n1(at a b))",
        ] {
            assert_eq!(normalise(text), "(cell 1 (at a b))");
        }
        assert_eq!(normalise(" NoOp "), "noop");
        assert_eq!(
            one_line(" ( move A( b c )d ) noop "),
            "(move A (b c) d) noop"
        );
    }

    #[test]
    fn words_are_found_at_any_depth() {
        let found: Vec<&str> = words("(cell 1(at a b)) ; no\nnoop").collect();
        assert_eq!(found, ["cell", "1", "at", "a", "b", "noop"]);
    }

    fn texts(text: &str) -> Result<Vec<&str>, Unbalanced> {
        let found = expressions(text)?;
        Ok(found.into_iter().map(|one| &text[one.range]).collect())
    }

    #[test]
    fn texts_are_split_into_expressions() {
        assert_eq!(
            texts("\u{feff}a(b (c))d ;(\n()\u{a0}é;"),
            Ok(vec!["a", "(b (c))", "d", "()", "é"])
        );
        assert_eq!(texts(" ; nothing"), Ok(vec![]));
        assert_eq!(texts("(a))"), Err(Unbalanced(3)));
        assert_eq!(texts("a ((b)"), Err(Unbalanced(2)));
    }

    #[test]
    fn terms_are_read_and_printed() {
        let term = GroundTerm::parse(" (cell 1(at a b)) ; a comment");
        let at = GroundTerm::Compound("at", ["a", "b"].map(GroundTerm::Constant).into());
        let cell = GroundTerm::Compound("cell", vec![GroundTerm::Constant("1"), at]);
        assert_eq!(cell.words(), ["cell", "1", "(at a b)"]);
        assert_eq!(term, Ok(cell.clone()));
        assert_eq!(cell.to_string(), "(cell 1 (at a b))");
        assert_eq!((cell.symbol(), cell.args().len()), ("cell", 2));
        assert_eq!(
            GroundTerm::parse(" NoOp "),
            Ok(GroundTerm::Constant("NoOp"))
        );
    }

    #[test]
    fn other_texts_are_refused() {
        for (text, error) in [
            ("", ParseKifError::NotOneTerm),
            ("a b", ParseKifError::NotOneTerm),
            ("(a) (b", ParseKifError::NotOneTerm),
            ("a)", ParseKifError::Unbalanced(1)),
            ("(a (b)", ParseKifError::Unbalanced(0)),
            ("()", ParseKifError::NoSymbol(0)),
            (" ((a) b)", ParseKifError::NoSymbol(1)),
        ] {
            assert_eq!(GroundTerm::parse(text), Err(error), "{text}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth| "(f ".repeat(depth) + "x" + &")".repeat(depth);
        let deepest = nested(MAX_DEPTH);
        let term = GroundTerm::parse(&deepest).map(|term| term.to_string());
        assert_eq!(term.as_deref(), Ok(&deepest[..]));
        assert_eq!(
            GroundTerm::parse(&nested(MAX_DEPTH + 1)),
            Err(ParseKifError::TooDeep(3 * MAX_DEPTH))
        );
        let endless = "(".repeat(1_000_000);
        assert_eq!(normalise(&endless), endless);
    }
}
