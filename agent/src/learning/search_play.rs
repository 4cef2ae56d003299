//! Games in which searches by the network choose the moves. What is learned are the values that
//! they find for the states of their trees, not the results of the games (TreeStrap: Veness and
//! others, "Bootstrapping from Game Tree Search", 2009).
//!
//! A search of a few hundred states looks a few moves further ahead than the network does. So its
//! values say more about a state than the result of one game, in which much was decided by chance
//! later on. They are also available for states off the course of the game, such as the searches
//! of a match will encounter.

use gdl_runtime::engine::{Lanes, Move, Pick, Role, State};
use gdl_runtime::features::FeatureSet;
use gdl_runtime::layout::Layout;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::choices::roulette;
use super::quantised::QuantisedNetwork;
use super::samples::Samples;
use super::self_play::{LONGEST_GAME, OPENING, SelfPlay, SelfPlayReport};
use crate::expander::{Expander, Positions};
use crate::puct::{EvaluatedSearch, GoalModel, PuctSettings};
use crate::search::SearchResult;

/// Descents of the search for a move.
const DESCENTS: u64 = 200;

/// States of a tree that were visited this often are learned from.
const FEWEST_VISITS: u32 = 8;

/// The size limit of a tree, in bytes. Trees of games that are learned from are no part of the memory
/// that the searches of a player share.
const MEMORY: usize = 16 << 20;

/// One in this many games is not learned from. The best moves are played in it, so that its result
/// tells how well results are foreseen.
const HELD_OUT: u32 = 16;

/// Where one role decides, one move in this number is drawn in proportion to visits raised to this
/// power. Where several decide, each draws every move in proportion to visits: that mixes moves as
/// the search does.
const DRAWN: u32 = 3;
const DRAWN_EXPONENT: f64 = 1.5;

/// What games are learned from, and what is held out.
pub(super) struct Lessons<'a> {
    pub(super) learned: &'a mut Samples,
    pub(super) held: &'a mut Samples,
}

/// A game in progress.
#[derive(Debug, Default)]
struct SearchedGame {
    /// The words of its state.
    state: Vec<u64>,
    plies: usize,
    is_held: bool,
    /// The words of the features of its states, if it is held out.
    features: Vec<u64>,
}

/// Games played by searches, one at a time.
pub(super) struct SearchPlay {
    search: EvaluatedSearch,
    /// `None` between games.
    game: Option<SearchedGame>,
    position: Positions,
    successor: Positions,
}

impl SearchPlay {
    /// For the game of this layout; searches run on these lanes.
    pub(super) fn new(lanes: Box<dyn Lanes>, words: usize, layout: &Layout) -> Self {
        let settings = PuctSettings {
            memory: MEMORY,
            ..PuctSettings::default()
        };
        Self {
            search: EvaluatedSearch::new(lanes, words, GoalModel::of(layout), settings),
            game: None,
            position: Positions::default(),
            successor: Positions::default(),
        }
    }

    /// Continues on another machine of the same game.
    pub(super) fn move_to(&mut self, lanes: &dyn Fn(u64) -> Box<dyn Lanes>) {
        self.search.move_to(lanes);
    }

    /// Searches by this network from now on.
    pub(super) fn set_network(&mut self, network: QuantisedNetwork, features: FeatureSet) {
        self.search.set_network(network, features);
    }

    /// Plays until `goes_on` says no, and adds the states of all trees to what is learned. Games
    /// begin as those of `openings` do; one that is unfinished in the end goes on with the next
    /// call.
    pub(super) fn play(
        &mut self,
        expander: &mut Expander,
        openings: &SelfPlay,
        lessons: &mut Lessons<'_>,
        random: &mut Xoshiro256PlusPlus,
        goes_on: &mut dyn FnMut(&SelfPlayReport) -> bool,
    ) -> SelfPlayReport {
        let mut report = SelfPlayReport::default();
        while goes_on(&report) {
            let mut game = self.game.take().unwrap_or_else(|| {
                let plies = random.random_range(0..OPENING);
                SearchedGame {
                    state: openings.random_state(expander, plies, random),
                    is_held: random.random_ratio(1, HELD_OUT),
                    ..SearchedGame::default()
                }
            });
            let mut is_over = false;
            while !is_over && goes_on(&report) {
                is_over = self.is_at_end(&game, expander);
                if !is_over {
                    is_over = self.play_move(&mut game, expander, random, &mut || goes_on(&report));
                    report.count_ply(self.position.decider(0, expander.roles()));
                }
            }
            if !game.is_held {
                self.add_tree(expander, lessons.learned);
            }
            self.search.forget();
            if !is_over {
                self.game = Some(game);
                continue;
            }
            report.games += 1;
            if self.successor.terminal[0] {
                game.hold_out(self.successor.goals(0), lessons.held);
            }
        }
        report
    }

