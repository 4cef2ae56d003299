//! The engine `reference`: evaluates the rules as they stand.
//!
//! The words of a state are the ids of its facts in ascending order. Ids are assigned as
//! facts are first seen, so an engine and all its lanes share one table of terms.
//! Playouts run on a copy, so that they never wait for one another.
//!
//! The interface of engines does not report errors. A game that exceeds the budget in its
//! first position or step is rejected on loading; a later position that does is logged
//! and counts as the end of the game, with goals of 0.

use crate::game::{CheckedGame, LoadError, LoadedEngine};
use gdl_runtime::engine::{
    Engine, LaneObservation, LanePlayouts, LaneSets, LaneSteps, LaneWeights, Lanes, MOST_WEIGHT,
    Move, NO_CHOICE, Pick, Position, Role, State, StepSequence, Tally, UnknownFact, lanes_of,
};
use gdlc::id::Id as _;
use gdlc::reference::{EvaluationBudget, Reference, ReferenceError, TermId};
use gdlc::rules::Program;
use parking_lot::{Mutex, MutexGuard};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::sync::Arc;

/// The only word of a state that could not be computed or evaluated: no fact has this id.
const UNKNOWN_STATE: u64 = u64::MAX;

/// Steps after which a playout that is unfinished at the end of a run is abandoned.
const OVERTIME_STEPS: u64 = 1000;

/// Loads a checked game.
pub(crate) fn load(game: CheckedGame<'_>) -> Result<LoadedEngine, LoadError> {
    let engine = ReferenceEngine::load(game.program.clone(), game.options.evaluation)?;
    Ok(game.loaded(engine, "load"))
}

/// A game, played by evaluating its rules.
pub struct ReferenceEngine {
    game: SharedGame,
    roles: Vec<String>,
    constant_goals: Vec<Option<i32>>,
    initial: State,
}

#[derive(Clone)]
struct SharedGame(Arc<Mutex<Reference>>);

impl SharedGame {
    fn lock(&self) -> MutexGuard<'_, Reference> {
        self.0.lock()
    }

    /// Asks about a state; `None` if it cannot be evaluated, for a reason that is logged.
    fn ask<T>(
        &self,
        state: &State,
        question: impl FnOnce(&mut Reference, &[TermId]) -> Result<T, ReferenceError>,
    ) -> Option<T> {
        let answer = question(&mut self.lock(), &facts_of(state)?);
        answer.inspect_err(|error| tracing::error!("{error}")).ok()
    }

    /// The state after a joint move.
    fn next(&self, state: &State, joint: &[Move]) -> State {
        let joint: Vec<TermId> = joint.iter().map(|&mv| term_of(mv)).collect();
        let next = self.ask(state, |game, facts| game.next(facts, &joint));
        next.map_or_else(unknown_state, |next| state_of(&next))
    }
}

impl ReferenceEngine {
    /// Loads a game and plays one step of it, to see that it can be evaluated.
    ///
    /// # Errors
    /// If its initial state or its first step exceeds the budget.
    pub fn load(program: Program, budget: EvaluationBudget) -> Result<Self, LoadError> {
        let constant_goals = program.constant_goals();
        let mut game =
            Reference::with_budget(Arc::new(program), budget).map_err(cannot_be("computed"))?;
        try_first_step(&mut game).map_err(cannot_be("evaluated"))?;
        Ok(Self {
            roles: game.roles().iter().map(|&role| game.show(role)).collect(),
            constant_goals,
            initial: state_of(game.initial()),
            game: SharedGame(Arc::new(Mutex::new(game))),
        })
    }
}

/// For `map_err` where the reference engine fails on the initial state.
fn cannot_be(verb: &'static str) -> impl FnOnce(ReferenceError) -> LoadError {
    move |error| LoadError::Reference { verb, error }
}

fn try_first_step(game: &mut Reference) -> Result<(), ReferenceError> {
    let initial = game.initial().to_vec();
    let position = examine(game, &initial)?;
    let joint: Option<Vec<TermId>> = (position.legal.iter())
        .map(|moves| moves.first().map(|&mv| term_of(mv)))
        .collect();
    if let (false, Some(joint)) = (position.terminal, joint) {
        game.next(&initial, &joint)?;
    }
    Ok(())
}

