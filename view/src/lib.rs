//! A page in the browser for games of the Game Description Language.
//!
//! [`ViewServer`] serves a page on which people play games against each other and against
//! agents, watch searches, step through recorded matches, and write rules. Everything that
//! happens on a page is decided here, in its session: the page draws what it is told and
//! sends what is clicked. The two speak [`messages`] over one websocket.
//!
//! ```no_run
//! use gdl_view::{GameLibrary, Limits, ViewServer};
//!
//! // The built-in games, and the rule sheets of a folder.
//! let library = GameLibrary::new(&["my-games".into()])?;
//! let address = ([127, 0, 0, 1], 8017).into();
//! let server = ViewServer::bind(address, library, Limits::default())?;
//! println!("http://{}/", server.address());
//! server.run()?;
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! What is being played elsewhere, in contests, by a host or by a player on the network, is put
//! on a [live feed](live), which another kind of page shows.
//!
//! # Safety
//! Requests addressed to any name but the server's own are refused (`guard`). Names of games and
//! records that pages send are looked up in a list and never become paths (`library`); only an
//! agent's text can name a file, which is read as a network. Messages, pages and searches are
//! [bounded](Limits), and a page that goes away ends its search.

mod assets;
mod components;
mod findings;
mod guard;
mod library;
mod limits;
pub mod live;
pub mod messages;
mod pictures;
mod playground;
pub mod records;
mod replay_file;
mod server;
mod session;
mod site;
mod socket;

pub use findings::Finding;
pub use library::GameLibrary;
pub use limits::Limits;
pub use playground::RandomGames;
pub use replay_file::{ReplayError, replay_file};
pub use server::ViewServer;
