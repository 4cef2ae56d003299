//! The settings of champions.

/// How a champion differs from its search by playouts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChampionSettings {
    /// The weight of exploration in the search by evaluation, in values from 0 to 1.
    pub exploration: f32,
    /// The weight of playouts in the values of the mixture, 0 to 1; 0 if there is none.
    pub mixture: f32,
    /// Whether quick games decide by what it plays.
    pub has_trials: bool,
}
