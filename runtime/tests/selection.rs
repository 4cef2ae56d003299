//! Moves are chosen exactly in proportion to their weights, in every lane of every
//! width, where legal sets and weights are irregular and differ from lane to lane;
//! and the moves observed are those that were chosen.
//!
//! The game is made for these tests: its state contains which moves are legal, and
//! the next state contains the ranks that were chosen. The seed is fixed; the
//! variable `SEED` sets another.
#![allow(unsafe_code)]

use crate::widths::at_every_width;
use gdl_runtime::engine::{Engine as _, Lanes, MOST_WEIGHT, Move, NO_CHOICE, Pick, Role, State};
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::{Width, Word};
use gdl_runtime::layout::{BaseRow, Choice, Layout, MoveRow, Row};
use gdl_runtime::program::{Phase, Rows, StepProgram};
use gdl_runtime::programs::Programs;
use gdl_runtime::random::SplitMix;
use gdl_testing::chi_square;

/// The number of moves of each role. The first three take turns and share a choice;
/// the fourth moves at the same time, and has more moves than three levels hold and
/// enough for lists of weights at every width.
const MOVES: [usize; 4] = [70, 13, 64, 1200];

/// The choice of every role.
const CHOICE_OF: [usize; 4] = [0, 0, 0, 1];

/// The first fluent of every role's legal moves.
const FIRST: [usize; 4] = [0, 70, 83, 147];

/// All legal moves, then the ranks chosen.
const LEGAL: usize = 1347;
const RANK_BITS: u32 = 11;
const RANKS: u32 = 2 * RANK_BITS;

/// Bits of the counts of legal moves.
const COUNT_BITS: u32 = 11;

/// The rows of a choice's count and rank.
fn choice(index: u32, count_bits: u32) -> Choice {
    Choice {
        count: index * (count_bits + RANK_BITS),
        rank: index * (count_bits + RANK_BITS) + count_bits,
        count_bits,
        rank_bits: RANK_BITS,
    }
}

/// The order in which a role's moves are listed is not that of their numbers.
fn order(role: Role) -> Vec<u32> {
    let mut order: Vec<u32> = (0..MOVES[role] as u32).collect();
    order.rotate_left(5);
    order
}

fn layout(count_bits: u32) -> Layout {
    let moves = |role: Role| {
        let legal = (0..MOVES[role]).map(|mv| MoveRow {
            name: mv.to_string(),
            legal: Row::Base((FIRST[role] + mv) as u32),
            choice: Some(CHOICE_OF[role] as u32),
        });
        legal.collect()
    };
    let base = BaseRow {
        name: String::new(),
        initially: false,
    };
    Layout {
        roles: vec![String::new(); MOVES.len()],
        bases: vec![base; LEGAL + RANKS as usize],
        work: 2 * (count_bits + RANK_BITS),
        moves: (0..MOVES.len()).map(moves).collect(),
        legal_order: (0..MOVES.len()).map(order).collect(),
        goals: vec![Vec::new(); MOVES.len()],
        choices: vec![choice(0, count_bits), choice(1, count_bits)],
        ..Layout::default()
    }
}

/// Counts what is legal, and keeps the ranks.
struct Ranks {
    count_bits: u32,
}

impl<W: Word> StepProgram<W> for Ranks {
    fn run(&self, phase: Phase, rows: &mut Rows<W>) {
        for (number, legal) in [(0, 0..FIRST[3]), (1, FIRST[3]..LEGAL)] {
            let choice = choice(number, self.count_bits);
            match phase {
                Phase::Count => {
                    for lane in 0..W::LANES {
                        let count = legal
                            .clone()
                            .filter(|&row| rows.now[row].lane(lane))
                            .count();
                        for bit in 0..self.count_bits {
                            let row = &mut rows.work[(choice.count + bit) as usize];
                            row.set_lane(lane, count >> bit & 1 != 0);
                        }
                    }
                }
                Phase::Next => {
                    rows.next[legal.clone()].copy_from_slice(&rows.now[legal]);
                    for bit in 0..RANK_BITS {
                        let kept = LEGAL as u32 + number * RANK_BITS + bit;
                        rows.next[kept as usize] = rows.work[(choice.rank + bit) as usize];
                    }
                }
                _ => {}
            }
        }
    }
}

