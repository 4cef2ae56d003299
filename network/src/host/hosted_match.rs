//! A match, from the first message to the last.

use super::ask_all::{PlayerReply, ask_all};
use super::hosted_player::{HostedPlayer, MatchSetup, MoveRequest, PlayerAnswer};
use super::interrupt::Interrupt;
use crate::protocol::MatchRecord;
use gdl_agent::clock::Allowance;
use gdl_agent::matches::PlayerReport;
use gdl_agent::matches::{self, Ending, MatchError, MatchEvent, Round, highest_goals};
use gdl_agent::player::{NoMove, Thought};
use gdl_runtime::engine::{Engine, Move, Position, Role, State};
use gdl_runtime::kif::one_line;
use gdl_runtime::moves::find_move;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How much later than the play clock a move may arrive.
const GRACE: Duration = Duration::from_secs(1);

/// How long players may take to hear that a match is complete up.
const ABORT_TIMEOUT: Duration = Duration::from_secs(1);

/// How much of an illegal answer is kept, in characters.
const QUOTED: usize = 200;

/// A match to be hosted.
pub struct HostedMatch {
    /// What all players hear.
    pub setup: Arc<MatchSetup>,
    /// A player a role, in order.
    pub players: Vec<Arc<dyn HostedPlayer>>,
    /// What is kept of it: at first begun, with the initial state only.
    pub record: MatchRecord,
    /// Rounds after which it is complete up.
    pub rounds: usize,
    /// Seed of the moves in assignment of those that are missing.
    pub seed: u64,
    /// Ends it early.
    pub interrupt: Interrupt,
}

/// What came of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchOutcome {
    /// What was played; its ending is [`Ending::Quit`] if it was interrupted.
    pub played: matches::PlayedMatch,
    /// What the player at every role did. A move that came too late, or not at
    /// all, is an overrun.
    pub reports: Vec<PlayerReport>,
}

/// Hears of all that happens, with the record up to then: at [`MatchEvent::Reached`] it
/// has everything that led to that state.
pub type Watch<'a> = &'a mut dyn FnMut(&dyn Engine, &MatchEvent<'_>, &MatchRecord);

impl HostedMatch {
    /// Plays the match to its end, which the record then has, errors or not.
    ///
    /// # Errors
    /// If the rules leave a role without a move.
    pub fn play(&mut self, watch: Watch<'_>) -> Result<MatchOutcome, MatchError> {
        let mut game = RunningMatch {
            engine: Box::new(self.setup.engine.clone()),
            rng: Xoshiro256PlusPlus::seed_from_u64(self.seed),
            reports: vec![PlayerReport::default(); self.players.len()],
            rounds: Vec::new(),
            hosted: self,
        };
        let mut state = game.engine.initial();
        let ending = match game.begin() {
            true => game.go_on(&mut state, watch)?,
            false => Ending::Quit,
        };
        Ok(game.end(state, ending))
    }
}

/// A match under way.
struct RunningMatch<'a> {
    hosted: &'a mut HostedMatch,
    engine: Box<dyn Engine>,
    rng: Xoshiro256PlusPlus,
    reports: Vec<PlayerReport>,
    rounds: Vec<Round>,
}

