//! Playing a scalar engine's games: a few at a time, so that the processor has
//! independent work while one game's chain of instructions is under way.

#[cfg(target_arch = "x86_64")]
use super::bits::Bmi2;
use super::bits::{Bits, Portable, Random, below};
use super::position::Position;
use gdl_cli::measure::PlayoutRunner;
use gdl_runtime::engine::Tally;
use std::marker::PhantomData;

/// Pairs of plies between two checks of whether to go on.
const ASK: u32 = 512;

/// The sums over finished games.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    pub games: u64,
    pub plies: u64,
    /// The squares of the games' lengths.
    pub squared_plies: u64,
    /// The goals of the role that moved first.
    pub first_goals: u64,
    pub squared_first_goals: u64,
}

impl Counts {
    /// Adds a game.
    #[inline(always)]
    pub fn add(&mut self, plies: u64, first_goal: u64) {
        self.games += 1;
        self.plies += plies;
        self.squared_plies += plies * plies;
        self.first_goals += first_goal;
        self.squared_first_goals += first_goal * first_goal;
    }

    /// The same in the form in which engines count; the goals of both roles add up to
    /// 100.
    pub fn tally(&self) -> Tally {
        let first = self.first_goals as i64;
        let squares = i128::from(self.squared_first_goals);
        let games = self.games as i64;
        let both = i128::from(10_000 * games - 200 * first);
        Tally {
            playouts: self.games,
            steps: self.plies,
            transitions: self.plies,
            squared_steps: self.squared_plies,
            goals: vec![first, 100 * games - first],
            squared_goals: vec![squares, both + squares],
        }
    }
}

/// `GAMES` games of one engine, an even number.
pub struct Scalar<P, B, const GAMES: usize> {
    random: Random,
    bits: B,
    position: PhantomData<P>,
}

impl<P: Position + Send, B: Bits, const GAMES: usize> Scalar<P, B, GAMES> {
    /// A player, seeded.
    pub fn new(seed: u64, bits: B) -> Self {
        Self {
            random: Random::new(seed),
            bits,
            position: PhantomData,
        }
    }

    #[inline(always)]
    fn play(&mut self, keep_going: &mut dyn FnMut(&Tally) -> bool) -> Tally {
        let mut table = Table::<P, GAMES>::new();
        while keep_going(&table.counts.tally()) {
            for _ in 0..ASK {
                table.ply::<true>(&mut self.random, self.bits);
                table.ply::<false>(&mut self.random, self.bits);
            }
        }
        table.finish(&mut self.random, self.bits);
        table.counts.tally()
    }
}

/// The games in play. All make their plies together, so that one count of plies
/// serves all of them; a game that ends is replaced at once.
struct Table<P, const GAMES: usize> {
    positions: [P; GAMES],
    /// The count of plies at which each began.
    starts: [u64; GAMES],
    plies: u64,
    counts: Counts,
}

impl<P: Position, const GAMES: usize> Table<P, GAMES> {
    fn new() -> Self {
        Self {
            positions: [P::start::<true>(); GAMES],
            starts: [0; GAMES],
            plies: 0,
            counts: Counts::default(),
        }
    }

    /// A ply in every game.
    #[inline(always)]
    fn ply<const EVEN: bool>(&mut self, random: &mut Random, bits: impl Bits) {
        for pair in 0..GAMES / 2 {
            let word = random.next();
            self.step::<EVEN>(2 * pair, (word >> 32) as u32, bits);
            self.step::<EVEN>(2 * pair + 1, word as u32, bits);
        }
        self.plies += 1;
    }

    #[inline(always)]
    fn step<const EVEN: bool>(&mut self, game: usize, random: u32, bits: impl Bits) {
        let position = &mut self.positions[game];
        let moves = match position.moves::<EVEN>() {
            Some(moves) => moves,
            None => {
                let plies = self.plies - self.starts[game];
                self.counts.add(plies, position.first_goal(plies));
                self.starts[game] = self.plies;
                *position = P::start::<EVEN>();
                let Some(moves) = position.moves::<EVEN>() else {
                    return;
                };
                moves
            }
        };
        let number = below(P::count(&moves), random);
        position.make::<EVEN>(&moves, number, bits);
    }

    /// Plays every game to its end, one after the other.
    fn finish(&mut self, random: &mut Random, bits: impl Bits) {
        for game in 0..GAMES {
            let plies = self.plies - self.starts[game];
            finish(self.positions[game], plies, random, bits, &mut self.counts);
        }
    }
}

/// Plays a game to its end and counts it. `plies` is the number of plies made so far,
/// and the next one is even.
pub fn finish<P: Position>(
    mut position: P,
    mut plies: u64,
    random: &mut Random,
    bits: impl Bits,
    counts: &mut Counts,
) {
    while advance::<P, true>(&mut position, &mut plies, random, bits)
        && advance::<P, false>(&mut position, &mut plies, random, bits)
    {}
    counts.add(plies, position.first_goal(plies));
}

/// Makes a ply unless the game is over.
fn advance<P: Position, const EVEN: bool>(
    position: &mut P,
    plies: &mut u64,
    random: &mut Random,
    bits: impl Bits,
) -> bool {
    let Some(moves) = position.moves::<EVEN>() else {
        return false;
    };
    let number = below(P::count(&moves), (random.next() >> 32) as u32);
    position.make::<EVEN>(&moves, number, bits);
    *plies += 1;
    true
}

impl<P: Position + Send, const GAMES: usize> PlayoutRunner for Scalar<P, Portable, GAMES> {
    fn count(&self) -> usize {
        GAMES
    }

    fn playouts(&mut self, keep_going: &mut dyn FnMut(&Tally) -> bool) -> Tally {
        self.play(keep_going)
    }
}

#[cfg(target_arch = "x86_64")]
impl<P: Position + Send, const GAMES: usize> PlayoutRunner for Scalar<P, Bmi2, GAMES> {
    fn count(&self) -> usize {
        GAMES
    }

    fn playouts(&mut self, keep_going: &mut dyn FnMut(&Tally) -> bool) -> Tally {
        // SAFETY: a value of `Bmi2` proves that the processor has the instructions.
        #[allow(unsafe_code)]
        unsafe {
            self.play_with_bmi2(keep_going)
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl<P: Position + Send, const GAMES: usize> Scalar<P, Bmi2, GAMES> {
    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
    fn play_with_bmi2(&mut self, keep_going: &mut dyn FnMut(&Tally) -> bool) -> Tally {
        self.play(keep_going)
    }
}
