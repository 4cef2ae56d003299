//! Random games without immediate blunders: a game is abandoned as soon as a role could win by
//! its move, and no role lets the next one do so if it can avoid that. Most positions of
//! entirely random games are decided by one such blunder.

use gdl_agent::expander::Positions;
use gdl_runtime::engine::Role;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game_tree::{GameTree, GameTreeError, SimultaneousMoves};

/// A position and the choices that led to it.
pub struct SampledPosition {
    /// The names of the moves.
    pub moves: Vec<String>,
    /// The position, at index 0. The role that decides has several moves, and none that
    /// wins at once.
    pub positions: Positions,
}

/// Plays a game until `is_wanted` accepts a state. `None` if the game ends before, or a role
/// can win at once.
///
/// # Errors
/// If several roles choose at once.
pub fn play(
    tree: &mut GameTree,
    random: &mut Xoshiro256PlusPlus,
    is_wanted: &mut dyn FnMut(&GameTree, &[u64]) -> bool,
) -> Result<Option<SampledPosition>, GameTreeError> {
    let initial = tree.engine().initial();
    let mut positions = tree.examine(&initial.0);
    let mut moves = Vec::new();
    loop {
        positions = match tree.advance_to_choice(positions) {
            Ok(positions) => positions,
            Err(GameTreeError::Over) => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut successors = Positions::default();
        let role = tree.expand(&positions, 0, &mut successors)?;
        if has_win(tree, &successors, role) {
            return Ok(None);
        }
        if is_wanted(tree, positions.state(0)) {
            return Ok(Some(SampledPosition { moves, positions }));
        }
        let index = choose(tree, &successors, random)?;
        moves.push(tree.move_name(role, positions.moves(0, role)[index].mv));
        let state = successors.state(index).to_vec();
        positions = tree.examine(&state);
    }
}

/// Whether one of these states is the end of the game and gives a role all that it can get.
fn has_win(tree: &GameTree, successors: &Positions, role: Role) -> bool {
    let most = tree.goals(role).last();
    (0..successors.len())
        .any(|index| successors.terminal[index] && successors.goals(index).get(role) == most)
}

/// A random one of the successors that do not let the next role win at once; of all if there
/// is none.
fn choose(
    tree: &mut GameTree,
    successors: &Positions,
    random: &mut Xoshiro256PlusPlus,
) -> Result<usize, SimultaneousMoves> {
    let mut safe = Vec::new();
    let mut replies = Positions::default();
    for index in 0..successors.len() {
        if successors.terminal[index] {
            safe.push(index);
            continue;
        }
        let role = tree.expand(successors, index, &mut replies)?;
        if !has_win(tree, &replies, role) {
            safe.push(index);
        }
    }
    let any = random.random_range(0..successors.len());
    Ok(safe.choose(random).copied().unwrap_or(any))
}
