//! The game that a page has open.

use std::path::Path;

use gdl_agent::shared_engine::SharedEngine;
use gdl_engines::{EngineKind, EngineOptions, LoadError, LoadedEngine};
use gdl_runtime::engine::{Engine as _, Position, Role};
use gdl_runtime::moves::find_joint_move;
use gdl_runtime::stop_flag::StopFlag;
use gdlc::source::Source;

use super::analysis::PositionAnalysis;
use super::evaluation::Evaluation;
use super::event_sink::EventSink;
use super::match_history::MatchHistory;
use super::match_play::MatchPlay;
use super::request_error::RequestError;
use super::role_player::MatchContext;
use crate::library::LibraryItem;
use crate::limits::{Limits, MatchClocks};
use crate::messages::{
    GameRequest, HistoryEvent, MOST_MOVES, MoveText, OpenedEvent, PositionEvent, RolePlayerSpec,
    TreePath,
};
use crate::pictures::Pictures;
use crate::records::Recorded;

/// A game, the match that is played in it, and what is going on.
pub(super) struct OpenGame {
    name: String,
    rules: String,
    size: Option<gdl_engines::GameSize>,
    pub(super) engine: SharedEngine,
    pictures: Pictures,
    history: MatchHistory,
    play: MatchPlay,
    analysis: Option<PositionAnalysis>,
    evaluation: Option<Evaluation>,
}

/// What a piece of work did that the page has to be told.
pub(super) enum WorkDone {
    Nothing,
    /// States of the match were valued.
    Values,
    /// The match went on.
    Match,
}

impl OpenGame {
    pub(super) fn of_entry(
        name: &str,
        entry: &LibraryItem,
        stop: &StopFlag,
    ) -> Result<Self, LoadError> {
        let options = options(stop);
        let (path, builtin) = match entry {
            LibraryItem::Builtin(game) => (
                Path::new(game),
                gdl_engines::open_builtin(game, EngineKind::Net, &options),
            ),
            LibraryItem::Rules(path) | LibraryItem::Record(path) => (path.as_path(), None),
        };
        let open = || gdl_engines::open_with_rules(path, EngineKind::Net, &options);
        let (loaded, source) = builtin.unwrap_or_else(open)?;
        Ok(Self::new(name, &source.text, loaded))
    }

    pub(super) fn of_text(name: &str, text: &str, stop: &StopFlag) -> Result<Self, LoadError> {
        let source = Source::new(name, text);
        let loaded = gdl_engines::open_source(&source, EngineKind::Net, &options(stop))?;
        Ok(Self::new(name, text, loaded))
    }

    fn new(name: &str, rules: &str, loaded: LoadedEngine) -> Self {
        let mut engine = SharedEngine::new(loaded.engine);
        let roles = engine.roles().len();
        Self {
            name: name.to_owned(),
            pictures: Pictures::new(name, rules, &mut engine),
            rules: rules.to_owned(),
            size: loaded.size,
            history: MatchHistory::begin(&mut engine),
            play: MatchPlay::by_persons(roles),
            analysis: None,
            evaluation: None,
            engine,
        }
    }

    pub(super) fn describe(&self) -> OpenedEvent {
        let layout = self.engine.layout();
        OpenedEvent {
            name: self.name.clone(),
            roles: self.engine.roles().to_vec(),
            engine: self.engine.name(),
            fluents: layout.as_ref().map(|layout| layout.bases.len()),
            moves: layout.map(|layout| layout.moves.iter().map(Vec::len).sum()),
            gates: self.size.map(|size| size.gates),
            rules: self.rules.clone(),
        }
    }