impl Engine for ReferenceEngine {
    fn name(&self) -> String {
        "reference".to_owned()
    }

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn constant_goals(&self) -> Vec<Option<i32>> {
        self.constant_goals.clone()
    }

    fn initial(&self) -> State {
        self.initial.clone()
    }

    fn facts(&self, state: &State) -> Vec<String> {
        let game = self.game.lock();
        let facts = facts_of(state).into_iter().flatten();
        let mut facts: Vec<String> = facts.map(|fact| game.show(fact)).collect();
        facts.sort_unstable();
        facts
    }

    fn state(&mut self, facts: &[String]) -> Result<State, UnknownFact> {
        let mut game = self.game.lock();
        let facts: Result<Vec<TermId>, UnknownFact> = facts
            .iter()
            .map(|fact| game.parse(fact).map_err(|_| UnknownFact(fact.clone())))
            .collect();
        Ok(state_of(&Reference::state(&facts?)))
    }

    fn examine(&mut self, state: &State) -> Position {
        let position = self.game.ask(state, examine);
        position.unwrap_or_else(|| Position {
            terminal: true,
            legal: vec![Vec::new(); self.roles.len()],
            goals: vec![Vec::new(); self.roles.len()],
        })
    }

    fn next(&mut self, state: &State, joint: &[Move]) -> State {
        self.game.next(state, joint)
    }

    fn move_name(&self, _role: Role, mv: Move) -> String {
        self.game.lock().show(term_of(mv))
    }

    fn lanes(&self, seed: u64) -> Box<dyn Lanes> {
        Box::new(OneLane {
            game: self.game.clone(),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            state: self.initial.clone(),
            terminal: [0],
            legal: vec![Vec::new(); self.roles.len()],
            forced: None,
            weights: HashMap::new(),
            by_weight: false,
            made: vec![NO_CHOICE; self.roles.len()],
            sequence: StepSequence::default(),
        })
    }
}

/// A single lane: evaluating rules gains nothing from a second one.
struct OneLane {
    game: SharedGame,
    rng: Xoshiro256PlusPlus,
    state: State,
    terminal: [u64; 1],
    legal: Vec<Vec<Move>>,
    forced: Option<Vec<Move>>,
    sequence: StepSequence,
    /// The weights that are not 1.
    weights: HashMap<(Role, Move), u32>,
    by_weight: bool,
    made: Vec<u32>,
}

impl OneLane {
    /// A random legal move of a role; `None` if there is none.
    fn draw(&mut self, role: Role) -> Option<Move> {
        let moves = &self.legal[role];
        if moves.is_empty() {
            return None;
        }
        if !self.by_weight {
            return Some(moves[self.rng.random_range(..moves.len())]);
        }
        let weight = |mv: Move| {
            self.weights
                .get(&(role, mv))
                .map_or(1, |&weight| u64::from(weight))
        };
        let total: u64 = moves.iter().map(|&mv| weight(mv)).sum();
        let mut left = self.rng.random_range(..total);
        moves.iter().copied().find(|&mv| {
            let found = left < weight(mv);
            left = left.saturating_sub(weight(mv));
            found
        })
    }
}

impl LaneSteps for OneLane {
    fn count(&self) -> usize {
        1
    }

    fn roles(&self) -> usize {
        self.game.lock().roles().len()
    }

    fn load(&mut self, _lane: usize, state: &State) {
        self.sequence.load();
        self.state = state.clone();
    }

    fn evaluate(&mut self) {
        self.sequence.evaluate();
        let found = self.game.ask(&self.state, LegalMoves::of);
        if found.is_none() {
            self.state = unknown_state();
        }
        self.terminal = [u64::from(found.as_ref().is_none_or(|found| found.over))];
        for (role, moves) in self.legal.iter_mut().enumerate() {
            let terms = found.iter().flat_map(|found| &found.legal[role]);
            moves.clear();
            moves.extend(terms.map(|&term| move_of(term)));
        }
    }

    fn terminal(&self) -> &[u64] {
        self.sequence.assert_evaluated();
        &self.terminal
    }

    fn goals(&mut self, _lane: usize, goals: &mut [i32]) {
        self.sequence.assert_evaluated();
        let found = (self.game).ask(&self.state, |game, facts| highest_goals(game, facts, goals));
        if found.is_none() {
            goals.fill(0);
        }
    }

    fn state(&self, _lane: usize) -> State {
        self.state.clone()
    }

