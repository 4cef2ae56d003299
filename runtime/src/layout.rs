//! [`Layout`]: the meaning of each row of a game's machine.

/// A row of a machine's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Row {
    /// The value of a fluent now.
    Base(u32),
    /// A computed value.
    Work(u32),
}

/// The meaning and the names of the rows of a game's machine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    /// The name of the game.
    pub name: String,
    /// The roles, in order.
    pub roles: Vec<String>,
    /// The fluents, one row each.
    pub bases: Vec<BaseRow>,
    /// The number of computed rows.
    pub work: u32,
    /// The number of operations per step: a measure of its cost.
    pub operations: u32,
    /// For every role, its moves.
    pub moves: Vec<Vec<MoveRow>>,
    /// For every role, its moves in the order in which `legal` lists them: moves that
    /// share a choice are in the order of its candidates.
    pub legal_order: Vec<Vec<u32>>,
    /// Whether the game is over.
    pub terminal: Option<Row>,
    /// For every role, its goal values, ascending, each with the row that tells whether
    /// it holds.
    pub goals: Vec<Vec<(i32, Row)>>,
    /// For every role, whether it gets the same goal value however the game ends, as a die does:
    /// none of its moves is better for it than another. Empty if that is not known.
    pub indifferent: Vec<bool>,
    /// The uniform choices made in a step.
    pub choices: Vec<Choice>,
}

/// A fluent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseRow {
    /// As KIF without `true`.
    pub name: String,
    /// Whether it holds in the initial state.
    pub initially: bool,
}

/// A move of one role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveRow {
    /// As KIF.
    pub name: String,
    /// Whether it is legal.
    pub legal: Row,
    /// The choice that it is a candidate of; `None` for a move that is made whenever it
    /// is legal.
    pub choice: Option<u32>,
}

/// A uniform choice among some legal moves of a lane.
///
/// The count phase counts the candidates; a rank below the count is drawn (or
/// forced), and the next phase makes the move of that rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Choice {
    /// The first of the work rows that hold the count, lowest bit first.
    pub count: u32,
    /// The first of the work rows that receive the rank, lowest bit first.
    pub rank: u32,
    /// The number of bits of the count.
    pub count_bits: u32,
    /// The number of bits of the rank.
    pub rank_bits: u32,
}

impl Choice {
    /// The count and rank rows of the choice, among all work rows.
    #[inline(always)]
    pub(crate) fn rows<'a, W>(&self, work: &'a mut [W]) -> (&'a [W], &'a mut [W]) {
        let (count, rank) = (self.count as usize, self.rank as usize);
        let (before, from_rank) = work.split_at_mut(rank);
        (
            &before[count..count + self.count_bits as usize],
            &mut from_rank[..self.rank_bits as usize],
        )
    }
}

impl Layout {
    /// The number of 64-bit words of a state: at least one, so that the length of a table of
    /// states gives their number even in a game without fluents.
    #[must_use]
    pub fn state_words(&self) -> usize {
        self.bases.len().div_ceil(64).max(1)
    }

    /// The goal value of a role that gets the same one however the game ends.
    #[must_use]
    pub fn constant_goal(&self, role: usize) -> Option<i32> {
        let is_indifferent = self.indifferent.get(role).copied().unwrap_or(false);
        is_indifferent.then(|| self.goals[role].last().map_or(0, |&(value, _)| value))
    }

    /// Whether a fluent holds in a packed state.
    #[must_use]
    pub fn holds(state: &[u64], base: usize) -> bool {
        state[base / 64] >> (base % 64) & 1 != 0
    }
}
