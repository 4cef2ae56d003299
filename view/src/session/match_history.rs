//! The history of a match: its rounds, and which of its states is shown.

use gdl_agent::matches::{Ending, MatchStepper, highest_goals};
use gdl_runtime::engine::{Engine, Move, Position, State};
use gdl_runtime::moves::joint_move_names;

/// The maximum number of rounds of a match: a longer one is almost certainly a game that does
/// not end.
const MOST_ROUNDS: usize = 100_000;

/// A match, from the initial state to where it is now.
pub(super) struct MatchHistory {
    past: Vec<PastRound>,
    present: MatchStepper,
    /// What each role can expect in the present state.
    values: Vec<Option<f64>>,
    /// The number of rounds before the state that is shown.
    shown: usize,
    /// The first round whose moves or values have changed since they were last told.
    changed_from: usize,
}

/// The rounds of a match that have changed since they were last told.
pub(super) struct ChangedRounds {
    /// The number of rounds before them.
    pub(super) from: usize,
    /// The moves of every round.
    pub(super) moves: Vec<Vec<String>>,
    /// What each role can expect in every state, the present one included, where it is known.
    pub(super) values: Vec<Vec<Option<f64>>>,
}

/// A round that was played.
struct PastRound {
    state: State,
    position: Position,
    moves: Vec<String>,
    values: Vec<Option<f64>>,
}

impl MatchHistory {
    pub(super) fn begin(engine: &mut dyn Engine) -> Self {
        let present = MatchStepper::begin(engine, MOST_ROUNDS);
        Self {
            values: known_values(present.position()),
            present,
            past: Vec::new(),
            shown: 0,
            changed_from: 0,
        }
    }

    /// The number of rounds played.
    pub(super) fn rounds(&self) -> usize {
        self.past.len()
    }

    /// The number of rounds before the state that is shown.
    pub(super) fn shown(&self) -> usize {
        self.shown
    }

    /// The present state and its position.
    pub(super) fn present(&self) -> (&State, &Position) {
        (self.present.state(), self.present.position())
    }

    /// Whether the present state is the last of the match: the game is over, or a role cannot
    /// move.
    pub(super) fn is_over(&self, engine: &dyn Engine) -> bool {
        !matches!(self.present.ending(engine), Ok(None))
    }

    /// Why the match does not go on, although the game is not over.
    pub(super) fn obstacle(&self, engine: &dyn Engine) -> Option<String> {
        match self.present.ending(engine) {
            Err(no_move) => Some(format!("The rules are at fault: {no_move}.")),
            Ok(Some(Ending::TooLong)) => {
                Some(format!("The match ends after {MOST_ROUNDS} rounds."))
            }
            Ok(_) => None,
        }
    }

    /// The state after a number of rounds that were played.
    pub(super) fn state(&self, round: usize) -> (&State, &Position) {
        match self.past.get(round) {
            Some(past) => (&past.state, &past.position),
            None => self.present(),
        }
    }

    /// The moves that led to the state after a number of rounds.
    pub(super) fn led_by(&self, round: usize) -> &[String] {
        let before = round
            .checked_sub(1)
            .and_then(|before| self.past.get(before));
        before.map_or(&[], |past| &past.moves[..])
    }

    /// Makes a joint move. If the present state was shown, its successor is shown now.
    pub(super) fn advance(&mut self, engine: &mut dyn Engine, joint: &[Move]) {
        let moves = joint_move_names(engine, joint);
        let (state, position) = self.present.advance(engine, joint);
        let values = known_values(self.present.position());
        let follows = self.shown == self.past.len();
        self.changed_from = self.changed_from.min(self.past.len());
        self.past.push(PastRound {
            state,
            position,
            moves,
            values: std::mem::replace(&mut self.values, values),
        });
        if follows {
            self.shown += 1;
        }
    }

    /// Shows the state after a number of rounds, or the present one if there were fewer.
    pub(super) fn go_to(&mut self, round: usize) {
        self.shown = round.min(self.past.len());
    }

    /// Forgets all rounds from this one on.
    pub(super) fn return_to(&mut self, round: usize) {
        if round >= self.past.len() {
            return;
        }
        let mut forgotten = self.past.drain(round..);
        if let Some(PastRound {
            state,
            position,
            values,
            ..
        }) = forgotten.next()
        {
            drop(forgotten);
            self.present.go_back(state, position, round);
            self.values = values;
        }
        self.shown = round;
        self.changed_from = self.changed_from.min(round);
    }

    /// The last round in which one of these roles had a choice.
    pub(super) fn last_choice(&self, is_asked: impl Fn(usize) -> bool) -> Option<usize> {
        let had_choice = |past: &PastRound| {
            let legal = past.position.legal.iter().enumerate();
            legal
                .into_iter()
                .any(|(role, legal)| legal.len() > 1 && is_asked(role))
        };
        self.past.iter().rposition(had_choice)
    }

    /// Notes what a role can expect in the state after a number of rounds, 0 to 100.
    pub(super) fn note_value(&mut self, round: usize, role: usize, value: f64) {
        let values = match self.past.get_mut(round) {
            Some(past) => &mut past.values,
            None => &mut self.values,
        };
        if let Some(known) = values.get_mut(role) {
            *known = Some(value);
            self.changed_from = self.changed_from.min(round);
        }
    }

    /// The first state without a value, from this number of rounds on.
    pub(super) fn first_unvalued(&self, from: usize) -> Option<usize> {
        let values = self
            .past
            .iter()
            .map(|past| &past.values)
            .chain([&self.values]);
        let mut unvalued = values.map(|values| values.iter().all(Option::is_none));
        let skipped = from.min(self.past.len() + 1);
        unvalued.by_ref().take(skipped).for_each(drop);
        unvalued
            .position(|unvalued| unvalued)
            .map(|index| skipped + index)
    }

    /// The rounds that have changed since this was last called.
    pub(super) fn take_changed(&mut self) -> ChangedRounds {
        let from = std::mem::replace(&mut self.changed_from, self.past.len() + 1);
        let past = || self.past.iter().skip(from);
        let values = past().map(|past| &past.values);
        let present = (from <= self.past.len()).then_some(&self.values);
        ChangedRounds {
            from,
            moves: past().map(|past| past.moves.clone()).collect(),
            values: values.chain(present).cloned().collect(),
        }
    }
}

/// The values that the rules give: those of terminal states.
fn known_values(position: &Position) -> Vec<Option<f64>> {
    let goals = highest_goals(position);
    let known = |goal| position.terminal.then_some(f64::from(goal));
    goals.into_iter().map(known).collect()
}