fn machine(width: Width, seed: u64, count_bits: u32) -> Box<dyn Lanes> {
    let programs = Programs::of(Ranks { count_bits });
    let engine = LaneEngine::new("ranks", layout(count_bits), programs, width);
    engine.expect("the width is available").lanes(seed)
}

/// Pseudorandom numbers below a bound; the bias of the remainder does not matter
/// here.
struct Numbers(SplitMix);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }
}

/// What a lane is asked about.
struct Lane {
    /// Whose turn it is among those that share a choice; none in some lanes.
    mover: Option<Role>,
    /// The legal moves of every role, in order, with their weights.
    legal: Vec<Vec<(Move, u32)>>,
}

impl Lane {
    /// From no legal move to nearly all; some lanes have equal weights.
    fn random(numbers: &mut Numbers) -> Self {
        let mover = Some(numbers.below(4)).filter(|&mover| mover < 3);
        let most = [1, 3, 40, MOST_WEIGHT as usize][numbers.below(4)];
        let mut legal_of = |role: Role| {
            let density = [2, 10, 30, 95][numbers.below(4)];
            let mut moves = Vec::new();
            for mv in order(role) {
                if numbers.below(100) < density && (mover == Some(role) || role == 3) {
                    moves.push((Move(mv), 1 + numbers.below(most) as u32));
                }
            }
            moves
        };
        let legal = (0..MOVES.len()).map(&mut legal_of).collect();
        Self { mover, legal }
    }

    fn state(&self) -> State {
        let mut words = vec![0; (LEGAL + RANKS as usize).div_ceil(64)];
        for (role, moves) in self.legal.iter().enumerate() {
            for (mv, _) in moves {
                let row = FIRST[role] + mv.0 as usize;
                words[row / 64] |= 1 << (row % 64);
            }
        }
        State(words.into())
    }

    /// The role whose moves are candidates of a choice.
    fn chooser(&self, choice: usize) -> Option<Role> {
        let role = if choice == 0 { self.mover } else { Some(3) };
        role.filter(|&role| !self.legal[role].is_empty())
    }
}

fn rank_in(state: &State, choice: usize) -> usize {
    let bits = (0..RANK_BITS as usize).map(|bit| {
        let row = LEGAL + choice * RANK_BITS as usize + bit;
        usize::from(Layout::holds(&state.0, row)) << bit
    });
    bits.sum()
}

/// The weight of a move in the lanes that have no weights of their own.
fn common_weight(role: Role, mv: Move) -> u32 {
    1 + (7 * role as u32 + 13 * mv.0) % 41
}

/// Gives moves weights in all lanes, first higher ones than they end with.
fn weigh_everywhere(machine: &mut dyn Lanes) {
    let all = vec![u64::MAX; machine.count() / 64];
    for role in 0..MOVES.len() {
        for mv in order(role).into_iter().map(Move) {
            machine.weigh(&all, role, mv, MOST_WEIGHT);
            machine.weigh(&all, role, mv, common_weight(role, mv));
        }
    }
}

fn only(lane: usize) -> [u64; 8] {
    let mut set = [0; 8];
    set[lane / 64] = 1 << (lane % 64);
    set
}

/// Lanes with legal moves, weights that count from now on, and observed moves. Every
/// other lane keeps the common weights, or all do if `alike`.
fn prepare(machine: &mut dyn Lanes, seed: u64, alike: bool) -> Vec<Lane> {
    let mut numbers = Numbers(SplitMix::new(seed));
    let mut lanes: Vec<Lane> = (0..machine.count())
        .map(|_| Lane::random(&mut numbers))
        .collect();
    weigh_everywhere(machine);
    for (index, lane) in lanes.iter_mut().enumerate() {
        machine.load(index, &lane.state());
        if alike || index % 2 == 0 {
            for (role, moves) in lane.legal.iter_mut().enumerate() {
                let weights = moves.iter_mut();
                weights.for_each(|(mv, weight)| *weight = common_weight(role, *mv));
            }
            continue;
        }
        for (role, moves) in lane.legal.iter().enumerate() {
            // The last weight counts, whatever was there.
            for weight in [|_| MOST_WEIGHT, |weight| weight] {
                for &(mv, weighs) in moves {
                    machine.weigh(&only(index), role, mv, weight(weighs));
                }
            }
        }
    }
    machine.choose_by_weight(true);
    machine.observe_moves(true);
    lanes
}

