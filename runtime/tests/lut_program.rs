//! Programs of lookup tables compute what they specify: every truth table that has a
//! loop of its own, against an evaluation lane by lane.
#![allow(unsafe_code)]

use gdl_runtime::lanes::{Portable128, Portable256, Width, Word, Word128, Word256, Word512};
use gdl_runtime::lut_program::{LutProgram, LutStep, Operation};
use gdl_runtime::program::{Phase, Rows, StepProgram};
use gdl_runtime::random::Random;

const BASES: usize = 5;
const WORK: u32 = 24;

/// The tables that are the smallest among those with the same inputs in another
/// order.
fn canonical_tables() -> Vec<u8> {
    const ORDERS: [[u8; 3]; 6] = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let reordered = |truth: u8, order: [u8; 3]| {
        (0..8_u8).fold(0, |table, inputs| {
            let place = (0..3).fold(0, |place, input| {
                place | (inputs >> input & 1) << order[input as usize]
            });
            table | (truth >> place & 1) << inputs
        })
    };
    let smallest = |&truth: &u8| ORDERS.iter().all(|&order| truth <= reordered(truth, order));
    (0..=255).filter(smallest).collect()
}

/// Numbers for a test, the same on every run.
struct Numbers(Random<u64>);

impl Numbers {
    fn below(&mut self, limit: u32) -> u32 {
        (self.0.row() % u64::from(limit)) as u32
    }

    /// An operation on any rows, its own result's among them.
    fn operation(&mut self) -> Operation {
        let [a, b, c, to] = std::array::from_fn(|_| self.below(WORK));
        Operation { a, b, c, to }
    }

    fn run(&mut self, truth: u8) -> LutStep {
        let length = self.below(5);
        LutStep::Run {
            truth,
            operations: (0..=length).map(|_| self.operation()).collect(),
        }
    }
}

/// All tables twice, in random order, dealt out to the phases in turn.
fn random_tables(numbers: &mut Numbers) -> LutProgram {
    let mut truths = [canonical_tables(), canonical_tables()].concat();
    for last in (1..truths.len()).rev() {
        truths.swap(last, numbers.below(last as u32 + 1) as usize);
    }
    let mut tables = LutProgram {
        next: (0..BASES).map(|_| numbers.below(WORK)).collect(),
        ..LutProgram::default()
    };
    for (index, truth) in truths.into_iter().enumerate() {
        tables.phases[index % 4].push(numbers.run(truth));
    }
    tables
}

/// One lane's rows, evaluated an operation at a time.
struct Scalar {
    now: Vec<bool>,
    work: Vec<bool>,
    next: Vec<bool>,
}

impl Scalar {
    fn of<W: Word>(rows: &Rows<W>, lane: usize) -> Self {
        let bits = |rows: &[W]| rows.iter().map(|row| row.lane(lane)).collect();
        Self {
            now: bits(&rows.now),
            work: bits(&rows.work),
            next: bits(&rows.next),
        }
    }

    fn run(&mut self, tables: &LutProgram, phase: Phase) {
        if phase == Phase::Terminal {
            self.work[..self.now.len()].copy_from_slice(&self.now);
        }
        for step in &tables.phases[phase as usize] {
            self.step(step);
        }
        if phase == Phase::Next {
            let next = tables.next.iter();
            self.next = next.map(|&row| self.work[row as usize]).collect();
        }
    }

    fn step(&mut self, step: &LutStep) {
        match step {
            LutStep::Run { truth, operations } => {
                for operation in operations {
                    let bit = |row: u32| u8::from(self.work[row as usize]);
                    let inputs = bit(operation.a) << 2 | bit(operation.b) << 1 | bit(operation.c);
                    self.work[operation.to as usize] = truth >> inputs & 1 != 0;
                }
            }
            LutStep::Loop { body, rows } => {
                rows.iter()
                    .for_each(|&(row, _)| self.work[row as usize] = false);
                loop {
                    body.iter().for_each(|step| self.step(step));
                    let new: Vec<bool> = rows
                        .iter()
                        .map(|&(_, new)| self.work[new as usize])
                        .collect();
                    let old = rows.iter().map(|&(row, _)| self.work[row as usize]);
                    if old.eq(new.iter().copied()) {
                        return;
                    }
                    for (&(row, _), new) in rows.iter().zip(new) {
                        self.work[row as usize] = new;
                    }
                }
            }
        }
    }
}

