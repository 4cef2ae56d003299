//! Both ends of a connection, on real sockets.

use super::client::{Address, AskError, ask};
use super::http::{ReadError, Request, RequestLimits, read_request, refuse, reply};
use super::message::Message;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const LIMITS: RequestLimits = RequestLimits {
    head: 1000,
    body: 2000,
};

fn soon() -> Instant {
    after(10_000)
}

fn after(milliseconds: u64) -> Instant {
    Instant::now() + Duration::from_millis(milliseconds)
}

/// Serves the next connection to an address.
fn accept<T: Send + 'static>(
    serve: impl FnOnce(TcpStream) -> T + Send + 'static,
) -> (SocketAddr, JoinHandle<T>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    let server = thread::spawn(move || serve(listener.accept().expect("a connection arrives").0));
    (address, server)
}

/// A player that answers one request, before `milliseconds` have passed.
fn player(milliseconds: u64) -> (SocketAddr, JoinHandle<Result<Request, ReadError>>) {
    accept(move |stream| {
        let request = read_request(&stream, &LIMITS, after(milliseconds));
        match &request {
            Ok(Request::Message(_)) => drop(reply(&stream, "ready", soon()).expect("it is read")),
            Ok(Request::Options) => drop(reply(&stream, "", soon()).expect("it is read")),
            Err(error) => {
                if let Some(status) = error.status() {
                    refuse(&stream, status, soon()).expect("it is read");
                }
            }
        }
        request
    })
}

/// Sends these pieces to a player with pauses in between; returns what the player
/// understands and replies. `\0` closes the host's end for writing.
fn send(pieces: &[&str]) -> (Result<Request, ReadError>, String) {
    let (address, server) = player(10_000);
    let mut stream = TcpStream::connect(address).expect("the player listens");
    for piece in pieces {
        if *piece == "\0" {
            stream.shutdown(Shutdown::Write).expect("it is open");
        } else {
            stream.write_all(piece.as_bytes()).expect("it is open");
        }
        thread::sleep(Duration::from_millis(20));
    }
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("no reset");
    drop(stream);
    (server.join().expect("no panic"), answer)
}

#[test]
fn a_host_that_leaves_its_end_open_is_not_taken_for_a_slow_one() {
    for (open, share) in [(50, 25..450), (10_000, 0..450)] {
        let (address, server) = accept(|stream| {
            read_request(&stream, &LIMITS, soon()).expect("it is sound");
            let begun = Instant::now();
            reply(&stream, "ready", soon()).expect("it is read") - begun
        });
        let mut stream = TcpStream::connect(address).expect("the player listens");
        stream
            .write_all(b"GET /(INFO) HTTP/1.0\r\n\r\n")
            .expect("it is open");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("no reset");
        let left = Duration::from_millis(open);
        let handle = thread::spawn(move || {
            thread::sleep(left.min(Duration::from_secs(1)));
            drop(stream);
        });
        let taken = server.join().expect("no panic").as_millis();
        assert!(share.contains(&taken), "{open} ms: {taken} ms");
        handle.join().expect("no panic");
    }
}

