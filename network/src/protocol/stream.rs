//! Reading from and writing to a connection, within a deadline and bounds on
//! lengths.

use super::balance::Balance;
use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How long to wait for the rest of a message that is longer than announced: some
/// peers count characters instead of bytes, and have already sent the rest.
const GRACE: Duration = Duration::from_millis(300);

/// The number of bytes requested per read.
const CHUNK: usize = 16 << 10;

/// The time left until a deadline.
///
/// # Errors
/// `TimedOut` if it has passed.
pub fn left(deadline: Instant) -> io::Result<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    // The system treats timeouts below a microsecond as no timeout at all.
    Ok(left.max(Duration::from_millis(1)))
}

/// Sends all bytes before a deadline.
///
/// # Errors
/// If the peer does not accept them; `TimedOut` if it does not do so in time.
pub fn send(mut stream: &TcpStream, mut bytes: &[u8], deadline: Instant) -> io::Result<()> {
    while !bytes.is_empty() {
        stream.set_write_timeout(Some(left(deadline)?))?;
        match stream.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(sent) => bytes = &bytes[sent..],
            Err(error) if is_pause(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether to retry a read or write until the deadline.
fn is_pause(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
}

/// The incoming bytes of a connection.
pub struct Incoming<'a> {
    stream: &'a TcpStream,
    deadline: Instant,
    /// The bytes that have arrived but have not been consumed.
    pub bytes: Vec<u8>,
}

impl<'a> Incoming<'a> {
    pub fn new(stream: &'a TcpStream, deadline: Instant) -> Self {
        Self {
            stream,
            deadline,
            bytes: Vec::new(),
        }
    }

    /// Waits for more bytes and returns their number, which is 0 at the end of the
    /// stream.
    ///
    /// # Errors
    /// `TimedOut` if nothing arrives before the deadline.
    pub fn more(&mut self) -> io::Result<usize> {
        let mut chunk = [0; CHUNK];
        loop {
            self.stream.set_read_timeout(Some(left(self.deadline)?))?;
            match self.stream.read(&mut chunk) {
                Ok(count) => {
                    self.bytes.extend_from_slice(&chunk[..count]);
                    return Ok(count);
                }
                Err(error) if is_pause(&error) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Reads and consumes a head, whose end `parse` finds.
    ///
    /// # Errors
    /// `FileTooLarge` if the head has more than `most` bytes, `UnexpectedEof` if the
    /// stream ends inside it, `ConnectionAborted` if the stream ends before it,
    /// `InvalidData` if `parse` fails.
    pub fn head<T>(&mut self, most: usize, parse: Parse<T>) -> io::Result<T> {
        let mut seen = 0;
        loop {
            // Once per line: parsing after every byte would take quadratic time.
            if self.bytes[seen..].contains(&b'\n') {
                let parsed = parse(&self.bytes)
                    .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
                if let Some((length, head)) = parsed {
                    self.bytes.drain(..length);
                    return Ok(head);
                }
            }
            if self.bytes.len() > most {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            seen = self.bytes.len();
            if self.more()? == 0 {
                return Err(match seen {
                    0 => io::ErrorKind::ConnectionAborted.into(),
                    _ => io::ErrorKind::UnexpectedEof.into(),
                });
            }
        }
    }

    /// Reads a message, which ends with its outermost expression, at the end of the
    /// stream or, if no parenthesis is open by then, after `length` bytes. Anything
    /// after the outermost expression is discarded.
    ///
    /// # Errors
    /// `FileTooLarge` if the message has more than `most` bytes, `TimedOut` if it does
    /// not arrive in time.
    pub fn message(&mut self, length: Option<usize>, most: usize) -> io::Result<String> {
        if length.is_some_and(|length| length > most) {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let mut balance = Balance::default();
        let mut seen = 0;
        let mut is_late = false;
        loop {
            if let Some(end) = balance.read(&self.bytes[seen..]) {
                self.bytes.truncate(seen + end);
                break;
            }
            if self.bytes.len() > most {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            seen = self.bytes.len();
            if length.is_some_and(|length| seen >= length) {
                if !balance.is_open() {
                    break;
                }
                if !is_late {
                    is_late = true;
                    self.deadline = self.deadline.min(Instant::now() + GRACE);
                }
            }
            match self.more() {
                Ok(0) => break,
                Err(error) if is_late && error.kind() == io::ErrorKind::TimedOut => break,
                outcome => outcome?,
            };
        }
        Ok(String::from_utf8_lossy(&self.bytes).into_owned())
    }
}

/// Parses a head: returns its length in bytes and its contents, or `None` if it is
/// incomplete.
pub type Parse<T> = fn(&[u8]) -> Result<Option<(usize, T)>, String>;
