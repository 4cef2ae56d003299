//! The messages between a page and its session: JSON texts over one websocket.

mod event;
mod request;

pub use event::{
    AnalysisEvent, ComponentEntry, CourseEvent, FindingsEvent, LibraryEntry, LibraryEvent,
    MOST_MOVES, MoveText, OpenedEvent, PageEvent, PositionEvent, ThinkingEvent, ValuedMove,
};
pub use request::PageRequest;
