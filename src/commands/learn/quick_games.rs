//! Quick games of a network against uct, which show whether what it learned is of use.

use gdl_agent::agents::Agent;
use gdl_agent::learning::LearnedNetwork;
use gdl_agent::matches::{self, MatchStepper};
use gdl_agent::player::Player;
use gdl_agent::search::{SearchLimits, TimeControl};
use gdl_runtime::engine::{Engine, Move};
use gdl_runtime::stop_flag::StopFlag;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;
use std::cmp::Ordering;
use std::fmt;
use std::time::{Duration, Instant};

/// The number of games, played in pairs that begin with the same random moves.
const GAMES: u64 = 10;

/// Random moves at the beginning of a game.
const OPENING: usize = 2;

/// Time per move.
const PER_MOVE: Duration = Duration::from_millis(20);

/// Time after which no further pair of games begins.
const MOST_TIME: Duration = Duration::from_secs(30);

/// Moves after which a game counts as it stands.
const LONGEST_GAME: usize = 400;

/// Memory of a search.
const MEMORY: usize = 128 << 20;

/// Results of games against uct.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct QuickScore {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl QuickScore {
    fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    fn add(&mut self, result: Ordering) {
        match result {
            Ordering::Greater => self.wins += 1,
            Ordering::Equal => self.draws += 1,
            Ordering::Less => self.losses += 1,
        }
    }

    /// The share of games that were won, draws counting half, 0 to 1.
    pub(super) fn share(self) -> f64 {
        let points = f64::from(self.wins) + 0.5 * f64::from(self.draws);
        points / f64::from(self.games().max(1))
    }
}

impl fmt::Display for QuickScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>3.0} %", 100.0 * self.share())
    }
}

/// Quick games to be played.
pub(super) struct QuickGames<'a> {
    pub(super) engine: &'a mut dyn Engine,
    pub(super) learned: &'a LearnedNetwork,
    pub(super) stop: &'a StopFlag,
    pub(super) seed: u64,
}

impl QuickGames<'_> {
    /// Plays the games. `None` if there are none, because of an interruption.
    ///
    /// # Errors
    /// If the rules leave a role without a move.
    pub(super) fn play(mut self) -> anyhow::Result<Option<QuickScore>> {
        let champion: Agent = "champion(trials=0,mix=0)".parse()?;
        let begun = Instant::now();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut score = QuickScore::default();
        for _ in 0..GAMES / 2 {
            if begun.elapsed() >= MOST_TIME {
                break;
            }
            let opening = self.opening(&mut random);
            let [one, other] = [
                self.game(&champion, &opening, 0, random.random())?,
                self.game(&champion, &opening, 1, random.random())?,
            ];
            // Games in which a player was stopped do not count.
            if self.stop.is_raised() {
                break;
            }
            if self.engine.roles().len() == 1 {
                score.add(one[0].total_cmp(&other[1]));
            } else {
                for means in [one, other] {
                    score.add(means[0].total_cmp(&means[1]));
                }
            }
        }
        Ok((score.games() > 0).then_some(score))
    }

    /// A game after some random moves, or without them if they would end it.
    fn opening(&mut self, random: &mut Xoshiro256PlusPlus) -> MatchStepper {
        let begin = MatchStepper::begin(self.engine, LONGEST_GAME);
        let mut stepper = begin.clone();
        for _ in 0..OPENING {
            let legal = stepper.position().legal.iter();
            let joint: Vec<Move> = legal
                .filter(|moves| !moves.is_empty())
                .map(|moves| moves[random.random_range(0..moves.len())])
                .collect();
            if joint.len() < self.engine.roles().len() {
                return begin;
            }
            stepper.advance(self.engine, &joint);
            if stepper.position().terminal {
                return begin;
            }
        }
        stepper
    }

    /// Plays a game in which the network has every second role, from `first` on. Returns
    /// the mean goals of the network and of uct.
    fn game(
        &mut self,
        champion: &Agent,
        opening: &MatchStepper,
        first: usize,
        seed: u64,
    ) -> anyhow::Result<[f64; 2]> {
        let limits = SearchLimits {
            memory: MEMORY,
            ..SearchLimits::default()
        };
        let roles = self.engine.roles().len();
        let owner = |role: usize| (role + first) % 2;
        let player = |role: usize| -> Box<dyn Player> {
            let seed = seed.wrapping_add(role as u64);
            let engine = &*self.engine;
            let player = match owner(role) {
                0 => champion.player_knowing(self.learned.clone(), engine, limits, seed),
                _ => Agent::default().search_player(engine, limits, seed),
            };
            match player {
                Some(mut player) => {
                    player.set_stop_flag(self.stop.clone());
                    Box::new(player)
                }
                None => Agent::default().player(engine, limits, seed),
            }
        };
        let mut players: Vec<Box<dyn Player>> = (0..roles).map(player).collect();
        let time = TimeControl::Time(PER_MOVE);
        let (opening, engine) = (opening.clone(), &mut *self.engine);
        let played = matches::play_from(opening, engine, &mut players, time, &mut |_, _| {})?;
        let mut means = [0.0; 2];
        for (which, mean) in means.iter_mut().enumerate() {
            let goals = played.goals.iter().enumerate();
            let own = goals.filter(|(role, _)| owner(*role) == which);
            let own: Vec<f64> = own.map(|(_, &goal)| f64::from(goal)).collect();
            *mean = own.iter().sum::<f64>() / own.len().max(1) as f64;
        }
        Ok(means)
    }
}
