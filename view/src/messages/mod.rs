//! The messages between a page and its session: JSON texts over one websocket.

mod event;
mod request;

pub use event::{
    AnalysisEvent, ComponentEntry, FindingsEvent, HistoryEvent, LibraryEntry, LibraryEvent,
    MOST_MOVES, MoveText, OpenedEvent, PageEvent, PositionEvent, ThinkingEvent, ValuedMove,
};
pub use request::{PageRequest, RolePlayerSpec};
