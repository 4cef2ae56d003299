//! Who sits where in which game.

use super::Fixture;
use gdl_runtime::random::SplitMix;

/// The games of a contest, in sets in which the agents go round: every agent
/// sits once at every role (two agents swap roles).
///
/// In game k of a set, role r is played by agent r + k, counted modulo the
/// number of agents; with fewer agents than roles they sit alternately. Where
/// three or more agents play, the order round the table is turned about in
/// every other set, so that nobody always moves after the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// Roles of the game.
    pub roles: usize,
    /// Agents: in games of several roles at most as many as there are roles.
    pub agents: usize,
    /// Seed of the contest.
    pub seed: u64,
}

impl Schedule {
    /// Games in which the agents go round once.
    #[must_use]
    pub fn set_size(&self) -> u64 {
        self.agents as u64
    }

    /// A game, by its place from 0. The same seed gives the same games, however
    /// many of them are played.
    #[must_use]
    pub fn fixture(&self, number: u64) -> Fixture {
        let set = number / self.set_size();
        let turn = (number % self.set_size()) as usize;
        let turned_about = set % 2 == 1;
        let agent = |role: usize| {
            let along = role % self.agents;
            let place = if turned_about {
                self.agents - along
            } else {
                along
            };
            (place + turn) % self.agents
        };
        Fixture {
            number,
            seats: (0..self.roles).map(agent).collect(),
            seed: SplitMix::at(self.seed, set),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn seats(roles: usize, agents: usize, games: u64) -> Vec<Vec<usize>> {
        let schedule = Schedule {
            roles,
            agents,
            seed: 7,
        };
        (0..games)
            .map(|number| schedule.fixture(number).seats)
            .collect()
    }

    #[test]
    fn two_agents_swap() {
        assert_eq!(seats(2, 2, 4), [[0, 1], [1, 0], [0, 1], [1, 0]]);
    }

    #[test]
    fn alone_they_take_turns() {
        assert_eq!(seats(1, 2, 4), [[0], [1], [0], [1]]);
        assert_eq!(seats(1, 3, 3), [[0], [1], [2]]);
    }

    #[test]
    fn three_agents_sit_in_every_order() {
        let orders: BTreeSet<Vec<usize>> = seats(3, 3, 6).into_iter().collect();
        assert_eq!(orders.len(), 6);
    }

    #[test]
    fn every_set_seats_every_agent_at_every_role_once() {
        for (roles, agents) in [(1, 2), (2, 2), (3, 2), (3, 3), (4, 2), (5, 3), (6, 6)] {
            let sets = seats(roles, agents, 4 * agents as u64);
            for set in sets.chunks(agents) {
                for role in 0..roles {
                    let seated: BTreeSet<usize> = set.iter().map(|seats| seats[role]).collect();
                    assert_eq!(seated, (0..agents).collect(), "{roles} roles: {set:?}");
                }
            }
        }
    }

    #[test]
    fn the_games_of_a_set_share_a_seed_and_no_others_do() {
        let schedule = Schedule {
            roles: 2,
            agents: 2,
            seed: 7,
        };
        let fixtures: Vec<Fixture> = (0..2000).map(|number| schedule.fixture(number)).collect();
        let mut seeds = BTreeSet::new();
        for set in fixtures.chunks(2) {
            assert_eq!(set[0].seed, set[1].seed);
            assert!(seeds.insert(set[0].seed));
        }
        let seats: BTreeSet<u64> = (fixtures.iter())
            .flat_map(|fixture| [fixture.seat_seed(0), fixture.seat_seed(1)])
            .collect();
        assert_eq!(seats.len(), 4000);
    }
}
