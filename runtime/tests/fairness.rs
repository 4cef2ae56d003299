//! Random rows are fair and ranks are uniform, in every lane of every width.
//!
//! The seed is fixed; the variable `SEED` sets another, and failures name it.
#![allow(unsafe_code)]

use gdl_runtime::draw::draw_ranks;
use gdl_runtime::lanes::Word;
use gdl_runtime::random::Random;
use gdl_testing::chi_square::{assert_uniform, upper_tail};

/// A word of an available width.
fn zero<W: Word>() -> W {
    assert!(W::available());
    // SAFETY: the word is available.
    unsafe { W::splat(false) }
}

/// The largest count tried, and the bits that it and the ranks below it take.
const MOST: usize = 40;
const BITS: usize = 6;

/// Rows that hold one number per lane.
fn rows_of<W: Word>(number: impl Fn(usize) -> usize) -> [W; BITS] {
    let mut rows = [zero::<W>(); BITS];
    for (bit, row) in rows.iter_mut().enumerate() {
        for lane in 0..W::LANES {
            row.set_lane(lane, number(lane) >> bit & 1 != 0);
        }
    }
    rows
}

fn number_in<W: Word>(rows: &[W], lane: usize) -> usize {
    let bits = rows.iter().enumerate();
    bits.map(|(bit, row)| usize::from(row.lane(lane)) << bit)
        .sum()
}

#[test]
fn the_chi_square_tail_is_as_tabulated() {
    // Upper 5 % and 0.1 % points from any table of the distribution.
    for (degrees, x, p) in [
        (1, 3.841, 0.05),
        (2, 5.991, 0.05),
        (7, 14.067, 0.05),
        (1, 10.828, 0.001),
        (10, 29.588, 0.001),
        (39, 72.055, 0.001),
        (100, 149.449, 0.001),
    ] {
        let found = upper_tail(degrees, x);
        assert!((found / p - 1.0).abs() < 2e-3, "{degrees} {x}: {found}");
    }
    // With two degrees of freedom it is an exponential distribution.
    assert!((upper_tail(2, 40.0) / (-20.0_f64).exp() - 1.0).abs() < 1e-5);
}

#[test]
fn ranks_are_uniform_below_every_count() {
    with_every_word!(every_count);
}

/// Neighbouring lanes have different counts, and every lane gets every count.
fn every_count<W: Word>(seed: u64) {
    let mut random = Random::<W>::new(seed, zero());
    let mut seen = vec![vec![0_u64; MOST]; MOST + 1];
    let draws_a_shift = 60_000_usize.div_ceil(W::LANES);
    for shift in 0..MOST {
        let count_of = |lane: usize| 1 + (lane * 7 + shift) % MOST;
        let counts = rows_of::<W>(count_of);
        let mut ranks = [zero::<W>(); BITS];
        for _ in 0..draws_a_shift {
            draw_ranks(&counts, &mut ranks, &mut random);
            for lane in 0..W::LANES {
                seen[count_of(lane)][number_in(&ranks, lane)] += 1;
            }
        }
    }
    for (count, seen) in seen.iter().enumerate().skip(1) {
        let case = format!("seed {seed}, {} lanes, below {count}", W::LANES);
        let (below, beyond) = seen.split_at(count);
        assert!(beyond.iter().all(|&ranks| ranks == 0), "{case}: {beyond:?}");
        assert_uniform(below, &case);
    }
}

#[test]
fn every_single_lane_is_uniform() {
    with_every_word!(single_lanes);
}

/// Pooled draws could hide lanes that deviate in opposite ways.
fn single_lanes<W: Word>(seed: u64) {
    const COUNT: usize = 5;
    let mut random = Random::<W>::new(seed, zero());
    let counts = rows_of::<W>(|_| COUNT);
    let mut ranks = [zero::<W>(); 3];
    let mut seen = vec![[0_u64; COUNT]; W::LANES];
    for _ in 0..2_000 {
        draw_ranks(&counts, &mut ranks, &mut random);
        for (lane, seen) in seen.iter_mut().enumerate() {
            seen[number_in(&ranks, lane)] += 1;
        }
    }
    for (lane, seen) in seen.iter().enumerate() {
        assert_uniform(seen, &format!("seed {seed}, lane {lane} of {}", W::LANES));
    }
}

