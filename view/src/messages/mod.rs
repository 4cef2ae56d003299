//! The messages between a page and its session: JSON texts over one websocket.

mod event;
mod live;
mod move_text;
mod request;
mod tree;

pub use event::{
    AnalysisEvent, ComponentEntry, FindingsEvent, HistoryEvent, LibraryEntry, LibraryEvent,
    MOST_MOVES, OpenedEvent, PageEvent, PositionEvent, ThinkingEvent,
};
pub use live::{AgentScore, LiveBoardEvent, LiveEvent, LivePlayer, ScoresEvent, StandingsEvent};
pub use move_text::{MoveText, ValuedMove};
pub use request::{GameRequest, PageRequest, RolePlayerSpec};
pub use tree::{OpenNode, RoleMoves, TreeEvent, TreePath};
