//! A language server for the Game Description Language (GDL).
//!
//! [`serve`] conducts a session with an editor over the Language Server Protocol: diagnostics as
//! you type, hover, definitions, references, renaming, completion, an outline, quick fixes
//! and formatting. `gdl lsp` runs it over standard input and output.
//!
//! The compiler's findings come from [`gdlc::rules::check`]. Names come from a separate reader
//! ([`sheet`]), which accepts any text, so that there are answers while a statement is being
//! typed; what only a checked program knows, such as strata, comes from the last version without
//! errors.
//!
//! # Examples
//!
//! A session over a connection in memory:
//!
//! ```
//! use gdl_lsp::{Connection, SessionEnd, serve};
//! use lsp_server::{Message, Notification, Request};
//! use serde_json::{Value, json};
//!
//! let (editor, connection) = Connection::memory();
//! let server = std::thread::spawn(move || serve(&connection));
//! let request = |id: i32, method: &str, params| {
//!     let (id, method) = (id.into(), method.to_owned());
//!     editor.sender.send(Message::Request(Request { id, method, params })).unwrap();
//! };
//! let notify = |method: &str, params| {
//!     let method = method.to_owned();
//!     editor.sender.send(Message::Notification(Notification { method, params })).unwrap();
//! };
//!
//! request(1, "initialize", json!({ "capabilities": {} }));
//! assert!(matches!(editor.receiver.recv()?, Message::Response(_)));
//! notify("initialized", json!({}));
//! let document = json!({
//!     "uri": "file:///game.kif", "languageId": "gdl", "version": 1, "text": "(role white",
//! });
//! notify("textDocument/didOpen", json!({ "textDocument": document }));
//! let Message::Notification(findings) = editor.receiver.recv()? else { panic!() };
//! let message = &findings.params["diagnostics"][0]["message"];
//! assert!(message.as_str().unwrap().starts_with("this `(` is never closed"));
//!
//! request(2, "shutdown", Value::Null);
//! assert!(matches!(editor.receiver.recv()?, Message::Response(_)));
//! notify("exit", Value::Null);
//! assert_eq!(server.join().unwrap()?, SessionEnd::Shutdown);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod analysis;
mod answers;
pub mod documents;
pub mod features;
pub mod line_index;
pub mod names;
pub mod nesting;
pub mod server;
pub mod sheet;

pub use lsp_server::Connection;
pub use server::{SessionEnd, SessionError, serve};
