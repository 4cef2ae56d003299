//! Which agent plays which role in which game of a contest, and with which seeds.

use gdl_runtime::random::SplitMix;

/// One game to be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixture {
    /// Its zero-based index in the schedule.
    pub number: u64,
    /// The index of the agent that plays each role, in role order.
    pub agents: Vec<usize>,
    /// Seed of everything random; the games of a set have the same.
    pub seed: u64,
    /// The seed of the player of each role: far from those of all other roles, agents
    /// and seeds.
    pub player_seeds: Vec<u64>,
}

/// The games of a contest, in sets within which the agents rotate: every agent plays
/// every role once (two agents swap roles).
///
/// In game k of a set, role r is played by agent r + k modulo the number of agents;
/// if there are fewer agents than roles, they alternate. With three or more agents,
/// their order is reversed in every other set, so that no agent always moves after
/// the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// The number of roles of the game.
    pub roles: usize,
    /// The number of agents: in games of several roles at most one per role.
    pub agents: usize,
    /// Seed of the contest.
    pub seed: u64,
}

impl Schedule {
    /// The number of games in which every agent plays every role once.
    #[must_use]
    pub fn set_size(&self) -> u64 {
        self.agents as u64
    }

    /// The game with a zero-based index. The same seed gives the same games, however
    /// many of them are played.
    #[must_use]
    pub fn fixture(&self, number: u64) -> Fixture {
        let set = number / self.set_size();
        let rotation = (number % self.set_size()) as usize;
        let reversed = set % 2 == 1;
        let agent = |role: usize| {
            let index = role % self.agents;
            let index = if reversed { self.agents - index } else { index };
            (index + rotation) % self.agents
        };
        let agents: Vec<usize> = (0..self.roles).map(agent).collect();
        let seed = SplitMix::at(self.seed, set);
        let player_seed = |(role, &agent)| SplitMix::at(SplitMix::at(seed, agent as u64), role);
        Fixture {
            number,
            player_seeds: (0u64..).zip(&agents).map(player_seed).collect(),
            agents,
            seed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn agents_of(roles: usize, agents: usize, games: u64) -> Vec<Vec<usize>> {
        let schedule = Schedule {
            roles,
            agents,
            seed: 7,
        };
        (0..games)
            .map(|number| schedule.fixture(number).agents)
            .collect()
    }

    #[test]
    fn two_agents_swap() {
        assert_eq!(agents_of(2, 2, 4), [[0, 1], [1, 0], [0, 1], [1, 0]]);
    }

    #[test]
    fn alone_they_take_turns() {
        assert_eq!(agents_of(1, 2, 4), [[0], [1], [0], [1]]);
        assert_eq!(agents_of(1, 3, 3), [[0], [1], [2]]);
    }

    #[test]
    fn three_agents_play_in_every_order() {
        let orders: BTreeSet<Vec<usize>> = agents_of(3, 3, 6).into_iter().collect();
        assert_eq!(orders.len(), 6);
    }

    #[test]
    fn in_every_set_every_agent_plays_every_role_once() {
        for (roles, agents) in [(1, 2), (2, 2), (3, 2), (3, 3), (4, 2), (5, 3), (6, 6)] {
            let sets = agents_of(roles, agents, 4 * agents as u64);
            for set in sets.chunks(agents) {
                for role in 0..roles {
                    let playing: BTreeSet<usize> = set.iter().map(|agents| agents[role]).collect();
                    assert_eq!(playing, (0..agents).collect(), "{roles} roles: {set:?}");
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
        let seeds: BTreeSet<u64> = (fixtures.iter())
            .flat_map(|fixture| fixture.player_seeds.clone())
            .collect();
        assert_eq!(seeds.len(), 4000);
    }
}
