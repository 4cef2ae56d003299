//! Virtual loss: simulations in flight count as lost, so that others go elsewhere.

use super::SearchTree;
use super::edge::SolvedStatus;

impl SearchTree {
    /// Lets every simulation in flight count as this many lost ones in the averages that
    /// descents read (Chaslot, Winands and van den Herik 2008).
    /// With 0, it counts as a visit alone, which lowers the bonus for exploration.
    #[must_use]
    pub fn with_virtual_loss(mut self, losses: f64) -> Self {
        self.virtual_loss = losses;
        self
    }

    /// Brings the average that descents read of an edge up to date with the simulations in
    /// flight along it, if these count.
    #[inline]
    pub(super) fn count_virtual_losses(&mut self, index: usize) {
        if self.virtual_loss == 0.0 {
            return;
        }
        let (edge, score) = (&self.edges[index], &mut self.scores[index]);
        if edge.status == SolvedStatus::Open {
            let in_flight = score.tries.saturating_sub(edge.visits);
            let counted = f64::from(edge.visits) + self.virtual_loss * f64::from(in_flight);
            score.mean = (edge.sum / counted.max(f64::MIN_POSITIVE)) as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdl_runtime::engine::Move;

    /// The averages after one simulation that returned 60, with two more in flight, and
    /// after these have been abandoned.
    fn means(losses: f64) -> (f32, f32) {
        let mut tree = SearchTree::new(1, 1 << 20, 0).with_virtual_loss(losses);
        let Some((root, _)) = tree.insert(&[0]) else {
            panic!("an empty tree has room");
        };
        tree.expand(root, &[vec![Move(0), Move(1)]]);
        tree.begin_descent(root);
        tree.add_pending(root, &[0], 1);
        tree.credit(root, &[0], 1, &[60.0]);
        tree.add_pending(root, &[0], 2);
        let in_flight = tree.scores(root, 0)[0].mean;
        tree.remove_pending(root, &[0], 2);
        (in_flight, tree.scores(root, 0)[0].mean)
    }

    #[test]
    fn what_is_in_flight_counts_as_lost_until_it_ends() {
        assert_eq!(means(0.0), (60.0, 60.0));
        assert_eq!(means(1.0), (20.0, 60.0));
        assert_eq!(means(0.5), (30.0, 60.0));
    }
}
