//! A match at a page: who plays, who is to move, and the searches of the agents.

use std::time::{Duration, Instant};

use gdl_agent::agents::AgentTextError;
use gdl_agent::player::Player as _;
use gdl_agent::player::Turn;
use gdl_agent::player::random::RandomPlayer;
use gdl_agent::search::{SearchBudget, SearchLimits, SearchReport};
use gdl_runtime::engine::{Engine, Move, Role};
use gdl_runtime::stop_flag::StopFlag;

use super::course::Course;
use super::event_sink::EventSink;
use super::request_error::RequestError;
use crate::limits::MatchClocks;
use crate::messages::{PageEvent, ThinkingEvent};
use crate::seats::{Seat, SeatSpec};

/// How long a search runs before the session looks after other things.
const SLICE: Duration = Duration::from_millis(100);

/// The players of a match and what they are about to do.
pub(super) struct MatchPlay {
    seats: Vec<Seat>,
    names: Vec<String>,
    clocks: Option<MatchClocks>,
    /// Whether the agents have prepared.
    prepared: bool,
    paused: bool,
    /// The moves of this round that are chosen.
    chosen: Vec<Option<Move>>,
    /// The end of the search that goes on.
    deadline: Option<Instant>,
    note: Option<String>,
}

impl MatchPlay {
    /// Persons play all roles.
    pub(super) fn by_persons(roles: usize) -> Self {
        Self {
            seats: (0..roles).map(|_| Seat::Person).collect(),
            names: vec![SeatSpec::Person.describe(); roles],
            clocks: None,
            prepared: true,
            paused: false,
            chosen: vec![None; roles],
            deadline: None,
            note: None,
        }
    }

    /// A recorded match, which persons can play on.
    pub(super) fn of_record(roles: usize, players: Vec<String>) -> Self {
        let mut play = Self::by_persons(roles);
        if players.len() == roles {
            play.names = players;
        }
        play
    }

    /// These players.
    pub(super) fn new(
        engine: &dyn Engine,
        specs: Vec<SeatSpec>,
        clocks: MatchClocks,
        limits: SearchLimits,
        stop: &StopFlag,
    ) -> Result<Self, RequestError> {
        let roles = engine.roles().len();
        if specs.len() != roles {
            return Err(RequestError::Refused("there has to be one player per role"));
        }
        let seats = specs.iter().enumerate();
        let seats: Result<Vec<Seat>, AgentTextError> = seats
            .map(|(role, spec)| Seat::new(spec, engine, role, limits, stop))
            .collect();
        Ok(Self {
            seats: seats?,
            names: specs.iter().map(SeatSpec::describe).collect(),
            clocks: Some(clocks),
            prepared: clocks.start.is_zero(),
            ..Self::by_persons(roles)
        })
    }

    pub(super) fn players(&self) -> Vec<String> {
        self.names.clone()
    }

    pub(super) fn note(&self) -> Option<String> {
        self.note.clone()
    }

    pub(super) fn is_paused(&self) -> bool {
        self.paused
    }

    pub(super) fn pause(&mut self, on: bool) {
        self.paused = on;
        self.deadline = None;
    }

    pub(super) fn is_person(&self, role: Role) -> bool {
        matches!(self.seats.get(role), Some(Seat::Person))
    }

    /// Forgets what was chosen for a round that is no longer the present one.
    pub(super) fn begin_round(&mut self) {
        self.chosen.fill(None);
        self.deadline = None;
    }

    /// For every role, whether a person is to choose its move now.
    pub(super) fn asked(
        &self,
        engine: &dyn Engine,
        course: &Course,
        is_present: bool,
    ) -> Vec<bool> {
        let goes_on = is_present && !course.is_over(engine);
        let legal = course.present().1.legal.iter().enumerate();
        let is_asked = |(role, legal): (Role, &Vec<Move>)| {
            goes_on && self.is_person(role) && self.chosen[role].is_none() && legal.len() > 1
        };
        legal.map(is_asked).collect()
    }

    /// Enters the move that a person chose.
    pub(super) fn choose(
        &mut self,
        course: &Course,
        role: Role,
        index: usize,
    ) -> Result<(), RequestError> {
        let (_, position) = course.present();
        let mv = position.legal.get(role).and_then(|legal| legal.get(index));
        match mv {
            Some(&mv) if !position.terminal && self.is_person(role) => {
                self.chosen[role] = Some(mv);
                Ok(())
            }
            _ => Err(RequestError::Refused("this move cannot be made now")),
        }
    }

