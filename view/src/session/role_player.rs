//! The player of a role of the match at a page.

use std::time::{Duration, Instant};

use gdl_agent::player::random::RandomPlayer;
use gdl_agent::player::search_player::SearchPlayer;
use gdl_agent::player::{Player as _, Reply, Turn};
use gdl_agent::search::{SearchBudget, SearchLimits, SearchReport};
use gdl_agent::shared_engine::SharedEngine;
use gdl_runtime::engine::{Move, Role, State};
use gdl_runtime::moves::find_move;
use gdl_runtime::stop_flag::StopFlag;

use super::network_player::{NetworkAnswer, NetworkPlayer};
use super::preparation::Preparation;
use super::request_error::RequestError;
use super::searcher::searcher;
use crate::limits::MatchClocks;
use crate::messages::RolePlayerSpec;

/// The player of a role.
pub(super) enum RolePlayer {
    /// The person at the page.
    Person,
    /// An agent that searches.
    Searcher(Box<SearchPlayer>),
    /// Uniformly random legal moves.
    Random(RandomPlayer),
    /// A player on the network.
    Network(NetworkPlayer),
}

/// What players are made for.
pub(super) struct MatchContext<'a> {
    pub(super) engine: &'a SharedEngine,
    /// The rule sheet.
    pub(super) rules: &'a str,
    pub(super) roles: &'a [String],
    pub(super) clocks: MatchClocks,
    pub(super) limits: SearchLimits,
    /// Ends searches.
    pub(super) stop: &'a StopFlag,
}

/// A move that was chosen.
pub(super) struct ChosenMove {
    pub(super) mv: Move,
    /// What the role expects, 0 to 100, if it searched.
    pub(super) value: Option<f64>,
    /// Why the move is not the player's own.
    pub(super) note: Option<String>,
}

impl RolePlayer {
    /// The player that a page asks for.
    pub(super) fn new(
        spec: &RolePlayerSpec,
        role: Role,
        context: &MatchContext<'_>,
    ) -> Result<Self, RequestError> {
        let (engine, seed) = (context.engine, role as u64);
        Ok(match spec {
            RolePlayerSpec::Person => Self::Person,
            RolePlayerSpec::Agent { agent } => {
                match searcher(agent, engine, seed, context.limits, context.stop)? {
                    Some(player) => Self::Searcher(Box::new(player)),
                    None => Self::Random(RandomPlayer::new(rand::random())),
                }
            }
            RolePlayerSpec::Network { address } => {
                let rules = context.rules;
                let role = &context.roles[role];
                let (engine, clocks) = (engine.clone(), context.clocks);
                Self::Network(NetworkPlayer::new(
                    address.parse()?,
                    role,
                    rules,
                    engine,
                    clocks,
                ))
            }
        })
    }

    /// Begins a match for a player that has to be told.
    pub(super) fn start(&mut self) {
        if let Self::Network(player) = self {
            player.start();
        }
    }

    /// Prepares for a match in which it plays a role, for this long at most.
    pub(super) fn prepare(
        &mut self,
        state: &State,
        role: Role,
        time: Duration,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> Preparation {
        match self {
            Self::Searcher(player) if !time.is_zero() => {
                player.prepare(state, role, SearchBudget::within(time), watch);
                Preparation::Searched
            }
            Self::Network(player) => player.prepare(),
            Self::Searcher(_) | Self::Person | Self::Random(_) => Preparation::Ready,
        }
    }

    /// Continues choosing a move, within the turn's budget; `None` if it has not finished and
    /// there is time left until the deadline. `led_by` are the moves of the last round.
    pub(super) fn choose(
        &mut self,
        turn: &Turn<'_>,
        led_by: &[String],
        deadline: Instant,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> Option<ChosenMove> {
        match self {
            Self::Searcher(player) => search(player, turn, deadline, watch),
            Self::Network(player) => ask(player, turn, led_by),
            Self::Random(player) => match player.choose(turn, watch) {
                Ok(Reply::Play(result)) => Some(ChosenMove::plain(result.chosen)),
                _ => None,
            },
            // Asked only where there is a single move.
            Self::Person => turn.legal().first().copied().map(ChosenMove::plain),
        }
    }

    /// Ends the match for a player that has to be told; `moves` are those of the last round
    /// if the game is over.
    pub(super) fn end(&mut self, moves: Option<&[String]>) {
        if let Self::Network(player) = self {
            player.end(moves.map(<[String]>::to_vec));
        }
    }
}

fn search(
    player: &mut SearchPlayer,
    turn: &Turn<'_>,
    deadline: Instant,
    watch: &mut dyn FnMut(&SearchReport),
) -> Option<ChosenMove> {
    if turn.legal().len() > 1 {
        let report = player.ponder(turn.state, turn.role, turn.budget, watch);
        watch(&report);
        if Instant::now() < deadline && !player.is_exhausted() {
            return None;
        }
    }
    let result = player.result(turn).ok()?;
    let value = result.evaluation().map(|evaluation| evaluation.value);
    Some(ChosenMove {
        value,
        ..ChosenMove::plain(result.chosen)
    })
}

fn ask(player: &mut NetworkPlayer, turn: &Turn<'_>, led_by: &[String]) -> Option<ChosenMove> {
    let role = &turn.engine.roles()[turn.role];
    match player.ask(turn.state, turn.position, led_by) {
        NetworkAnswer::Waiting => None,
        NetworkAnswer::Text(text) => {
            let mv = find_move(turn.engine, turn.role, turn.legal(), &text);
            let illegal = || format!("{role} answered {text:.60}, which is not legal.");
            Some(mv.map_or_else(|| instead(turn, &illegal()), ChosenMove::plain))
        }
        NetworkAnswer::Fault(fault) => Some(instead(turn, &format!("{role}: {fault}."))),
    }
}

/// A random move, since the player has none of its own.
fn instead(turn: &Turn<'_>, why: &str) -> ChosenMove {
    let legal = turn.legal();
    let index = rand::random_range(0..legal.len().max(1));
    ChosenMove {
        note: Some(format!("{why} A random move was made instead.")),
        ..ChosenMove::plain(legal.get(index).copied().unwrap_or(Move(0)))
    }
}

impl ChosenMove {
    fn plain(mv: Move) -> Self {
        Self {
            mv,
            value: None,
            note: None,
        }
    }
}
