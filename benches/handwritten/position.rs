//! What the scalar engines have in common: a position from which moves are
//! picked by their number, and perft over it.

use super::bits::Bits;

/// A position of a game of two roles, seen by the player to move. Copied freely:
/// a few words.
///
/// `EVEN` says whether the number of plies since the start has the parity of the
/// first ply: games in which the sides move in opposite directions compile a ply
/// each way.
pub trait Position: Copy {
    /// The legal moves, as masks, with what is needed to pick one.
    type Moves: Copy;

    /// Where games start, at a ply of either parity: the set-up has to look the
    /// same from both sides.
    fn start<const EVEN: bool>() -> Self;

    /// The legal moves; none if the game is over.
    fn moves<const EVEN: bool>(&self) -> Option<Self::Moves>;

    /// How many moves there are, at least one.
    fn count(moves: &Self::Moves) -> u32;

    /// Makes the move with that number, below [`count`](Self::count).
    fn make<const EVEN: bool>(&mut self, moves: &Self::Moves, number: u32, bits: impl Bits);

    /// The goal value of the role that moved first, in a terminal position after this
    /// number of plies; the other role gets the rest of 100.
    fn first_goal(&self, plies: u64) -> u64;
}

/// The number of move sequences of exactly this length.
pub fn perft<P: Position>(depth: u32, bits: impl Bits) -> u64 {
    below::<P, true>(P::start::<true>(), depth, bits)
}

fn below<P: Position, const EVEN: bool>(position: P, depth: u32, bits: impl Bits) -> u64 {
    if depth == 0 {
        return 1;
    }
    let Some(moves) = position.moves::<EVEN>() else {
        return 0;
    };
    let after = |number| {
        let mut next = position;
        next.make::<EVEN>(&moves, number, bits);
        // A constant cannot be computed from another one's.
        match EVEN {
            true => below::<P, false>(next, depth - 1, bits),
            false => below::<P, true>(next, depth - 1, bits),
        }
    };
    (0..P::count(&moves)).map(after).sum()
}
