//! The session with an editor: requests are answered in order, findings are sent when the
//! editor pauses.

use crate::answers::answer;
use crate::documents::{Document, Documents};
use crate::features::diagnostics;
use lsp_server::{Connection, ErrorCode, Message, Notification, ProtocolError, Request, Response};
use lsp_types::notification::{self as notifications, Notification as _};
use lsp_types::request::{Request as _, Shutdown};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CompletionOptions, OneOf, PublishDiagnosticsParams,
    RenameOptions, ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind,
    WorkDoneProgressOptions,
};
use serde_json::json;
use std::time::Instant;

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionEnd {
    /// As the protocol prescribes, by `shutdown` and `exit`.
    Shutdown,
    /// By `exit` alone, or by the end of the input.
    Abandoned,
}

/// Why a session could not go on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The editor does not follow the protocol.
    #[error("the editor does not follow the protocol: {0}")]
    Protocol(#[from] ProtocolError),
    /// A message cannot be made.
    #[error("cannot write a message: {0}")]
    Message(#[from] serde_json::Error),
    /// Nothing can be sent to the editor any more.
    #[error("the editor does not read what it is sent")]
    Unread,
}

/// Serves an editor until it ends the session.
///
/// # Errors
/// If the editor does not follow the protocol.
pub fn serve(connection: &Connection) -> Result<SessionEnd, SessionError> {
    let (id, _) = match connection.initialize_start() {
        Err(error) if error.channel_is_disconnected() => return Ok(SessionEnd::Abandoned),
        started => started?,
    };
    let version = env!("CARGO_PKG_VERSION");
    let answer = json!({
        "capabilities": capabilities(),
        "serverInfo": { "name": "gdl", "version": version },
    });
    connection.initialize_finish(id, answer)?;
    let mut session = EditorSession {
        connection,
        documents: Documents::default(),
        is_shut_down: false,
    };
    session.run()
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        hover_provider: Some(true.into()),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec!["(".to_owned(), "?".to_owned()]),
            ..CompletionOptions::default()
        }),
        code_action_provider: Some(
            CodeActionOptions {
                code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
                ..CodeActionOptions::default()
            }
            .into(),
        ),
        ..ServerCapabilities::default()
    }
}

struct EditorSession<'c> {
    connection: &'c Connection,
    documents: Documents,
    /// Whether the editor has asked for the end, so that only `exit` follows.
    is_shut_down: bool,
}

impl EditorSession<'_> {
    fn run(&mut self) -> Result<SessionEnd, SessionError> {
        loop {
            let message = match self.connection.receiver.try_recv() {
                Ok(message) => message,
                Err(_) => {
                    if !self.is_shut_down {
                        self.publish()?;
                    }
                    match self.connection.receiver.recv() {
                        Ok(message) => message,
                        Err(_) => return Ok(SessionEnd::Abandoned),
                    }
                }
            };
            match message {
                Message::Request(request) => {
                    let response = self.respond(request);
                    self.send(response.into())?;
                }
                Message::Notification(notification) => {
                    if notification.method == notifications::Exit::METHOD {
                        return Ok(match self.is_shut_down {
                            true => SessionEnd::Shutdown,
                            false => SessionEnd::Abandoned,
                        });
                    }
                    self.notice(notification)?;
                }
                Message::Response(_) => {}
            }
        }
    }

    fn respond(&mut self, request: Request) -> Response {
        if self.is_shut_down {
            let message = "the session is shut down".to_owned();
            return Response::new_err(request.id, ErrorCode::InvalidRequest as i32, message);
        }
        if request.method == Shutdown::METHOD {
            self.is_shut_down = true;
            return Response::new_ok(request.id, ());
        }
        let (method, start) = (request.method.clone(), Instant::now());
        let response = answer(&mut self.documents, request);
        tracing::debug!("answered {method} in {:?}", start.elapsed());
        response
    }

    fn send(&self, message: Message) -> Result<(), SessionError> {
        let sent = self.connection.sender.send(message);
        sent.map_err(|_| SessionError::Unread)
    }

    /// Sends what is found in texts that have changed.
    fn publish(&mut self) -> Result<(), SessionError> {
        while let Some(document) = self.documents.next_unpublished() {
            let uri = document.uri.clone();
            let version = document.version;
            let found = diagnostics::diagnostics(document.analysis(), &uri);
            self.send_findings(PublishDiagnosticsParams::new(uri, found, Some(version)))?;
        }
        Ok(())
    }

    fn send_findings(&self, params: PublishDiagnosticsParams) -> Result<(), SessionError> {
        let method = notifications::PublishDiagnostics::METHOD.to_owned();
        let params = serde_json::to_value(params)?;
        self.send(Notification { method, params }.into())
    }

    /// Withdraws what an editor still shows about a text that was closed.
    fn retract(&self, closed: Option<Document>) -> Result<(), SessionError> {
        match closed {
            Some(document) => self.send_findings(PublishDiagnosticsParams::new(
                document.uri,
                Vec::new(),
                None,
            )),
            None => Ok(()),
        }
    }

    /// Handles a notification. Those that cannot be read are logged and ignored, since the
    /// protocol has no answer to them.
    fn notice(&mut self, notification: Notification) -> Result<(), SessionError> {
        match notification.method.as_str() {
            notifications::DidOpenTextDocument::METHOD => {
                if let Some(params) = parameters::<notifications::DidOpenTextDocument>(notification)
                {
                    let text = params.text_document;
                    let closed = self.documents.open(text.uri, text.version, text.text);
                    self.retract(closed)?;
                }
            }
            notifications::DidChangeTextDocument::METHOD => {
                if let Some(params) =
                    parameters::<notifications::DidChangeTextDocument>(notification)
                    && let Some(change) = params.content_changes.into_iter().next_back()
                {
                    let document = params.text_document;
                    (self.documents).change(&document.uri, document.version, change.text);
                }
            }
            notifications::DidCloseTextDocument::METHOD => {
                if let Some(params) =
                    parameters::<notifications::DidCloseTextDocument>(notification)
                {
                    let closed = self.documents.close(&params.text_document.uri);
                    self.retract(closed)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// What a notification says; `None`, and a log entry, if it cannot be read.
fn parameters<N: notifications::Notification>(notification: Notification) -> Option<N::Params> {
    serde_json::from_value(notification.params)
        .inspect_err(|error| tracing::warn!("cannot read {}: {error}", N::METHOD))
        .ok()
}