    /// Examines the state of a game. Returns whether the game is over there because a role has no
    /// moves; the position then counts as what the last move led to.
    fn is_at_end(&mut self, game: &SearchedGame, expander: &mut Expander) -> bool {
        expander.examine(&game.state, &mut self.position);
        let is_over = self.position.terminal[0];
        if is_over {
            std::mem::swap(&mut self.position, &mut self.successor);
        }
        is_over
    }

    /// Searches from the state that was examined, and makes the moves of all roles. Returns whether
    /// the game is over.
    fn play_move(
        &mut self,
        game: &mut SearchedGame,
        expander: &mut Expander,
        random: &mut Xoshiro256PlusPlus,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> bool {
        if game.is_held {
            game.features.extend_from_slice(self.position.features(0));
        }
        let roles = expander.roles();
        let state = State(game.state.as_slice().into());
        if (0..roles).any(|role| self.position.moves(0, role).len() > 1) {
            self.search.set_root(&state);
            let most = self.search.counts().descents + DESCENTS;
            (self.search).run(&mut |counts| counts.descents < most && goes_on());
        }
        let exponent = match self.position.decider(0, roles) {
            Some(_) if game.is_held || !random.random_ratio(1, DRAWN) => None,
            Some(_) => Some(DRAWN_EXPONENT),
            None => Some(1.0),
        };
        let joint: Vec<Option<Pick>> = (0..roles)
            .map(|role| self.choose(&state, role, exponent, random))
            .collect();
        expander.advance(&game.state, &joint, false, &mut self.successor);
        expander.copy_state(self.successor.features(0), &mut game.state);
        game.plies += 1;
        self.successor.terminal[0] || game.plies > LONGEST_GAME
    }

    /// A role's move in the last state that was searched: the best one or, with an exponent, one
    /// drawn by its visits. `None` if it has none.
    fn choose(
        &self,
        state: &State,
        role: Role,
        exponent: Option<f64>,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<Pick> {
        let moves = self.position.moves(0, role);
        if moves.len() < 2 {
            return moves.first().copied();
        }
        let legal: Vec<Move> = moves.iter().map(|pick| pick.mv).collect();
        let SearchResult {
            chosen,
            evaluations,
            ..
        } = self.search.result(state, role, &legal);
        let chosen = match exponent {
            Some(exponent) if !evaluations.is_empty() => {
                let visits = evaluations.iter().map(|it| f64::from(it.visits));
                let weights: Vec<f64> = visits.map(|visits| visits.powf(exponent)).collect();
                evaluations[roulette(&weights, random)].mv
            }
            _ => chosen,
        };
        moves.iter().find(|pick| pick.mv == chosen).copied()
    }

    /// Adds the states of the tree that were visited often enough.
    fn add_tree(&mut self, expander: &mut Expander, samples: &mut Samples) {
        let (mut states, mut values) = (Vec::new(), Vec::new());
        self.search
            .for_each_visited(FEWEST_VISITS, &mut |state, of_roles| {
                states.extend_from_slice(state);
                values.extend_from_slice(of_roles);
            });
        expander.examine_features(&states, &mut self.position);
        for (index, values) in values.chunks_exact(expander.roles()).enumerate() {
            let features = self.position.features(index);
            samples.push_values(features, values);
        }
    }
}

impl SearchedGame {
    /// Adds its states to what is held out, if it is, now that it has ended with these goals.
    fn hold_out(&self, goals: &[i32], held: &mut Samples) {
        let targets: Vec<f32> = goals.iter().map(|&goal| goal as f32 / 100.0).collect();
        for features in self.features.chunks_exact(held.words()) {
            held.push_values(features, &targets);
        }
    }
}
