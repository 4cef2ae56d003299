//! Symmetries of a game in learning: a state is worth as much as its images.

use gdl_runtime::symmetry::{StateSymmetry, SymmetryFinder};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::samples::Samples;
use crate::expander::{Expander, Positions};

/// The largest number of symmetries, or of images under them, that are listed.
const MOST_SYMMETRIES: usize = 64;

/// States whose images are examined at a time.
const CHUNK: usize = 4096;

/// Symmetries of a game.
pub(super) struct GameSymmetries {
    /// All of them with the identity, or as many as may be listed; none if there is only the
    /// identity.
    members: Vec<StateSymmetry>,
    /// Those of which all others are products.
    generators: Vec<StateSymmetry>,
}

impl GameSymmetries {
    /// None but the identity.
    pub(super) const NONE: Self = Self {
        members: Vec::new(),
        generators: Vec::new(),
    };

    pub(super) fn found_by(finder: &SymmetryFinder) -> Self {
        let generators = finder().to_vec();
        Self {
            members: products(&generators),
            generators,
        }
    }

    /// Symmetries of which all others are products.
    pub(super) fn generators(&self) -> &[StateSymmetry] {
        &self.generators
    }

    /// Replaces every sample from this one on by its image under a random symmetry, so that
    /// what is learned of one state is learned of all that are like it.
    pub(super) fn exchange(
        &self,
        samples: &mut Samples,
        first: usize,
        expander: &mut Expander,
        random: &mut Xoshiro256PlusPlus,
    ) {
        if self.members.is_empty() {
            return;
        }
        let words = expander.words();
        let mut state = vec![0; words];
        let (mut images, mut positions) = (Vec::new(), Positions::default());
        for first in (first..samples.len()).step_by(CHUNK) {
            let chunk = first..samples.len().min(first + CHUNK);
            images.resize(chunk.len() * words, 0);
            for (index, image) in chunk.zip(images.chunks_exact_mut(words)) {
                let symmetry = &self.members[random.random_range(0..self.members.len())];
                expander.copy_state(samples.features(index), &mut state);
                symmetry.apply(&state, image);
                samples.exchange_roles(index, &symmetry.roles);
            }
            expander.examine_features(&images, &mut positions);
            samples.set_features(first, positions.features_of(0..positions.len()));
        }
    }
}

/// The products of symmetries with the identity, all of them if there are few; nothing if there
/// is only the identity.
fn products(generators: &[StateSymmetry]) -> Vec<StateSymmetry> {
    let Some(any) = generators.first() else {
        return Vec::new();
    };
    let identity = StateSymmetry::identity(any.fluents.len(), any.roles.len());
    orbit(identity, generators, StateSymmetry::then)
}

/// The images of something under products of symmetries, itself first and each once; all of them if
/// there are few.
pub(super) fn orbit<T: PartialEq>(
    first: T,
    generators: &[StateSymmetry],
    image: impl Fn(&T, &StateSymmetry) -> T,
) -> Vec<T> {
    let mut members = vec![first];
    let mut next = 0;
    while next < members.len() {
        for generator in generators {
            let image = image(&members[next], generator);
            if members.len() < MOST_SYMMETRIES && !members.contains(&image) {
                members.push(image);
            }
        }
        next += 1;
    }
    members
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::path::Path;

    use gdl_engines::{EngineKind, EngineOptions};
    use gdl_runtime::engine::Move;
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn turns_and_mirrors_of_a_square() {
        let of = |fluents: [u32; 4]| StateSymmetry {
            fluents: fluents.into(),
            roles: [0].into(),
        };
        let square = products(&[of([1, 2, 3, 0]), of([1, 0, 3, 2])]);
        assert_eq!(square.len(), 8);
        let turns = products(&[of([1, 2, 3, 0])]);
        assert_eq!(turns.len(), 4);
        assert!(turns.contains(&of([3, 0, 1, 2])));
        assert!(products(&[]).is_empty());
    }

    /// In Runners the roles can be exchanged.
    #[test]
    fn samples_become_their_images() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/runners.kif");
        let loaded = gdl_engines::open(&path, EngineKind::Net, &EngineOptions::default());
        let mut engine = loaded.unwrap().engine;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed());
        let mut expander = Expander::new(engine.lanes(0), engine.initial().0.len());
        let mut samples = Samples::new(expander.words(), 2);
        let mut state = engine.initial();
        for _ in 0..200 {
            let mut position = engine.examine(&state);
            if position.terminal {
                state = engine.initial();
                position = engine.examine(&state);
            }
            samples.push(&state.0, &[100, 0], &[0.9, 0.2]);
            let mut choose = |moves: &Vec<Move>| moves[random.random_range(0..moves.len())];
            let joint: Vec<Move> = position.legal.iter().map(&mut choose).collect();
            state = engine.next(&state, &joint);
        }
        let before = samples.clone();
        let finder = engine.symmetry_finder();
        let exchange = finder.clone().unwrap()()[0].clone();
        let symmetries = GameSymmetries::found_by(&finder.unwrap());
        symmetries.exchange(&mut samples, 0, &mut expander, &mut random);
        let mut image = vec![0; before.words()];
        let exchanged = (0..samples.len()).filter(|&index| {
            let is_exchanged = samples.results(index) == [0.0, 1.0];
            let mut expected = before.features(index);
            if is_exchanged {
                exchange.apply(expected, &mut image);
                expected = &image;
            }
            assert_eq!(samples.features(index), expected);
            assert!(is_exchanged || samples.results(index) == [1.0, 0.0]);
            let target = if is_exchanged { [0.2, 0.9] } else { [0.9, 0.2] };
            assert_eq!(samples.targets(index), target);
            is_exchanged
        });
        // One in two, by six standard deviations.
        assert!((58..142).contains(&exchanged.count()));
    }

    #[test]
    fn large_groups_are_cut_short() {
        let exchange = |place: usize| {
            let mut symmetry = StateSymmetry::identity(20, 1);
            symmetry.fluents.swap(place, place + 1);
            symmetry
        };
        let generators: Vec<StateSymmetry> = (0..19).map(exchange).collect();
        assert_eq!(products(&generators).len(), MOST_SYMMETRIES);
    }
}