impl RunningMatch<'_> {
    /// Tells all players of the match; false if it is interrupted.
    fn begin(&mut self) -> bool {
        let clocks = self.hosted.setup.clocks;
        if let Some(seconds) = clocks.preview {
            let deadline = Instant::now() + Duration::from_secs(seconds);
            let asked = self.ask(deadline, move |player, setup| {
                player.preview(setup, deadline)
            });
            if asked.is_none() {
                return false;
            }
        }
        let deadline = Instant::now() + clocks.start();
        let asked = self.ask(deadline, move |player, setup| player.start(setup, deadline));
        let Some(replies) = asked else {
            return false;
        };
        let replies = replies.into_iter().enumerate();
        let errors = replies.map(|(role, reply)| match reply.answer {
            Ok(answer) if answer.eq_ignore_ascii_case("busy") => illegal(&answer),
            Ok(_) => String::new(),
            Err(fault) => self.fault(role, &fault),
        });
        let errors = errors.collect();
        self.hosted.record.set_errors(errors);
        true
    }

    /// Plays from the initial state on; `state` becomes the last one.
    fn go_on(&mut self, state: &mut State, watch: Watch<'_>) -> Result<Ending, MatchError> {
        loop {
            let position = self.engine.examine(state);
            if position.terminal {
                self.hosted.record.complete(&highest_goals(&position));
            }
            let reached = MatchEvent::Reached(state, &position, self.rounds.len());
            watch(&*self.engine, &reached, &self.hosted.record);
            if position.terminal {
                return Ok(Ending::Terminal);
            }
            if self.rounds.len() >= self.hosted.rounds {
                return Ok(Ending::TooLong);
            }
            if let Some(role) = position.legal.iter().position(Vec::is_empty) {
                self.abort();
                let role = self.engine.roles()[role].clone();
                return Err(MatchError::NoMove(NoMove { role }));
            }
            let Some((thoughts, errors)) = self.round(state, &position) else {
                return Ok(Ending::Quit);
            };
            *state = self.advance(state, position, thoughts, errors, watch);
        }
    }

    /// Asks for a move of every role: what they play, and what was wrong with it.
    fn round(&mut self, state: &State, position: &Position) -> Option<(Vec<Thought>, Vec<String>)> {
        let clock = Instant::now() + self.hosted.setup.clocks.play();
        let deadline = clock + GRACE;
        let turn = MoveRequest {
            moves: self.hosted.record.moves.last().cloned(),
            state: state.clone(),
            position: position.clone(),
            clock,
        };
        let replies = self.ask(deadline, move |player, setup| {
            player.play(setup, &turn, deadline)
        })?;
        let replies = replies.into_iter().zip(&position.legal).enumerate();
        let accepted = replies.map(|(role, (reply, legal))| self.accept(role, reply, legal));
        Some(accepted.unzip())
    }

    /// The move that counts, and what was wrong with the one that was made.
    fn accept(
        &mut self,
        role: Role,
        reply: PlayerReply<PlayerAnswer>,
        legal: &[Move],
    ) -> (Thought, String) {
        let play = self.hosted.setup.clocks.play();
        let report = &mut self.reports[role];
        report.longest_overrun = report.longest_overrun.max(reply.taken.saturating_sub(play));
        let error = match reply.answer {
            Ok(answer) => {
                if let Some(mv) = find_move(&*self.engine, role, legal, &plain(&answer.text)) {
                    let thought = answer.thought.unwrap_or_else(|| Thought::bare(mv));
                    // The host itself says what is late.
                    report.add(&thought, Duration::ZERO, Allowance::Time(play));
                    return (thought, String::new());
                }
                report.illegal += 1;
                illegal(&answer.text)
            }
            Err(fault) => {
                report.overruns += 1;
                self.fault(role, &fault)
            }
        };
        let drawn = legal[self.rng.random_range(0..legal.len())];
        (Thought::bare(drawn), error)
    }

    /// Notes a fault, and gives its name in records.
    fn fault(&self, role: Role, fault: &super::PlayerFault) -> String {
        let (name, player) = (
            &self.engine.roles()[role],
            &self.hosted.record.player_names_from_host[role],
        );
        tracing::warn!("{name} ({player}): {fault}");
        fault.code().to_owned()
    }

    /// Makes a joint move.
    fn advance(
        &mut self,
        state: &State,
        position: Position,
        thoughts: Vec<Thought>,
        errors: Vec<String>,
        watch: Watch<'_>,
    ) -> State {
        let joint: Vec<Move> = thoughts.iter().map(|thought| thought.chosen).collect();
        let next = self.engine.next(state, &joint);
        let round = Round {
            state: state.clone(),
            position,
            thoughts,
        };
        watch(
            &*self.engine,
            &MatchEvent::Moved(&round),
            &self.hosted.record,
        );
        let names = joint.iter().enumerate();
        let names = names.map(|(role, &mv)| self.engine.move_name(role, mv));
        let record = &mut self.hosted.record;
        record.advance(names.collect(), &self.engine.facts(&next));
        record.set_errors(errors);
        self.rounds.push(round);
        next
    }

    /// Tells all players that the match is over.
    fn end(mut self, last: State, ending: Ending) -> MatchOutcome {
        if ending == Ending::Terminal {
            let moves = self.hosted.record.moves.last().cloned();
            let deadline = Instant::now() + self.hosted.setup.clocks.play();
            self.ask(deadline, move |player, setup| {
                player.stop(setup, moves.as_deref(), deadline)
            });
        } else {
            self.abort();
        }
        MatchOutcome {
            played: matches::PlayedMatch {
                goals: highest_goals(&self.engine.examine(&last)),
                rounds: self.rounds,
                last,
                ending,
            },
            reports: self.reports,
        }
    }

    fn abort(&mut self) {
        self.hosted.record.abort();
        // An interruption does not keep players from hearing of it.
        self.hosted.interrupt = Interrupt::default();
        let deadline = Instant::now() + ABORT_TIMEOUT;
        self.ask(deadline, move |player, setup| player.abort(setup, deadline));
    }

    fn ask<T: Send + 'static>(
        &self,
        deadline: Instant,
        ask: impl Fn(&dyn HostedPlayer, &MatchSetup) -> Result<T, super::PlayerFault>
        + Send
        + Sync
        + 'static,
    ) -> Option<Vec<PlayerReply<T>>> {
        let HostedMatch {
            players,
            setup,
            interrupt,
            ..
        } = &*self.hosted;
        ask_all(players, setup, deadline, interrupt, ask)
    }
}

/// The move that an answer means, in one line: comments say nothing, nor do
/// parentheses around a single word.
fn plain(answer: &str) -> String {
    let line = one_line(answer);
    let inside = line
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    match inside {
        Some(word) if !word.contains([' ', '(', ')']) => word.to_owned(),
        _ => line,
    }
}

/// What records say of an illegal answer, in one line and shortened.
fn illegal(answer: &str) -> String {
    let line = one_line(answer).replace(char::is_control, " ");
    let quoted: String = line.chars().take(QUOTED).collect();
    format!("IL {quoted}")
}
