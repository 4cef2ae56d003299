//! Replays recorded playouts on an engine and compares every state.
//!
//! Input: a loaded engine and the states of a trace. Output: the number of states, the
//! number of states in which engine and trace differ, and the first such difference.
//! Each state is also set from its recorded facts, so that one mismatch does not affect
//! the states after it.

use super::TraceRecord;
use gdl_runtime::engine::{Engine, Position, State};
use gdl_runtime::kif::normalise;
use gdl_runtime::moves::find_joint_move;
use std::collections::BTreeSet;
use std::fmt;

/// Maximum number of facts or moves of a difference that are listed.
const MAX_LISTED: usize = 20;

/// The result of a replay.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReplayOutcome {
    /// The number of states compared.
    pub states: u64,
    /// The number of states in which anything differs.
    pub mismatches: u64,
    /// The first difference.
    pub first: Option<Mismatch>,
}

/// A state in which engine and trace differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The zero-based index of the playout in its trace.
    pub playout: u32,
    /// The number of steps before this state.
    pub step: u32,
    /// What differs; at least one difference.
    pub differences: Vec<Difference>,
}

/// A difference between trace and engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What differs.
    pub subject: DifferenceSubject,
    /// What only the trace has.
    pub missing: Vec<String>,
    /// What only the engine has.
    pub extra: Vec<String>,
}

/// What differs between trace and engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DifferenceSubject {
    /// The facts of the state that the engine reaches by the recorded moves.
    Facts,
    /// Facts that the engine does not accept.
    Refused,
    /// The state reached by moves and the state set from the same facts: the engine
    /// encodes them differently.
    Encoding,
    /// Whether the game is over.
    Terminal,
    /// The legal moves of a role.
    Legal(String),
    /// The goal values of a role.
    Goals(String),
}

impl ReplayOutcome {
    /// Adds the outcome of a later replay.
    pub fn absorb(&mut self, other: Self) {
        self.states += other.states;
        self.mismatches += other.mismatches;
        self.first = self.first.take().or(other.first);
    }
}

/// A replay of one trace in progress.
pub struct Replay<'e> {
    engine: &'e mut dyn Engine,
    /// The state that the engine reached by the recorded moves, with its playout and
    /// step.
    reached: Option<(u32, u32, State)>,
    outcome: ReplayOutcome,
}

impl<'e> Replay<'e> {
    /// Begins a replay.
    pub fn new(engine: &'e mut dyn Engine) -> Self {
        Self {
            engine,
            reached: None,
            outcome: ReplayOutcome::default(),
        }
    }

    /// Ends the replay.
    #[must_use]
    pub fn finish(self) -> ReplayOutcome {
        self.outcome
    }

    /// Compares the next state of the trace.
    pub fn compare(&mut self, record: &TraceRecord) {
        let mut differences = Vec::new();
        let reached = self.take_reached(record);
        if let Some(reached) = &reached {
            let facts = self.engine.facts(reached);
            differences.extend(differ(DifferenceSubject::Facts, &record.state, &facts));
        }
        match self.engine.state(&record.state) {
            Ok(state) => {
                if differences.is_empty() && reached.is_some_and(|reached| reached != state) {
                    differences.push(Difference::of(DifferenceSubject::Encoding));
                }
                let position = self.engine.examine(&state);
                self.compare_position(record, &position, &mut differences);
                self.make_moves(record, &state, &position);
            }
            Err(unknown) => differences.push(Difference {
                missing: vec![unknown.0],
                ..Difference::of(DifferenceSubject::Refused)
            }),
        }
        self.outcome.states += 1;
        if !differences.is_empty() {
            self.outcome.mismatches += 1;
            self.outcome.first.get_or_insert(Mismatch {
                playout: record.playout,
                step: record.step,
                differences,
            });
        }
    }

    /// The state that the engine reached by the recorded moves, if that is this one.
    fn take_reached(&mut self, record: &TraceRecord) -> Option<State> {
        if record.step == 0 {
            return Some(self.engine.initial());
        }
        let (playout, step, state) = self.reached.take()?;
        ((playout, step) == (record.playout, record.step)).then_some(state)
    }

    fn compare_position(
        &self,
        record: &TraceRecord,
        position: &Position,
        differences: &mut Vec<Difference>,
    ) {
        let is = |terminal: bool| [if terminal { "the end" } else { "not the end" }.to_owned()];
        let (recorded, found) = (is(record.terminal), is(position.terminal));
        differences.extend(differ(DifferenceSubject::Terminal, &recorded, &found));
        for (role, name) in self.engine.roles().iter().enumerate() {
            if let Some(legal) = &record.legal {
                let recorded = legal.get(role).map_or(&[][..], Vec::as_slice);
                let found: Vec<String> = (position.legal[role].iter())
                    .map(|&mv| self.engine.move_name(role, mv))
                    .collect();
                differences.extend(differ(
                    DifferenceSubject::Legal(name.clone()),
                    recorded,
                    &found,
                ));
            }
            if let Some(goals) = &record.goals {
                let text = |goals: &[i32]| goals.iter().map(ToString::to_string).collect();
                let recorded: Vec<String> =
                    goals.get(role).map_or(Vec::new(), |goals| text(&goals.0));
                let found: Vec<String> = text(&position.goals[role]);
                differences.extend(differ(
                    DifferenceSubject::Goals(name.clone()),
                    &recorded,
                    &found,
                ));
            }
        }
    }

    /// Makes the recorded moves, if the engine knows them.
    fn make_moves(&mut self, record: &TraceRecord, state: &State, position: &Position) {
        let Some(names) = &record.joint else { return };
        let joint = find_joint_move(self.engine, position, names);
        self.reached = joint.ok().map(|joint| {
            let next = self.engine.next(state, &joint);
            (record.playout, record.step + 1, next)
        });
    }
}

impl Difference {
    const fn of(subject: DifferenceSubject) -> Self {
        Self {
            subject,
            missing: Vec::new(),
            extra: Vec::new(),
        }
    }
}

/// The difference between two sets of KIF terms; `None` if they are equal.
fn differ(subject: DifferenceSubject, recorded: &[String], found: &[String]) -> Option<Difference> {
    let set = |texts: &[String]| texts.iter().map(|text| normalise(text)).collect();
    let (recorded, found): (BTreeSet<String>, BTreeSet<String>) = (set(recorded), set(found));
    (recorded != found).then(|| Difference {
        subject,
        missing: recorded.difference(&found).cloned().collect(),
        extra: found.difference(&recorded).cloned().collect(),
    })
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "playout {}, step {}:", self.playout, self.step)?;
        self.differences
            .iter()
            .try_for_each(|difference| write!(f, "\n{difference}"))
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  {}", self.subject)?;
        for (sign, label, texts) in [('-', "missing", &self.missing), ('+', "extra", &self.extra)] {
            for text in texts.iter().take(MAX_LISTED) {
                write!(f, "\n    {sign} {label}: {text}")?;
            }
            if texts.len() > MAX_LISTED {
                write!(f, "\n    {sign} {label}: {} more", texts.len() - MAX_LISTED)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for DifferenceSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Facts => f.write_str("facts of the state reached"),
            Self::Refused => f.write_str("a fact that the engine considers impossible"),
            Self::Encoding => {
                f.write_str("the same facts are encoded differently when reached and when set")
            }
            Self::Terminal => f.write_str("terminal"),
            Self::Legal(role) => write!(f, "legal moves of {role}"),
            Self::Goals(role) => write!(f, "goal values of {role}"),
        }
    }
}
