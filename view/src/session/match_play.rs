//! A match at a page: who plays, who is to move, and the searches of the agents.

use std::time::{Duration, Instant};

use gdl_agent::player::Turn;
use gdl_agent::search::{SearchBudget, SearchReport};
use gdl_runtime::engine::{Engine, Move, Position, Role};
use gdl_runtime::stop_flag::StopFlag;

use super::event_sink::EventSink;
use super::match_history::MatchHistory;
use super::preparation::Preparation;
use super::request_error::RequestError;
use super::role_player::{ChosenMove, MatchContext, RolePlayer};
use crate::limits::MatchClocks;
use crate::messages::{PageEvent, RolePlayerSpec, ThinkingEvent};

/// How long a search runs before the session attends to other things.
const SLICE: Duration = Duration::from_millis(100);

/// The players of a match and what they are about to do.
pub(super) struct MatchPlay {
    players: Vec<RolePlayer>,
    names: Vec<String>,
    clocks: MatchClocks,
    /// Whether a record is being viewed, and nobody has played on from it yet.
    only_viewed: bool,
    /// Whether players have been told that the match begins.
    started: bool,
    /// The roles whose players have prepared.
    prepared: usize,
    /// How long the next of them has left to prepare, if it was interrupted.
    left_to_prepare: Option<Duration>,
    paused: bool,
    /// The moves of this round that are chosen.
    chosen: Vec<Option<Move>>,
    /// The current search for a move.
    search: Option<SearchProgress>,
    /// What went wrong last, and the number of rounds before that.
    note: Option<(usize, String)>,
    /// Raised when a request interrupts a search.
    stop: StopFlag,
}

/// A search for a move, slice by slice.
#[derive(Clone, Copy)]
struct SearchProgress {
    /// When it ends.
    deadline: Instant,
    /// Its simulations so far.
    simulations: u64,
}

impl MatchPlay {
    /// People play all roles.
    pub(super) fn by_persons(roles: usize) -> Self {
        Self {
            players: (0..roles).map(|_| RolePlayer::Person).collect(),
            names: vec![RolePlayerSpec::Person.describe(); roles],
            clocks: MatchClocks::default(),
            only_viewed: false,
            started: false,
            prepared: roles,
            left_to_prepare: None,
            paused: false,
            chosen: vec![None; roles],
            search: None,
            note: None,
            stop: StopFlag::default(),
        }
    }

    /// A recorded match, from which people can play on. `names` are those of its players.
    pub(super) fn of_record(roles: usize, names: Vec<String>) -> Self {
        let mut play = Self::by_persons(roles);
        play.only_viewed = true;
        if names.len() == roles {
            play.names = names;
        }
        play
    }

    /// A match of these players.
    pub(super) fn new(
        specs: &[RolePlayerSpec],
        context: &MatchContext<'_>,
    ) -> Result<Self, RequestError> {
        let roles = context.roles.len();
        if specs.len() != roles {
            return Err(RequestError::Refused("there has to be one player per role"));
        }
        let mut play = Self::by_persons(roles);
        for (role, spec) in specs.iter().enumerate() {
            play.players[role] = RolePlayer::new(spec, role, context)?;
            play.names[role] = spec.describe();
        }
        play.clocks = context.clocks;
        play.stop = context.stop.clone();
        play.prepared = 0;
        Ok(play)
    }

    pub(super) fn players(&self) -> Vec<String> {
        self.names.clone()
    }

    /// What went wrong in this round or the last one.
    pub(super) fn note(&self, history: &MatchHistory) -> Option<String> {
        let (round, note) = self.note.as_ref()?;
        (round + 1 >= history.rounds()).then(|| note.clone())
    }

    /// Notes what went wrong, in addition to anything already noted in this round.
    fn add_note(&mut self, round: usize, fault: String) {
        self.note = Some(match self.note.take() {
            Some((known, note)) if known == round => (round, format!("{note} {fault}")),
            _ => (round, fault),
        });
    }

