//! The arguments of a literal as the places of a frame, and as operands.
//!
//! Constants and ground subterms are interned when a plan is made.

use super::plan::{Build, JoinOperand};
use crate::ground::atom_table::OpenFunction;
use crate::ground::term::{GroundTermId, TermStore};
use crate::id::Id;
use crate::rules::Term;
use std::collections::VecDeque;

/// Places of a frame and what stands there.
pub(in crate::ground) type Leaves = Vec<(u32, JoinOperand)>;

/// An atom's arguments as the places of a frame.
pub(in crate::ground) struct FramePattern {
    pub opens: Vec<OpenFunction>,
    /// What stands at the places that are not opened.
    pub leaves: Leaves,
}

impl FramePattern {
    /// Flattens arguments; functions are opened breadth first, so that equal
    /// shapes are equal lists.
    pub fn of(args: &[Term], terms: &mut TermStore) -> Self {
        let mut pattern = Self {
            opens: Vec::new(),
            leaves: Vec::new(),
        };
        let mut pending: VecDeque<(u32, &Term)> = (0u32..).zip(args).collect();
        let mut places = pending.len() as u32;
        while let Some((place, term)) = pending.pop_front() {
            match term {
                Term::Variable(variable) => pattern
                    .leaves
                    .push((place, JoinOperand::Register(variable.index() as u32))),
                Term::Function(symbol, args) if !term.is_ground() => {
                    let functor = terms.functor_id(*symbol, args.len());
                    pattern.opens.push(OpenFunction {
                        source: place,
                        functor,
                    });
                    pending.extend((places..).zip(args));
                    places += args.len() as u32;
                }
                ground => {
                    let constant = intern_ground(ground, terms);
                    pattern
                        .leaves
                        .push((place, JoinOperand::Constant(constant)));
                }
            }
        }
        pattern
    }
}

/// Interns a term without variables. Recursion is safe: the parser limits depth.
fn intern_ground(term: &Term, terms: &mut TermStore) -> GroundTermId {
    match term {
        Term::Function(symbol, args) => {
            let args: Vec<GroundTermId> =
                args.iter().map(|arg| intern_ground(arg, terms)).collect();
            let functor = terms.functor_id(*symbol, args.len());
            terms.intern(functor, &args)
        }
        Term::Constant(symbol) => terms.constant(*symbol),
        Term::Variable(_) => unreachable!("the term is ground"),
    }
}

/// Where a term's value is once `builds` have run. Recursion is safe: the parser
/// limits depth.
pub(in crate::ground) fn operand(
    term: &Term,
    terms: &mut TermStore,
    builds: &mut Vec<Build>,
    registers: &mut usize,
) -> JoinOperand {
    match term {
        Term::Variable(variable) => JoinOperand::Register(variable.index() as u32),
        Term::Function(symbol, args) if !term.is_ground() => {
            let functor = terms.functor_id(*symbol, args.len());
            let args = args
                .iter()
                .map(|arg| operand(arg, terms, builds, registers))
                .collect();
            let into = *registers as u32;
            *registers += 1;
            builds.push(Build {
                functor,
                args,
                into,
            });
            JoinOperand::Register(into)
        }
        ground => JoinOperand::Constant(intern_ground(ground, terms)),
    }
}