    pub(super) fn handle(
        &mut self,
        request: GameRequest,
        limits: &Limits,
        stop: &StopFlag,
    ) -> Result<(), RequestError> {
        match request {
            GameRequest::Start {
                players,
                seconds,
                start_seconds,
            } => {
                let clocks = MatchClocks::new(seconds, start_seconds);
                self.play = self.match_of(&players, clocks, limits, stop)?;
                self.history = MatchHistory::begin(&mut self.engine);
                self.evaluation = None;
            }
            GameRequest::Players { players, seconds } => {
                self.change_players(&players, seconds, limits, stop)?;
            }
            GameRequest::Move { role, index } => self.make_move(role, index)?,
            GameRequest::GoTo { round } => self.history.go_to(round),
            GameRequest::TakeBack => self.take_back()?,
            GameRequest::PlayOn => self.return_to(self.history.shown())?,
            GameRequest::Pause { on } => self.play.pause(on),
            GameRequest::Analyse { agents, role } => {
                let (engine, search) = (&self.engine, limits.search());
                let analysis = PositionAnalysis::new(engine, &agents, role, search, stop)?;
                self.analysis = Some(analysis);
            }
            GameRequest::StopAnalysis => self.analysis = None,
            GameRequest::Tree { index, open } => self.open_tree(index, open)?,
            GameRequest::Evaluate { seconds } => {
                let evaluation = Evaluation::new(&self.engine, seconds, limits.search(), stop)?;
                self.evaluation = Some(evaluation);
            }
        }
        Ok(())
    }

    /// Lets other players play on.
    fn change_players(
        &mut self,
        players: &[RolePlayerSpec],
        seconds: f64,
        limits: &Limits,
        stop: &StopFlag,
    ) -> Result<(), RequestError> {
        let is_remote = |spec: &RolePlayerSpec| matches!(spec, RolePlayerSpec::Network { .. });
        if self.history.rounds() > 0 && players.iter().any(is_remote) {
            return Err(RequestError::Refused(
                "a player on the network cannot join a match that goes on",
            ));
        }
        let clocks = MatchClocks::new(seconds, 0.0);
        self.play = self.match_of(players, clocks, limits, stop)?;
        self.history.go_to(self.history.rounds());
        Ok(())
    }

    /// Makes a person's move in the state that is shown. What came after that is forgotten.
    fn make_move(&mut self, role: Role, index: usize) -> Result<(), RequestError> {
        let shown = self.history.shown();
        let (_, position) = self.history.state(shown);
        let mv = self.play.offered(position, role, index)?;
        if shown < self.history.rounds() {
            self.return_to(shown)?;
        }
        self.play.choose(role, mv);
        self.play.settle(&mut self.engine, &mut self.history);
        Ok(())
    }

    fn take_back(&mut self) -> Result<(), RequestError> {
        let person = |role| self.play.is_person(role);
        let round = self.history.last_choice(person);
        self.return_to(round.ok_or(RequestError::Refused("there is nothing to take back"))?)
    }

    /// Forgets all rounds from this one on.
    fn return_to(&mut self, round: usize) -> Result<(), RequestError> {
        self.play.go_back()?;
        self.history.return_to(round);
        if let Some(evaluation) = &mut self.evaluation {
            evaluation.return_to(round);
        }
        Ok(())
    }

    fn open_tree(&mut self, index: usize, open: Vec<TreePath>) -> Result<(), RequestError> {
        let (state, _) = self.history.state(self.history.shown());
        let analysis = self.analysis.as_mut();
        let analysis = analysis.ok_or(RequestError::Refused("nothing is being analysed"))?;
        analysis.open_tree(index, open, state)
    }

    fn match_of(
        &self,
        players: &[RolePlayerSpec],
        clocks: MatchClocks,
        limits: &Limits,
        stop: &StopFlag,
    ) -> Result<MatchPlay, RequestError> {
        let context = MatchContext {
            engine: &self.engine,
            rules: &self.rules,
            roles: self.engine.roles(),
            clocks,
            limits: limits.search(),
            stop,
        };
        MatchPlay::new(players, &context)
    }

    /// Plays a recorded match again, as far as it can be played.
    pub(super) fn replay(&mut self, recorded: Recorded) -> Result<(), RequestError> {
        let engine = &mut self.engine;
        self.history = MatchHistory::begin(engine);
        self.evaluation = None;
        self.play = MatchPlay::of_record(engine.roles().len(), recorded.players);
        let mut result = Ok(());
        for (round, names) in recorded.moves.iter().enumerate() {
            match find_joint_move(engine, self.history.present().1, names) {
                Ok(joint) => self.history.advance(engine, &joint),
                Err(error) => {
                    result = Err(RequestError::Replay {
                        round: round + 1,
                        error,
                    });
                    break;
                }
            }
        }
        self.history.go_to(0);
        result
    }