    fn legal(&mut self, _lane: usize, role: Role, moves: &mut Vec<Move>) {
        self.sequence.assert_evaluated();
        moves.extend_from_slice(&self.legal[role]);
    }

    fn force(&mut self, lanes: &[u64], picks: &[Pick]) {
        self.sequence.assert_evaluated();
        if lanes_of(lanes).next().is_some() {
            self.forced = Some(picks.iter().map(|pick| pick.mv).collect());
        }
    }

    fn advance(&mut self) {
        self.sequence.advance();
        let forced = self.forced.take();
        let joint: Option<Vec<Move>> = forced.or_else(|| {
            let roles = 0..self.legal.len();
            roles.map(|role| self.draw(role)).collect()
        });
        let Some(joint) = joint else { return };
        self.state = self.game.next(&self.state, &joint);
        for (role, made) in self.made.iter_mut().enumerate() {
            *made = match self.legal[role].len() {
                0 | 1 => NO_CHOICE,
                _ => joint[role].0,
            };
        }
    }
}

impl LaneSets for OneLane {}

impl LaneWeights for OneLane {
    fn weigh(&mut self, lanes: &[u64], role: Role, mv: Move, weight: u32) {
        if lanes_of(lanes).next().is_some() {
            self.weights
                .insert((role, mv), weight.clamp(1, MOST_WEIGHT));
        }
    }

    fn weigh_alike(&mut self, lanes: &[u64]) {
        if lanes_of(lanes).next().is_some() {
            self.weights.clear();
        }
    }

    fn choose_by_weight(&mut self, on: bool) {
        self.by_weight = on;
    }
}

impl LaneObservation for OneLane {
    /// Moves are always recorded, which costs nothing here.
    fn observe_moves(&mut self, on: bool) {
        self.sequence.observe_moves(on);
    }

    fn made(&self, role: Role) -> &[u32] {
        self.sequence.assert_observed();
        &self.made[role..=role]
    }
}

impl LanePlayouts for OneLane {
    fn playouts(&mut self, keep_going: &mut dyn FnMut(&Tally) -> bool) -> Tally {
        let mut game = self.game.lock().clone();
        let roles = game.roles().len();
        let mut tally = Tally {
            goals: vec![0; roles],
            squared_goals: vec![0; roles],
            ..Tally::default()
        };
        while keep_going(&tally) {
            let before = tally.transitions;
            if let Err(error) = play_out(&mut game, &mut self.rng, &mut tally, keep_going) {
                tracing::error!("{error}");
                let steps = tally.transitions - before;
                count(&mut tally, steps, &vec![0; roles]);
            }
        }
        tally
    }
}

/// Plays one random game to its end and adds it to the tally.
fn play_out(
    game: &mut Reference,
    rng: &mut Xoshiro256PlusPlus,
    tally: &mut Tally,
    keep_going: &mut dyn FnMut(&Tally) -> bool,
) -> Result<(), ReferenceError> {
    let mut state: Box<[TermId]> = game.initial().into();
    let mut steps = 0;
    let mut overtime = 0;
    loop {
        let found = LegalMoves::of(game, &state)?;
        if found.over {
            break;
        }
        let joint: Vec<TermId> = (found.legal.iter())
            .map(|moves| moves[rng.random_range(..moves.len())])
            .collect();
        state = game.next(&state, &joint)?;
        steps += 1;
        tally.transitions += 1;
        if overtime > 0 || !keep_going(tally) {
            overtime += 1;
            if overtime > OVERTIME_STEPS {
                return Ok(());
            }
        }
    }
    let mut goals = vec![0; tally.goals.len()];
    highest_goals(game, &state, &mut goals)?;
    count(tally, steps, &goals);
    Ok(())
}

fn count(tally: &mut Tally, steps: u64, goals: &[i32]) {
    tally.playouts += 1;
    tally.steps += steps;
    tally.squared_steps += steps * steps;
    let sums = tally.goals.iter_mut().zip(&mut tally.squared_goals);
    for ((sum, squares), &goal) in sums.zip(goals) {
        *sum += i64::from(goal);
        *squares += i128::from(goal).pow(2);
    }
}

/// Whether a game is over, and the legal moves.
struct LegalMoves {
    /// The state is terminal, or a role has no move.
    over: bool,
    /// The legal moves of every role.
    legal: Vec<Vec<TermId>>,
}

