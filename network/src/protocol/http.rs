//! The player's end of a connection: reads one request and writes one reply.
//!
//! Accepts everything that hosts are known to send, whether or not it conforms to
//! HTTP: Content-Length in any case, counted in characters instead of bytes, or
//! missing; lines that end without a carriage return; messages in the URL of a
//! GET. A request ends where the outermost parenthesis of its message closes,
//! whatever Content-Length says, so that no host waits for the answer to a message
//! that is complete.

use super::stream::{Incoming, Parse, send};
use percent_encoding::percent_decode_str;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// The greatest number of header lines; a request with more is refused.
const MOST_HEADERS: usize = 100;

/// For how long, and up to how many bytes, to read what a peer still sends after
/// the reply: closing a connection with unread bytes resets it, which can destroy the
/// reply before the peer has read it.
const DRAIN: (Duration, usize) = (Duration::from_millis(500), 4 << 20);

/// The greatest lengths of the parts of a request, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestLimits {
    /// Request line and header lines together.
    pub head: usize,
    /// The message; the largest public rule sheet has 69 kB.
    pub body: usize,
}

impl Default for RequestLimits {
    fn default() -> Self {
        Self {
            head: 16 << 10,
            body: 1 << 20,
        }
    }
}

/// A request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// A message that is to be answered.
    Message(String),
    /// A query about the allowed requests, which browsers send first; the reply is
    /// empty.
    Options,
}

/// The reason why no request could be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The request was not complete before the deadline.
    #[error("the request was not complete in time")]
    Timeout,
    /// The peer closed the connection without sending anything, or the connection
    /// broke: a reply would reach no one.
    #[error("the connection is gone: {0}")]
    Gone(#[source] io::Error),
    /// The request is to be refused.
    #[error("{what} ({status})")]
    Refused {
        /// The HTTP status of the refusal.
        status: u16,
        /// What is wrong, on one line.
        what: String,
    },
}

impl ReadError {
    /// The status with which to [`refuse`]; `None` if the peer is gone.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Timeout => Some(408),
            Self::Gone(_) => None,
            Self::Refused { status, .. } => Some(*status),
        }
    }

    fn refused(status: u16, what: impl Into<String>) -> Self {
        Self::Refused {
            status,
            what: what.into(),
        }
    }

    /// Interprets an error in the head or, if `in_head` is false, in the message.
    fn of(error: io::Error, in_head: bool) -> Self {
        match error.kind() {
            io::ErrorKind::TimedOut => Self::Timeout,
            io::ErrorKind::FileTooLarge if in_head => Self::refused(431, "the head is too long"),
            io::ErrorKind::FileTooLarge => Self::refused(413, "the message is too long"),
            io::ErrorKind::UnexpectedEof => Self::refused(400, "the head ends early"),
            io::ErrorKind::InvalidData => Self::refused(400, error.to_string()),
            _ => Self::Gone(error),
        }
    }
}

/// Reads a request; the deadline covers all of it.
///
/// # Errors
/// If the request is not complete in time, exceeds the limits or is malformed.
pub fn read_request(
    stream: &TcpStream,
    limits: &RequestLimits,
    deadline: Instant,
) -> Result<Request, ReadError> {
    let mut incoming = Incoming::new(stream, deadline);
    let head = (incoming.head(limits.head, HEAD)).map_err(|error| ReadError::of(error, true))?;
    match head.method.as_str() {
        "POST" => {
            if head.is_chunked {
                return Err(ReadError::refused(
                    411,
                    "chunked messages are not supported",
                ));
            }
            let length = match head.length.as_deref().map(str::parse) {
                Some(Err(_)) => {
                    return Err(ReadError::refused(400, "Content-Length is not a number"));
                }
                Some(Ok(length)) => Some(length),
                None => None,
            };
            if head.expects_continue && incoming.bytes.is_empty() {
                send(stream, b"HTTP/1.1 100 Continue\r\n\r\n", deadline)
                    .map_err(ReadError::Gone)?;
            }
            let message = incoming.message(length, limits.body);
            let message = message.map_err(|error| ReadError::of(error, false))?;
            Ok(Request::Message(message))
        }
        "GET" => Ok(Request::Message(decode(&head.target))),
        "OPTIONS" => Ok(Request::Options),
        other => Err(ReadError::refused(
            405,
            format!("the method {other:?} is not supported"),
        )),
    }
}

