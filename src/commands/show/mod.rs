//! `gdl show`: prints the output of a stage of the compiler, or a picture of a state.

mod board;
mod positions;

use anyhow::{Context as _, bail, ensure};
use board::BoardOptions;
use gdl_engines::input;
use gdl_engines::native::emit_game;
use gdl_runtime::lanes::Width;
use gdlc::compile::{self, Compilation, compile};
use gdlc::diag::Sink;
use gdlc::propnet::analyses::{ImpliedLiterals, find_mutex_groups};
use gdlc::propnet::factors::{self, Factors};
use gdlc::propnet::reachability::{self, Reachability, UnknownReachability};
use gdlc::propnet::symmetries::{self, SymmetryGroup};
use gdlc::propnet::{Aiger, Propnet};
use gdlc::source::Source;
use gdlc::{ground, plan, propnet, rules};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Show what a stage of the compiler makes of a rule sheet, or what its states look like
///
/// The output of a stage begins with a comment that states sizes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl show board games/hex.kif            the initial state as text
  gdl show board games/hex.kif --random 20 -o hex.svg
  gdl show board games/tictactoe.kif --after '(mark 2 2)' '(mark 1 1)'
  gdl show board games/breakthrough.kif --record match.jsonl --strip 10 -o match.svg
  gdl show rules games/hex.kif            after the checks, one rule per line
  gdl show strata games/hex.kif           which relations depend on which
  gdl show ground games/hex.kif | head -1 only the sizes
  gdl show net games/hex.kif              the gates, after all passes
  gdl show symmetries games/pentago.kif   turns and mirrors of the board
  gdl show reachability games/tron.kif    who comes first to which square
  gdl show rust games/hex.kif > hex.rs    what rustc gets
  gdl show strata --dot games/hex.kif | dot -Tsvg > hex.svg
  gdl show assembled --format aiger games/hex.kif > hex.aig

In AIGER, fluents are latches with their initial values, moves are inputs, and
terminal, the goals and the legal moves are outputs, all named. The file does not
state that each role makes exactly one legal move. A recursive atom at which a cycle
is cut is an input 'loop ATOM' with an output 'definition ATOM': its value is the
least one for which the two agree.