#[test]
fn lanes_are_drawn_independently() {
    with_every_word!(pairs_of_lanes);
}

/// Lanes that are drawn anew do not disturb those that are not: even lanes
/// choose among 5, where 3 of 8 draws are repeated, odd ones among 4, where none
/// is.
fn pairs_of_lanes<W: Word>(seed: u64) {
    let count_of = |lane: usize| 5 - lane % 2;
    let mut random = Random::<W>::new(seed, zero());
    let counts = rows_of::<W>(count_of);
    let mut ranks = [zero::<W>(); 3];
    let mut before = ranks;
    let mut neighbours = vec![0_u64; 5 * 4];
    let mut far_apart = vec![0_u64; 5 * 5];
    let mut successive = vec![0_u64; 5 * 5];
    for _ in 0..100_000 / W::LANES {
        draw_ranks(&counts, &mut before, &mut random);
        draw_ranks(&counts, &mut ranks, &mut random);
        for lane in (0..W::LANES).step_by(2) {
            let rank = number_in(&ranks, lane);
            neighbours[rank * 4 + number_in(&ranks, lane + 1)] += 1;
            successive[rank * 5 + number_in(&before, lane)] += 1;
            if lane < W::LANES / 2 {
                far_apart[rank * 5 + number_in(&ranks, lane + W::LANES / 2)] += 1;
            }
        }
    }
    let case = |pairs: &str| format!("seed {seed}, {} lanes, {pairs}", W::LANES);
    assert_uniform(&neighbours, &case("neighbours"));
    assert_uniform(&far_apart, &case("half a word apart"));
    assert_uniform(&successive, &case("one draw and the next"));
}

#[test]
fn random_rows_are_fair() {
    with_every_word!(random_rows);
}

/// Every lane is fair; so is whether a bit equals its neighbour's and the lane's
/// last one. Each is a chi-square of one degree of freedom per lane.
fn random_rows<W: Word>(seed: u64) {
    const ROWS: u32 = 4_000;
    let mut random = Random::<W>::new(seed, zero());
    let mut ones = vec![0_u32; W::LANES];
    let mut like_neighbour = vec![0_u32; W::LANES];
    let mut like_last = vec![0_u32; W::LANES];
    let mut last = random.row();
    for _ in 0..ROWS {
        let row = random.row();
        for lane in 0..W::LANES {
            let bit = row.lane(lane);
            ones[lane] += u32::from(bit);
            like_neighbour[lane] += u32::from(bit == row.lane((lane + 1) % W::LANES));
            like_last[lane] += u32::from(bit == last.lane(lane));
        }
        last = row;
    }
    for (counts, what) in [
        (ones, "ones"),
        (like_neighbour, "like the neighbour"),
        (like_last, "like the last"),
    ] {
        let expected = f64::from(ROWS) / 2.0;
        let deviations = counts.iter().map(|&count| f64::from(count) - expected);
        let statistic: f64 = deviations.map(|d| d * d / (expected / 2.0)).sum();
        let p = upper_tail(W::LANES, statistic);
        assert!(
            p > gdl_testing::chi_square::LEAST_P && p < 1.0 - gdl_testing::chi_square::LEAST_P,
            "seed {seed}, {} lanes, {what}: p = {p:e}",
            W::LANES
        );
    }
}

#[test]
fn seeds_give_streams_of_their_own() {
    let rows = |seed| {
        let mut random = Random::<u64>::new(seed, 0);
        std::array::from_fn::<u64, 8, _>(|_| random.row())
    };
    assert_eq!(rows(1), rows(1));
    for other in (0..64).map(|bit| 1 << bit).filter(|&other| other != 1) {
        let same = rows(1)
            .iter()
            .zip(rows(other))
            .filter(|(one, two)| *one == two)
            .count();
        assert_eq!(same, 0, "seeds 1 and {other}");
    }
}
