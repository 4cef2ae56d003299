//! UCB on strategies: which of them drives a simulation.

use gdl_runtime::engine::Role;

use crate::playout::PlayoutPlan;
use crate::playout::average::ReturnAverage;

/// The roles whose strategies fit into a plan; further ones have the first strategy.
const MOST_ROLES: usize = 16;

/// How the strategies of each role have done.
#[derive(Debug)]
pub(super) struct StrategyBandit {
    exploration: f32,
    roles: Vec<Vec<Arm>>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Arm {
    returns: ReturnAverage,
    /// Simulations that it has driven, those in flight included.
    started: f32,
}

impl StrategyBandit {
    /// With the weight C of exploration in goal points. There is at least one strategy, and
    /// there are at most 16.
    pub(super) fn new(roles: usize, strategies: usize, exploration: f32) -> Self {
        Self {
            exploration,
            roles: vec![vec![Arm::default(); strategies]; roles],
        }
    }

    /// The strategies of the next simulation: for each role that with the highest
    /// Q + C·sqrt(ln N / n), those never tried first.
    pub(super) fn choose(&mut self) -> PlayoutPlan {
        let mut plan = 0;
        for (role, arms) in self.roles.iter_mut().enumerate().take(MOST_ROLES) {
            let total: f32 = arms.iter().map(|arm| arm.started).sum();
            let spread = self.exploration * total.max(1.0).ln().sqrt();
            let value = |arm: &Arm| match (arm.started, arm.returns.count) {
                (0.0, _) => f32::INFINITY,
                (started, 0.0) => spread / started.sqrt(),
                (started, _) => arm.returns.mean() + spread / started.sqrt(),
            };
            let values = arms.iter().map(value).enumerate();
            let highest = values.reduce(|best, next| if next.1 > best.1 { next } else { best });
            let strategy = highest.map_or(0, |(strategy, _)| strategy);
            arms[strategy].started += 1.0;
            plan |= (strategy as u64) << (4 * role);
        }
        PlayoutPlan(plan)
    }

    /// The strategy of a role in a plan.
    pub(super) fn strategy(&self, plan: PlayoutPlan, role: Role) -> usize {
        match role {
            0..MOST_ROLES => (plan.0 >> (4 * role) & 15) as usize,
            _ => 0,
        }
    }

    /// Learns from a simulation with this plan.
    pub(super) fn learn(&mut self, plan: PlayoutPlan, goals: &[i32]) {
        for (role, &goal) in goals.iter().enumerate().take(MOST_ROLES) {
            let strategy = self.strategy(plan, role);
            self.roles[role][strategy].returns.add(goal as f32, 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_that_did_better_drive_more_simulations() {
        // For role 0 the third strategy is the best, for role 1 the first.
        let mut bandit = StrategyBandit::new(2, 3, 40.0);
        let mut driven = [[0; 3]; 2];
        for _ in 0..1_000 {
            let plan = bandit.choose();
            let chosen = [0, 1].map(|role| bandit.strategy(plan, role));
            chosen
                .iter()
                .zip(&mut driven)
                .for_each(|(&chosen, driven)| driven[chosen] += 1);
            bandit.learn(plan, &[30 * chosen[0] as i32, 60 - 30 * chosen[1] as i32]);
        }
        assert!(driven[0][2] > 800 && driven[1][0] > 800, "{driven:?}");
        assert!(
            driven.iter().flatten().all(|&count| count > 1),
            "{driven:?}"
        );
    }
}
