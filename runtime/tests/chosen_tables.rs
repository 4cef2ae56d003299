//! Tables of chosen fluents and moves, and ranks forced in all lanes at once, agree with what
//! the lanes give one by one.

use crate::pile::{ONE, PILE, SECOND, TWO, WAIT, machine, state};
use crate::widths::at_every_width;
use gdl_runtime::lanes::Width;

#[test]
fn chosen_rows_are_read_in_their_order() {
    at_every_width(chosen_rows);
}

fn chosen_rows(width: Width, seed: u64) {
    let mut machine = machine(width, seed);
    for lane in 0..width.lanes() {
        machine.load(lane, &state(1 + lane % PILE, lane.is_multiple_of(3)));
    }
    machine.evaluate();
    let fluents = [Some(SECOND as u32), None, Some(2), Some(1)];
    for lanes in [1, 30, width.lanes()] {
        let (mut table, mut moves) = (vec![5], vec![7]);
        machine.fluent_table(&fluents, lanes, &mut table);
        machine.move_table(0, &[WAIT, TWO, ONE], lanes, &mut moves);
        assert_eq!((table.len(), moves.len()), (lanes, lanes));
        for lane in 0..lanes {
            let (left, second) = (1 + lane % PILE, lane.is_multiple_of(3));
            let bit = |holds: bool, index: u32| u64::from(holds) << index;
            let seen = bit(second, 0) | bit(left == 2, 2) | bit(left == 1, 3);
            assert_eq!(table[lane], seen, "lane {lane}");
            let legal = bit(second, 0) | bit(!second && left > 1, 1) | bit(!second, 2);
            assert_eq!(moves[lane], legal, "lane {lane}");
        }
    }
}

#[test]
fn ranks_are_forced_in_a_set_of_lanes() {
    at_every_width(forced_ranks);
}

fn forced_ranks(width: Width, seed: u64) {
    let mut machine = machine(width, seed);
    let ranks: Vec<u64> = (0..width.lanes() as u64).map(|lane| lane / 2 % 2).collect();
    let even = vec![0x5555_5555_5555_5555; width.lanes() / 64];
    let mut others = [0; 2];
    for _ in 0..50 {
        (0..width.lanes()).for_each(|lane| machine.load(lane, &state(PILE, false)));
        machine.evaluate();
        machine.force_ranks(0, &even, &ranks);
        machine.advance();
        for (lane, &rank) in ranks.iter().enumerate() {
            let taken = (1..=2).find(|taken| machine.state(lane) == state(PILE - taken, true));
            let taken = taken.expect("one or two are taken");
            match lane % 2 {
                0 => assert_eq!(taken as u64, 1 + rank, "lane {lane}"),
                _ => others[taken - 1] += 1,
            }
        }
    }
    let [ones, twos] = others.map(f64::from);
    let off = (ones - twos) / (ones + twos).sqrt();
    assert!(off.abs() < 5.0, "{ones} took one, {twos} took two");
}