A board is inferred from the rules, for any game: from values that are ordered, from what
never occurs twice on a cell, and from which cells are adjacent. Facts on no board are
listed below it.")]
pub struct ShowArgs {
    /// The stage to show
    stage: Stage,
    /// The rule sheet; for board also the name of a game that is built in
    file: PathBuf,
    /// The output format, if the stage supports it
    #[arg(long, value_enum, default_value_t = StageFormat::Text)]
    format: StageFormat,
    /// Print a graph for Graphviz: short for --format dot
    #[arg(long, conflicts_with = "format")]
    dot: bool,
    #[command(flatten, next_help_heading = "Options of board")]
    board: BoardOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum StageFormat {
    /// Text for people
    Text,
    /// Graphviz: strata, assembled, net
    Dot,
    /// Binary AIGER for logic tools and model checkers: assembled, net
    Aiger,
    /// AIGER as text: assembled, net
    Aag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Stage {
    /// A state as people see it: boards, pieces, turns and counters
    Board,
    /// The statements as written
    Ast,
    /// The checked rules, without `or`
    Rules,
    /// The relations, each after those it depends on
    Strata,
    /// The rules without variables
    Ground,
    /// The gates before all passes
    Assembled,
    /// The gates after all passes
    Net,
    /// The parts of the game that are games of their own
    Factors,
    /// The exchanges of roles, fluents and moves that leave the game unchanged
    Symmetries,
    /// Which role is first to reach what several roles can bring about, such as an empty square
    Reachability,
    /// The operations in the order of their execution
    Plan,
    /// The emitted code
    Rust,
}

/// Prints the stage.
///
/// # Errors
/// If the rule sheet cannot be read or is refused by a stage up to this one, or
/// if the stage has no graph and one is asked for.
pub fn run(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    let format = if args.dot {
        StageFormat::Dot
    } else {
        args.format
    };
    let is_board = args.stage == Stage::Board;
    ensure!(
        !is_board || format == StageFormat::Text,
        "a board has no other format: leave out --format, or draw it with -o"
    );
    ensure!(
        is_board || args.board == BoardOptions::default(),
        "the options of board apply to no other stage"
    );
    let source = || input::read(&args.file);
    let bytes = match format {
        StageFormat::Text => show(args)?.into_bytes(),
        StageFormat::Dot => show_dot(args.stage, source()?)?.into_bytes(),
        StageFormat::Aiger => Aiger::of(&propnet_of(args.stage, source()?)?).to_binary(),
        StageFormat::Aag => Aiger::of(&propnet_of(args.stage, source()?)?)
            .to_text()
            .into_bytes(),
    };
    std::io::stdout().write_all(&bytes)?;
    Ok(ExitCode::SUCCESS)
}

fn show(args: &ShowArgs) -> anyhow::Result<String> {
    let stage = args.stage;
    let source = || input::read(&args.file);
    Ok(match stage {
        // Also of games that are built in, whose rules are not in a file.
        Stage::Board => board::show(&args.file, &args.board)?,
        Stage::Ast => show_ast(source()?)?,
        Stage::Rules => rules::show_rules(&input::check(source()?)?),
        Stage::Strata => rules::show_strata(&input::check(source()?)?),
        Stage::Ground => ground::show_ground(&compiled(source()?)?.ground),
        Stage::Assembled | Stage::Net => propnet::show_propnet(&propnet_of(stage, source()?)?),
        Stage::Factors => show_factors(source()?)?,
        Stage::Symmetries => show_symmetries(source()?)?,
        Stage::Reachability => show_reachability(source()?)?,
        Stage::Plan => plan::show_plan(&compiled(source()?)?.plan),
        Stage::Rust => show_rust(source()?)?,
    })
}

fn show_dot(stage: Stage, source: Arc<Source>) -> anyhow::Result<String> {
    Ok(match stage {
        Stage::Strata => rules::show_strata_dot(&input::check(source)?),
        _ => propnet::show_dot(&propnet_of(stage, source)?),
    })
}

/// The propnet before or after the passes.
fn propnet_of(stage: Stage, source: Arc<Source>) -> anyhow::Result<Propnet> {
    match stage {
        Stage::Assembled => {
            let program = input::check(source)?;
            let budget = ground::GroundingBudget::default();
            Ok(propnet::assemble(&compile::ground_rules(
                &program, &budget,
            )?))
        }
        Stage::Net => Ok(compiled(source)?.propnet),
        _ => bail!("this stage does not support that format: leave out --format"),
    }
}

fn show_factors(source: Arc<Source>) -> anyhow::Result<String> {
    let net = compiled(source)?.propnet;
    let groups = find_mutex_groups(&net, &ImpliedLiterals::find(&net));
    let factors = Factors::find(&net, &groups).context("the game is too large")?;
    Ok(factors::show_factors(&net, &factors))
}

fn show_symmetries(source: Arc<Source>) -> anyhow::Result<String> {
    let net = symmetries::prepare(propnet_of(Stage::Assembled, source)?);
    Ok(symmetries::show_symmetries(
        &net,
        &SymmetryGroup::find(&net),
    ))
}

fn show_reachability(source: Arc<Source>) -> anyhow::Result<String> {
    let net = reachability::prepare(propnet_of(Stage::Assembled, source)?);
    let found = match Reachability::find(&net) {
        Err(UnknownReachability::NothingContested) => {
            return Ok("; nothing that several roles can bring about\n".to_owned());
        }
        found => found.context("cannot tell who comes first")?,
    };
    let bits = found.net.bases.len() - net.bases.len();
    let gates = propnet::show_propnet(&found.net);
    Ok(format!("; {bits} bits, by {} moves\n{gates}", found.levels))
}

fn show_rust(source: Arc<Source>) -> anyhow::Result<String> {
    let name = source.name.clone();
    let program = input::check(source)?;
    let plan = compile(&program, &compile::CompileOptions::default())?.plan;
    let code = emit_game(&name, &program, &plan, &Width::COMPILED)?;
    let size = plan.size();
    let lines = code.lines().count();
    Ok(format!("// {size} operations, {lines} lines\n{code}"))
}

fn compiled(source: Arc<Source>) -> anyhow::Result<Compilation> {
    let program = input::check(source)?;
    Ok(compile(&program, &compile::CompileOptions::default())?)
}

fn show_ast(source: Arc<Source>) -> anyhow::Result<String> {
    let mut sink = Sink::new(source);
    let description = gdlc::syntax::parse(&mut sink);
    input::reject_errors(&sink.finish())?;
    let statements = description.statements.len();
    Ok(format!("; {statements} statements\n{description}"))
}
