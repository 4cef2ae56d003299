//! Connections: each brings one message, and takes the reply.

use super::match_registry::{MatchRegistry, Response};
use crate::protocol::http::{self, Request, RequestLimits};
use crate::protocol::message::Message;
use anyhow::Context as _;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Connections at a time; more are closed at once.
const MOST_CONNECTIONS: usize = 1000;

/// How long a message may take to arrive, from the first byte to the last.
const RECEIVE_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a reply may take to leave.
const REPLY_TIMEOUT: Duration = Duration::from_secs(5);

/// A stack for a connection: nothing there recurses.
const STACK: usize = 256 << 10;

/// Accepts connections for a registry.
pub struct Server {
    listener: TcpListener,
    registry: Arc<MatchRegistry>,
    connections: Arc<AtomicUsize>,
}

impl Server {
    /// Listens on a port; on any that is free for port 0.
    ///
    /// # Errors
    /// If that is impossible.
    pub fn bind(address: IpAddr, port: u16, registry: MatchRegistry) -> anyhow::Result<Self> {
        let address = SocketAddr::new(address, port);
        let listener =
            TcpListener::bind(address).with_context(|| format!("cannot listen on {address}"))?;
        Ok(Self {
            listener,
            registry: Arc::new(registry),
            connections: Arc::default(),
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// If the system does not say so.
    pub fn address(&self) -> anyhow::Result<SocketAddr> {
        self.listener.local_addr().context("nothing is listened to")
    }

    /// Serves until the flag is set; a connection made after that wakes it.
    pub fn run(&self, leaving: &AtomicBool) {
        for stream in self.listener.incoming() {
            if leaving.load(Ordering::Relaxed) {
                break;
            }
            match stream {
                Ok(stream) => self.receive(stream),
                Err(error) => {
                    tracing::warn!("a connection failed: {error}");
                    // Out of files, most likely: some will be closed.
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
                tracing::debug!("a connection was lost: {error}");
            }
            done.fetch_sub(1, Ordering::Relaxed);
        });
        if let Err(error) = spawned {
            tracing::warn!("no thread for a connection: {error}");
            count.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Reads a message and replies.
fn serve(stream: &TcpStream, registry: &MatchRegistry, received: Instant) -> io::Result<()> {
    let departure = || Instant::now() + REPLY_TIMEOUT;
    let text = match http::read_request(
        stream,
        &RequestLimits::default(),
        received + RECEIVE_TIMEOUT,
    ) {
        Ok(Request::Message(text)) => text,
        Ok(Request::Options) => return http::reply(stream, "", departure()).map(drop),
        Err(error) => {
            tracing::debug!("{error}");
            return match error.status() {
                Some(status) => http::refuse(stream, status, departure()),
                None => Ok(()),
            };
        }
    };
    let received = Instant::now();
    let message: Message = match text.parse() {
        Ok(message) => message,
        Err(error) => {
            tracing::warn!("not a message: {error}");
            return http::refuse(stream, 400, departure());
        }
    };
    let response: Response = registry.answer(message, received);
    let arrived = http::reply(stream, &response.text, departure())?;
    response.arrived(arrived);
    Ok(())
}
