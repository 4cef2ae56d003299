//! Growing tables.

/// A growing table: entries, room for entries, bytes per entry.
#[derive(Debug, Clone, Copy)]
pub(super) struct TableUsage {
    pub(super) len: usize,
    pub(super) capacity: usize,
    pub(super) entry: usize,
}

/// The ratio of capacity to entries beyond which a table is shrunk.
const MOST_ROOM: usize = 4;

/// Shrinks a table that has far more room than it is going to need soon.
pub(super) fn give_back<T>(table: &mut Vec<T>) {
    if table.capacity() / MOST_ROOM > table.len() {
        table.shrink_to(2 * table.len());
    }
}
