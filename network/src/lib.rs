//! General Game Playing on the network: the GGP protocol, a player, a host, and a
//! compliance suite.
//!
//! - [`protocol`] reads and writes messages, connects hosts and players by HTTP, and
//!   keeps match records in the JSON format of ggp-base.
//! - [`serve`] is a player: it answers hosts and searches with an agent of
//!   [`gdl_agent`].
//! - [`host`] runs matches between such players and agents in its own process.
//! - [`compliance`] tests players, written in whatever language, against the protocol.
//!
//! Everything that arrives is bounded in length, and every step has a deadline.
//!
//! # Reading a message
//! ```
//! use gdl_network::protocol::message::Message;
//!
//! let reply = match "(START m.1 white ((role white)) 30 10)".parse()? {
//!     Message::Info => "available",
//!     Message::Start { role, .. } if role == "white" => "ready",
//!     _ => "busy",
//! };
//! assert_eq!(reply, "ready");
//! # Ok::<(), gdl_network::protocol::message::BadMessage>(())
//! ```
//!
//! # Starting a player and asking it INFO
//! ```
//! use gdl_agent::agents::Agent;
//! use gdl_network::protocol::client::{Address, ask, connect};
//! use gdl_network::protocol::message::Message;
//! use gdl_network::serve::{Events, MatchRegistry, PlayerSettings, Server};
//! use gdl_runtime::stop_flag::StopFlag;
//! use std::net::Ipv4Addr;
//! use std::time::{Duration, Instant};
//!
//! let registry = MatchRegistry::new(PlayerSettings {
//!     name: "example".to_owned(),
//!     agent: Agent::default().into(),
//!     matches: 1,
//!     memory: 64 << 20,
//!     precompiled: None,
//!     native: false,
//!     folder: None,
//!     events: Events::default(),
//! });
//! let server = Server::bind(Ipv4Addr::LOCALHOST.into(), 0, registry)?;
//! let address: Address = server.address()?.to_string().parse()?;
//! let stop = StopFlag::default();
//! let reply = std::thread::scope(|scope| {
//!     scope.spawn(|| server.run(&stop));
//!     let deadline = Instant::now() + Duration::from_secs(10);
//!     let reply = ask(&address, "example", &Message::Info, deadline);
//!     stop.raise();
//!     // The server checks the flag when a connection arrives.
//!     let _ = connect(&address, deadline);
//!     reply
//! });
//! assert_eq!(
//!     reply?,
//!     "( ( name example ) ( status available ) ( species computer ) )"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod compliance;
pub mod host;
pub mod protocol;
pub mod serve;
pub mod unix_time;