/// Runs all phases on random rows and compares every lane.
fn assert_agree<W: Word>(tables: &LutProgram, seed: u64) {
    assert!(W::available());
    // SAFETY: the word is available.
    let zero = unsafe { W::splat(false) };
    let mut random = Random::new(seed, zero);
    let mut rows = Rows {
        now: (0..BASES).map(|_| random.row()).collect(),
        work: (0..WORK).map(|_| random.row()).collect(),
        next: vec![zero; BASES].into(),
    };
    let mut scalars: Vec<Scalar> = (0..W::LANES).map(|lane| Scalar::of(&rows, lane)).collect();
    for phase in Phase::ALL {
        tables.run(phase, &mut rows);
        for (lane, scalar) in scalars.iter_mut().enumerate() {
            scalar.run(tables, phase);
            let found = Scalar::of(&rows, lane);
            let case = format!("seed {seed}, lane {lane} of {}, {phase:?}", W::LANES);
            assert_eq!(found.work, scalar.work, "{case}");
            assert_eq!(found.next, scalar.next, "{case}");
        }
    }
}

fn assert_agree_at_every_width(tables: &LutProgram, seed: u64) {
    assert_agree::<u64>(tables, seed);
    assert_agree::<Portable128>(tables, seed);
    assert_agree::<Portable256>(tables, seed);
    if Width::W128.available() {
        assert_agree::<Word128>(tables, seed);
    }
    if Width::W256.available() {
        assert_agree::<Word256>(tables, seed);
    }
    if Width::W512.available() {
        assert_agree::<Word512>(tables, seed);
    }
}

#[test]
fn there_are_eighty_tables() {
    assert_eq!(canonical_tables().len(), 80);
}

#[test]
fn all_tables_agree_with_single_bits() {
    for seed in 0..20 {
        let mut numbers = Numbers(Random::new(seed, 0));
        assert_agree_at_every_width(&random_tables(&mut numbers), seed);
    }
}

/// Reachability along a chain of rows, which takes as many rounds as the chain is
/// long where everything is open, and fewer elsewhere: lanes settle at different
/// times, and nothing may hold that is supported only by itself.
#[test]
fn loops_find_the_least_fixpoint() {
    const LENGTH: u32 = 8;
    const ATOMS: u32 = 5;
    const NEW: u32 = ATOMS + LENGTH;
    const AND: u8 = 0x80;
    // Backwards, so that each round reaches only one row further.
    let link = |i: u32| Operation {
        a: i % 2,
        b: ATOMS + i - 1,
        c: i % 2,
        to: NEW + i,
    };
    // The first is reached where fluent 2 holds, or from the last: a & b | c.
    let start = LutStep::Run {
        truth: 0xea,
        operations: [Operation {
            a: 3,
            b: ATOMS + LENGTH - 1,
            c: 2,
            to: NEW,
        }]
        .into(),
    };
    let links = LutStep::Run {
        truth: AND,
        operations: (1..LENGTH).rev().map(link).collect(),
    };
    let fixpoint = LutStep::Loop {
        body: vec![start, links],
        rows: (0..LENGTH).map(|i| (ATOMS + i, NEW + i)).collect(),
    };
    let tables = LutProgram {
        phases: [vec![fixpoint], vec![], vec![], vec![], vec![]],
        next: (0..BASES as u32).map(|i| ATOMS + LENGTH - 1 - i).collect(),
    };
    for seed in 0..5 {
        assert_agree_at_every_width(&tables, seed);
    }
    // Where everything is open the last is reached exactly if the first is given.
    let mut rows = Rows {
        now: [!0, !0, 0x0f, !0, 0].into(),
        work: vec![!0; WORK as usize].into(),
        next: vec![0; BASES].into(),
    };
    Phase::ALL
        .iter()
        .for_each(|&phase| tables.run(phase, &mut rows));
    assert_eq!(rows.next[..], [0x0f_u64; BASES]);
}
