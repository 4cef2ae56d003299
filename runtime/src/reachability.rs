//! [`ReachabilityProgram`]: which role is first to reach what several roles can bring about, in
//! all lanes at once.

use std::fmt;
use std::sync::Arc;

use crate::lanes::Word;
use crate::layout::{BaseRow, Layout};
use crate::program::{Phase, Rows, StepProgram};
use crate::programs::Programs;

/// Computes, from the fluents of a game, bits that tell which role is the first to reach what
/// several can bring about.
#[derive(Clone)]
pub struct ReachabilityProgram {
    /// The fluents of the game, followed by one for each bit: it has the bit's name, and its next
    /// value is the bit.
    bases: Vec<BaseRow>,
    fluents: usize,
    operations: u32,
    /// Programs with their numbers of computed rows; for each word, the first that has code for
    /// it runs.
    programs: Vec<(Programs, u32)>,
}

impl ReachabilityProgram {
    /// Programs without moves that all compute the same: their first `fluents` fluents are those
    /// of a game, and the others take, in one step, the values to be computed. For each word, the
    /// first that has code for it runs.
    #[must_use]
    pub fn new(programs: Vec<(Programs, Layout)>, fluents: usize) -> Self {
        let first = programs.first().map(|(_, layout)| layout);
        Self {
            bases: first.map_or(Vec::new(), |layout| layout.bases.clone()),
            fluents,
            operations: first.map_or(0, |layout| layout.operations),
            programs: programs
                .into_iter()
                .map(|(programs, layout)| (programs, layout.work))
                .collect(),
        }
    }

    /// The number of bits that it computes.
    #[must_use]
    pub fn bits(&self) -> usize {
        self.bases.len() - self.fluents
    }

    /// What each bit tells, such as `(first white (cell a 1 *))`.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let bits = self.bases[self.fluents..].iter();
        bits.map(|bit| bit.name.as_str())
    }

    /// The cost of computing them in operations, as [`Layout::operations`].
    #[must_use]
    pub fn operations(&self) -> u32 {
        self.operations
    }

    /// The code for a word, and the number of its computed rows.
    fn of_word<W: Word>(&self) -> Option<(&Arc<dyn StepProgram<W>>, u32)> {
        let mut programs = self.programs.iter();
        programs.find_map(|(programs, work)| Some((programs.of_word()?, *work)))
    }

    /// Rows for it, with all bits false.
    pub(crate) fn rows<W: Word>(&self, zero: W) -> Rows<W> {
        let bases = self.bases.len();
        let work = self.of_word::<W>().map_or(0, |(_, work)| work);
        Rows {
            now: vec![zero; bases].into(),
            work: vec![zero; work as usize].into(),
            next: vec![zero; bases].into(),
        }
    }

    /// Computes the bits from the fluents of a game.
    pub(crate) fn run<'a, W: Word>(&self, fluents: &[W], rows: &'a mut Rows<W>) -> &'a [W] {
        rows.now[..self.fluents].copy_from_slice(fluents);
        if let Some((program, _)) = self.of_word::<W>() {
            program.run(Phase::Terminal, rows);
            program.run(Phase::Next, rows);
        }
        &rows.next[self.fluents..]
    }
}

impl fmt::Debug for ReachabilityProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// Programs of one game are equal if they compute the same bits.
impl PartialEq for ReachabilityProgram {
    fn eq(&self, other: &Self) -> bool {
        self.fluents == other.fluents && self.bases == other.bases
    }
}

impl Eq for ReachabilityProgram {}

/// Finds the program of a game when first called, and caches it; `None` if the game has nothing
/// that several roles can bring about, or is too large.
pub type ReachabilityFinder = Arc<dyn Fn() -> Option<Arc<ReachabilityProgram>> + Send + Sync>;