/// The parts of a request's head that are used.
struct RequestHead {
    /// In upper case.
    method: String,
    target: String,
    length: Option<String>,
    is_chunked: bool,
    expects_continue: bool,
}

const HEAD: Parse<RequestHead> = |bytes| {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let parsed = httparse::ParserConfig::default()
        .ignore_invalid_headers_in_requests(true)
        .parse_request(&mut request, bytes)
        .map_err(|error| format!("not an HTTP request: {error}"))?;
    let httparse::Status::Complete(length) = parsed else {
        return Ok(None);
    };
    let headers = Headers(request.headers);
    let head = RequestHead {
        method: request.method.unwrap_or_default().to_ascii_uppercase(),
        target: request.path.unwrap_or_default().to_owned(),
        length: headers.find("content-length"),
        is_chunked: headers.find("transfer-encoding").is_some(),
        expects_continue: headers.find("expect").is_some(),
    };
    Ok(Some((length, head)))
};

/// Header lines, whose names compare case-insensitively.
pub(super) struct Headers<'a>(pub(super) &'a [httparse::Header<'a>]);

impl Headers<'_> {
    /// The value of the first line of this name.
    pub(super) fn find(&self, name: &str) -> Option<String> {
        let found = (self.0.iter()).find(|header| header.name.eq_ignore_ascii_case(name))?;
        Some(String::from_utf8_lossy(found.value).trim().to_owned())
    }
}

/// The message in the URL of a GET, encoded as by Java's `URLEncoder`.
fn decode(target: &str) -> String {
    let path = target.strip_prefix('/').unwrap_or(target);
    let spaced = path.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}

/// Answers a request and ends the connection. Blocks until the peer has read the
/// reply and closed its end, but at most for half a second. Returns the time at
/// which the peer closed its end or, if it did not, at which the reply was sent.
///
/// # Errors
/// If the peer does not accept the reply before the deadline.
pub fn reply(stream: &TcpStream, body: &str, deadline: Instant) -> io::Result<Instant> {
    write_reply(stream, 200, body, deadline)
}

/// Refuses a request with an HTTP status, whose reason phrase is the body of the
/// reply, and ends the connection as [`reply`] does.
///
/// # Errors
/// As [`reply`].
pub fn refuse(stream: &TcpStream, status: u16, deadline: Instant) -> io::Result<()> {
    write_reply(stream, status, reason(status), deadline).map(drop)
}

fn write_reply(
    stream: &TcpStream,
    status: u16,
    body: &str,
    deadline: Instant,
) -> io::Result<Instant> {
    let reply = format!(
        "HTTP/1.0 {status} {}\r\n\
         Content-type: text/acl\r\n\
         Content-length: {}\r\n\
         Access-Control-Allow-Origin: *\r\n\
         Access-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
         Access-Control-Allow-Headers: Content-Type\r\n\
         \r\n\
         {body}",
        reason(status),
        body.len(),
    );
    // Without this, the end of the reply waits until the peer acknowledges its start.
    let _ = stream.set_nodelay(true);
    send(stream, reply.as_bytes(), deadline)?;
    stream.shutdown(Shutdown::Write)?;
    let sent = Instant::now();
    Ok(if drain(stream) { Instant::now() } else { sent })
}

/// Reads and discards what the peer still sends, within [`DRAIN`]; returns whether
/// the peer closed its end.
fn drain(stream: &TcpStream) -> bool {
    let (time, most) = DRAIN;
    let mut leftovers = Incoming::new(stream, Instant::now() + time);
    let mut read = 0;
    while read <= most {
        match leftovers.more() {
            Ok(0) => return true,
            Ok(count) => read += count,
            Err(_) => return false,
        }
        leftovers.bytes.clear();
    }
    false
}

/// The reason phrase of a status.
fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Refused",
    }
}
