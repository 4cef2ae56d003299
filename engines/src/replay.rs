//! Replays recorded playouts on an engine and compares everything.
//!
//! Input: a loaded engine and the states of a trace. Output: the number of
//! states, how many of them the engine sees differently, and the first such
//! difference. Every state is also entered from its recorded facts, so that one
//! mismatch does not spoil what follows.

use crate::trace::Record;
use gdl_runtime::engine::{Engine, Position, State};
use gdl_runtime::kif::normalise;
use gdl_runtime::moves::find_joint_move;
use std::collections::BTreeSet;
use std::fmt;

/// How many facts or moves of a difference are listed.
const LISTED: usize = 20;

/// What a replay found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcome {
    /// States compared.
    pub states: u64,
    /// States in which anything differs.
    pub mismatches: u64,
    /// The first difference.
    pub first: Option<Mismatch>,
}

/// A state that the engine sees differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The playout in its trace.
    pub playout: u32,
    /// The moves made before.
    pub step: u32,
    /// What differs; at least one.
    pub differences: Vec<Difference>,
}

/// One thing that differs between trace and engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What it is about.
    pub subject: Subject,
    /// What only the trace has.
    pub missing: Vec<String>,
    /// What only the engine has.
    pub extra: Vec<String>,
}

/// What a difference is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// The facts of the state that the engine reaches by the recorded moves.
    Facts,
    /// Facts that the engine refuses to enter.
    Refused,
    /// The state as reached and as entered from the same facts: two encodings.
    Encoding,
    /// Whether the game is over.
    Terminal,
    /// The legal moves of a role.
    Legal(String),
    /// The goal values of a role.
    Goals(String),
}

impl Outcome {
    /// Adds another replay's outcome, which came after.
    pub fn absorb(&mut self, other: Self) {
        self.states += other.states;
        self.mismatches += other.mismatches;
        self.first = self.first.take().or(other.first);
    }
}

/// Compares one trace, state by state.
pub struct Replay<'e> {
    engine: &'e mut dyn Engine,
    /// Where the engine arrived: the recorded playout and step it belongs to.
    reached: Option<(u32, u32, State)>,
    outcome: Outcome,
}

impl<'e> Replay<'e> {
    /// Nothing compared yet.
    pub fn new(engine: &'e mut dyn Engine) -> Self {
        Self {
            engine,
            reached: None,
            outcome: Outcome::default(),
        }
    }

    /// What has been found so far.
    #[must_use]
    pub fn finish(self) -> Outcome {
        self.outcome
    }

    /// Compares the next state of the trace.
    pub fn compare(&mut self, record: &Record) {
        let mut differences = Vec::new();
        let reached = self.take_reached(record);
        if let Some(reached) = &reached {
            let facts = self.engine.facts(reached);
            differences.extend(differ(Subject::Facts, &record.state, &facts));
        }
        match self.engine.state(&record.state) {
            Ok(state) => {
                if differences.is_empty() && reached.is_some_and(|reached| reached != state) {
                    differences.push(Difference::of(Subject::Encoding));
                }
                let position = self.engine.examine(&state);
                self.compare_position(record, &position, &mut differences);
                self.make_moves(record, &state, &position);
            }
            Err(unknown) => differences.push(Difference {
                missing: vec![unknown.0],
                ..Difference::of(Subject::Refused)
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

    /// The state that the engine reached by itself, if it belongs here.
    fn take_reached(&mut self, record: &Record) -> Option<State> {
        if record.step == 0 {
            return Some(self.engine.initial());
        }
        let (playout, step, state) = self.reached.take()?;
        ((playout, step) == (record.playout, record.step)).then_some(state)
    }

    fn compare_position(
        &self,
        record: &Record,
        position: &Position,
        differences: &mut Vec<Difference>,
    ) {
        let is = |terminal: bool| [if terminal { "the end" } else { "not the end" }.to_owned()];
        let (recorded, found) = (is(record.terminal), is(position.terminal));
        differences.extend(differ(Subject::Terminal, &recorded, &found));
        for (role, name) in self.engine.roles().iter().enumerate() {
            if let Some(legal) = &record.legal {
                let recorded = legal.get(role).map_or(&[][..], Vec::as_slice);
                let found: Vec<String> = (position.legal[role].iter())
                    .map(|&mv| self.engine.move_name(role, mv))
                    .collect();
                differences.extend(differ(Subject::Legal(name.clone()), recorded, &found));
            }
            if let Some(goals) = &record.goals {
                let text = |goals: &[i32]| goals.iter().map(ToString::to_string).collect();
                let recorded: Vec<String> =
                    goals.get(role).map_or(Vec::new(), |goals| text(&goals.0));
                let found: Vec<String> = text(&position.goals[role]);
                differences.extend(differ(Subject::Goals(name.clone()), &recorded, &found));
            }
        }
    }

    /// Lets the engine make the recorded moves, if it knows them.
    fn make_moves(&mut self, record: &Record, state: &State, position: &Position) {
        let Some(names) = &record.joint else { return };
        let joint = find_joint_move(self.engine, position, names);
        self.reached = joint.ok().map(|joint| {
            let next = self.engine.next(state, &joint);
            (record.playout, record.step + 1, next)
        });
    }
}

impl Difference {
    const fn of(subject: Subject) -> Self {
        Self {
            subject,
            missing: Vec::new(),
            extra: Vec::new(),
        }
    }
}

/// The difference of two sets of KIF texts, if there is one.
fn differ(subject: Subject, recorded: &[String], found: &[String]) -> Option<Difference> {
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
            for text in texts.iter().take(LISTED) {
                write!(f, "\n    {sign} {label}: {text}")?;
            }
            if texts.len() > LISTED {
                write!(f, "\n    {sign} {label}: {} more", texts.len() - LISTED)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Facts => f.write_str("facts of the state reached"),
            Self::Refused => f.write_str("a fact that the engine holds impossible"),
            Self::Encoding => f.write_str("the same facts, reached and entered, are two states"),
            Self::Terminal => f.write_str("terminal"),
            Self::Legal(role) => write!(f, "legal moves of {role}"),
            Self::Goals(role) => write!(f, "goal values of {role}"),
        }
    }
}
