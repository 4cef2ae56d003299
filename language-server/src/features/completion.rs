//! What may be typed at a position.

use super::keyword_docs;
use crate::analysis::SheetAnalysis;
use crate::names::{Argument, Sort};
use crate::nesting::{Expected, Scope};
use gdlc::rules::Keyword;
use gdlc::source::Span;
use gdlc::syntax::CONNECTIVES;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionTextEdit, Documentation,
    Position, Range, TextEdit,
};
use std::collections::BTreeMap;

/// The maximum number of words that are offered.
const MAX_ITEMS: usize = 1_000;

/// The words that fit at a position, those that belong there first. If they are too many, only
/// those are offered that begin with what is typed, and the editor asks again as it grows.
#[must_use]
pub fn completion(analysis: &SheetAnalysis, position: Position) -> CompletionList {
    let offset = analysis.offset(position);
    let Some(scope) = analysis.sheet.scope(&analysis.source, offset) else {
        return CompletionList::default();
    };
    let span = analysis.sheet.word_span(offset);
    let end = span.end.min(u32::try_from(offset).unwrap_or(u32::MAX));
    let typed = analysis.text(Span { end, ..span }).to_lowercase();
    let offered = |beginning: &str| {
        let mut items = Items {
            typed: span,
            beginning: beginning.to_owned(),
            range: analysis.range(span),
            needs_list: !scope.begins_list,
            items: Vec::new(),
            is_cut: false,
        };
        items.fitting(analysis, &scope, typed.starts_with('?'));
        items
    };
    let all = offered("");
    CompletionList {
        is_incomplete: all.is_cut,
        items: match all.is_cut {
            true => offered(&typed).items,
            false => all.items,
        },
    }
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
    /// What the words offered begin with, in lower case.
    beginning: String,
    range: Range,
    /// Whether what has arguments needs a parenthesis in front.
    needs_list: bool,
    items: Vec<CompletionItem>,
    /// Whether there are more than are offered.
    is_cut: bool,
}

impl Items {
    /// All words that fit at a place.
    fn fitting(&mut self, analysis: &SheetAnalysis, scope: &Scope, is_variable: bool) {
        match scope.expected {
            Expected::Term { argument, .. } => {
                if !scope.begins_list {
                    self.variables(analysis, scope);
                }
                if !is_variable {
                    self.terms(analysis, argument);
                }
            }
            _ if is_variable => {}
            Expected::Statement | Expected::Head => {
                if scope.expected == Expected::Statement {
                    self.connective("<=");
                }
                let heads = Keyword::ALL.into_iter();
                heads
                    .filter(|keyword| !is_supplied(*keyword))
                    .for_each(|keyword| self.keyword(keyword));
                self.relations(analysis);
            }
            Expected::Condition { .. } => {
                self.relations(analysis);
                CONNECTIVES.iter().for_each(|word| self.connective(word));
                let conditions = Keyword::ALL.into_iter();
                conditions
                    .filter(|keyword| is_condition(*keyword))
                    .for_each(|keyword| self.keyword(keyword));
            }
        }
    }

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
            let what = argument.part();
            let fits = what.is_some() && what == expected.part();
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
        let explanation = keyword_docs::keyword(keyword);
        self.explained(keyword.word(), keyword.arity(), explanation);
    }

    fn connective(&mut self, word: &str) {
        if let Some(explanation) = keyword_docs::connective(word) {
            self.explained(word, 1, explanation);
        }
    }

    fn explained(&mut self, word: &str, arity: usize, (usage, meaning): (&str, &str)) {
        let kind = CompletionItemKind::KEYWORD;
        if self.push(word.to_owned(), arity, kind, usage.to_owned())
            && let Some(item) = self.items.last_mut()
        {
            item.documentation = Some(Documentation::String(meaning.to_owned()));
        }
    }

    /// Offers a word, if it begins as it should and there is room; returns whether it does.
    fn push(
        &mut self,
        word: String,
        arity: usize,
        kind: CompletionItemKind,
        detail: String,
    ) -> bool {
        if !word.to_lowercase().starts_with(&self.beginning) {
            return false;
        }
        if self.items.len() == MAX_ITEMS {
            self.is_cut = true;
            return false;
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
        true
    }
}
