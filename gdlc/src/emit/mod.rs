//! Emission: a plan as Rust.
//!
//! Input: a [`Plan`]. Output: the text of a module that depends on `gdl_runtime`
//! alone. Identifiers are generated and numbered; names from the rule sheet occur
//! in string literals and doc comments only, so that no symbol can become code.
//! The same plan always gives the same bytes.

mod chunk;
mod layout;

use crate::plan::store::{Chunk, Chunks, Policy, Storage};
use crate::plan::{self, Phase, Plan, PlanStep};
use crate::rules::Program;
use gdl_runtime::lanes::Width;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

/// Operations per function: rustc's time grows faster than the length of a
/// function, but short functions pass more values through memory.
const OPERATIONS_A_CHUNK: usize = 400;

/// The most operations for which code is emitted: rustc takes about a millisecond
/// per operation and width.
pub const MOST_OPERATIONS: usize = 100_000;

/// What an emitted module says about its game, and the widths it is made for.
#[derive(Debug, Clone)]
pub struct ModuleHeader<'a> {
    /// What the game is called.
    pub name: &'a str,
    /// The rules, one per line; see [`rule_lines`].
    pub rules: &'a [String],
    /// The widths to compile for.
    pub widths: &'a [Width],
}

/// The emitted tokens are not Rust: a defect of the emitter.
#[derive(Debug, thiserror::Error)]
#[error("the emitted tokens are not Rust: {0}")]
pub struct EmitError(#[from] syn::Error);

/// The rules of a program, one per line, as [`ModuleHeader::rules`] takes them.
#[must_use]
pub fn rule_lines(program: &Program) -> Vec<String> {
    let rules = program.rules.iter();
    rules.map(|rule| program.show_rule(rule)).collect()
}

/// Emits the items of a module whose static `GAME` is the compiled game.
///
/// # Errors
/// If the emitted tokens are not Rust.
pub fn emit(plan: &Plan, header: &ModuleHeader<'_>) -> Result<String, EmitError> {
    let chunks = split_into_chunks(plan);
    let storage = Storage::find(plan, &chunks, Policy::LiveAcross);
    let mut functions = Vec::new();
    let phases = Phase::ALL.map(|phase| {
        let emitted = chunk::emit_phase(plan, &storage, phase, &chunks[phase as usize]);
        let names = emitted
            .iter()
            .map(|(name, _)| name.clone())
            .collect::<Vec<_>>();
        functions.extend(emitted.into_iter().map(|(_, function)| function));
        quote!([#(#names)*])
    });
    let [terminal, goals, legal, count, next] = phases;
    let bases = number(plan.bases.len());
    let work = number(storage.rows as usize);
    let widths = header.widths.iter().map(|&width| width_ident(width));
    let layout = layout::emit_layout(&plan::layout(header.name, plan, &storage));
    let docs = describe(plan, header);
    let tokens = quote! {
        #[allow(unused_imports)]
        use ::gdl_runtime::compiled::{
            List, StaticBase, StaticGoal, StaticLayout, StaticMove, Text,
        };
        use ::gdl_runtime::lanes::Word;
        use ::gdl_runtime::layout::{Choice, Row};

        #(#functions)*

        #layout

        ::gdl_runtime::compiled_game! {
            #(#[doc = #docs])*
            pub static GAME;
            bases: #bases;
            work: #work;
            layout: LAYOUT;
            widths: [#(#widths)*];
            terminal: #terminal;
            goals: #goals;
            legal: #legal;
            count: #count;
            next: #next;
        }
    };
    print(tokens, header)
}

/// Formats the tokens below a line that says where they come from.
fn print(tokens: TokenStream, header: &ModuleHeader<'_>) -> Result<String, EmitError> {
    let file = syn::parse2(tokens)?;
    let version = env!("CARGO_PKG_VERSION");
    let name = visible(header.name);
    let text = prettyplease::unparse(&file);
    Ok(format!(
        "// Compiled by gdlc {version} from the rules of {name}. Changes are lost.\n\n{text}"
    ))
}

/// The rule sheet and some sizes, as lines of documentation.
fn describe(plan: &Plan, header: &ModuleHeader<'_>) -> Vec<String> {
    let mut lines = vec![
        format!(
            " {}: {} roles, {} fluents, {} moves.",
            visible(header.name),
            plan.roles.len(),
            plan.bases.len(),
            plan.moves.len()
        ),
        String::new(),
        " ```text".to_owned(),
    ];
    // A fence inside the rules would end the block.
    let rules = header.rules.iter();
    lines.extend(rules.map(|rule| format!(" {}", visible(rule).replace("```", "'''"))));
    lines.push(" ```".to_owned());
    lines
}

/// Text for a comment: escapes characters that end lines, are invisible or change
/// the direction of writing, which rustc rejects in their raw form.
fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() && !character.is_control() {
            visible.push(character);
        } else {
            visible.extend(character.escape_debug());
        }
    }
    visible
}

/// Splits each phase into chunks of consecutive operations; a loop is a chunk of
/// its own.
fn split_into_chunks(plan: &Plan) -> Chunks {
    plan.phases.clone().map(|steps| {
        let mut chunks: Vec<Chunk> = Vec::new();
        let mut open = false;
        for step in steps {
            let is_loop = matches!(step, PlanStep::Loop { .. });
            match chunks.last_mut() {
                Some(chunk) if open && !is_loop && chunk.len() < OPERATIONS_A_CHUNK => {
                    chunk.push(step);
                }
                _ => chunks.push(vec![step]),
            }
            open = !is_loop;
        }
        chunks
    })
}

fn width_ident(width: Width) -> Ident {
    ident(match width {
        Width::W64 => "w64",
        Width::Portable128 => "portable128",
        Width::Portable256 => "portable256",
        Width::W128 => "w128",
        Width::W256 => "w256",
        Width::W512 => "w512",
    })
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

fn number(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}
