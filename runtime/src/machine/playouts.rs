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

/// Playouts of any other game.
#[inline(always)]
fn play<W: Word>(
    machine: &mut Machine<W>,
    keep_going: &mut dyn FnMut(&Tally) -> bool,
    tally: &mut Tally,
) {
    let zero = machine.zero;
    let mut counted = W::lut3::<0xff>(zero, zero, zero);
    let mut lengths = Lengths::new(W::LANES);
    let mut step = 0_u64;
    let mut give_up_at = u64::MAX;
    loop {
        let ended = machine.terminal;
        if !ended.is_zero() {
            let finished = ended.and(counted);
            machine.count_goals(finished, tally);
            lengths.end(finished, step, tally);
            machine.restart(ended);
            if give_up_at != u64::MAX {
                counted = counted.and_not(ended);
            }
        }
        if counted.is_zero() || step >= give_up_at {
            return;
        }
        if step.is_multiple_of(STEPS_BETWEEN_QUESTIONS)
            && give_up_at == u64::MAX
            && !keep_going(tally)
        {
            give_up_at = step + LEAST_DRAIN.max(lengths.longest * DRAIN_FACTOR);
        }
        machine.program.run(Phase::Count, &mut machine.rows);
        machine.draw();
        machine.move_on();
        machine.find_terminal();
        step += 1;
        tally.transitions += W::LANES as u64;
    }
}

/// The lengths of games.
struct Lengths {
    /// The step at which the game in each lane began.
    started: Box<[u64]>,
    /// The length of the longest finished game.
    longest: u64,
}

impl Lengths {
    fn new(lanes: usize) -> Self {
        Self {
            started: vec![0; lanes].into_boxed_slice(),
            longest: 0,
        }
    }

    /// Counts games that ended at a step; new ones begin in their lanes.
    #[inline(always)]
    fn end<W: Word>(&mut self, finished: W, step: u64, tally: &mut Tally) {
        let (mut steps, mut squared, mut longest) = (0, 0, self.longest);
        finished.for_each_lane(|lane| {
            let length = step - std::mem::replace(&mut self.started[lane], step);
            steps += length;
            squared += length * length;
            longest = longest.max(length);
        });
        self.longest = longest;
        tally.playouts += u64::from(finished.count());
        tally.steps += steps;
        tally.squared_steps += squared;
    }
}
