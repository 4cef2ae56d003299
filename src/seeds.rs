//! Seeds of random choices.

/// The seed that was given, or a fresh one, short enough to be typed again.
pub(crate) fn given_or_fresh(seed: Option<u64>) -> u64 {
    seed.unwrap_or_else(|| u64::from(rand::random::<u32>()))
}

/// The seed of the player of a role in a match: far from those of other roles and of matches whose
/// seeds follow each other, so that they share no random numbers.
pub(crate) fn of_role(seed: u64, role: usize) -> u64 {
    seed ^ (role as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
