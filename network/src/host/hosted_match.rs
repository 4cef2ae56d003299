//! Hosts a match, from the first message to the last.

use super::ask_all::{PlayerReply, ask_all};
use super::hosted_player::{HostedPlayer, MatchSetup, MoveRequest, PlayerAnswer, PlayerFault};
use crate::protocol::MatchRecord;
use gdl_agent::matches::{
    Ending, MatchError, MatchEvent, MatchStepper, PlayedMatch, PlayerReport, Round,
};
use gdl_agent::search::{SearchResult, TimeControl};
use gdl_agent::shared_engine::SharedEngine;
use gdl_runtime::engine::{Engine, Move, Role};
use gdl_runtime::kif::one_line;
use gdl_runtime::moves::{find_move, joint_move_names};
use gdl_runtime::stop_flag::StopFlag;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How much later than the play clock a move may arrive.
const GRACE: Duration = Duration::from_secs(1);

/// How long players may take to acknowledge that a match is aborted.
const ABORT_TIMEOUT: Duration = Duration::from_secs(1);

/// How much of an illegal answer is recorded, in characters.
const QUOTED: usize = 200;

/// A match to be hosted.
pub struct HostedMatch {
    /// What all players are told.
    pub setup: Arc<MatchSetup>,
    /// One player per role, in role order.
    pub players: Vec<Arc<dyn HostedPlayer>>,
    /// The record of the match, which has only the initial state at first.
    pub record: MatchRecord,
    /// The number of rounds after which the match is aborted.
    pub rounds: usize,
    /// The seed of the random moves that replace missing and illegal ones.
    pub seed: u64,
    /// Aborts the match when raised.
    pub stop: StopFlag,
}

/// The outcome of a hosted match.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchOutcome {
    /// What was played; its ending is [`Ending::Quit`] if the match was stopped.
    pub played: PlayedMatch,
    /// One report per role. A move that was late or missing counts as an overrun.
    pub reports: Vec<PlayerReport>,
}

/// Called for every event of a match, together with the record so far: at
/// [`MatchEvent::Reached`] it contains everything that led to that state.
pub type Watch<'a> = &'a mut dyn FnMut(&dyn Engine, &MatchEvent<'_>, &MatchRecord);

impl HostedMatch {
    /// Plays the match to its end. The record is complete afterwards, even on errors.
    ///
    /// # Errors
    /// If the rules leave a role without a legal move.
    pub fn play(&mut self, watch: Watch<'_>) -> Result<MatchOutcome, MatchError> {
        let mut engine = self.setup.engine.clone();
        let mut running = RunningMatch {
            stepper: MatchStepper::begin(&mut engine, self.rounds),
            engine,
            rng: Xoshiro256PlusPlus::seed_from_u64(self.seed),
            reports: vec![PlayerReport::default(); self.players.len()],
            rounds: Vec::new(),
            hosted: self,
        };
        let ending = match running.begin() {
            true => running.play(watch)?,
            false => Ending::Quit,
        };
        Ok(running.end(ending))
    }
}

/// A match in progress.
struct RunningMatch<'a> {
    hosted: &'a mut HostedMatch,
    engine: SharedEngine,
    stepper: MatchStepper,
    rng: Xoshiro256PlusPlus,
    reports: Vec<PlayerReport>,
    rounds: Vec<Round>,
}

