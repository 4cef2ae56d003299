//! Random playouts: all lanes play from the initial state to the end, repeatedly.

use super::Machine;
use crate::engine::Tally;
use crate::lanes::{Word, kernel};
use crate::program::Phase;

/// The number of steps between two calls that ask whether to continue.
const STEPS_BETWEEN_QUESTIONS: u64 = 64;

/// Games in progress when a run stops are abandoned after this many times the
/// length of the longest game (and never before [`LEAST_DRAIN`] steps).
const DRAIN_FACTOR: u64 = 8;

/// See [`DRAIN_FACTOR`].
const LEAST_DRAIN: u64 = 1 << 10;

kernel! {
    /// Plays random games until told to stop, then until the games in progress have
    /// ended.
    pub(super) fn play_out<'a, W>(
        machine: &'a mut Machine<W>,
        keep_going: &'a mut dyn FnMut(&Tally) -> bool,
    ) -> Tally {
        let roles = machine.layout.roles.len();
        let mut tally = Tally {
            goals: vec![0; roles],
            squared_goals: vec![0; roles],
            ..Tally::default()
        };
        machine.start_all();
        machine.find_terminal();
        if machine.terminal.is_zero() {
            play(machine, keep_going, &mut tally);
        } else {
            end_at_once(machine, keep_going, &mut tally);
        }
        tally
    }
}

/// Playouts of a game whose initial state is terminal.
#[inline(always)]
fn end_at_once<W: Word>(
    machine: &mut Machine<W>,
    keep_going: &mut dyn FnMut(&Tally) -> bool,
    tally: &mut Tally,
) {
    while keep_going(tally) {
        machine.count_goals(machine.terminal, tally);
        tally.playouts += W::LANES as u64;
    }
}

/// Playouts of any other game. A lane whose game has ended makes one more step, to the
/// initial state.
#[inline(always)]
fn play<W: Word>(
    machine: &mut Machine<W>,
    keep_going: &mut dyn FnMut(&Tally) -> bool,
    tally: &mut Tally,
) {
    let mut games = Games::new(machine.zero);
    let mut give_up_at = u64::MAX;
    for step in 0_u64.. {
        let ended = machine.terminal;
        if !ended.is_zero() {
            machine.count_goals(ended.and(games.counted), tally);
            games.end(ended, tally);
        }
        let is_over = games.are_finished() || step >= give_up_at;
        let is_question = step.is_multiple_of(STEPS_BETWEEN_QUESTIONS) && !games.are_last;
        if is_over || is_question {
            tally.squared_steps = games.squared_steps(ended);
        }
        if is_over {
            return;
        }
        if is_question && !keep_going(tally) {
            games.are_last = true;
            give_up_at = step + LEAST_DRAIN.max(games.longest() * DRAIN_FACTOR);
        }
        machine.program.run(Phase::Count, &mut machine.rows);
        machine.draw();
        machine.move_on();
        games.advance(ended, tally);
        machine.find_terminal();
    }
}

/// The games in progress, one in each lane. Their lengths are added up without a look at single
/// lanes.
struct Games<W> {
    /// The lanes whose games count.
    counted: W,
    /// Whether games that begin do not count any more.
    are_last: bool,
    /// How many games count and have not ended.
    count: u64,
    /// The number of moves made in the game of each lane, as rows of bits, lowest first.
    moves: Vec<W>,
    /// The sum of these numbers over the games that count and have not ended.
    sum: u64,
    /// The sum of their squares over all games that count, whether or not they have ended. A
    /// move in each game that has not adds twice their sum and their count.
    squares: u64,
}

impl<W: Word> Games<W> {
    /// No move was made.
    #[inline(always)]
    fn new(zero: W) -> Self {
        Self {
            counted: W::lut3::<0xff>(zero, zero, zero),
            are_last: false,
            count: W::LANES as u64,
            moves: vec![zero],
            sum: 0,
            squares: 0,
        }
    }

    /// Whether none that counts is in progress, and none will be.
    #[inline(always)]
    fn are_finished(&self) -> bool {
        self.are_last && self.count == 0
    }

    /// At least the length of the longest game.
    #[inline(always)]
    fn longest(&self) -> u64 {
        1 << self.moves.len()
    }

    /// Adds up games that have ended.
    #[inline(always)]
    fn end(&mut self, ended: W, tally: &mut Tally) {
        let finished = ended.and(self.counted);
        let count = u64::from(finished.count());
        let bits = self.moves.iter().rev();
        let steps = bits.fold(0, |sum, bit| 2 * sum + u64::from(bit.and(finished).count()));
        tally.playouts += count;
        tally.steps += steps;
        self.count -= count;
        self.sum -= steps;
        if self.are_last {
            self.counted = self.counted.and_not(ended);
        }
    }

    /// A move is made in every lane but those whose games have ended, where others begin.
    #[inline(always)]
    fn advance(&mut self, ended: W, tally: &mut Tally) {
        // Adding one changes the lowest bits, up to the first that is not set.
        let mut carry = W::lut3::<0xff>(ended, ended, ended);
        for bit in &mut self.moves {
            let before = *bit;
            *bit = before.xor(carry).and_not(ended);
            carry = carry.and(before);
        }
        carry = carry.and_not(ended);
        if !carry.is_zero() {
            self.moves.push(carry);
        }
        tally.transitions += self.count;
        self.squares += 2 * self.sum + self.count;
        self.sum += self.count;
        self.count = match self.are_last {
            true => u64::from(self.counted.count()),
            false => W::LANES as u64,
        };
    }

    /// The sum of the squared lengths of all games that count and have ended, given the lanes in
    /// which games have just ended.
    #[inline(always)]
    fn squared_steps(&self, ended: W) -> u64 {
        let in_progress = self.counted.and_not(ended);
        let mut squares = 0;
        for (exponent, &bit) in self.moves.iter().enumerate() {
            let bit = bit.and(in_progress);
            squares += u64::from(bit.count()) << (2 * exponent);
            for (lower, &other) in self.moves[..exponent].iter().enumerate() {
                squares += u64::from(bit.and(other).count()) << (exponent + lower + 1);
            }
        }
        self.squares - squares
    }
}