    pub(super) fn has_work(&self) -> bool {
        self.play.is_to_search(&self.engine, &self.history)
            || self
                .analysis
                .as_ref()
                .is_some_and(|analysis| analysis.has_work(&self.history))
            || self.evaluation.is_some()
    }

    /// Does a piece of work: a search for the match comes first, then the values of its states, and
    /// then the analysis of the state that is shown, which has no end.
    pub(super) fn work(&mut self, events: &dyn EventSink) -> WorkDone {
        let engine = &mut self.engine;
        if self.play.is_to_search(engine, &self.history) {
            return match self.play.search(engine, &mut self.history, events) {
                true => WorkDone::Match,
                false => WorkDone::Nothing,
            };
        }
        if let Some(evaluation) = &mut self.evaluation {
            if !evaluation.search(engine, &mut self.history) {
                self.evaluation = None;
            }
            return WorkDone::Values;
        }
        if let Some(analysis) = &mut self.analysis {
            analysis.search(engine, &mut self.history, &self.pictures, events);
        }
        WorkDone::Nothing
    }

    /// What has changed in the match since the last of these events.
    pub(super) fn history_event(&mut self) -> HistoryEvent {
        let changed = self.history.take_changed();
        HistoryEvent {
            from: changed.from,
            moves: changed.moves,
            values: changed.values,
            players: self.play.players(),
            paused: self.play.is_paused(),
        }
    }

    pub(super) fn position_event(&self) -> PositionEvent {
        let shown = self.history.shown();
        let (state, position) = self.history.state(shown);
        let facts = self.engine.facts(state);
        let before = shown
            .checked_sub(1)
            .map(|before| self.history.state(before).0);
        let before = before.map(|state| self.engine.facts(state));
        let earlier = before.as_ref().unwrap_or(&facts);
        let led_by = self.history.led_by(shown);
        PositionEvent {
            round: shown,
            rounds: self.history.rounds(),
            picture: self.pictures.draw(&facts, before.as_deref(), led_by),
            added: without(&facts, earlier),
            removed: without(earlier, &facts),
            led_by: led_by
                .iter()
                .map(|mv| self.pictures.move_text(mv.clone()))
                .collect(),
            legal: self.legal(position),
            counts: position.legal.iter().map(Vec::len).collect(),
            asked: self.play.asked(&self.engine, &self.history),
            terminal: position.terminal,
            goals: gdl_agent::matches::highest_goals(position),
            note: self.note(),
        }
    }

    /// What went wrong, and why the match does not go on, where the present state is shown.
    fn note(&self) -> Option<String> {
        let is_present = self.history.shown() == self.history.rounds();
        let obstacle = is_present.then(|| self.history.obstacle(&self.engine));
        let notes: Vec<String> = [self.play.note(&self.history), obstacle.flatten()]
            .into_iter()
            .flatten()
            .collect();
        (!notes.is_empty()).then(|| notes.join(" "))
    }

    fn legal(&self, position: &Position) -> Vec<Vec<MoveText>> {
        if position.terminal {
            return vec![Vec::new(); position.legal.len()];
        }
        let roles = position.legal.iter().enumerate();
        let names = roles.map(|(role, legal)| {
            let listed = legal.iter().take(MOST_MOVES);
            let text = |&mv| self.pictures.move_text(self.engine.move_name(role, mv));
            listed.map(text).collect()
        });
        names.collect()
    }
}

/// Engine options with which compilation stops once the page is gone.
fn options(stop: &StopFlag) -> EngineOptions {
    let mut options = EngineOptions::default();
    options.compilation.budget.stop = Some(stop.clone());
    options
}

/// Facts of one state that are not among those of another; both are sorted.
fn without(facts: &[String], others: &[String]) -> Vec<String> {
    let missing = facts
        .iter()
        .filter(|fact| others.binary_search(fact).is_err());
    missing.cloned().collect()
}
