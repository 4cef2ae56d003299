//! The settings of champions.

/// The settings of a champion, besides those of its search by playouts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChampionSettings {
    /// The weight of exploration in the search by evaluation, in values from 0 to 1.
    pub exploration: f32,
    /// Whether playouts are mixed into values where they add something to the network.
    pub has_mixture: bool,
    /// Whether quick games decide if it plays by playouts after all.
    pub has_trials: bool,
    /// The number of threads that it learns on.
    pub threads: usize,
}
