//! Accepts connections, each of which carries one message and its reply.

use super::match_registry::{MatchRegistry, Response};
use crate::protocol::http::{self, Request, RequestLimits};
use crate::protocol::message::Message;
use gdl_runtime::stop_flag::StopFlag;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The greatest number of open connections; further ones are closed at once.
const MOST_CONNECTIONS: usize = 1000;

/// The time within which a message must arrive, from the first byte to the last.
const RECEIVE_TIMEOUT: Duration = Duration::from_secs(10);

/// The time within which the peer must accept a reply.
const REPLY_TIMEOUT: Duration = Duration::from_secs(5);

/// The stack size of a connection's thread, in bytes: nothing there recurses.
const STACK: usize = 256 << 10;

/// The server cannot be reached by hosts.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The system does not allow listening on the address.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        #[source]
        error: io::Error,
    },
    /// The system does not report the address on which the server listens.
    #[error("the address of the server is unknown")]
    Address(#[source] io::Error),
}

/// Accepts connections and passes their messages to a registry of matches.
pub struct Server {
    listener: TcpListener,
    registry: Arc<MatchRegistry>,
    connections: Arc<AtomicUsize>,
}

impl Server {
    /// Listens on a port; port 0 stands for any free one.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub fn bind(address: IpAddr, port: u16, registry: MatchRegistry) -> Result<Self, ServerError> {
        let address = SocketAddr::new(address, port);
        let listener =
            TcpListener::bind(address).map_err(|error| ServerError::Listen { address, error })?;
        Ok(Self {
            listener,
            registry: Arc::new(registry),
            connections: Arc::default(),
        })
    }

    /// The address on which the server listens.
    ///
    /// # Errors
    /// If the system does not report it.
    pub fn address(&self) -> Result<SocketAddr, ServerError> {
        self.listener.local_addr().map_err(ServerError::Address)
    }

    /// Serves until the flag is raised, and then ends all matches. The flag is checked
    /// when a connection arrives: to stop the server, raise the flag and then connect once.
    pub fn run(&self, stop: &StopFlag) {
        for stream in self.listener.incoming() {
            if stop.is_raised() {
                break;
            }
            match stream {
                Ok(stream) => self.receive(stream),
                Err(error) => {
                    tracing::warn!("cannot accept a connection: {error}");
                    // Most likely there are too many open files; some will be closed.
                    thread::sleep(Duration::from_millis(20));
                }
            }
        }
        self.registry.close();
    }

    fn receive(&self, stream: TcpStream) {
        let received = Instant::now();
        let count = Arc::clone(&self.connections);
        if count.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
            count.fetch_sub(1, Ordering::Relaxed);
            return;
        }
        let registry = Arc::clone(&self.registry);
        let thread = thread::Builder::new().name("connection".to_owned());
        let done = Arc::clone(&count);
        let spawned = thread.stack_size(STACK).spawn(move || {
            if let Err(error) = serve(&stream, &registry, received) {
                tracing::debug!("a connection broke: {error}");
            }
            done.fetch_sub(1, Ordering::Relaxed);
        });
        if let Err(error) = spawned {
            tracing::warn!("cannot start a thread for a connection: {error}");
            count.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Reads one message and replies to it.
fn serve(stream: &TcpStream, registry: &MatchRegistry, received: Instant) -> io::Result<()> {
    let deadline = || Instant::now() + REPLY_TIMEOUT;
    let text = match http::read_request(
        stream,
        &RequestLimits::default(),
        received + RECEIVE_TIMEOUT,
    ) {
        Ok(Request::Message(text)) => text,
        Ok(Request::Options) => return http::reply(stream, "", deadline()).map(drop),
        Err(error) => {
            tracing::debug!("{error}");
            return match error.status() {
                Some(status) => http::refuse(stream, status, deadline()),
                None => Ok(()),
            };
        }
    };
    let received = Instant::now();
    let message: Message = match text.parse() {
        Ok(message) => message,
        Err(error) => {
            let refused = http::refuse(stream, 400, deadline());
            tracing::warn!("malformed message: {error}");
            return refused;
        }
    };
    let response: Response = registry.answer(message, received);
    let arrived = http::reply(stream, &response.text, deadline())?;
    response.arrived(arrived);
    Ok(())
}
