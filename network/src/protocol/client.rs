//! The host's end of a connection: sends one message, reads one reply.

use super::http::Headers;
use super::message::Message;
use super::stream::{Incoming, Parse, left, send};
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs as _};
use std::str::FromStr;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How long a connection may take to come about; a deadline may be sooner.
const CONNECT: Duration = Duration::from_secs(5);

/// How many bytes a reply may have, and its head.
const MOST_BYTES: usize = 1 << 20;

/// Header lines that are read.
const MOST_HEADERS: usize = 100;

/// Where a player listens.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Address {
    /// A name or an address of the internet protocol, without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
}

impl FromStr for Address {
    type Err = String;

    /// Reads `http://HOST:PORT/` and `HOST:PORT`.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("expected http://HOST:PORT, not {text:?}");
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

/// Why there is no reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskError {
    /// It was not there before the deadline.
    Timeout,
    /// No connection came about, it broke, or what came was no reply; why.
    Connection(String),
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Timeout => f.write_str("no reply in time"),
            Self::Connection(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for AskError {}

impl From<io::Error> for AskError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::TimedOut => Self::Timeout,
            io::ErrorKind::FileTooLarge => Self::Connection("the reply is too long".to_owned()),
            _ => Self::Connection(error.to_string()),
        }
    }
}

/// Sends a message to a player, which `receiver` names, and gives its reply
/// without blanks around it. The deadline is for all of it.
///
/// # Errors
/// If there is no reply in time, or none at all.
pub fn ask(
    address: &Address,
    receiver: &str,
    message: &Message,
    deadline: Instant,
) -> Result<String, AskError> {
    post(address, receiver, &message.to_string(), deadline)
}

/// Sends any text as [`ask`] sends messages.
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
    let request = request(address, receiver, text);
    send(&stream, request.as_bytes(), deadline)?;
    read_reply(&stream, deadline)
}

/// A connection to a player.
///
/// # Errors
/// If none of its addresses accepts one within five seconds and the deadline.
pub fn connect(address: &Address, deadline: Instant) -> Result<TcpStream, AskError> {
    let soon = deadline.min(Instant::now() + CONNECT);
    let late = |error: io::Error| match error.kind() {
        io::ErrorKind::TimedOut if Instant::now() < deadline => {
            AskError::Connection(format!("no connection within {} s", CONNECT.as_secs()))
        }
        _ => error.into(),
    };
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    for found in resolve(address, soon).map_err(late)? {
        let left = left(soon).map_err(late)?;
        match TcpStream::connect_timeout(&found, left) {
            Ok(stream) => {
                // A message is written at once; the answer is waited for.
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(late(last))
}

/// The addresses of a player's host. Names are looked up on a thread of its own,
/// since that knows no deadline.
fn resolve(address: &Address, deadline: Instant) -> io::Result<Vec<SocketAddr>> {
    let port = address.port;
    if let Ok(number) = address.host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(number, port)]);
    }
    let (sender, receiver) = mpsc::channel();
    let host = address.host.clone();
    std::thread::Builder::new().spawn(move || {
        let found = (host.as_str(), port).to_socket_addrs();
        // Nobody waits any longer: there is nothing to tell.
        let _ = sender.send(found.map(Iterator::collect));
    })?;
    (receiver.recv_timeout(left(deadline)?)).unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

/// A request as ggp-base's host writes it.
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

/// Reads a reply, without blanks around it.
///
/// # Errors
/// If it is not there in time, has over 1 MiB, or has a status other than 200.
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

/// What a reply's head says.
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
        .map_err(|error| format!("no reply of HTTP: {error}"))?;
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