/// Asserts that the observed moves are those chosen; returns the rank by choice.
fn assert_observed(machine: &dyn Lanes, lanes: &[Lane], index: usize) -> [Option<usize>; 2] {
    let state = machine.state(index);
    let lane = &lanes[index];
    let mut ranks = [None; 2];
    for (choice, rank) in ranks.iter_mut().enumerate() {
        for role in (0..MOVES.len()).filter(|&role| CHOICE_OF[role] == choice) {
            let made = machine.made(role)[index];
            if lane.chooser(choice) == Some(role) {
                let found = rank_in(&state, choice);
                assert!(found < lane.legal[role].len(), "lane {index}: rank {found}");
                assert_eq!(Move(made), lane.legal[role][found].0, "lane {index}");
                *rank = Some(found);
            } else {
                assert_eq!(made, NO_CHOICE, "lane {index}, role {role}");
            }
        }
    }
    ranks
}

/// How often each rank came up, lane by lane and choice by choice.
fn chosen(machine: &mut dyn Lanes, lanes: &[Lane], steps: usize) -> Vec<[Vec<u64>; 2]> {
    let mut seen: Vec<[Vec<u64>; 2]> = (lanes.iter())
        .map(|lane| {
            [0, 1].map(|choice| {
                let role = lane.chooser(choice);
                vec![0; role.map_or(0, |role| lane.legal[role].len())]
            })
        })
        .collect();
    for _ in 0..steps {
        machine.evaluate();
        machine.advance();
        for (index, seen) in seen.iter_mut().enumerate() {
            for (rank, seen) in assert_observed(machine, lanes, index).iter().zip(seen) {
                if let Some(rank) = *rank {
                    seen[rank] += 1;
                }
            }
        }
    }
    seen
}

/// Compares counts with weights; outcomes too rare for the test are pooled.
fn assert_proportional(counts: &[u64], weights: &[u32], case: &str) {
    let draws: u64 = counts.iter().sum();
    let total: f64 = weights.iter().copied().map(f64::from).sum();
    let (mut common, mut shares) = (Vec::new(), Vec::new());
    let (mut rare, mut rare_share) = (0, 0.0);
    for (&count, &weight) in counts.iter().zip(weights) {
        if draws as f64 * f64::from(weight) / total < 5.0 {
            rare += count;
            rare_share += f64::from(weight);
        } else {
            common.push(count);
            shares.push(f64::from(weight));
        }
    }
    if draws as f64 * rare_share / total >= 5.0 {
        common.push(rare);
        shares.push(rare_share);
    }
    if common.len() > 1 {
        chi_square::assert_weighted(&common, &shares, case);
    }
}

/// Asserts that choices are in proportion to the weights, lane by lane.
fn assert_weighted(machine: &mut dyn Lanes, lanes: &[Lane], seed: u64) {
    let seen = chosen(machine, lanes, 1000);
    for (index, (lane, seen)) in lanes.iter().zip(seen).enumerate() {
        for (choice, seen) in seen.iter().enumerate() {
            if let Some(role) = lane.chooser(choice) {
                let weights = lane.legal[role].iter().map(|(_, weight)| *weight);
                let case = format!(
                    "seed {seed}, {} lanes, lane {index}, role {role}",
                    machine.count()
                );
                assert_proportional(seen, &weights.collect::<Vec<_>>(), &case);
            }
        }
    }
}

fn weighted(width: Width, seed: u64) {
    for alike in [false, true] {
        let mut machine = machine(width, seed, COUNT_BITS);
        let lanes = prepare(&mut *machine, seed, alike);
        assert_weighted(&mut *machine, &lanes, seed);
    }
}

