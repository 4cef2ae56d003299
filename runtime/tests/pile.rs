//! A game whose logic is written by hand, for the tests of machines: two players take
//! one or two tokens from a pile in turn, and the one who takes the last token wins.
//!
//! The game is small enough for exact expectations, and has what compiled games
//! have: a choice that two roles share, a move without a choice, several goal values
//! at once, and a row that the terminal phase computes for later phases.

use gdl_runtime::engine::{Engine as _, Lanes, Move, State};
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::{Width, Word};
use gdl_runtime::layout::{BaseRow, Choice, Layout, MoveRow, Row};
use gdl_runtime::program::{Phase, Rows, StepProgram};
use gdl_runtime::programs::Programs;

/// Tokens at the start.
pub const PILE: usize = 6;

/// The fluents: one per size of the pile, then whether the second player is to
/// move.
pub const SECOND: usize = PILE + 1;

/// Computed rows.
const OVER: u32 = 0;
const TWO_LEFT: u32 = 1;
const COUNT: u32 = 2;
const RANK: u32 = 4;
const FIRST_MAY: u32 = 5;
const SECOND_MAY: u32 = 8;
const ALWAYS: u32 = 11;
const FIRST_WON: u32 = 12;
const SECOND_WON: u32 = 13;
const WORK: u32 = 14;

/// Each player's moves.
pub const ONE: Move = Move(0);
pub const TWO: Move = Move(1);
pub const WAIT: Move = Move(2);

/// The logic of the game.
pub struct Pile;

impl<W: Word> StepProgram<W> for Pile {
    fn run(&self, phase: Phase, rows: &mut Rows<W>) {
        let (now, work) = (&rows.now, &mut rows.work);
        let zero = now[0].xor(now[0]);
        let ones = W::lut3::<0xff>(zero, zero, zero);
        let second = now[SECOND];
        let mut set = |row: u32, value: W| work[row as usize] = value;
        match phase {
            Phase::Terminal => {
                set(OVER, now[0]);
                set(
                    TWO_LEFT,
                    now[2..=PILE].iter().fold(zero, |any, &row| any.or(row)),
                );
            }
            Phase::Goals => {
                set(ALWAYS, ones);
                set(FIRST_WON, second.and(now[0]));
                set(SECOND_WON, now[0].and_not(second));
            }
            Phase::Legal => {
                // Terminal states have a legal move too: nothing may depend on it.
                let two = work[TWO_LEFT as usize];
                let mut set = |row: u32, value: W| work[row as usize] = value;
                for (may, waits) in [(FIRST_MAY, second), (SECOND_MAY, ones.and_not(second))] {
                    set(may, ones.and_not(waits));
                    set(may + 1, two.and_not(waits));
                    set(may + 2, waits);
                }
            }
            Phase::Count => {
                let two = work[TWO_LEFT as usize];
                let mut set = |row: u32, value: W| work[row as usize] = value;
                set(COUNT, ones.and_not(two));
                set(COUNT + 1, two);
            }
            Phase::Next => {
                let over = work[OVER as usize];
                let two = work[RANK as usize].and(work[TWO_LEFT as usize]);
                for left in 0..=PILE {
                    let after_one = now.get(left + 1).filter(|_| left < PILE);
                    let after_two = now.get(left + 2).filter(|_| left + 1 < PILE);
                    let after = two.select(
                        after_two.copied().unwrap_or(zero),
                        after_one.copied().unwrap_or(zero),
                    );
                    rows.next[left] = match left {
                        PILE => after.or(over),
                        _ => after.and_not(over),
                    };
                }
                rows.next[SECOND] = ones.and_not(second).and_not(over);
            }
        }
    }
}

pub fn layout() -> Layout {
    let moves = |may: u32| {
        let names = [("(take 1)", Some(0)), ("(take 2)", Some(0)), ("wait", None)];
        let rows = (may..).map(Row::Work).zip(names);
        let moves = rows.map(|(legal, (name, choice))| MoveRow {
            name: name.to_owned(),
            legal,
            choice,
        });
        moves.collect()
    };
    let mut bases: Vec<BaseRow> = (0..=PILE)
        .map(|left| BaseRow {
            name: format!("(pile {left})"),
            initially: left == PILE,
        })
        .collect();
    bases.push(BaseRow {
        name: "(turn second)".to_owned(),
        initially: false,
    });
    let goals = |won: u32| vec![(10, Row::Work(ALWAYS)), (100, Row::Work(won))];
    Layout {
        name: "pile".to_owned(),
        roles: vec!["first".to_owned(), "second".to_owned()],
        bases,
        work: WORK,
        operations: 0,
        moves: vec![moves(FIRST_MAY), moves(SECOND_MAY)],
        legal_order: vec![vec![0, 1, 2]; 2],
        terminal: Some(Row::Work(OVER)),
        goals: vec![goals(FIRST_WON), goals(SECOND_WON)],
        indifferent: vec![false; 2],
        choices: vec![Choice {
            count: COUNT,
            rank: RANK,
            count_bits: 2,
            rank_bits: 1,
        }],
    }
}

/// A state in the machine's encoding.
pub fn state(left: usize, second: bool) -> State {
    State([1 << left | u64::from(second) << SECOND].into())
}

pub fn machine(width: Width, seed: u64) -> Box<dyn Lanes> {
    let engine = LaneEngine::new("pile", layout(), Programs::of(Pile), width);
    engine.expect("the width is available").lanes(seed)
}
