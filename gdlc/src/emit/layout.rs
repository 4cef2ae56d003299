//! The static layout of a game: what its rows mean.

use super::number;
use crate::id::Id;
use crate::plan::store::{Place, Storage};
use crate::plan::{Phase, Plan, PlanValue};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

pub(super) fn emit_layout(plan: &Plan, storage: &Storage, name: &str) -> TokenStream {
    let row = |phase: Phase, value: PlanValue| emit_row(storage.place(phase, value));
    let roles = plan.roles.iter();
    let bases = plan.bases.iter().map(|base| {
        let (name, initially) = (&base.name, base.initially);
        quote!(StaticBase { name: Text::of(#name), initially: #initially })
    });
    let moves = plan.moves.iter().map(|mv| {
        let (role, name) = (number(mv.role.index()), &mv.name);
        let legal = row(Phase::Legal, mv.legal);
        let choice = mv.choice.map_or(-1, |(choice, _)| i64::from(choice));
        let choice = Literal::i64_unsuffixed(choice);
        quote!(StaticMove { role: #role, name: Text::of(#name), legal: #legal, choice: #choice })
    });
    let goals = plan.goals.iter().map(|goal| {
        let role = number(goal.role.index());
        let value = Literal::i32_unsuffixed(goal.value);
        let row = row(Phase::Goals, goal.holds);
        quote!(StaticGoal { role: #role, value: #value, row: #row })
    });
    let choices = plan.choices.iter().enumerate().map(|(index, choice)| {
        let count = number(storage.counts[index] as usize);
        let rank = number(storage.ranks[index] as usize);
        let count_bits = number(choice.count.len());
        let rank_bits = number(choice.rank_bits as usize);
        quote!(Choice {
            count: #count,
            rank: #rank,
            count_bits: #count_bits,
            rank_bits: #rank_bits,
        })
    });
    let restarts = storage.restarts.iter().map(|&(row, initially)| {
        let row = number(row as usize);
        quote!(StaticRestart { row: #row, initially: #initially })
    });
    let orders = plan.roles.ids().map(|role| {
        let order = plan.legal_order(role).into_iter();
        let order = order.map(|place| number(place as usize));
        quote!(List::of(&[#(#order),*]))
    });
    let terminal = row(Phase::Terminal, plan.terminal);
    let work = number(storage.rows as usize);
    let operations = number(plan.size());
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
            choices: List::of(&[#(#choices),*]),
            restarts: List::of(&[#(#restarts),*]),
        };
    }
}

fn emit_row(place: Place) -> TokenStream {
    match place {
        Place::Base(base) => {
            let base = number(base as usize);
            quote!(Row::Base(#base))
        }
        Place::Work(row) => {
            let row = number(row as usize);
            quote!(Row::Work(#row))
        }
    }
}
