//! Drawing by weights.

use std::ops::SubAssign;

/// The index of the weight that a point falls on where the weights lie side by side from 0 on;
/// `None` beyond the last one, where rounding may put a point that is drawn below their sum.
pub(crate) fn index_at<W>(mut point: W, weights: impl IntoIterator<Item = W>) -> Option<usize>
where
    W: SubAssign + PartialOrd + Default,
{
    weights.into_iter().position(|weight| {
        point -= weight;
        point < W::default()
    })
}

#[cfg(test)]
mod tests {
    use super::index_at;

    #[test]
    fn points_fall_on_the_weights_side_by_side() {
        let weights = [0.5, 0.0, 1.5];
        let found = [0.0, 0.25, 0.5, 1.75, 2.0].map(|point| index_at(point, weights));
        assert_eq!(found, [Some(0), Some(0), Some(2), Some(2), None]);
    }
}
