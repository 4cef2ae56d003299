//! Where a name is defined, and where it occurs.

use crate::analysis::SheetAnalysis;
use crate::names::{Argument, Occurrence, Sort};
use lsp_types::{DocumentHighlight, Location, Position, Uri};

/// The definitions of the word at a position: the heads about a relation, what makes a
/// fluent or a move possible, and the condition that binds a variable.
#[must_use]
pub fn definitions(analysis: &SheetAnalysis, uri: &Uri, position: Position) -> Vec<Location> {
    let Some(word) = analysis.word(position) else {
        return Vec::new();
    };
    let found = match word.sort {
        Sort::Connective => Vec::new(),
        Sort::Relation { .. } => heads(analysis, word),
        Sort::Term(argument) => sources(analysis, word, argument),
        Sort::Variable { .. } => binding(analysis, word),
    };
    locations(analysis, uri, found)
}

/// All occurrences of what the word at a position names; without its definitions unless
/// `with_definitions` is set.
#[must_use]
pub fn references(
    analysis: &SheetAnalysis,
    uri: &Uri,
    position: Position,
    with_definitions: bool,
) -> Vec<Location> {
    let Some(word) = analysis.word(position) else {
        return Vec::new();
    };
    let is_wanted =
        |other: &&Occurrence| with_definitions || other.sort != Sort::Relation { is_head: true };
    let found = analysis.sheet.same(word).filter(is_wanted).collect();
    locations(analysis, uri, found)
}

/// All occurrences of what the word at a position names.
#[must_use]
pub fn highlights(analysis: &SheetAnalysis, position: Position) -> Vec<DocumentHighlight> {
    let Some(word) = analysis.word(position) else {
        return Vec::new();
    };
    let highlight = |other: &Occurrence| DocumentHighlight {
        range: analysis.range(other.span),
        kind: None,
    };
    analysis.sheet.same(word).map(highlight).collect()
}

fn locations(analysis: &SheetAnalysis, uri: &Uri, words: Vec<&Occurrence>) -> Vec<Location> {
    let location = |word: &Occurrence| Location::new(uri.clone(), analysis.range(word.span));
    words.into_iter().map(location).collect()
}

/// The heads about a relation; only those with as many arguments as the word, if there are any.
fn heads<'a>(analysis: &'a SheetAnalysis, word: &'a Occurrence) -> Vec<&'a Occurrence> {
    let all: Vec<_> = analysis.sheet.heads(&word.folded).collect();
    let same: Vec<_> = all
        .iter()
        .copied()
        .filter(|head| head.arity == word.arity)
        .collect();
    if same.is_empty() { all } else { same }
}

/// The heads that a fluent, a move or a constant is an argument of. Of a fluent or a move
/// only those of keywords count, if there are any; of a constant only the first.
fn sources<'a>(
    analysis: &'a SheetAnalysis,
    word: &'a Occurrence,
    argument: Argument,
) -> Vec<&'a Occurrence> {
    let among_heads = |is_source: &dyn Fn(Argument) -> bool| -> Vec<&'a Occurrence> {
        let is_source = |other: &&Occurrence| match other.sort {
            Sort::Term(argument) => argument.is_of_head() && is_source(argument),
            _ => false,
        };
        analysis.sheet.same(word).filter(is_source).collect()
    };
    let mut found = match argument {
        argument if argument.is_fluent() => among_heads(&Argument::is_fluent),
        argument if argument.is_move() => among_heads(&Argument::is_move),
        argument if argument.is_role() => among_heads(&|argument| {
            matches!(argument, Argument::Keyword(gdlc::rules::Keyword::Role, ..))
        }),
        _ => Vec::new(),
    };
    if found.is_empty() {
        found = among_heads(&|_| true);
        found.truncate(1);
    }
    if found.is_empty() {
        found.extend(analysis.sheet.same(word).next());
    }
    found
}

/// Where a rule binds a variable, or else where the variable first occurs.
fn binding<'a>(analysis: &'a SheetAnalysis, word: &'a Occurrence) -> Vec<&'a Occurrence> {
    let is_bound = |other: &&Occurrence| other.sort == Sort::Variable { is_bound: true };
    let mut same = analysis.sheet.same(word);
    let binding = analysis.sheet.same(word).find(is_bound).or(same.next());
    binding.into_iter().collect()
}
