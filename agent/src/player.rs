//! Players: whoever chooses a role's moves in a match.

use std::fmt;

use gdl_runtime::engine::{Engine, Move, Position, Role, State};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::agents::{Part, Place};
use crate::candidate::{Candidate, best};
use crate::clock::Budget;
use crate::edge::Standing;
use crate::mind::Mind;
use crate::search::Report;
pub use crate::search_player::{OtherNumbers, SearchPlayer};

/// What a player is asked to move on.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// Names moves and shows states.
    pub engine: &'a dyn Engine,
    /// Who has to move.
    pub role: Role,
    /// The state, not terminal.
    pub state: &'a State,
    /// Its legal moves.
    pub position: &'a Position,
    /// What the move may cost.
    pub budget: Budget,
}

impl Turn<'_> {
    /// The legal moves of the role that is asked.
    #[must_use]
    pub fn legal(&self) -> &[Move] {
        self.position
            .legal
            .get(self.role)
            .map_or(&[], Vec::as_slice)
    }
}

/// What a player thinks of one of its moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Opinion {
    /// The move.
    pub mv: Move,
    /// Simulations that began with it.
    pub visits: u32,
    /// What the player takes it to be worth: their average goal value, unless a part
    /// of its search knows better.
    pub value: f64,
    /// Whether that value is proven.
    pub proven: bool,
}

/// A move with the reasons for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Thought {
    /// The move.
    pub chosen: Move,
    /// The moves that were considered, most visited first; empty for players
    /// that do not search.
    pub opinions: Vec<Opinion>,
    /// What the search did; all zero where there was none.
    pub report: Report,
    /// What the cutoff of its playouts decided on, if there is one.
    pub cutoff: Option<String>,
    /// Whether that ends them early; none if there is no cutoff, or it has not
    /// made up its mind.
    pub cuts: Option<bool>,
}

impl Thought {
    /// A move without reasons.
    #[must_use]
    pub fn bare(chosen: Move) -> Self {
        Self {
            chosen,
            opinions: Vec::new(),
            report: Report::default(),
            cutoff: None,
            cuts: None,
        }
    }

    /// What minds that have searched would play together, of several legal moves.
    #[must_use]
    pub fn of<'a>(minds: impl Iterator<Item = &'a Mind> + Clone, turn: &Turn<'_>) -> Self {
        let legal = turn.legal();
        let mut candidates: Vec<Candidate> = Vec::new();
        for mind in minds.clone() {
            for (edge, worth) in mind.judge(turn.state, turn.role) {
                let known = candidates.iter_mut().find(|sum| sum.edge.mv == edge.mv);
                match known {
                    Some(sum) => sum.add(&edge, worth),
                    None => candidates.push(Candidate { edge, worth }),
                }
            }
        }
        // The engine's word on what is legal is final.
        candidates.retain(|candidate| legal.contains(&candidate.edge.mv));
        let cutoff = minds.clone().find_map(Mind::verdict);
        let cuts = minds.clone().find_map(Mind::cuts);
        let report = minds.map(Mind::report).reduce(Report::join);
        Self {
            chosen: best(&candidates).map_or(legal[0], |best| best.edge.mv),
            opinions: opinions(&candidates),
            report: report.unwrap_or_default(),
            cutoff,
            cuts,
        }
    }

    /// The opinion on the chosen move.
    #[must_use]
    pub fn opinion(&self) -> Option<&Opinion> {
        self.opinions
            .iter()
            .find(|opinion| opinion.mv == self.chosen)
    }
}

/// What a player answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// It moves.
    Play(Thought),
    /// It takes back its last choice.
    Undo,
    /// It leaves the match.
    Quit,
}

/// A role that has to move and cannot: the rules are at fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoMove {
    /// The role's name.
    pub role: String,
}

impl fmt::Display for NoMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} has no legal move in a state that is not terminal",
            self.role
        )
    }
}

impl std::error::Error for NoMove {}

/// Someone who plays a role.
pub trait Player: Send {
    /// What to call it.
    fn name(&self) -> String;

    /// Chooses a legal move. `watch` hears of a search now and then.
    ///
    /// # Errors
    /// If there is no legal move.
    fn choose(&mut self, turn: &Turn<'_>, watch: &mut dyn FnMut(&Report)) -> Result<Reply, NoMove>;
}

pub(crate) fn no_move(turn: &Turn<'_>) -> NoMove {
    NoMove {
        role: turn.engine.roles()[turn.role].clone(),
    }
}

/// The part that is a whole agent: [`RandomPlayer`].
pub const RANDOM: Part = Part {
    name: "random",
    place: Place::NoSearch,
    summary: "moves uniformly at random",
    source: "",
    parameters: &[],
    build: |_, _, _| {},
};

/// Moves uniformly at random.
#[derive(Debug)]
pub struct RandomPlayer(Xoshiro256PlusPlus);

impl RandomPlayer {
    /// The same seed gives the same choices.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }
}

impl Player for RandomPlayer {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn choose(
        &mut self,
        turn: &Turn<'_>,
        _watch: &mut dyn FnMut(&Report),
    ) -> Result<Reply, NoMove> {
        let legal = turn.legal();
        if legal.is_empty() {
            return Err(no_move(turn));
        }
        let chosen = legal[self.0.random_range(0..legal.len())];
        Ok(Reply::Play(Thought::bare(chosen)))
    }
}

fn opinions(candidates: &[Candidate]) -> Vec<Opinion> {
    let opinion = |candidate: &Candidate| Opinion {
        mv: candidate.edge.mv,
        visits: candidate.edge.visits,
        value: candidate.worth,
        proven: candidate.edge.standing != Standing::Open,
    };
    let mut opinions: Vec<Opinion> = candidates.iter().map(opinion).collect();
    opinions.sort_by_key(|opinion| std::cmp::Reverse(opinion.visits));
    opinions
}
