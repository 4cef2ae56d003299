//! What a word is, as Markdown.

use super::keyword_docs;
use crate::analysis::SheetAnalysis;
use crate::names::{Argument, Occurrence, Sort};
use gdlc::rules::Dependence;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};
use std::fmt::Write as _;

/// The number of statements about a relation that are shown.
const MAX_STATEMENTS: usize = 8;

/// Statements of more bytes than this are cut.
const MAX_STATEMENT: usize = 600;

/// What the word at a position is.
#[must_use]
pub fn hover(analysis: &SheetAnalysis, position: Position) -> Option<Hover> {
    let word = analysis.word(position)?;
    let text = match word.sort {
        Sort::Connective => explained(keyword_docs::connective(&word.folded)?),
        Sort::Relation { .. } => relation(analysis, word),
        Sort::Term(argument) => term(analysis, word, argument),
        Sort::Variable { .. } => variable(analysis, word),
    };
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: text,
        }),
        range: Some(analysis.range(word.span)),
    })
}

fn explained((usage, meaning): (&str, &str)) -> String {
    format!("{}{meaning}\n", code(usage))
}

fn relation(analysis: &SheetAnalysis, word: &Occurrence) -> String {
    let keyword = word
        .keyword()
        .filter(|keyword| keyword.arity() == word.arity);
    let mut text = match keyword {
        Some(keyword) => explained(keyword_docs::keyword(keyword)),
        None => format!(
            "**{}** is a relation with {}.\n",
            shown(analysis, word),
            arguments(word)
        ),
    };
    if let Some((program, id)) = analysis.relation(&word.folded, word.arity) {
        text.push_str(match program.relations[id].dependence {
            Dependence::Static => "\nIt is static: the same in every state.",
            Dependence::State => "\nIt changes with the state: it depends on `true`.",
            Dependence::Moves => "\nIt depends on the moves made: on `does`.",
        });
        let stratum = program
            .strata
            .iter()
            .position(|stratum| stratum.contains(&id));
        if let Some(stratum) = stratum {
            let count = program.strata.len();
            let _ = write!(text, " Stratum {} of {count}.", stratum + 1);
        }
        if analysis.is_earlier {
            text.push_str(" (As of the last version without errors.)");
        }
        text.push('\n');
    }
    let heads = (analysis.sheet.heads(&word.folded)).filter(|head| head.arity == word.arity);
    statements(analysis, &heads.collect::<Vec<_>>(), &mut text);
    text
}

/// The facts and rules about a relation: how many there are, and the first few.
fn statements(analysis: &SheetAnalysis, heads: &[&Occurrence], text: &mut String) {
    if heads.is_empty() {
        return;
    }
    let outlines = heads.iter();
    let outlines = outlines.filter_map(|head| analysis.sheet.statements.get(head.statement));
    let rules = outlines.filter(|outline| outline.is_rule).count();
    let texts: Vec<_> = heads.iter().map(|head| analysis.statement(head)).collect();
    let counts = [(texts.len() - rules, "fact"), (rules, "rule")];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<_> = counts.map(|(count, what)| counted(count, what)).collect();
    let _ = write!(text, "\n{}:\n", counts.join(" and "));
    let shown: Vec<_> = texts
        .iter()
        .take(MAX_STATEMENTS)
        .map(|text| cut(text))
        .collect();
    text.push_str(&code(&shown.join("\n")));
    if let Some(more @ 1..) = texts.len().checked_sub(MAX_STATEMENTS) {
        let _ = writeln!(text, "and {more} more");
    }
}

fn term(analysis: &SheetAnalysis, word: &Occurrence, argument: Argument) -> String {
    let what = argument.part().unwrap_or(match word.arity {
        0 => "constant",
        _ => "function",
    });
    let mut text = format!("**{}** is a {what}", shown(analysis, word));
    if word.arity > 0 {
        let _ = write!(text, " with {}", arguments(word));
    }
    let count = analysis.sheet.same(word).count();
    let _ = writeln!(
        text,
        ". The sheet has {} of it.",
        counted(count, "occurrence")
    );
    text
}

fn variable(analysis: &SheetAnalysis, word: &Occurrence) -> String {
    let same: Vec<_> = analysis.sheet.same(word).collect();
    let is_bound = same
        .iter()
        .any(|other| other.sort == Sort::Variable { is_bound: true });
    let bound = match (is_bound, same.len()) {
        (true, 1) => "\nIt stands for anything.",
        (true, _) => "",
        (false, _) => "\nNo condition binds it.",
    };
    let count = counted(same.len(), "occurrence");
    format!(
        "**{}** is a variable of this rule: {count}.\n{bound}",
        shown(analysis, word)
    )
}

/// A word as it is written, shortened, and without what Markdown would take for markup.
fn shown(analysis: &SheetAnalysis, word: &Occurrence) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-+?<=>".contains(letter);
    let mut text = String::new();
    for letter in cut(analysis.text(word.span)).chars() {
        if !is_plain(letter) {
            text.push('\\');
        }
        text.push(letter);
    }
    text.replace('<', "&lt;")
}

fn arguments(word: &Occurrence) -> String {
    match word.arity {
        0 => "no arguments".to_owned(),
        count => counted(count, "argument"),
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn cut(text: &str) -> String {
    if text.len() <= MAX_STATEMENT {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(MAX_STATEMENT)])
}

/// A block of code, whatever back quotes are in it.
fn code(text: &str) -> String {
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}gdl\n{text}\n{fence}\n")
}
