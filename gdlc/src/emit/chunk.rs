//! Chunks of a phase as functions.

use super::{ident, number};
use crate::id::Id;
use crate::plan::store::{Chunk, Storage};
use crate::plan::{OpId, Phase, Plan, PlanStep, PlanValue};
use gdl_runtime::layout::Row;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The functions of a phase, in the order in which they run, with their names.
pub(super) fn emit_phase(
    plan: &Plan,
    storage: &Storage,
    phase: Phase,
    chunks: &[Chunk],
) -> Vec<(Ident, TokenStream)> {
    let mut next_of: BTreeMap<PlanValue, Vec<usize>> = BTreeMap::new();
    if phase == Phase::Next {
        for (base, planned) in plan.bases.iter_ids() {
            next_of.entry(planned.next).or_default().push(base.index());
        }
    }
    let mut functions = Vec::new();
    for chunk in chunks {
        let mut emitter = ChunkEmitter {
            plan,
            storage,
            phase,
            local: FxHashSet::default(),
            next_of: &mut next_of,
        };
        let body = emitter.body(chunk);
        let name = name(phase, functions.len());
        functions.push((name.clone(), function(plan, storage, &name, &body)));
    }
    if !next_of.is_empty() {
        let body = emit_kept(storage, &next_of);
        let name = name(phase, functions.len());
        functions.push((name.clone(), function(plan, storage, &name, &body)));
    }
    functions
}

fn name(phase: Phase, index: usize) -> Ident {
    let phase = match phase {
        Phase::Terminal => "terminal",
        Phase::Goals => "goals",
        Phase::Legal => "legal",
        Phase::Count => "count",
        Phase::Next => "next",
    };
    format_ident!("{phase}_{index}")
}

fn function(plan: &Plan, storage: &Storage, name: &Ident, body: &TokenStream) -> TokenStream {
    let bases = number(plan.bases.len());
    let work = number(storage.rows as usize);
    quote! {
        #[inline(always)]
        #[allow(unused_variables)]
        fn #name<W: Word>(now: &[W; #bases], work: &mut [W; #work], next: &mut [W; #bases]) {
            #body
        }
    }
}

/// Next values that the next phase does not compute.
fn emit_kept(storage: &Storage, next_of: &BTreeMap<PlanValue, Vec<usize>>) -> TokenStream {
    let mut body = TokenStream::new();
    for (&value, bases) in next_of {
        let value = emit_row(storage.row(Phase::Next, value));
        for &base in bases {
            let base = number(base);
            body.extend(quote!(next[#base] = #value;));
        }
    }
    body
}

fn emit_row(row: Row) -> TokenStream {
    match row {
        Row::Base(base) => {
            let base = number(base as usize);
            quote!(now[#base])
        }
        Row::Work(row) => {
            let row = number(row as usize);
            quote!(work[#row])
        }
    }
}

fn variable(op: OpId) -> Ident {
    ident(&format!("v{}", op.index()))
}

struct ChunkEmitter<'a> {
    plan: &'a Plan,
    storage: &'a Storage,
    phase: Phase,
    /// Operations whose value is in a variable.
    local: FxHashSet<OpId>,
    /// The fluents that take each value, until it has been put in place.
    next_of: &'a mut BTreeMap<PlanValue, Vec<usize>>,
}

impl ChunkEmitter<'_> {
    fn body(&mut self, chunk: &Chunk) -> TokenStream {
        let mut body = TokenStream::new();
        for step in chunk {
            body.extend(match step {
                PlanStep::Op(op) => self.operation(*op),
                PlanStep::Loop { atoms, body } => self.fixpoint(atoms, body),
            });
        }
        body
    }

    /// Computes a value, and puts it wherever something else looks for it.
    fn operation(&mut self, id: OpId) -> TokenStream {
        let op = self.plan.ops[id];
        let [a, b, c] = self.arguments(op.args);
        let variable = variable(id);
        let truth: Literal = format!("{:#010b}", op.truth)
            .parse()
            .expect("a binary number is a literal");
        let mut code = quote!(let #variable = W::lut3::<#truth>(#a, #b, #c););
        if let Some(row) = self.storage.filled_row(self.phase, id) {
            let row = number(row as usize);
            code.extend(quote!(work[#row] = #variable;));
        }
        for base in self.next_of.remove(&PlanValue::Op(id)).unwrap_or_default() {
            let base = number(base);
            code.extend(quote!(next[#base] = #variable;));
        }
        self.local.insert(id);
        code
    }

    /// The arguments of an operation; those it does not depend on repeat another,
    /// so that nothing is read for them.
    fn arguments(&self, args: [PlanValue; 3]) -> [TokenStream; 3] {
        let used = args.into_iter().find(|&arg| arg != PlanValue::Zero);
        args.map(|arg| match (arg, used) {
            (PlanValue::Zero, Some(used)) => self.value(used),
            (arg, _) => self.value(arg),
        })
    }

    fn value(&self, value: PlanValue) -> TokenStream {
        match value {
            PlanValue::Op(op) if self.local.contains(&op) => {
                let variable = variable(op);
                quote!(#variable)
            }
            value => emit_row(self.storage.row(self.phase, value)),
        }
    }

    /// Starts the atoms at false and computes until none changes. A new value is
    /// put in place at once: what follows in the same round reads it, and the
    /// least fixpoint is the same.
    fn fixpoint(&mut self, atoms: &[(u32, PlanValue)], body: &[OpId]) -> TokenStream {
        let row = |atom: u32| emit_row(self.storage.row(self.phase, PlanValue::Loop(atom)));
        let rows: Vec<TokenStream> = atoms.iter().map(|&(atom, _)| row(atom)).collect();
        let mut atoms_of: BTreeMap<PlanValue, Vec<TokenStream>> = BTreeMap::new();
        for ((_, new), row) in atoms.iter().zip(&rows) {
            atoms_of.entry(*new).or_default().push(row.clone());
        }
        let zero = emit_row(self.storage.row(self.phase, PlanValue::Zero));
        let mut round = TokenStream::new();
        for &op in body {
            round.extend(self.operation(op));
            for row in atoms_of.remove(&PlanValue::Op(op)).unwrap_or_default() {
                round.extend(update(&row, &self.value(PlanValue::Op(op))));
            }
        }
        for (new, rows) in atoms_of {
            let new = self.value(new);
            rows.iter().for_each(|row| round.extend(update(row, &new)));
        }
        // What the round computed is out of scope after it.
        body.iter().for_each(|op| {
            self.local.remove(op);
        });
        quote! {
            #(#rows = #zero;)*
            loop {
                let mut changed = #zero;
                #round
                if changed.is_zero() {
                    break;
                }
            }
        }
    }
}

fn update(row: &TokenStream, new: &TokenStream) -> TokenStream {
    quote! {
        changed = W::lut3::<0b1111_0110>(changed, #row, #new);
        #row = #new;
    }
}