impl LegalMoves {
    fn of(game: &mut Reference, state: &[TermId]) -> Result<Self, ReferenceError> {
        let legal = legal_moves(game, state)?;
        Ok(Self {
            over: game.terminal(state)? || legal.iter().any(Vec::is_empty),
            legal,
        })
    }
}

fn examine(game: &mut Reference, state: &[TermId]) -> Result<Position, ReferenceError> {
    let roles = 0..game.roles().len();
    let legal = legal_moves(game, state)?;
    Ok(Position {
        terminal: game.terminal(state)?,
        legal: (legal.iter())
            .map(|moves| moves.iter().map(|&term| move_of(term)).collect())
            .collect(),
        goals: roles
            .map(|role| game.goals(state, role))
            .collect::<Result<_, _>>()?,
    })
}

fn legal_moves(game: &mut Reference, state: &[TermId]) -> Result<Vec<Vec<TermId>>, ReferenceError> {
    (0..game.roles().len())
        .map(|role| game.legal(state, role))
        .collect()
}

/// Every role's highest goal value, 0 where there is none.
fn highest_goals(
    game: &mut Reference,
    state: &[TermId],
    goals: &mut [i32],
) -> Result<(), ReferenceError> {
    for (role, goal) in goals.iter_mut().enumerate() {
        *goal = game.goals(state, role)?.last().copied().unwrap_or(0);
    }
    Ok(())
}

fn state_of(facts: &[TermId]) -> State {
    State(facts.iter().map(|fact| fact.index() as u64).collect())
}

fn unknown_state() -> State {
    State([UNKNOWN_STATE].into())
}

/// The facts of a state; `None` if it is unknown.
fn facts_of(state: &State) -> Option<Vec<TermId>> {
    let facts = state.0.iter().map(|&word| TermId::new(word as usize));
    (*state.0 != [UNKNOWN_STATE]).then(|| facts.collect())
}

fn move_of(term: TermId) -> Move {
    Move(term.index() as u32)
}

fn term_of(mv: Move) -> TermId {
    TermId::new(mv.0 as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input;
    use gdlc::source::Source;

    /// Counts up without end; where the count is too deep for a move, it is not for a fact.
    const COUNTER: &str = "
        (role r) (init (n z)) (legal r stay) (goal r 50)
        (<= (legal r (go (f ?x))) (true (n ?x)))
        (<= (next (n (s ?x))) (true (n ?x)))
        (<= terminal (true over))";

    fn counter(depth: u32) -> ReferenceEngine {
        let budget = EvaluationBudget {
            depth,
            ..EvaluationBudget::default()
        };
        let program = input::check(Source::new("counter", COUNTER)).expect("the rules are valid");
        ReferenceEngine::load(program, budget).expect("the first step is within the budget")
    }

    #[test]
    fn a_game_ends_where_it_cannot_be_evaluated() {
        let mut engine = counter(3);
        let mut state = engine.initial();
        let mut position = engine.examine(&state);
        let stay = position.legal[0].iter().copied();
        let stay = stay
            .filter(|&mv| engine.move_name(0, mv) == "stay")
            .collect::<Vec<_>>();
        for _ in 0..2 {
            assert!(!position.terminal);
            state = engine.next(&state, &stay);
            position = engine.examine(&state);
        }
        assert_eq!(engine.facts(&state), ["(n (s (s z)))"]);
        assert_eq!((position.terminal, position.goals), (true, vec![vec![]]));
        let unknown = engine.next(&state, &stay);
        assert!(engine.examine(&unknown).terminal);
        assert!(engine.facts(&unknown).is_empty());
        assert_eq!(engine.next(&unknown, &stay), unknown);
    }

    #[test]
    fn lanes_go_on_after_what_cannot_be_evaluated() {
        let engine = counter(3);
        let mut lanes = engine.lanes(0);
        let mut goals = [7];
        for _ in 0..6 {
            lanes.evaluate();
            lanes.advance();
        }
        lanes.evaluate();
        lanes.goals(0, &mut goals);
        assert_eq!((lanes.terminal()[0], goals), (1, [0]));
        lanes.load(0, &engine.initial());
        lanes.evaluate();
        assert_eq!(lanes.terminal()[0], 0);
        let tally = lanes.playouts(&mut |tally| tally.playouts < 3);
        assert_eq!((tally.playouts, tally.steps, tally.goals), (3, 6, vec![0]));
    }
}