#[test]
fn requests_of_all_kinds_of_hosts_are_answered() {
    let post = "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\n";
    let with = |header: &str, body: &str| format!("{post}{header}\r\n\r\n{body}");
    for (pieces, message) in [
        (vec![with("Content-length: 8", "( INFO )")], "( INFO )"),
        (vec![with("CONTENT-LENGTH:8", "( INFO )")], "( INFO )"),
        (
            vec!["post /x HTTP/1.1\ncontent-length: 6\n\n(info)".to_owned()],
            "(info)",
        ),
        // No length; the host waits for the answer.
        (
            vec![with("A: b", "(abort\n"), "m) ".to_owned()],
            "(abort\nm)",
        ),
        // No length and no parentheses; the host closes its end.
        (vec![with("A: b", "info"), "\0".to_owned()], "info"),
        // Characters counted, not bytes.
        (
            vec![with("Content-Length: 9", "(abort é"), ")".to_owned()],
            "(abort é)",
        ),
        (
            vec![with("Content-Length: 3", "(abort"), " m)".to_owned()],
            "(abort m)",
        ),
        // A length that is too great.
        (vec![with("Content-Length: 900", "(info)")], "(info)"),
        // Malformed, but complete.
        (vec![with("Content-Length: 4", "(inf")], "(inf"),
        (
            vec![with("Content-Length: 9", "(inf"), "\0".to_owned()],
            "(inf",
        ),
        (vec![with("Content-Length: 0", "")], ""),
        (
            vec!["\r\nGET /%28+PLAY+a%3Cb%20NIL+%29 HTTP/1.0\r\n\r\n".to_owned()],
            "( PLAY a<b NIL )",
        ),
        (
            vec![
                "G".to_owned(),
                "ET / HTTP/1.1\r".to_owned(),
                "\n\r\n".to_owned(),
            ],
            "",
        ),
    ] {
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        let (request, answer) = send(&pieces);
        let understood = Request::Message(message.to_owned());
        assert_eq!(request.expect("it is understood"), understood, "{pieces:?}");
        assert_eq!(
            answer,
            "HTTP/1.0 200 OK\r\n\
             Content-type: text/acl\r\n\
             Content-length: 5\r\n\
             Access-Control-Allow-Origin: *\r\n\
             Access-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
             Access-Control-Allow-Headers: Content-Type\r\n\r\n\
             ready"
        );
    }
}

