//! Games of several contests as one list, so that they can be played together.

use crate::game_record::GameRecord;
use crate::schedule::Fixture;
use gdl_network::host::PlayerSpec;

/// The games that several contests lack, as one list of fixtures.
#[derive(Default)]
pub(crate) struct PendingGames {
    /// The agents of all contests.
    pub(crate) agents: Vec<PlayerSpec>,
    /// The games as far as they have come; their fixtures are numbered by this list,
    /// and name agents by their indices in the list of all agents.
    pub(crate) games: Vec<GameRecord>,
    /// Where each game comes from, in the same order.
    pub(crate) origins: Vec<GameOrigin>,
    contests: usize,
}

/// A game's place in its contest.
pub(crate) struct GameOrigin {
    /// The index of the contest.
    pub(crate) contest: usize,
    /// The game as the contest schedules it.
    pub(crate) fixture: Fixture,
}

impl PendingGames {
    /// Adds games of the next contest, which knows them by its own schedule and agents.
    pub(crate) fn add(&mut self, agents: &[PlayerSpec], games: impl Iterator<Item = GameRecord>) {
        for mut record in games {
            let fixture = record.fixture.clone();
            record.fixture.number = self.games.len() as u64;
            let playing = record.fixture.agents.iter_mut();
            playing.for_each(|agent| *agent += self.agents.len());
            self.games.push(record);
            self.origins.push(GameOrigin {
                contest: self.contests,
                fixture,
            });
        }
        self.agents.extend_from_slice(agents);
        self.contests += 1;
    }
}

impl GameOrigin {
    /// The origin of a game of the list, which gets the fixture that its contest knows.
    pub(crate) fn restore<'o>(origins: &'o [Self], record: &mut GameRecord) -> &'o Self {
        let origin = &origins[record.fixture.number as usize];
        record.fixture = origin.fixture.clone();
        origin
    }
}
