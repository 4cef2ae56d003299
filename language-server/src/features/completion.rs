//! What may be typed at a position.

use super::keyword_docs;
use crate::analysis::SheetAnalysis;
use crate::names::{Argument, Sort};
use crate::nesting::{Expected, Scope};
use gdlc::rules::Keyword;
use gdlc::source::Span;
use gdlc::syntax::CONNECTIVES;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, Position, Range,
    TextEdit,
};
use std::collections::BTreeMap;

/// The maximum number of words that are offered.
const MAX_ITEMS: usize = 1_000;

/// The words that fit at a position, those that belong there first.
#[must_use]
pub fn completion(analysis: &SheetAnalysis, position: Position) -> Vec<CompletionItem> {
    let offset = analysis.offset(position);
    let Some(scope) = analysis.sheet.scope(&analysis.source, offset) else {
        return Vec::new();
    };
    let mut span = analysis.sheet.word_span(offset);
    let mut items = Items {
        typed: span,
        range: analysis.range(span),
        needs_list: !scope.begins_list,
        items: Vec::new(),
    };
    span.end = span.end.min(u32::try_from(offset).unwrap_or(u32::MAX));
    let is_variable = analysis.text(span).starts_with('?');
    match scope.expected {
        Expected::Term { argument, .. } => {
            if !scope.begins_list {
                items.variables(analysis, &scope);
            }
            if !is_variable {
                items.terms(analysis, argument);
            }
        }
        _ if is_variable => {}
        Expected::Statement => {
            let statement = Keyword::ALL
                .into_iter()
                .filter(|keyword| !is_supplied(*keyword));
            items.connective("<=");
            statement.for_each(|keyword| items.keyword(keyword));
            items.relations(analysis);
        }
        Expected::Head => {
            let heads = Keyword::ALL
                .into_iter()
                .filter(|keyword| !is_supplied(*keyword));
            heads.for_each(|keyword| items.keyword(keyword));
            items.relations(analysis);
        }
        Expected::Condition { .. } => {
            items.relations(analysis);
            CONNECTIVES.iter().for_each(|word| items.connective(word));
            let conditions = Keyword::ALL
                .into_iter()
                .filter(|keyword| is_condition(*keyword));
            conditions.for_each(|keyword| items.keyword(keyword));
        }
    }
    items.items
}

/// Whether no rule may derive a keyword.
fn is_supplied(keyword: Keyword) -> bool {
    matches!(keyword, Keyword::True | Keyword::Does)
}

/// Whether a keyword may occur in conditions.
fn is_condition(keyword: Keyword) -> bool {
    !matches!(
        keyword,
        Keyword::Init | Keyword::Next | Keyword::Base | Keyword::Input
    )
}

struct Items {
    /// The word that is replaced; it is not offered just because it is there.
    typed: Span,
    range: Range,
    /// Whether what has arguments needs a parenthesis in front.
    needs_list: bool,
    items: Vec<CompletionItem>,
}

impl Items {
    fn variables(&mut self, analysis: &SheetAnalysis, scope: &Scope) {
        let mut variables = BTreeMap::new();
        for word in &analysis.sheet.occurrences {
            let is_variable = matches!(word.sort, Sort::Variable { .. });
            let is_typed = word.span == self.typed;
            if is_variable && scope.statement == Some(word.statement) && !is_typed {
                let text = analysis.text(word.span).to_owned();
                variables.entry(word.folded.clone()).or_insert(text);
            }
        }
        for text in variables.into_values() {
            self.push(text, 0, CompletionItemKind::VARIABLE, "variable".to_owned());
        }
    }

    /// Fluents, moves or roles where these belong, then all terms.
    fn terms(&mut self, analysis: &SheetAnalysis, expected: Argument) {
        let mut terms = BTreeMap::new();
        for word in &analysis.sheet.occurrences {
            let Sort::Term(argument) = word.sort else {
                continue;
            };
            if word.span == self.typed {
                continue;
            }
            let what = role_of(argument);
            let fits = what.is_some() && what == role_of(expected);
            let key = (word.folded.clone(), word.arity);
            let text = analysis.text(word.span).to_owned();
            let entry = terms.entry(key).or_insert((text, what, fits));
            if fits && !entry.2 {
                (entry.1, entry.2) = (what, true);
            }
        }
        let mut terms: Vec<_> = terms.into_iter().collect();
        terms.sort_by_key(|(_, (_, _, fits))| !fits);
        for ((_, arity), (text, what, _)) in terms {
            let detail = match (what, arity) {
                (Some(what), _) => format!("{what}/{arity}"),
                (None, 0) => "constant".to_owned(),
                (None, _) => format!("function/{arity}"),
            };
            self.push(text, arity, CompletionItemKind::VALUE, detail);
        }
    }

    fn relations(&mut self, analysis: &SheetAnalysis) {
        let mut relations = BTreeMap::new();
        for word in &analysis.sheet.occurrences {
            let is_relation = matches!(word.sort, Sort::Relation { .. });
            let is_typed = word.span == self.typed;
            if is_relation && word.keyword().is_none() && !is_typed {
                let text = analysis.text(word.span).to_owned();
                relations
                    .entry((word.folded.clone(), word.arity))
                    .or_insert(text);
            }
        }
        for ((_, arity), text) in relations {
            let detail = format!("relation/{arity}");
            self.push(text, arity, CompletionItemKind::FUNCTION, detail);
        }
    }

    fn keyword(&mut self, keyword: Keyword) {
        let (usage, meaning) = keyword_docs::keyword(keyword);
        let (word, arity) = (keyword.word().to_owned(), keyword.arity());
        self.push(word, arity, CompletionItemKind::KEYWORD, usage.to_owned());
        self.document(meaning);
    }

    fn connective(&mut self, word: &str) {
        if let Some((usage, meaning)) = keyword_docs::connective(word) {
            self.push(
                word.to_owned(),
                1,
                CompletionItemKind::KEYWORD,
                usage.to_owned(),
            );
            self.document(meaning);
        }
    }

    fn document(&mut self, meaning: &str) {
        if let Some(item) = self.items.last_mut() {
            item.documentation = Some(Documentation::String(meaning.to_owned()));
        }
    }

    fn push(&mut self, word: String, arity: usize, kind: CompletionItemKind, detail: String) {
        if self.items.len() == MAX_ITEMS {
            return;
        }
        let new_text = if self.needs_list && arity > 0 {
            format!("({word}")
        } else {
            word.clone()
        };
        self.items.push(CompletionItem {
            // Otherwise editors sort by the label.
            sort_text: Some(format!("{:05}", self.items.len())),
            filter_text: Some(word.clone()),
            label: word,
            kind: Some(kind),
            detail: Some(detail),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(
                self.range, new_text,
            ))),
            ..CompletionItem::default()
        });
    }
}

/// What a term is to the game.
fn role_of(argument: Argument) -> Option<&'static str> {
    match argument {
        argument if argument.is_fluent() => Some("fluent"),
        argument if argument.is_move() => Some("move"),
        argument if argument.is_role() => Some("role"),
        _ => None,
    }
}