#[test]
fn options_and_expectations_are_met() {
    let (request, answer) = send(&["OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"]);
    assert_eq!(request.expect("it is understood"), Request::Options);
    assert!(answer.starts_with("HTTP/1.0 200 OK\r\n") && answer.ends_with("\r\n\r\n"));
    let head = "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 6\r\n\r\n";
    let (request, answer) = send(&[head, "(info)"]);
    let message = Request::Message("(info)".to_owned());
    assert_eq!(request.expect("it is understood"), message);
    assert!(answer.starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\n"));
}

#[test]
fn what_is_no_request_is_refused_and_the_refusal_can_be_read() {
    let post = "POST / HTTP/1.1\r\n";
    let long = "(".repeat(3_000_000);
    let endless = format!("{post}{}", "Header: line\r\n".repeat(90));
    let too_long = format!("{post}\r\n{long}");
    let announced = format!("{post}Content-Length: 3000000\r\n\r\n{long}");
    let chunked = format!("{post}Transfer-Encoding: chunked\r\n\r\n6\r\n(info)\r\n0\r\n\r\n");
    for (text, status) in [
        ("nonsense\r\n\r\n", 400),
        ("\u{1}\u{2}\n\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: many\r\n\r\n(info)", 400),
        ("PUT / HTTP/1.1\r\n\r\n(info)", 405),
        (&chunked, 411),
        (&too_long, 413),
        (&announced, 413),
        (&endless, 431),
    ] {
        let (request, answer) = send(&[text]);
        let error = request.expect_err("it is refused");
        let start = format!("HTTP/1.0 {status} ");
        assert!(answer.starts_with(&start), "{error}: {answer:?}");
    }
    let (request, answer) = send(&["POST / HTTP/1.1\r\nHos", "\0"]);
    assert!(answer.starts_with("HTTP/1.0 400 "), "{request:?}");
    let (request, answer) = send(&["\0"]);
    assert!(matches!(request, Err(ReadError::Gone(_))) && answer.is_empty());
}

#[test]
fn a_byte_now_and_then_does_not_hold_a_player() {
    let began = Instant::now();
    let (address, server) = player(300);
    let mut stream = TcpStream::connect(address).expect("the player listens");
    let request = "POST / HTTP/1.0\r\n\r\n(";
    for byte in request.bytes().chain(std::iter::repeat(b'(')) {
        thread::sleep(Duration::from_millis(10));
        if stream.write_all(&[byte]).is_err() || server.is_finished() {
            break;
        }
    }
    assert!(matches!(
        server.join().expect("no panic"),
        Err(ReadError::Timeout)
    ));
    assert!(began.elapsed() < Duration::from_secs(5));
}

/// Asks a player that replies with these pieces, with a pause of `moment` milliseconds
/// after each, and then closes the connection.
fn asked(pieces: Vec<String>, moment: u64, deadline: Instant) -> Result<String, AskError> {
    let (address, server) = accept(move |mut stream| {
        let request = read_request(&stream, &LIMITS, soon());
        for piece in pieces {
            if stream.write_all(piece.as_bytes()).is_err() {
                break;
            }
            thread::sleep(Duration::from_millis(moment));
        }
        request
    });
    let answer = ask(&to_address(address), "me", &Message::Info, deadline);
    let request = server.join().expect("no panic").expect("it is understood");
    assert_eq!(request, Request::Message("( INFO )".to_owned()));
    answer
}

fn to_address(address: SocketAddr) -> Address {
    address.to_string().parse().expect("it is an address")
}

#[test]
fn replies_of_all_kinds_of_players_are_read() {
    for (pieces, answer) in [
        (
            vec!["HTTP/1.0 200 OK\r\nContent-length: 4\r\n\r\nbusy"],
            "busy",
        ),
        (
            vec!["HTTP/1.1 200\r\ncontent-LENGTH: 6\r\n\r\n", " noop\n"],
            "noop",
        ),
        (vec!["HTTP/1.0 200 OK\n\n", "no", "op"], "noop"),
        (
            vec!["HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\n(a é", ")"],
            "(a é)",
        ),
        (vec!["HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"], ""),
    ] {
        let pieces = pieces.into_iter().map(str::to_owned).collect();
        assert_eq!(asked(pieces, 20, soon()), Ok(answer.to_owned()));
    }
}

#[test]
fn what_is_no_reply_is_an_error() {
    let why = |pieces: &[&str]| {
        let pieces = pieces.iter().map(|&piece| piece.to_owned()).collect();
        match asked(pieces, 20, soon()) {
            Err(AskError::Connection(why)) => why,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(why(&[]), "the connection ended without a reply");
    assert_eq!(
        why(&["HTTP/1.0 20"]),
        "the connection ended without a reply"
    );
    assert_eq!(why(&["HTTP/1.0 500 Broken\r\n\r\nnoop"]), "status 500");
    assert!(why(&["noop\r\n\r\n"]).starts_with("not an HTTP reply"));
    let long = "x".repeat(2 << 20);
    assert_eq!(
        why(&["HTTP/1.0 200 OK\r\n\r\n", &long]),
        "the reply is too long"
    );
}

#[test]
fn a_host_waits_until_its_deadline_and_no_longer() {
    let began = Instant::now();
    assert_eq!(
        asked(vec![String::new()], 600, after(300)),
        Err(AskError::Timeout)
    );
    let mut drops = vec!["HTTP/1.0 200 OK\r\n\r\n".to_owned()];
    drops.extend(std::iter::repeat_n("x".to_owned(), 100));
    assert_eq!(asked(drops, 10, after(300)), Err(AskError::Timeout));
    assert!(began.elapsed() < Duration::from_secs(5));
    let absent = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let absent = to_address(absent.expect("a port is free"));
    let refused = ask(&absent, "me", &Message::Info, soon());
    assert!(
        matches!(refused, Err(AskError::Connection(_))),
        "{refused:?}"
    );
}

#[test]
fn both_ends_understand_each_other() {
    let (address, server) = player(10_000);
    let address: Address = format!("HTTP://localhost:{}/", address.port())
        .parse()
        .expect("it is an address");
    let message = Message::Abort { id: "m".to_owned() };
    assert_eq!(
        ask(&address, "odd\r\nname", &message, soon()),
        Ok("ready".to_owned())
    );
    let request = server.join().expect("no panic").expect("it is understood");
    assert_eq!(request, Request::Message(message.to_string()));
}

#[test]
fn addresses_are_read_and_written() {
    for (text, written) in [
        ("localhost:9147", "http://localhost:9147"),
        ("http://a-b.example:1/", "http://a-b.example:1"),
        ("http://[::1]:80", "http://[::1]:80"),
    ] {
        assert_eq!(
            text.parse::<Address>().map(|address| address.to_string()),
            Ok(written.to_owned())
        );
    }
    for text in [
        "",
        "localhost",
        "http://a",
        "a:b",
        ":1",
        "a:99999",
        "a/b:1",
        "::1:80",
        "ftp://a:1",
        "a b:1",
    ] {
        assert!(text.parse::<Address>().is_err(), "{text}");
    }
}
