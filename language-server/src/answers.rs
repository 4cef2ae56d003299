//! Requests to answers: which feature answers which method of the protocol.

use crate::documents::{Document, Documents};
use crate::features::rename::{self, RenameError};
use crate::features::{code_actions, completion, definition, formatting, hover, symbols};
use lsp_server::{ErrorCode, Request, Response};
use lsp_types::request::{
    CodeActionRequest, Completion, DocumentHighlightRequest, DocumentSymbolRequest, Formatting,
    GotoDefinition, HoverRequest, PrepareRenameRequest, References, Rename, Request as Method,
};
use lsp_types::{
    CompletionResponse, DocumentSymbolResponse, GotoDefinitionResponse, PrepareRenameResponse, Uri,
};

/// The protocol's number for a request that is understood, but cannot be fulfilled.
const REQUEST_FAILED: i32 = -32803;

/// Answers a request about a text that is open; a request about any other is an error.
pub fn answer(documents: &mut Documents, request: Request) -> Response {
    match request.method.as_str() {
        HoverRequest::METHOD => about::<HoverRequest>(
            documents,
            request,
            |params| &params.text_document_position_params.text_document.uri,
            |document, params| {
                let position = params.text_document_position_params.position;
                Ok(hover::hover(document.analysis(), position))
            },
        ),
        GotoDefinition::METHOD => about::<GotoDefinition>(
            documents,
            request,
            |params| &params.text_document_position_params.text_document.uri,
            |document, params| {
                let at = &params.text_document_position_params;
                let (uri, position) = (&at.text_document.uri, at.position);
                let found = definition::definitions(document.analysis(), uri, position);
                Ok(Some(GotoDefinitionResponse::Array(found)))
            },
        ),
        References::METHOD => about::<References>(
            documents,
            request,
            |params| &params.text_document_position.text_document.uri,
            |document, params| {
                let at = &params.text_document_position;
                let (uri, position) = (&at.text_document.uri, at.position);
                let with_definitions = params.context.include_declaration;
                let analysis = document.analysis();
                let found = definition::references(analysis, uri, position, with_definitions);
                Ok(Some(found))
            },
        ),
        DocumentHighlightRequest::METHOD => about::<DocumentHighlightRequest>(
            documents,
            request,
            |params| &params.text_document_position_params.text_document.uri,
            |document, params| {
                let position = params.text_document_position_params.position;
                Ok(Some(definition::highlights(document.analysis(), position)))
            },
        ),
        PrepareRenameRequest::METHOD => about::<PrepareRenameRequest>(
            documents,
            request,
            |params| &params.text_document.uri,
            |document, params| {
                let range = rename::prepare_rename(document.analysis(), params.position)?;
                Ok(Some(PrepareRenameResponse::Range(range)))
            },
        ),
        Rename::METHOD => about::<Rename>(
            documents,
            request,
            |params| &params.text_document_position.text_document.uri,
            |document, params| {
                let at = &params.text_document_position;
                let (uri, position) = (&at.text_document.uri, at.position);
                rename::rename(document.analysis(), uri, position, &params.new_name).map(Some)
            },
        ),
        Completion::METHOD => about::<Completion>(
            documents,
            request,
            |params| &params.text_document_position.text_document.uri,
            |document, params| {
                let position = params.text_document_position.position;
                let list = completion::completion(document.analysis(), position);
                Ok(Some(CompletionResponse::List(list)))
            },
        ),
        DocumentSymbolRequest::METHOD => about::<DocumentSymbolRequest>(
            documents,
            request,
            |params| &params.text_document.uri,
            |document, _| {
                let symbols = symbols::symbols(document.analysis());
                Ok(Some(DocumentSymbolResponse::Nested(symbols)))
            },
        ),
        Formatting::METHOD => about::<Formatting>(
            documents,
            request,
            |params| &params.text_document.uri,
            |document, _| Ok(Some(formatting::formatting(document.analysis()))),
        ),
        CodeActionRequest::METHOD => about::<CodeActionRequest>(
            documents,
            request,
            |params| &params.text_document.uri,
            |document, params| {
                let uri = &params.text_document.uri;
                let actions = code_actions::code_actions(document.analysis(), uri, params.range);
                Ok(Some(actions))
            },
        ),
        method => {
            let message = format!("there is no method {method}");
            Response::new_err(request.id, ErrorCode::MethodNotFound as i32, message)
        }
    }
}

/// Reads the parameters of a request about a text, and answers it by `feature`.
fn about<M: Method>(
    documents: &mut Documents,
    request: Request,
    uri: impl Fn(&M::Params) -> &Uri,
    feature: impl Fn(&mut Document, &M::Params) -> Result<M::Result, RenameError>,
) -> Response {
    let params: M::Params = match serde_json::from_value(request.params) {
        Ok(params) => params,
        Err(error) => {
            let message = format!("cannot read the parameters of {}: {error}", M::METHOD);
            return Response::new_err(request.id, ErrorCode::InvalidParams as i32, message);
        }
    };
    let Some(document) = documents.get(uri(&params)) else {
        let message = format!("{} is not open", uri(&params).as_str());
        return Response::new_err(request.id, ErrorCode::InvalidParams as i32, message);
    };
    match feature(document, &params) {
        Ok(result) => Response::new_ok(request.id, result),
        Err(error) => Response::new_err(request.id, REQUEST_FAILED, error.to_string()),
    }
}
