//! What a champion learned, and by what it plays.

use std::fmt;

use super::foresight::Foresight;
use super::trials::TrialScore;

/// The search that a champion plays by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChampionSearch {
    /// Search by evaluation alone.
    Evaluation,
    /// Search by a mixture of evaluation and playouts.
    Mixture,
    /// Search by playouts alone.
    Playouts,
}

impl ChampionSearch {
    /// The search that predicts results best; evaluation if that was not measured.
    pub(super) fn preferred_by(foresight: Option<Foresight>) -> Self {
        match foresight {
            Some(foresight) if foresight.favours_playouts() => Self::Playouts,
            Some(foresight) if foresight.favours_mixture() => Self::Mixture,
            _ => Self::Evaluation,
        }
    }
}

impl fmt::Display for ChampionSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Evaluation => "evaluation",
            Self::Mixture => "a mixture of evaluation and playouts",
            Self::Playouts => "playouts",
        })
    }
}

/// What a champion learned, and the search it plays by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChampionChoice {
    /// The number of games that it learned from.
    pub games: u64,
    /// The number of threads that it learned on; 0 if it only knows the network that it was
    /// given.
    pub threads: usize,
    /// The final mean cross entropy on results it had not seen; `None` if it only knows the network
    /// that it was given.
    pub loss: Option<f32>,
    /// How well results are predicted, if that was measured.
    pub foresight: Option<Foresight>,
    /// The search that foresight prefers, and the result of its quick games against search by
    /// playouts, if any were played.
    pub tried: Option<(ChampionSearch, TrialScore)>,
    /// The search it plays by.
    pub plays: ChampionSearch,
}

impl fmt::Display for ChampionChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "learned from {} games", self.games)?;
        if self.threads > 1 {
            write!(f, " on {} threads", self.threads)?;
        }
        if let Some(loss) = self.loss {
            write!(f, ", loss {loss:.3}")?;
        }
        if let Some(foresight) = &self.foresight {
            write!(f, "; {foresight}")?;
        }
        if let Some((preferred, score)) = &self.tried {
            write!(f, "; {preferred} against playouts in quick games: {score}")?;
        }
        write!(f, "; plays by {}", self.plays)
    }
}
