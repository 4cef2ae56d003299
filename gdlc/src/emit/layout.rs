//! The layout of a game as a constant of the emitted module.

use super::number;
use gdl_runtime::layout::{Layout, Row};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

pub(super) fn emit_layout(layout: &Layout) -> TokenStream {
    let Layout {
        name,
        roles,
        indifferent,
        ..
    } = layout;
    let bases = layout.bases.iter().map(|base| {
        let (name, initially) = (&base.name, base.initially);
        quote!(StaticBase { name: Text::of(#name), initially: #initially })
    });
    let moves = by_role(&layout.moves).map(|(role, mv)| {
        let (name, legal) = (&mv.name, emit_row(mv.legal));
        let choice = Literal::i64_unsuffixed(mv.choice.map_or(-1, i64::from));
        quote!(StaticMove { role: #role, name: Text::of(#name), legal: #legal, choice: #choice })
    });
    let goals = by_role(&layout.goals).map(|(role, &(value, row))| {
        let (value, row) = (Literal::i32_unsuffixed(value), emit_row(row));
        quote!(StaticGoal { role: #role, value: #value, row: #row })
    });
    let choices = layout.choices.iter().map(|choice| {
        let [count, rank] = [choice.count, choice.rank].map(|row| number(row as usize));
        let [count_bits, rank_bits] =
            [choice.count_bits, choice.rank_bits].map(|bits| number(bits as usize));
        quote!(Choice {
            count: #count,
            rank: #rank,
            count_bits: #count_bits,
            rank_bits: #rank_bits,
        })
    });
    let orders = layout.legal_order.iter().map(|order| {
        let order = order.iter().map(|&mv| number(mv as usize));
        quote!(List::of(&[#(#order),*]))
    });
    let terminal = layout.terminal.map(emit_row);
    let work = number(layout.work as usize);
    let operations = number(layout.operations as usize);
    quote! {
        const LAYOUT: StaticLayout = StaticLayout {
            name: Text::of(#name),
            roles: List::of(&[#(Text::of(#roles)),*]),
            bases: List::of(&[#(#bases),*]),
            work: #work,
            operations: #operations,
            moves: List::of(&[#(#moves),*]),
            legal_order: List::of(&[#(#orders),*]),
            terminal: #terminal,
            goals: List::of(&[#(#goals),*]),
            indifferent: List::of(&[#(#indifferent),*]),
            choices: List::of(&[#(#choices),*]),
        };
    }
}

/// The entries of all roles, in order, with the number of their role.
fn by_role<T>(roles: &[Vec<T>]) -> impl Iterator<Item = (Literal, &T)> {
    let roles = roles.iter().enumerate();
    roles.flat_map(|(role, entries)| entries.iter().map(move |entry| (number(role), entry)))
}

fn emit_row(row: Row) -> TokenStream {
    match row {
        Row::Base(base) => {
            let base = number(base as usize);
            quote!(Row::Base(#base))
        }
        Row::Work(row) => {
            let row = number(row as usize);
            quote!(Row::Work(#row))
        }
    }
}