    /// Chooses where there is nothing to decide, and plays the round if all moves are
    /// chosen. Returns whether it was played.
    pub(super) fn settle(&mut self, engine: &mut dyn Engine, course: &mut Course) -> bool {
        if course.is_over(engine) {
            return false;
        }
        let legal = &course.present().1.legal;
        let has_choice = legal.iter().any(|legal| legal.len() > 1);
        for (chosen, legal) in self.chosen.iter_mut().zip(legal) {
            // Where no role has a choice, agents play and persons look at what happens.
            if let ([only], true) = (&legal[..], chosen.is_none() && has_choice) {
                *chosen = Some(*only);
            }
        }
        let joint: Option<Vec<Move>> = self.chosen.iter().copied().collect();
        let Some(joint) = joint else { return false };
        course.advance(engine, &joint);
        self.begin_round();
        true
    }

    /// Whether an agent is to prepare or to choose a move, or a round goes by itself.
    pub(super) fn is_to_search(&self, engine: &dyn Engine, course: &Course) -> bool {
        if self.clocks.is_none() || self.paused || course.is_over(engine) {
            return false;
        }
        let all_chosen = self.chosen.iter().all(Option::is_some);
        !self.prepared || all_chosen || self.next_to_move(course).is_some()
    }

    /// The first role whose move is neither chosen nor a person's choice.
    fn next_to_move(&self, course: &Course) -> Option<Role> {
        let legal = course.present().1.legal.iter().enumerate();
        let is_next = |&(role, legal): &(Role, &Vec<Move>)| {
            self.chosen[role].is_none() && (legal.len() <= 1 || !self.is_person(role))
        };
        legal.into_iter().find(is_next).map(|(role, _)| role)
    }

    /// Searches for a while; returns whether a round was played or a move chosen.
    pub(super) fn search(
        &mut self,
        engine: &mut dyn Engine,
        course: &mut Course,
        events: &dyn EventSink,
    ) -> bool {
        if !self.prepared {
            self.prepare(course, events);
            return false;
        }
        if let Some(role) = self.next_to_move(course) {
            let Some(choice) = self.think(engine, course, role, events) else {
                return false;
            };
            self.chosen[role] = Some(choice.mv);
            self.deadline = None;
            if let Some(value) = choice.value {
                course.note_value(course.rounds(), role, value);
            }
        }
        self.settle(engine, course)
    }

    fn prepare(&mut self, course: &Course, events: &dyn EventSink) {
        self.prepared = true;
        let time = self.clocks.map_or(Duration::ZERO, |clocks| clocks.start);
        for (role, seat) in self.seats.iter_mut().enumerate() {
            if let Seat::Searcher(player) = seat {
                let state = course.present().0;
                let mut watch = |report: &SearchReport| tell(events, role, report, true);
                player.prepare(state, SearchBudget::within(time), &mut watch);
            }
        }
    }

    /// A role's move, if its search is finished.
    fn think(
        &mut self,
        engine: &dyn Engine,
        course: &Course,
        role: Role,
        events: &dyn EventSink,
    ) -> Option<Choice> {
        let now = Instant::now();
        let play = self.clocks.map_or(Duration::ZERO, |clocks| clocks.play);
        let deadline = *self.deadline.get_or_insert(now + play);
        let (state, position) = course.present();
        let turn = Turn {
            engine,
            role,
            state,
            position,
            budget: SearchBudget::Until(deadline.min(now + SLICE)),
        };
        let player = match &mut self.seats[role] {
            Seat::Searcher(player) => player,
            Seat::Person => return turn.legal().first().map(|&mv| Choice::unvalued(mv)),
            Seat::Random => {
                let mut random = RandomPlayer::new(course.rounds() as u64 * 31 + role as u64);
                let reply = random.choose(&turn, &mut |_| {}).ok()?;
                return match reply {
                    gdl_agent::player::Reply::Play(result) => Some(Choice::unvalued(result.chosen)),
                    _ => None,
                };
            }
        };
        if turn.legal().len() > 1 {
            let mut watch = |report: &SearchReport| tell(events, role, report, false);
            let report = player.ponder(state, role, turn.budget, &mut watch);
            tell(events, role, &report, false);
            if Instant::now() < deadline && !player.is_exhausted() {
                return None;
            }
        }
        let result = player.result(&turn).ok()?;
        let value = result.evaluation().map(|evaluation| evaluation.value);
        Some(Choice {
            mv: result.chosen,
            value,
        })
    }
}

/// A move that was chosen.
struct Choice {
    mv: Move,
    /// What the role expects, if it searched.
    value: Option<f64>,
}

impl Choice {
    fn unvalued(mv: Move) -> Self {
        Self { mv, value: None }
    }
}

fn tell(events: &dyn EventSink, role: Role, report: &SearchReport, prepares: bool) {
    events.send(PageEvent::Thinking(ThinkingEvent {
        role,
        simulations: report.simulations.max(report.evaluations),
        nodes: report.nodes,
        prepares,
    }));
}
