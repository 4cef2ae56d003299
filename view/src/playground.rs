//! What random games of a rule sheet are like, for people who are writing one.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use gdl_runtime::engine::{Engine, Move};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;

/// How long random games are played.
const TIME: Duration = Duration::from_millis(500);

/// The maximum number of random games.
const MOST_GAMES: u64 = 2000;

/// The maximum number of rounds of a random game.
const MOST_ROUNDS: u64 = 5000;

/// The maximum number of moves that are listed as never legal.
const MOST_LISTED: usize = 200;

/// What random games were like.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RandomGames {
    /// The number of games that ended.
    pub games: u64,
    /// The number of games that were given up, since they did not end or a role had no
    /// legal move.
    pub unfinished: u64,
    /// The number of games of each length in rounds.
    pub lengths: BTreeMap<u64, u64>,
    /// For every role, the number of games that ended with each goal value; games in which it
    /// had none are not counted.
    pub goals: Vec<BTreeMap<i32, u64>>,
    /// The moves that were never legal, by role, if the engine knows all moves.
    pub never_legal: Vec<String>,
    /// The number of moves that were never legal.
    pub never_legal_count: usize,
}

/// Plays random games for half a second.
pub(crate) fn measure(engine: &mut dyn Engine, seed: u64) -> RandomGames {
    let deadline = Instant::now() + TIME;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let roles = engine.roles().len();
    let mut seen: Vec<Vec<bool>> = engine.layout().map_or_else(Vec::new, |layout| {
        layout
            .moves
            .iter()
            .map(|moves| vec![false; moves.len()])
            .collect()
    });
    let mut result = RandomGames {
        games: 0,
        unfinished: 0,
        lengths: BTreeMap::new(),
        goals: vec![BTreeMap::new(); roles],
        never_legal: Vec::new(),
        never_legal_count: 0,
    };
    while result.games + result.unfinished < MOST_GAMES
        && (Instant::now() < deadline || result.games + result.unfinished == 0)
    {
        result.play(engine, &mut random, &mut seen, deadline);
    }
    result.list_never_legal(engine, &seen);
    result
}

impl RandomGames {
    fn play(
        &mut self,
        engine: &mut dyn Engine,
        random: &mut Xoshiro256PlusPlus,
        seen: &mut [Vec<bool>],
        deadline: Instant,
    ) {
        let mut state = engine.initial();
        for round in 0..MOST_ROUNDS {
            let position = engine.examine(&state);
            if position.terminal {
                self.games += 1;
                *self.lengths.entry(round).or_default() += 1;
                for (counts, goals) in self.goals.iter_mut().zip(&position.goals) {
                    if let Some(&goal) = goals.last() {
                        *counts.entry(goal).or_default() += 1;
                    }
                }
                return;
            }
            for (seen, legal) in seen.iter_mut().zip(&position.legal) {
                legal.iter().for_each(|mv| seen[mv.0 as usize] = true);
            }
            let mut pick = |legal: &Vec<Move>| {
                (!legal.is_empty()).then(|| legal[random.random_range(0..legal.len())])
            };
            let joint: Option<Vec<Move>> = position.legal.iter().map(&mut pick).collect();
            // A game that is in progress when time is up may go on for as long again.
            let late = Instant::now() > deadline + TIME;
            match joint {
                Some(joint) if !late => state = engine.next(&state, &joint),
                _ => break,
            }
        }
        self.unfinished += 1;
    }

    fn list_never_legal(&mut self, engine: &dyn Engine, seen: &[Vec<bool>]) {
        for (role, seen) in seen.iter().enumerate() {
            let never = seen.iter().enumerate().filter(|(_, seen)| !**seen);
            for (number, _) in never {
                self.never_legal_count += 1;
                if self.never_legal.len() < MOST_LISTED {
                    let mv = engine.move_name(role, Move(number as u32));
                    self.never_legal
                        .push(format!("{}: {mv}", engine.roles()[role]));
                }
            }
        }
    }
}
