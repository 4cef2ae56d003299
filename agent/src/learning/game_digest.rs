//! What identifies the game of a network.

use gdl_runtime::layout::Layout;
use sha2::{Digest as _, Sha256};

/// The size of a digest in bytes.
pub const DIGEST: usize = 32;

/// The digest of everything that gives a network its meaning: the fluents in order and
/// whether they hold initially, the roles with their goal values, their moves, and the
/// counts of moves that engines know. Games that differ only in what moves lead to have the
/// same digest.
#[must_use]
pub fn game_digest(layout: &Layout) -> [u8; DIGEST] {
    let mut digest = Sha256::new();
    // Lengths come first, so that different lists cannot look alike.
    let mut text = |bytes: &[u8]| {
        digest.update((bytes.len() as u64).to_le_bytes());
        digest.update(bytes);
    };
    text(&(layout.bases.len() as u64).to_le_bytes());
    for fluent in &layout.bases {
        text(fluent.name.as_bytes());
        text(&[u8::from(fluent.initially)]);
    }
    text(&(layout.roles.len() as u64).to_le_bytes());
    layout.roles.iter().for_each(|role| text(role.as_bytes()));
    for goals in &layout.goals {
        let values = goals.iter().flat_map(|goal| goal.0.to_le_bytes());
        text(&values.collect::<Vec<u8>>());
    }
    for moves in &layout.moves {
        text(&(moves.len() as u64).to_le_bytes());
        moves.iter().for_each(|mv| text(mv.name.as_bytes()));
    }
    let counts = layout.choices.iter();
    let counts = counts.flat_map(|choice| choice.count_bits.to_le_bytes());
    text(&counts.collect::<Vec<u8>>());
    digest.finalize().into()
}
