//! Resubstitution on circuits that are small enough to compute in all states.

use super::*;
use crate::id::{Id, IdVec};
use crate::plan::circuit::{Circuit, CircuitInput, Gate, GateEdge};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

const FLUENTS: u32 = 7;

/// A game that computes some edges in the next phase.
fn lowered(circuit: Circuit, next: &[GateEdge]) -> Lowered {
    Lowered {
        circuit,
        terminal: GateEdge::FALSE,
        goals: Vec::new(),
        legal: IdVec::new(),
        counts: Vec::new(),
        rank_bits: Vec::new(),
        next: next.to_vec().into(),
        loops: IdVec::new(),
    }
}

fn fluents(circuit: &mut Circuit) -> Vec<GateEdge> {
    (0..FLUENTS)
        .map(|base| circuit.input(CircuitInput::Base(base)))
        .collect()
}

fn cost(cover: &Cover, arity: Arity) -> u32 {
    let luts = cover.luts.iter().flatten();
    luts.map(|lut| arity.cost(lut.reads.gates().len())).sum()
}

/// What the luts put out in a state.
fn outputs(lowered: &Lowered, cover: &Cover, state: u32) -> Vec<bool> {
    let mut values: IdVec<GateId, Option<bool>> = IdVec::new();
    for (id, gate) in lowered.circuit.gates.iter_ids() {
        let value = match (gate, &cover.luts[id]) {
            (Gate::True, _) => Some(true),
            (Gate::CircuitInput(CircuitInput::Base(base)), _) => Some(state >> base & 1 != 0),
            (_, Some(lut)) => {
                let reads = lut.reads.gates().iter().enumerate();
                let row = reads.fold(0, |row, (place, &read)| {
                    let value = values[read].expect("a lut reads inputs and luts");
                    row | usize::from(value) << (2 - place)
                });
                Some(lut.truth >> row & 1 != 0)
            }
            _ => None,
        };
        values.push(value);
    }
    let next = lowered.next.iter();
    next.map(|edge| values[edge.node()].expect("outputs are computed") != edge.inverted())
        .collect()
}

#[test]
fn the_last_of_three_is_chosen_if_no_other_is() {
    let mut circuit = Circuit::default();
    let [active, one, two, ..] = fluents(&mut circuit)[..] else {
        unreachable!("there are seven")
    };
    let first = circuit.and(active, one);
    let not_first = circuit.and(active, !one);
    let second = circuit.and(not_first, two);
    let neither = circuit.and(!one, !two);
    let third = circuit.and(active, neither);
    let chosen = circuit.or_all([first, second, third]);
    let mut lowered = lowered(circuit, &[first, second, third, chosen]);
    let mut cover = Cover::find(&lowered.circuit, &lowered.needed(), Arity::Three);
    resubstitute(&mut lowered, &mut cover, Arity::Three, |_, _| false);
    assert_eq!(lowered.next.iter().last(), Some(&active));
    assert_eq!(cover.luts.iter().flatten().count(), 3);
}

#[test]
fn fluents_that_exclude_each_other_are_not_tested_together() {
    let mut circuit = Circuit::default();
    let [white, black, turn, ..] = fluents(&mut circuit)[..] else {
        unreachable!("there are seven")
    };
    let free = circuit.and(white, !black);
    let moves = circuit.and(free, turn);
    let mut lowered = lowered(circuit, &[moves]);
    let mut cover = Cover::find(&lowered.circuit, &lowered.needed(), Arity::Three);
    resubstitute(&mut lowered, &mut cover, Arity::Three, |one, other| {
        one.index() + other.index() == 1
    });
    let luts: Vec<&GateLut> = cover.luts.iter().flatten().collect();
    let [lut] = luts[..] else { panic!("{luts:?}") };
    assert_eq!(lut.reads.gates(), [white.node(), turn.node()]);
}

/// Random circuits compute the same in all states in which no two fluents hold that exclude each
/// other, and never cost more.
#[test]
fn random_circuits_compute_the_same() {
    let seed = gdl_testing::seed();
    let mut random = StdRng::seed_from_u64(seed);
    for (round, arity) in [Arity::Two, Arity::Three]
        .into_iter()
        .cycle()
        .take(400)
        .enumerate()
    {
        let mut circuit = Circuit::default();
        let mut edges = fluents(&mut circuit);
        for _ in 0..random.random_range(5..60) {
            let mut edge = || {
                let edge = edges[random.random_range(0..edges.len())];
                edge.invert_if(random.random())
            };
            let (one, other, third) = (edge(), edge(), edge());
            let made = match random.random_range(0..4) {
                0 => circuit.xor(one, other),
                1 => circuit.select(one, other, third),
                _ => circuit.and(one, other),
            };
            edges.push(made);
        }
        let next: Vec<GateEdge> = edges[edges.len() - 4..].to_vec();
        let exclusive = random.random_range(0..=FLUENTS as usize);
        let exclude = |one: BaseId, other: BaseId| one.index().max(other.index()) < exclusive;
        let mut lowered = lowered(circuit, &next);
        let mut cover = Cover::find(&lowered.circuit, &lowered.needed(), arity);
        let before = cost(&cover, arity);
        let expected: Vec<_> = (0..1 << FLUENTS)
            .map(|state| outputs(&lowered, &cover, state))
            .collect();
        resubstitute(&mut lowered, &mut cover, arity, exclude);
        let case = format!("seed {seed}, round {round}");
        assert!(cost(&cover, arity) <= before, "{case}");
        for (state, expected) in (0_u32..).zip(expected) {
            if (state & ((1 << exclusive) - 1)).count_ones() < 2 {
                assert_eq!(outputs(&lowered, &cover, state), expected, "{case}");
            }
        }
    }
}
