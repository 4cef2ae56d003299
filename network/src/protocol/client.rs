//! The host's end of a connection: sends one message and reads one reply.

use super::http::Headers;
use super::message::Message;
use super::stream::{Incoming, Parse, left, send};
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs as _};
use std::str::FromStr;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The longest wait for a connection; the caller's deadline may be sooner.
const CONNECT: Duration = Duration::from_secs(5);

/// The greatest length of a reply and of its head, each in bytes.
const MOST_BYTES: usize = 1 << 20;

/// The greatest number of header lines.
const MOST_HEADERS: usize = 100;

/// The address at which a player listens, written `http://HOST:PORT`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Address {
    /// A host name or an IP address, without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
}

/// The text is not the address of a player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected http://HOST:PORT, not {0:?}")]
pub struct BadAddress(pub String);

impl FromStr for Address {
    type Err = BadAddress;

    /// Reads `http://HOST:PORT/` and `HOST:PORT`.
    fn from_str(text: &str) -> Result<Self, BadAddress> {
        let expected = || BadAddress(text.to_owned());
        let rest = match text.split_at_checked(7) {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http://") => rest,
            _ => text,
        };
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (host, port) = rest.rsplit_once(':').ok_or_else(expected)?;
        let bracketed = host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'));
        let is_odd = |character: char| {
            !(character.is_ascii_alphanumeric() || matches!(character, '.' | '-' | '_'))
        };
        let host = match bracketed {
            Some(inside) if inside.parse::<std::net::Ipv6Addr>().is_ok() => inside,
            None if !host.is_empty() && !host.contains(is_odd) => host,
            _ => return Err(expected()),
        };
        Ok(Self {
            host: host.to_owned(),
            port: port.parse().map_err(|_| expected())?,
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}", self.authority())
    }
}

impl Address {
    /// `HOST:PORT`.
    fn authority(&self) -> String {
        match self.host.parse() {
            Ok(IpAddr::V6(address)) => format!("[{address}]:{}", self.port),
            _ => format!("{}:{}", self.host, self.port),
        }
    }
}

/// The reason why there is no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// The reply was not complete before the deadline.
    #[error("no reply in time")]
    Timeout,
    /// The connection could not be established, it broke, or what arrived was not
    /// a reply; the text says which.
    #[error("{0}")]
    Connection(String),
}

impl From<io::Error> for AskError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::TimedOut => Self::Timeout,
            io::ErrorKind::FileTooLarge => Self::Connection("the reply is too long".to_owned()),
            _ => Self::Connection(error.to_string()),
        }
    }
}

/// Sends a message to a player, addressed to the name `receiver`, and returns the
/// reply without surrounding blanks. The deadline covers the whole exchange.
///
/// # Errors
/// If no reply arrives in time, or none at all.
pub fn ask(
    address: &Address,
    receiver: &str,
    message: &Message,
    deadline: Instant,
) -> Result<String, AskError> {
    post(address, receiver, &message.to_string(), deadline)
}

/// Sends an arbitrary text in the way [`ask`] sends messages.
///
/// # Errors
/// As [`ask`].
pub fn post(
    address: &Address,
    receiver: &str,
    text: &str,
    deadline: Instant,
) -> Result<String, AskError> {
    let stream = connect(address, deadline)?;
    post_on(&stream, address, receiver, text, deadline)
}

/// Sends a text on a new connection to a player in the way [`ask`] sends messages.
///
/// # Errors
/// As [`ask`].
pub(crate) fn post_on(
    stream: &TcpStream,
    address: &Address,
    receiver: &str,
    text: &str,
    deadline: Instant,
) -> Result<String, AskError> {
    let request = request(address, receiver, text);
    send(stream, request.as_bytes(), deadline)?;
    read_reply(stream, deadline)
}

/// Connects to a player.
///
/// # Errors
/// If none of its addresses accepts a connection within five seconds or before the
/// deadline, whichever is sooner.
pub fn connect(address: &Address, deadline: Instant) -> Result<TcpStream, AskError> {
    let soon = deadline.min(Instant::now() + CONNECT);
    let late = |error: io::Error| match error.kind() {
        io::ErrorKind::TimedOut if Instant::now() < deadline => {
            AskError::Connection(format!("no connection within {} s", CONNECT.as_secs()))
        }
        _ => error.into(),
    };
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the host name has no address");
    for found in resolve(address, soon).map_err(late)? {
        let left = left(soon).map_err(late)?;
        match TcpStream::connect_timeout(&found, left) {
            Ok(stream) => {
                // The message is written in one piece, so delaying it gains nothing.
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(late(last))
}

/// The addresses of a player's host. Names are looked up on a separate thread,
/// since the system's resolver has no timeout.
fn resolve(address: &Address, deadline: Instant) -> io::Result<Vec<SocketAddr>> {
    let port = address.port;
    if let Ok(number) = address.host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(number, port)]);
    }
    let (sender, receiver) = mpsc::channel();
    let host = address.host.clone();
    std::thread::Builder::new().spawn(move || {
        let found = (host.as_str(), port).to_socket_addrs();
        // Fails if the caller has stopped waiting, which is no error.
        let _ = sender.send(found.map(Iterator::collect));
    })?;
    (receiver.recv_timeout(left(deadline)?)).unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

/// A request in the form in which the host of ggp-base writes it.
fn request(address: &Address, receiver: &str, message: &str) -> String {
    let receiver = receiver.replace(char::is_control, " ");
    format!(
        "POST / HTTP/1.0\r\n\
         Accept: text/delim\r\n\
         Host: {}\r\n\
         Sender: GAMESERVER\r\n\
         Receiver: {receiver}\r\n\
         Content-Type: text/acl\r\n\
         Content-Length: {}\r\n\
         \r\n\
         {message}",
        address.authority(),
        message.len(),
    )
}

/// Reads a reply and returns it without surrounding blanks.
///
/// # Errors
/// If it is not complete in time, is longer than 1 MiB, or has a status other than
/// 200.
pub fn read_reply(stream: &TcpStream, deadline: Instant) -> Result<String, AskError> {
    let mut incoming = Incoming::new(stream, deadline);
    let head = incoming
        .head(MOST_BYTES, HEAD)
        .map_err(|error| match error.kind() {
            io::ErrorKind::ConnectionAborted | io::ErrorKind::UnexpectedEof => {
                AskError::Connection("the connection ended without a reply".to_owned())
            }
            _ => error.into(),
        })?;
    if head.status != 200 {
        return Err(AskError::Connection(format!("status {}", head.status)));
    }
    let text = incoming.message(head.length, MOST_BYTES)?;
    Ok(text.trim().to_owned())
}

/// The parts of a reply's head that are used.
struct ReplyHead {
    status: u16,
    length: Option<usize>,
}

const HEAD: Parse<ReplyHead> = |bytes| {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let parsed = httparse::ParserConfig::default()
        .ignore_invalid_headers_in_responses(true)
        .parse_response(&mut response, bytes)
        .map_err(|error| format!("not an HTTP reply: {error}"))?;
    let httparse::Status::Complete(length) = parsed else {
        return Ok(None);
    };
    let announced = Headers(response.headers).find("content-length");
    let head = ReplyHead {
        status: response.code.unwrap_or_default(),
        length: announced.and_then(|length| length.parse().ok()),
    };
    Ok(Some((length, head)))
};
