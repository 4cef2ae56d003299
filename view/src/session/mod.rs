//! What happens behind one page: a thread that owns the game it has open.
//!
//! Requests arrive over one channel, and events leave over another. Between requests the session
//! works: an agent of the match searches, or an analysis does. A request that arrives in the
//! meantime raises the [stop flag](gdl_runtime::stop_flag::StopFlag), so that it is answered at
//! once; the search then continues where it left off.

mod analysis;
mod evaluation;
mod event_sink;
mod match_history;
mod match_play;
mod network_player;
mod open_game;
mod open_tree;
mod page_session;
mod preparation;
mod request_error;
mod role_player;
mod search_result;
mod searcher;

pub(crate) use event_sink::EventSink;
pub(crate) use page_session::{PageSession, Shared};
