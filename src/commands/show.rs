//! `gdl show`: what a stage of the compiler made of a rule sheet.
//!
//! Sizes come first, as comments of whatever notation follows.

use crate::input;
use anyhow::bail;
use gdlc::diag::Sink;
use gdlc::id::Id as _;
use gdlc::rules::{Dependence, Literal, Program};
use gdlc::source::Source;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Show what a stage of the compiler makes of a rule sheet
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl show ast games/hex.kif              the statements as they were read
  gdl show rules games/hex.kif            after the checks, one rule a line
  gdl show strata games/hex.kif           which relations rest on which
  gdl show strata --dot games/hex.kif | dot -Tsvg > hex.svg")]
pub struct Args {
    /// Which stage
    stage: Stage,
    /// The rule sheet
    file: PathBuf,
    /// Print a graph for Graphviz, where the stage has one
    #[arg(long)]
    dot: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Stage {
    /// The statements as they are written
    Ast,
    /// The checked rules, without `or`, in normal form
    Rules,
    /// The relations, each after those it rests on
    Strata,
}

/// Prints the stage.
///
/// # Errors
/// If the rule sheet cannot be read or is refused by a stage up to this one, or
/// if the stage has no graph and one is asked for.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let source = input::read(&args.file)?;
    let text = match (args.stage, args.dot) {
        (Stage::Ast, false) => show_ast(source)?,
        (Stage::Rules, false) => show_rules(&input::check(source)?),
        (Stage::Strata, false) => show_strata(&input::check(source)?),
        (Stage::Strata, true) => draw_strata(&input::check(source)?),
        (Stage::Ast | Stage::Rules, true) => bail!("this stage has no graph: leave out --dot"),
    };
    print!("{text}");
    Ok(ExitCode::SUCCESS)
}

fn show_ast(source: Arc<Source>) -> anyhow::Result<String> {
    let mut sink = Sink::new(source);
    let description = gdlc::syntax::parse(&mut sink);
    input::refuse_errors(&sink.finish())?;
    let statements = description.statements.len();
    Ok(format!("; {statements} statements\n{description}"))
}

fn show_rules(program: &Program) -> String {
    let literals: usize = program.rules.iter().map(|rule| rule.body.len()).sum();
    let mut text = format!(
        "; {} rules, {literals} literals, {} relations, {} strata\n",
        program.rules.len(),
        program.relations.len(),
        program.strata.len()
    );
    for rule in &program.rules {
        let _ = writeln!(text, "{}", program.show_rule(rule));
    }
    text
}

fn show_strata(program: &Program) -> String {
    let mut text = format!(
        "; {} relations in {} strata\n",
        program.relations.len(),
        program.strata.len()
    );
    for (number, stratum) in program.strata.iter().enumerate() {
        for &relation in stratum {
            let varies = match program.relations[relation].dependence {
                Dependence::Static => "static",
                Dependence::State => "varies with the state",
                Dependence::Moves => "varies with the moves",
            };
            let rules = program.rules_of(relation).count();
            let name = relation_name(program, relation);
            let _ = writeln!(text, "{number:>4}  {name:<28} {rules:>4} rules, {varies}");
        }
    }
    text
}

fn draw_strata(program: &Program) -> String {
    let mut text = "digraph strata {\n  rankdir=BT;\n  node [shape=box];\n".to_owned();
    for (number, stratum) in program.strata.iter().enumerate() {
        let _ = writeln!(text, "  subgraph cluster_{number} {{");
        for &relation in stratum {
            let name = relation_name(program, relation);
            let label = name.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "    r{} [label=\"{label}\"];", relation.index());
        }
        text.push_str("  }\n");
    }
    for (from, to, negated) in dependencies(program) {
        let style = if negated { " [style=dashed]" } else { "" };
        let _ = writeln!(text, "  r{from} -> r{to}{style};");
    }
    text.push_str("}\n");
    text
}

/// Who feeds whom, and whether through `not`.
fn dependencies(program: &Program) -> BTreeSet<(usize, usize, bool)> {
    let mut edges = BTreeSet::new();
    for rule in &program.rules {
        for literal in &rule.body {
            let (atom, negated) = match literal {
                Literal::Positive(atom) => (atom, false),
                Literal::Negative(atom) => (atom, true),
                Literal::Distinct(..) => continue,
            };
            edges.insert((atom.relation.index(), rule.head.relation.index(), negated));
        }
    }
    edges
}

fn relation_name(program: &Program, relation: gdlc::rules::RelationId) -> String {
    let relation = &program.relations[relation];
    format!("{}/{}", program.symbols[relation.name], relation.arity)
}