impl RunningMatch<'_> {
    /// Sends PREVIEW and START to all players; returns whether the match goes on.
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
            Err(fault) => self.log_fault(role, &fault),
        });
        let errors = errors.collect();
        self.hosted.record.set_errors(errors);
        true
    }

    /// Plays rounds until the match ends.
    fn play(&mut self, watch: Watch<'_>) -> Result<Ending, MatchError> {
        loop {
            let position = self.stepper.position();
            if position.terminal {
                self.hosted.record.complete(&self.stepper.goals());
            }
            let reached =
                MatchEvent::Reached(self.stepper.state(), position, self.stepper.rounds());
            watch(&self.engine, &reached, &self.hosted.record);
            match self.stepper.ending(&self.engine) {
                Ok(None) => {}
                Ok(Some(ending)) => return Ok(ending),
                Err(error) => {
                    self.abort();
                    return Err(error.into());
                }
            }
            let Some((results, errors)) = self.request_moves() else {
                return Ok(Ending::Quit);
            };
            self.advance(results, errors, watch);
        }
    }

    /// Requests a move for every role. Returns the moves that count, and one error per
    /// role, empty where there was none; `None` if the match is stopped.
    fn request_moves(&mut self) -> Option<(Vec<SearchResult>, Vec<String>)> {
        let clock = Instant::now() + self.hosted.setup.clocks.play();
        let deadline = clock + GRACE;
        let request = MoveRequest {
            moves: self.hosted.record.moves.last().cloned(),
            state: self.stepper.state().clone(),
            position: self.stepper.position().clone(),
            clock,
        };
        let replies = self.ask(deadline, move |player, setup| {
            player.play(setup, &request, deadline)
        })?;
        let replies = replies.into_iter().enumerate();
        let accepted = replies.map(|(role, reply)| self.accept(role, reply));
        Some(accepted.unzip())
    }

    /// The move that counts for a role, and the error of its reply.
    fn accept(&mut self, role: Role, reply: PlayerReply<PlayerAnswer>) -> (SearchResult, String) {
        let legal = &self.stepper.position().legal[role];
        let play = self.hosted.setup.clocks.play();
        let report = &mut self.reports[role];
        report.longest_overrun = report.longest_overrun.max(reply.taken.saturating_sub(play));
        let error = match reply.answer {
            Ok(answer) => {
                if let Some(mv) = find_move(&self.engine, role, legal, &move_name(&answer.text)) {
                    let result = answer
                        .result
                        .unwrap_or_else(|| SearchResult::without_search(mv));
                    // Zero, because overruns are counted here.
                    report.add(&result, Duration::ZERO, TimeControl::Time(play));
                    return (result, String::new());
                }
                report.illegal += 1;
                illegal(&answer.text)
            }
            Err(fault) => {
                report.overruns += 1;
                self.log_fault(role, &fault)
            }
        };
        let drawn = legal[self.rng.random_range(0..legal.len())];
        (SearchResult::without_search(drawn), error)
    }

    /// Logs a fault, and returns its code in records.
    fn log_fault(&self, role: Role, fault: &PlayerFault) -> String {
        let (name, player) = (
            &self.engine.roles()[role],
            &self.hosted.record.player_names_from_host[role],
        );
        tracing::warn!("{name} ({player}): {fault}");
        fault.code().to_owned()
    }

    /// Makes a joint move.
    fn advance(&mut self, results: Vec<SearchResult>, errors: Vec<String>, watch: Watch<'_>) {
        let joint: Vec<Move> = results.iter().map(|result| result.chosen).collect();
        let names = joint_move_names(&self.engine, &joint);
        let (state, position) = self.stepper.advance(&mut self.engine, &joint);
        let round = Round {
            state,
            position,
            results,
        };
        watch(
            &self.engine,
            &MatchEvent::Moved(&round),
            &self.hosted.record,
        );
        let record = &mut self.hosted.record;
        record.advance(names, &self.engine.facts(self.stepper.state()));
        record.set_errors(errors);
        self.rounds.push(round);
    }

    /// Tells all players that the match is over.
    fn end(mut self, ending: Ending) -> MatchOutcome {
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
            played: PlayedMatch {
                goals: self.stepper.goals(),
                rounds: self.rounds,
                last: self.stepper.into_state(),
                ending,
            },
            reports: self.reports,
        }
    }

    /// Sends ABORT to all players, even if the match has been stopped.
    fn abort(&mut self) {
        self.hosted.record.abort();
        let HostedMatch { players, setup, .. } = &*self.hosted;
        let deadline = Instant::now() + ABORT_TIMEOUT;
        let abort =
            move |player: &dyn HostedPlayer, setup: &MatchSetup| player.abort(setup, deadline);
        ask_all(players, setup, deadline, &StopFlag::default(), abort);
    }

    /// Asks all players at once; `None` if the match is stopped meanwhile.
    fn ask<T: Send + 'static>(
        &self,
        deadline: Instant,
        ask: impl Fn(&dyn HostedPlayer, &MatchSetup) -> Result<T, PlayerFault> + Send + Sync + 'static,
    ) -> Option<Vec<PlayerReply<T>>> {
        let HostedMatch {
            players,
            setup,
            stop,
            ..
        } = &*self.hosted;
        ask_all(players, setup, deadline, stop, ask)
    }
}

/// The name of the move in an answer, on one line. Comments are ignored, and so are
/// parentheses around a single word.
fn move_name(answer: &str) -> String {
    let line = one_line(answer);
    let inside = line
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    match inside {
        Some(word) if !word.contains([' ', '(', ')']) => word.to_owned(),
        _ => line,
    }
}

/// The error in records for an illegal answer, which is quoted on one line and
/// shortened.
fn illegal(answer: &str) -> String {
    let line = one_line(answer).replace(char::is_control, " ");
    let quoted: String = line.chars().take(QUOTED).collect();
    format!("IL {quoted}")
}
