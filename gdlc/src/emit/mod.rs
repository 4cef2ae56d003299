//! Emission: a plan as Rust.
//!
//! Input: a [`Plan`]. Output: the text of a module that depends on `runtime`
//! alone. Identifiers are ours, numbered; names from the rule sheet occur in
//! string literals and doc comments only, so that no symbol can become code. The
//! same plan gives the same bytes.

mod chunk;
mod layout;

use crate::plan::store::{Chunk, Chunks, Policy, Storage};
use crate::plan::{self, Phase, Plan, PlanStep};
use anyhow::Context as _;
use gdl_runtime::lanes::Width;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

/// Operations a function: the compiler's time grows faster than a function, and
/// shorter ones store more.
const OPERATIONS_A_CHUNK: usize = 400;

/// Operations above which code is no longer emitted: a compiler takes about a
/// millisecond for each, at every width.
pub const MOST_OPERATIONS: usize = 100_000;

/// What a module is told about itself.
#[derive(Debug, Clone)]
pub struct ModuleHeader<'a> {
    /// What the game is called.
    pub name: &'a str,
    /// The rules, a line each.
    pub rules: &'a [String],
    /// The widths to compile for.
    pub widths: &'a [Width],
}

/// Emits the items of a module whose static `GAME` is the compiled game.
///
/// # Errors
/// If the emitter made something that is not Rust, which would be its mistake.
pub fn emit(plan: &Plan, header: &ModuleHeader<'_>) -> anyhow::Result<String> {
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
            List, StaticBase, StaticGoal, StaticLayout, StaticMove, StaticRestart, Text,
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

/// Formats the tokens, under a head that says where they come from.
fn print(tokens: TokenStream, header: &ModuleHeader<'_>) -> anyhow::Result<String> {
    let file = syn::parse2(tokens).context("the emitted tokens are not Rust")?;
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

/// Text for a comment: characters that end lines, are invisible or turn the
/// direction of writing stand as escapes. rustc refuses the last ones raw.
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

/// Neighbouring operations, some hundred a chunk; a loop is a chunk of its own.
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