    pub(super) fn is_paused(&self) -> bool {
        self.paused
    }

    pub(super) fn pause(&mut self, on: bool) {
        self.paused = on;
        self.search = None;
    }

    pub(super) fn is_person(&self, role: Role) -> bool {
        matches!(self.players.get(role), Some(RolePlayer::Person))
    }

    /// Prepares for going back to an earlier round: what was chosen for the present one is
    /// forgotten.
    pub(super) fn go_back(&mut self) -> Result<(), RequestError> {
        let is_remote = |player: &RolePlayer| matches!(player, RolePlayer::Network(_));
        if self.players.iter().any(is_remote) {
            return Err(RequestError::Refused(
                "a player on the network cannot go back",
            ));
        }
        self.begin_round();
        Ok(())
    }

    fn begin_round(&mut self) {
        self.only_viewed = false;
        self.chosen.fill(None);
        self.search = None;
    }

    /// For every role, whether a person is to choose its move now.
    pub(super) fn asked(&self, engine: &dyn Engine, history: &MatchHistory) -> Vec<bool> {
        let is_present = history.shown() == history.rounds();
        let goes_on = is_present && !history.is_over(engine);
        let legal = history.present().1.legal.iter().enumerate();
        let is_asked = |(role, legal): (Role, &Vec<Move>)| {
            goes_on && self.is_person(role) && self.chosen[role].is_none() && legal.len() > 1
        };
        legal.map(is_asked).collect()
    }

    /// The legal move of this index, if a person may make it in a position of the match.
    pub(super) fn offered(
        &self,
        position: &Position,
        role: Role,
        index: usize,
    ) -> Result<Move, RequestError> {
        let mv = position.legal.get(role).and_then(|legal| legal.get(index));
        let may_move = !position.terminal && self.is_person(role);
        mv.filter(|_| may_move)
            .copied()
            .ok_or(RequestError::Refused("this move cannot be made now"))
    }

    /// Enters the move that a person chose in the present state.
    pub(super) fn choose(&mut self, role: Role, mv: Move) {
        self.chosen[role] = Some(mv);
    }

    /// Chooses for people who have nothing to decide, and plays the round if all moves are
    /// chosen. Returns whether it was played.
    pub(super) fn settle(&mut self, engine: &mut dyn Engine, history: &mut MatchHistory) -> bool {
        if history.is_over(engine) {
            return false;
        }
        let legal = &history.present().1.legal;
        for (role, legal) in legal.iter().enumerate() {
            if let ([only], true, None) = (&legal[..], self.is_person(role), self.chosen[role]) {
                self.chosen[role] = Some(*only);
            }
        }
        let joint: Option<Vec<Move>> = self.chosen.iter().copied().collect();
        let Some(joint) = joint else { return false };
        history.advance(engine, &joint);
        self.begin_round();
        if history.is_over(engine) {
            self.end(Some(history.led_by(history.rounds())));
        }
        true
    }

    /// Tells players that the match is over, or given up if there are no last moves.
    fn end(&mut self, moves: Option<&[String]>) {
        let players = self.players.iter_mut();
        players.for_each(|player| player.end(moves));
    }

    /// Whether a player is to prepare or to choose a move, or a person has only one move.
    pub(super) fn is_to_search(&self, engine: &dyn Engine, history: &MatchHistory) -> bool {
        if self.only_viewed || self.paused || history.is_over(engine) {
            return false;
        }
        self.is_to_prepare() || self.next_to_move(history).is_some()
    }

    /// The first role whose move is not chosen and is not for a person to choose.
    fn next_to_move(&self, history: &MatchHistory) -> Option<Role> {
        let mut legal = history.present().1.legal.iter().enumerate();
        let is_next = |(role, legal): (Role, &Vec<Move>)| {
            let is_choice = self.is_person(role) && legal.len() > 1;
            (self.chosen[role].is_none() && !is_choice).then_some(role)
        };
        legal.find_map(is_next)
    }

