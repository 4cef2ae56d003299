//! Reads a top-level expression: the grammar parses KIF, and this module interprets it as GDL.

use super::grammar::{Kif, Rule};
use super::{AtomSyntax, ConditionSyntax, Name, RuleSyntax, Statement, TermSyntax};
use crate::diag::Sink;
use crate::source::Span;
use pest::Parser as _;
use pest::iterators::Pair;

/// Reads the statement at a span; an expression that is not a statement becomes
/// an error.
pub fn read_statement(at: Span, sink: &mut Sink) -> Option<Statement> {
    let source = sink.source().clone();
    match Kif::parse(Rule::whole, at.text(&source)) {
        Ok(mut pairs) => {
            let expression = pairs.next()?;
            let mut reader = StatementReader {
                offset: at.start as usize,
                sink,
            };
            reader.statement(expression)
        }
        Err(error) => {
            report_grammar_error(&error, at, sink);
            None
        }
    }
}

fn report_grammar_error(error: &pest::error::Error<Rule>, expression: Span, sink: &mut Sink) {
    let at = match error.location {
        pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at,
    };
    let source = sink.source().clone();
    let found = expression
        .text(&source)
        .get(at..)
        .and_then(|rest| rest.chars().next());
    let start = expression.start as usize + at;
    let span = Span::new(start, start + found.map_or(0, char::len_utf8));
    let message = match found {
        Some('?') => "a variable needs a name after its `?`".to_owned(),
        Some(found) => format!("unexpected character {found:?}"),
        None => "unexpected end of the expression".to_owned(),
    };
    sink.error("syntax", span, message);
}

struct StatementReader<'a> {
    /// Where the expression starts in the source.
    offset: usize,
    sink: &'a mut Sink,
}

/// A list as its first word and what follows.
struct Call<'i> {
    name: Name,
    args: Vec<Pair<'i, Rule>>,
    span: Span,
}

impl StatementReader<'_> {
    fn statement(&mut self, pair: Pair<'_, Rule>) -> Option<Statement> {
        let call = self.call(pair, "statement")?;
        if call.name.is("<=") {
            self.rule(call).map(Statement::Rule)
        } else {
            self.atom(call).map(Statement::Fact)
        }
    }

    fn rule(&mut self, call: Call<'_>) -> Option<RuleSyntax> {
        let mut args = call.args.into_iter();
        let Some(head) = args.next() else {
            self.error(call.span, "a rule needs a head", "`<=` stands alone");
            return None;
        };
        let head = self
            .call(head, "head of a rule")
            .and_then(|head| self.atom(head));
        let body = self.conditions(args);
        Some(RuleSyntax {
            head: head?,
            body: body?,
            span: call.span,
        })
    }

    /// All conditions, or `None` if one cannot be read; reports every error.
    fn conditions<'i>(
        &mut self,
        pairs: impl Iterator<Item = Pair<'i, Rule>>,
    ) -> Option<Vec<ConditionSyntax>> {
        let read: Vec<_> = pairs.map(|pair| self.condition(pair)).collect();
        read.into_iter().collect()
    }

    fn condition(&mut self, pair: Pair<'_, Rule>) -> Option<ConditionSyntax> {
        let call = self.call(pair, "condition")?;
        let span = call.span;
        match call.name.text.to_ascii_lowercase().as_str() {
            "and" => Some(ConditionSyntax::And(
                self.conditions(call.args.into_iter())?,
                span,
            )),
            "or" => Some(ConditionSyntax::Or(
                self.conditions(call.args.into_iter())?,
                span,
            )),
            "not" => {
                let [inner] = self.exactly(call)?;
                Some(ConditionSyntax::Not(Box::new(self.condition(inner)?), span))
            }
            "distinct" => {
                let [left, right] = self.exactly(call)?;
                let (left, right) = (self.term(left), self.term(right));
                Some(ConditionSyntax::Distinct(left?, right?, span))
            }
            _ => self.atom(call).map(ConditionSyntax::Atom),
        }
    }

    /// The arguments of a connective, which takes `N`.
    fn exactly<'i, const N: usize>(&mut self, call: Call<'i>) -> Option<[Pair<'i, Rule>; N]> {
        let count = call.args.len();
        let word = call.name.text;
        call.args.try_into().ok().or_else(|| {
            self.sink
                .error(
                    "keyword-arity",
                    call.span,
                    format!("`{word}` takes {}, not {count}", super::arguments(N)),
                )
                .label("wrong number of arguments");
            None
        })
    }

    fn atom(&mut self, call: Call<'_>) -> Option<AtomSyntax> {
        let args: Vec<_> = call.args.into_iter().map(|arg| self.term(arg)).collect();
        Some(AtomSyntax {
            name: call.name,
            args: args.into_iter().collect::<Option<_>>()?,
            span: call.span,
        })
    }

    fn term(&mut self, pair: Pair<'_, Rule>) -> Option<TermSyntax> {
        if pair.as_rule() == Rule::variable {
            return Some(TermSyntax::Variable(self.name(&pair)));
        }
        let call = self.call(pair, "term")?;
        if call.args.is_empty() {
            return Some(TermSyntax::Constant(call.name));
        }
        let args: Vec<_> = call.args.into_iter().map(|arg| self.term(arg)).collect();
        let args = args.into_iter().collect::<Option<_>>()?;
        Some(TermSyntax::Function(call.name, args, call.span))
    }

    /// Reads a word with its arguments; errors say that `what` was expected.
    fn call<'i>(&mut self, pair: Pair<'i, Rule>, what: &str) -> Option<Call<'i>> {
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::symbol => Some(Call {
                name: self.name(&pair),
                args: Vec::new(),
                span,
            }),
            Rule::variable => {
                self.error(
                    span,
                    &format!("a variable cannot be a {what}"),
                    "a name belongs here",
                );
                None
            }
            _ => self.list(pair, what),
        }
    }

    fn list<'i>(&mut self, pair: Pair<'i, Rule>, what: &str) -> Option<Call<'i>> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let Some(first) = inner.next() else {
            self.error(
                span,
                &format!("an empty list cannot be a {what}"),
                "this list is empty",
            );
            return None;
        };
        if first.as_rule() != Rule::symbol {
            let at = self.span(&first);
            self.error(
                at,
                &format!("a {what} starts with a name"),
                "a name belongs here",
            );
            return None;
        }
        Some(Call {
            name: self.name(&first),
            args: inner.collect(),
            span,
        })
    }

    fn name(&self, pair: &Pair<'_, Rule>) -> Name {
        Name {
            text: pair.as_str().to_owned(),
            span: self.span(pair),
        }
    }

    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        Span::new(self.offset + span.start(), self.offset + span.end())
    }

    fn error(&mut self, span: Span, message: &str, label: &str) {
        self.sink.error("syntax", span, message).label(label);
    }
}
