//! The names of a game's fluents, and which of them are alike.

use gdl_runtime::kif::GroundTerm;
use gdl_runtime::layout::{BaseRow, Layout};

use super::readiness::FluentClasses;

/// The names of a game's fluents.
#[derive(Debug, Default)]
pub struct FluentNames {
    /// For each fluent the relation and its arguments.
    words: Vec<Vec<String>>,
    pub(super) classes: FluentClasses,
}

impl FluentNames {
    /// The names of the fluents of a layout.
    #[must_use]
    pub fn of(layout: &Layout) -> Self {
        let words = |base: &BaseRow| {
            let term = GroundTerm::parse(&base.name);
            term.map_or_else(|_| Vec::new(), |term| term.words())
        };
        let words: Vec<Vec<String>> = layout.bases.iter().map(words).collect();
        let classes = FluentClasses::of(&words);
        Self { words, classes }
    }

    /// The fluents of the same relation that differ from this one in one argument.
    pub(super) fn alike(&self, fluent: u32) -> impl Iterator<Item = u32> + '_ {
        let own = &self.words[fluent as usize];
        let differs_once = move |other: &Vec<String>| {
            let pairs = own.iter().zip(other);
            own.len() == other.len()
                && own.first() == other.first()
                && pairs.filter(|(one, other)| one != other).count() == 1
        };
        let all = (0..).zip(&self.words);
        all.filter(move |(_, other)| differs_once(other))
            .map(|(index, _)| index)
    }
}
