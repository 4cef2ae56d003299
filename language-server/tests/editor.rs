//! An editor for tests: it talks to a server of its own over a connection in memory.
#![allow(clippy::unwrap_used, clippy::needless_pass_by_value)]

use gdl_lsp::{Connection, SessionEnd, serve};
use lsp_server::{Message, Notification, Request, ResponseKind};
use serde_json::{Value, json};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

pub const URI: &str = "file:///games/game.kif";

/// Where the cursor is in a text given to [`Editor::at`].
pub const CURSOR: char = '▮';

pub struct Editor {
    connection: Option<Connection>,
    server: Option<JoinHandle<SessionEnd>>,
    requests: i32,
    version: i32,
    /// The longest that an answer took.
    pub slowest: Duration,
}

impl Editor {
    pub fn new() -> Self {
        let (client, connection) = Connection::memory();
        let server = std::thread::spawn(move || serve(&connection).unwrap());
        let mut editor = Self {
            connection: Some(client),
            server: Some(server),
            requests: 0,
            version: 0,
            slowest: Duration::ZERO,
        };
        editor
            .request("initialize", json!({ "capabilities": {} }))
            .unwrap();
        editor.notify("initialized", json!({}));
        editor
    }

    /// An editor in which a text is open, with its diagnostics.
    pub fn with(text: &str) -> (Self, Vec<Value>) {
        let mut editor = Self::new();
        editor.open(URI, text);
        let found = editor.findings();
        (editor, found)
    }

    fn connection(&self) -> &Connection {
        self.connection.as_ref().unwrap()
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "gdl", "version": 0, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub fn change(&mut self, text: &str) {
        self.version += 1;
        let document = json!({ "uri": URI, "version": self.version });
        let changes = json!([{ "text": text }]);
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params);
    }

    pub fn notify(&self, method: &str, params: Value) {
        let method = method.to_owned();
        let message = Message::Notification(Notification { method, params });
        self.connection().sender.send(message).unwrap();
    }

    /// The next diagnostics that the server sends.
    pub fn findings(&self) -> Vec<Value> {
        self.published().1
    }

    /// The version that the next diagnostics are about, and the diagnostics.
    pub fn published(&self) -> (Value, Vec<Value>) {
        let message = self.connection().receiver.recv().unwrap();
        let Message::Notification(mut notification) = message else {
            panic!("diagnostics were expected: {message:?}");
        };
        assert_eq!(notification.method, "textDocument/publishDiagnostics");
        let found = notification.params["diagnostics"].take();
        let version = notification.params["version"].take();
        (version, found.as_array().unwrap().clone())
    }

    /// The answer to a request; diagnostics that arrive before it are skipped.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.requests += 1;
        let (id, method) = (self.requests.into(), method.to_owned());
        let message = Message::Request(Request { id, method, params });
        let start = Instant::now();
        self.connection().sender.send(message).unwrap();
        loop {
            match self.connection().receiver.recv().unwrap() {
                Message::Response(response) => {
                    assert_eq!(response.id, self.requests.into());
                    self.slowest = self.slowest.max(start.elapsed());
                    return match response.response_kind {
                        ResponseKind::Ok { result } => Ok(result),
                        ResponseKind::Err { error } => Err(error.message),
                    };
                }
                Message::Notification(_) => {}
                Message::Request(request) => panic!("a request: {request:?}"),
            }
        }
    }

    /// Asks about the place of the cursor in a text, which becomes the text that is open.
    pub fn at(&mut self, text: &str, method: &str, more: Value) -> Result<Value, String> {
        let (before, after) = text.split_once(CURSOR).unwrap();
        self.change(&format!("{before}{after}"));
        let mut params = json!({
            "textDocument": { "uri": URI },
            "position": position(before),
        });
        let more = more.as_object().unwrap().clone();
        params.as_object_mut().unwrap().extend(more);
        self.request(&format!("textDocument/{method}"), params)
    }

    /// Ends the session as the protocol prescribes.
    pub fn quit(mut self) -> SessionEnd {
        self.request("shutdown", Value::Null).unwrap();
        self.exit()
    }

    /// Ends the session, as the protocol prescribes after `shutdown`.
    pub fn exit(mut self) -> SessionEnd {
        self.notify("exit", Value::Null);
        self.server.take().unwrap().join().unwrap()
    }

    /// Leaves without a word.
    pub fn leave(mut self) -> SessionEnd {
        self.connection.take();
        self.server.take().unwrap().join().unwrap()
    }
}

/// The position behind a text: lines, and UTF-16 code units in the last one.
pub fn position(before: &str) -> Value {
    let line = before.matches('\n').count();
    let last = before.rsplit('\n').next().unwrap();
    json!({ "line": line, "character": last.encode_utf16().count() })
}

/// The text of a range.
pub fn in_range<'t>(text: &'t str, range: &Value) -> &'t str {
    &text[offset(text, &range["start"])..offset(text, &range["end"])]
}

fn offset(text: &str, position: &Value) -> usize {
    let line = position["line"].as_u64().unwrap() as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut units = position["character"].as_u64().unwrap();
    let mut at = start;
    for character in text[start..].chars() {
        if units == 0 {
            break;
        }
        units -= character.len_utf16() as u64;
        at += character.len_utf8();
    }
    at
}

/// The text after the edits of one document.
pub fn apply(text: &str, edits: &Value) -> String {
    let mut edits: Vec<_> = edits.as_array().unwrap().iter().collect();
    edits.sort_by_key(|edit| offset(text, &edit["range"]["start"]));
    let mut text = text.to_owned();
    for edit in edits.into_iter().rev() {
        let (start, end) = (&edit["range"]["start"], &edit["range"]["end"]);
        let range = offset(&text, start)..offset(&text, end);
        text.replace_range(range, edit["newText"].as_str().unwrap());
    }
    text
}

/// The text without the cursor.
pub fn without_cursor(text: &str) -> String {
    text.replace(CURSOR, "")
}