#[test]
fn every_lane_chooses_in_proportion_to_its_weights() {
    at_every_width(weighted);
}

/// In some lanes all moves weigh 1 again, some of them another weight later.
fn forgotten(width: Width, seed: u64) {
    let mut machine = machine(width, seed, COUNT_BITS);
    let mut lanes = prepare(&mut *machine, seed, false);
    for (index, lane) in lanes
        .iter_mut()
        .enumerate()
        .filter(|(index, _)| index % 3 == 0)
    {
        machine.weigh_alike(&only(index));
        for (role, moves) in lane.legal.iter_mut().enumerate() {
            for (at, (mv, weight)) in moves.iter_mut().enumerate() {
                *weight = 1;
                if index % 2 == 0 && at % 2 == 0 {
                    *weight = 3;
                    machine.weigh(&only(index), role, *mv, *weight);
                }
            }
        }
    }
    assert_weighted(&mut *machine, &lanes, seed);
}

#[test]
fn weights_can_be_forgotten() {
    at_every_width(forgotten);
}

/// Weights do not count while they are off, nor where their sums have too many
/// bits to be drawn below.
fn unweighted(width: Width, seed: u64) {
    for (count_bits, on) in [(COUNT_BITS, false), (17, true)] {
        let mut machine = machine(width, seed, count_bits);
        let lanes = prepare(&mut *machine, seed, false);
        machine.choose_by_weight(on);
        let seen = chosen(&mut *machine, &lanes, 500);
        for (index, (lane, seen)) in lanes.iter().zip(seen).enumerate() {
            for (choice, seen) in seen.iter().enumerate() {
                if lane.chooser(choice).is_some() {
                    let case = format!("seed {seed}, {} lanes, lane {index}", width.lanes());
                    assert_proportional(seen, &vec![1; seen.len()], &case);
                }
            }
        }
    }
}

#[test]
fn without_weights_lanes_choose_uniformly() {
    at_every_width(unweighted);
}

fn forced(width: Width, seed: u64) {
    let mut machine = machine(width, seed, COUNT_BITS);
    let lanes = prepare(&mut *machine, seed, false);
    let mut numbers = Numbers(SplitMix::new(seed + 1));
    for _ in 0..20 {
        machine.evaluate();
        let mut wanted: Vec<Option<Vec<Pick>>> = Vec::new();
        for (index, lane) in lanes.iter().enumerate() {
            let complete = (0..2).all(|choice| lane.chooser(choice).is_some());
            // Roles that are not to move have no move here: what stands for theirs
            // says the same rank.
            let picks = (complete && numbers.below(2) == 0).then(|| {
                let roles = lane.mover.into_iter().chain([3]);
                let pick = |role: Role| {
                    let at = numbers.below(lane.legal[role].len());
                    let (mv, _) = lane.legal[role][at];
                    (
                        role,
                        Pick {
                            mv,
                            index: at as u32,
                        },
                    )
                };
                roles.map(pick).collect::<Vec<_>>()
            });
            wanted.push(picks.map(|picks| {
                let mover = picks[0].1;
                let joint: Vec<Pick> = [0, 1, 2]
                    .iter()
                    .map(|&role| Pick {
                        mv: if lane.mover == Some(role) {
                            mover.mv
                        } else {
                            Move(0)
                        },
                        index: mover.index,
                    })
                    .chain([picks[1].1])
                    .collect();
                machine.force(&only(index), &joint);
                joint
            }));
        }
        machine.advance();
        for (index, wanted) in wanted.iter().enumerate() {
            let ranks = assert_observed(&*machine, &lanes, index);
            if let Some(joint) = wanted {
                assert_eq!(ranks[0], Some(joint[0].index as usize), "lane {index}");
                assert_eq!(ranks[1], Some(joint[3].index as usize), "lane {index}");
            }
        }
    }
}

#[test]
fn forced_lanes_make_their_moves_whatever_the_weights() {
    at_every_width(forced);
}