    /// Searches for a while. Returns whether a round was played or there is something else to
    /// report.
    pub(super) fn search(
        &mut self,
        engine: &mut dyn Engine,
        history: &mut MatchHistory,
        events: &dyn EventSink,
    ) -> bool {
        if self.is_to_prepare() {
            return self.prepare(engine, history, events);
        }
        let mut has_erred = false;
        if let Some(role) = self.next_to_move(history) {
            let Some(choice) = self.think(engine, history, role, events) else {
                return false;
            };
            self.chosen[role] = Some(choice.mv);
            self.search = None;
            has_erred = choice.note.is_some();
            if let Some(fault) = choice.note {
                self.add_note(history.rounds(), fault);
            }
            if let Some(value) = choice.value {
                history.note_value(history.rounds(), role, value);
            }
        }
        self.settle(engine, history) || has_erred
    }

    fn is_to_prepare(&self) -> bool {
        self.prepared < self.players.len()
    }

    /// Lets the next player prepare, while those on the network do so, too. If a request interrupts
    /// it, it goes on for the rest of its time once that is answered. Returns whether there is
    /// something to tell.
    fn prepare(
        &mut self,
        engine: &dyn Engine,
        history: &MatchHistory,
        events: &dyn EventSink,
    ) -> bool {
        if !std::mem::replace(&mut self.started, true) {
            self.players.iter_mut().for_each(RolePlayer::start);
        }
        let role = self.prepared;
        let time = self.left_to_prepare.take().unwrap_or(self.clocks.start);
        let begun = Instant::now();
        let mut watch = |report: &SearchReport| {
            tell(events, role, report, (simulated(report), true));
        };
        let prepared = self.players[role].prepare(history.present().0, role, time, &mut watch);
        let left = time.saturating_sub(begun.elapsed());
        match prepared {
            Preparation::Waiting => return false,
            Preparation::Searched if !left.is_zero() && self.stop.is_raised() => {
                self.left_to_prepare = Some(left);
                return false;
            }
            Preparation::Searched | Preparation::Ready | Preparation::Failed(_) => {}
        }
        self.prepared += 1;
        let Preparation::Failed(fault) = prepared else {
            return false;
        };
        let fault = format!("{}: {fault}.", engine.roles()[role]);
        self.add_note(history.rounds(), fault);
        true
    }

    /// A role's move, if its search is finished.
    fn think(
        &mut self,
        engine: &dyn Engine,
        history: &MatchHistory,
        role: Role,
        events: &dyn EventSink,
    ) -> Option<ChosenMove> {
        let now = Instant::now();
        let search = self.search.get_or_insert(SearchProgress {
            deadline: now + self.clocks.play,
            simulations: 0,
        });
        let SearchProgress {
            deadline,
            simulations,
        } = *search;
        let (state, position) = history.present();
        let turn = Turn {
            engine,
            role,
            state,
            position,
            budget: SearchBudget::Until(deadline.min(now + SLICE)),
        };
        let led_by = history.led_by(history.rounds());
        // Reports are about a slice.
        let mut watch = |report: &SearchReport| {
            search.simulations = simulations + simulated(report);
            tell(events, role, report, (search.simulations, false));
        };
        self.players[role].choose(&turn, led_by, deadline, &mut watch)
    }
}

/// Players on the network are told when the match is given up.
impl Drop for MatchPlay {
    fn drop(&mut self) {
        self.end(None);
    }
}

/// The simulations of a search, or what it has evaluated if that is more.
fn simulated(report: &SearchReport) -> u64 {
    report.simulations.max(report.evaluations)
}

fn tell(
    events: &dyn EventSink,
    role: Role,
    report: &SearchReport,
    (simulations, prepares): (u64, bool),
) {
    events.send(PageEvent::Thinking(ThinkingEvent {
        role,
        simulations,
        nodes: report.nodes,
        prepares,
    }));
}
