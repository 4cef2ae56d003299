//! Plans of two-input operations: what processors without AVX-512 compute in one
//! instruction each.

use crate::lanes::game;
use gdlc::compile::{CompileOptions, compile};
use gdlc::plan::{Arity, Op, PlanValue};

/// Truth tables over the arguments that are not always false.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    /// A conjunction, in which one input may be negated, a disjunction or an exclusive
    /// disjunction; or an input itself.
    Instruction,
    /// The opposite of an input, or a constant: two instructions, or one without inputs.
    Other,
}

fn kind(op: &Op) -> Kind {
    let read: Vec<usize> = (0..3)
        .filter(|&position| op.args[position] != PlanValue::Zero)
        .collect();
    let result = |set: &[usize]| {
        let row = set.iter().fold(0, |row, position| row | 4 >> position);
        op.truth >> row & 1 != 0
    };
    assert!(read.len() <= 2, "{op:?}");
    match read[..] {
        // False where all inputs are false: that excludes the functions that need another
        // negation, and leaves those above.
        [_, _] => {
            assert!(!result(&[]), "{op:?}");
            Kind::Instruction
        }
        [_] if !result(&[]) => Kind::Instruction,
        _ => Kind::Other,
    }
}

#[test]
fn operations_are_single_instructions_and_inversions_are_few() {
    for name in ["breakthrough", "connect_four", "othello", "runners", "tron"] {
        let options = CompileOptions {
            arity: Arity::Two,
            ..CompileOptions::default()
        };
        let plan = compile(&game(name), &options).expect("the game fits").plan;
        let others = plan.ops.iter().filter(|op| kind(op) == Kind::Other).count();
        assert!(
            20 * others < plan.ops.len(),
            "{name}: {others} of {}",
            plan.ops.len()
        );
    }
}
