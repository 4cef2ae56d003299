//! Hand-written engines that play uniformly random games of one game each, as
//! fast as we know how: the yardsticks of the generated ones.
//!
//! In: a seed. Out: the sums over finished games, as every engine counts them.
//! Moves are picked from masks by their number, without lists of moves, and
//! several games are in play at a time, as one alone would mostly wait for itself.
// The benchmarks and the tests each use a part.
#![allow(dead_code)]

pub mod bits;
pub mod breakthrough;
#[cfg(target_arch = "x86_64")]
pub mod breakthrough_avx512;
pub mod checkers;
pub mod connect_four;
pub mod free_checkers;
pub mod othello;
pub mod playouts;
pub mod position;

use bits::Portable;
use breakthrough::Breakthrough;
use checkers::Checkers;
use connect_four::ConnectFour;
use free_checkers::FreeCheckers;
use gdl_cli::measure::PlayoutRunner;
use othello::Othello;
use playouts::Scalar;
use position::{Position, perft};

/// A hand-written engine of a rule sheet.
pub struct Yardstick {
    /// Its name.
    pub name: &'static str,
    /// Its kind, among those for one rule sheet.
    pub kind: &'static str,
    /// The rule sheet, relative to the project's folder.
    pub sheet: &'static str,
    /// A player with this seed; `None` if the processor lacks the instructions.
    pub player: fn(seed: u64) -> Option<Box<dyn PlayoutRunner>>,
    /// The number of move sequences of a length; `None` in the same case.
    pub perft: fn(depth: u32) -> Option<u64>,
}

impl Yardstick {
    /// The name of the rule sheet.
    pub fn game(&self) -> &'static str {
        let file = self.sheet.rsplit('/').next().unwrap_or(self.sheet);
        file.trim_end_matches(".kif")
    }

    /// Whether the rule sheet is one of ours.
    pub fn is_ours(&self) -> bool {
        self.sheet.starts_with("games/")
    }
}

/// The rule sheet of a public game.
macro_rules! public {
    ($name:literal) => {
        concat!("../shared/corpus/games/", $name, ".kif")
    };
}

/// All yardsticks, of our rule sheets first and then of public ones; those of one rule sheet
/// stand together.
pub fn yardsticks() -> Vec<Yardstick> {
    let mut yardsticks = vec![
        scalar::<Breakthrough, 4>("breakthrough", "games/breakthrough.kif"),
        scalar::<ConnectFour<7>, 8>("connect_four", "games/connect_four.kif"),
        scalar::<Othello<false>, 4>("othello", "games/othello.kif"),
        scalar::<Checkers, 8>("checkers", "games/checkers.kif"),
        scalar::<Breakthrough, 4>("corpus-breakthrough", public!("breakthrough")),
        scalar::<FreeCheckers, 8>("corpus-checkers", public!("checkers")),
        scalar::<ConnectFour<8>, 8>("corpus-connectFour", public!("connectFour")),
        scalar::<Othello<true>, 4>("corpus-reversi", public!("reversi")),
    ];
    #[cfg(target_arch = "x86_64")]
    yardsticks.extend([
        avx512("breakthrough-avx512", "games/breakthrough.kif"),
        avx512("corpus-breakthrough-avx512", public!("breakthrough")),
    ]);
    yardsticks.sort_by_key(|yardstick| (!yardstick.is_ours(), yardstick.sheet));
    yardsticks
}

/// An engine that plays `GAMES` games at a time.
fn scalar<P: Position + Send + 'static, const GAMES: usize>(
    name: &'static str,
    sheet: &'static str,
) -> Yardstick {
    Yardstick {
        name,
        kind: "hand-written",
        sheet,
        player: |seed| {
            #[cfg(target_arch = "x86_64")]
            if let Some(bits) = bits::Bmi2::detect() {
                return Some(Box::new(Scalar::<P, _, GAMES>::new(seed, bits)));
            }
            Some(Box::new(Scalar::<P, _, GAMES>::new(seed, Portable)))
        },
        perft: |depth| {
            #[cfg(target_arch = "x86_64")]
            if let Some(bits) = bits::Bmi2::detect() {
                return Some(perft::<P>(depth, bits));
            }
            Some(perft::<P>(depth, Portable))
        },
    }
}

#[cfg(target_arch = "x86_64")]
fn avx512(name: &'static str, sheet: &'static str) -> Yardstick {
    use breakthrough_avx512::{Avx512, Vectors, perft};
    Yardstick {
        name,
        kind: "AVX-512",
        sheet,
        player: |seed| Some(Box::new(Vectors::<8>::new(seed, Avx512::detect()?))),
        perft: |depth| Some(perft(depth, Avx512::detect()?)),
    }
}
