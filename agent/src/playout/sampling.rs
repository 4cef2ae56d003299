//! How a move is drawn once its legal alternatives have values.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::weights::choose_by_gibbs;

/// How a move is drawn by the values of all legal moves, in goal points.
#[derive(Debug, Clone, Copy)]
pub enum MoveSampling {
    /// P(a) ∝ exp(Q(a)/τ), with this temperature τ.
    Gibbs(f32),
    /// The move with the highest value, or with this probability ε any move
    /// (ε-greedy: Tak, Winands and Björnsson 2012, who prefer it).
    Greedy(f32),
}

impl MoveSampling {
    /// Draws an index. There is at least one value.
    pub fn choose(self, values: &[f32], random: &mut Xoshiro256PlusPlus) -> usize {
        match self {
            Self::Gibbs(temperature) => {
                choose_by_gibbs(values.iter().copied(), temperature, random)
            }
            Self::Greedy(epsilon) if random.random::<f32>() < epsilon => {
                random.random_range(0..values.len())
            }
            Self::Greedy(_) => choose_highest(values, random),
        }
    }

    /// Appends the logarithms of the probabilities with which it draws, up to a common term.
    /// Returns false if it is greedy and all are the same.
    pub fn preferences(self, values: &[f32], logarithms: &mut Vec<f32>) -> bool {
        match self {
            Self::Gibbs(temperature) => {
                logarithms.extend(values.iter().map(|value| value / temperature));
                true
            }
            Self::Greedy(epsilon) => {
                let highest = highest(values);
                let ties = values.iter().filter(|&&value| value >= highest).count();
                let any = epsilon / values.len() as f32;
                let best = any + (1.0 - epsilon) / ties.max(1) as f32;
                // What is never drawn is hardly ever drawn, since all logarithms are finite.
                let [any, best] = [any, best].map(|share| share.max(f32::MIN_POSITIVE).ln());
                let share = |&value: &f32| if value >= highest { best } else { any };
                logarithms.extend(values.iter().map(share));
                ties < values.len() && epsilon < 1.0
            }
        }
    }
}

fn highest(values: &[f32]) -> f32 {
    values.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

/// The index of the highest value; ties at random.
fn choose_highest(values: &[f32], random: &mut Xoshiro256PlusPlus) -> usize {
    let highest = highest(values);
    let tied = |&index: &usize| values[index] >= highest;
    let ties = (0..values.len()).filter(tied).count();
    let which = random.random_range(0..ties.max(1));
    (0..values.len()).filter(tied).nth(which).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// How often each of three moves is drawn in 10,000.
    fn counts(sampling: MoveSampling, values: [f32; 3]) -> [usize; 3] {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed());
        let mut counts = [0; 3];
        (0..10_000).for_each(|_| counts[sampling.choose(&values, &mut random)] += 1);
        counts
    }

    #[test]
    fn greedy_sampling_explores_with_probability_epsilon() {
        // 0.7 + 0.3/3 = 80 % and 10 % each; five standard deviations.
        let [highest, others @ ..] = counts(MoveSampling::Greedy(0.3), [60.0, 50.0, 0.0]);
        assert!((7_800..8_200).contains(&highest), "{highest}");
        assert!(
            others.iter().all(|count| (850..1_150).contains(count)),
            "{others:?}"
        );
    }

    #[test]
    fn greedy_sampling_knows_its_probabilities() {
        let mut logarithms = Vec::new();
        assert!(MoveSampling::Greedy(0.3).preferences(&[60.0, 50.0, 60.0], &mut logarithms));
        for (logarithm, share) in logarithms.iter().zip([0.45_f32, 0.1, 0.45]) {
            assert!((logarithm.exp() - share).abs() < 1e-6, "{logarithms:?}");
        }
        // Nothing is preferred where all values are equal, or all moves are random.
        for (epsilon, values) in [(0.0, [7.0, 7.0]), (1.0, [7.0, 8.0])] {
            assert!(!MoveSampling::Greedy(epsilon).preferences(&values, &mut logarithms));
        }
        logarithms.clear();
        assert!(MoveSampling::Greedy(0.0).preferences(&[7.0, 8.0], &mut logarithms));
        assert!(logarithms[0].is_finite() && logarithms[0] < logarithms[1] - 80.0);
    }

    #[test]
    fn equal_values_are_equally_likely() {
        let [one, other, lower] = counts(MoveSampling::Greedy(0.0), [60.0, 60.0, 50.0]);
        assert!(
            (4_750..5_250).contains(&one) && one + other == 10_000,
            "{one}, {lower}"
        );
    }

    #[test]
    fn gibbs_sampling_weighs_by_value() {
        // 1 : e : e⁻⁵, that is 26.8 %, 72.9 % and 0.2 %.
        let [low, high, _] = counts(MoveSampling::Gibbs(10.0), [50.0, 60.0, 0.0]);
        assert!(
            (2_450..2_910).contains(&low) && (7_060..7_520).contains(&high),
            "{low}, {high}"
        );
    }
}
