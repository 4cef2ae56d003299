//! The texts that an editor has open.

use crate::analysis::SheetAnalysis;
use gdlc::rules::Program;
use lsp_types::Uri;
use std::collections::BTreeMap;
use std::sync::Arc;

/// At most this many texts are open; opening more closes the one opened first.
pub const MAX_DOCUMENTS: usize = 256;

/// A text that an editor has open.
#[derive(Debug)]
pub struct Document {
    /// The editor's name for it.
    pub uri: Uri,
    /// The editor's number of this version.
    pub version: i32,
    text: String,
    /// When it was opened, in order.
    opened: u64,
    /// The analysis of this version, once it was asked for.
    analysis: Option<SheetAnalysis>,
    /// The program of the last version that was analysed and had one.
    program: Option<Arc<Program>>,
    /// Whether the findings in this version have been sent.
    is_published: bool,
}

impl Document {
    /// The analysis of this version; made when it is first asked for.
    pub fn analysis(&mut self) -> &SheetAnalysis {
        self.analysis.get_or_insert_with(|| {
            SheetAnalysis::new(self.uri.as_str(), &self.text, self.program.take())
        })
    }
}

/// All texts that are open.
#[derive(Debug, Default)]
pub struct Documents {
    documents: BTreeMap<String, Document>,
    opened: u64,
}

impl Documents {
    /// Opens a text, or replaces it; returns the text that was closed to make room, if any.
    pub fn open(&mut self, uri: Uri, version: i32, text: String) -> Option<Document> {
        self.opened += 1;
        let key = uri.as_str().to_owned();
        let document = Document {
            uri,
            version,
            text,
            opened: self.opened,
            analysis: None,
            program: None,
            is_published: false,
        };
        self.documents.insert(key, document);
        if self.documents.len() <= MAX_DOCUMENTS {
            return None;
        }
        let first = self
            .documents
            .iter()
            .min_by_key(|(_, document)| document.opened);
        let first = first.map(|(key, _)| key.clone())?;
        self.documents.remove(&first)
    }

    /// A new version of a text.
    pub fn change(&mut self, uri: &Uri, version: i32, text: String) {
        if let Some(document) = self.documents.get_mut(uri.as_str()) {
            document.version = version;
            document.text = text;
            if let Some(analysis) = document.analysis.take() {
                document.program = analysis.program;
            }
            document.is_published = false;
        }
    }

    /// Closes a text.
    pub fn close(&mut self, uri: &Uri) -> Option<Document> {
        self.documents.remove(uri.as_str())
    }

    /// A text that is open.
    pub fn get(&mut self, uri: &Uri) -> Option<&mut Document> {
        self.documents.get_mut(uri.as_str())
    }

    /// A text whose findings have not been sent; from now on they count as sent.
    pub fn next_unpublished(&mut self) -> Option<&mut Document> {
        let document = self
            .documents
            .values_mut()
            .find(|document| !document.is_published)?;
        document.is_published = true;
        Some(document)
    }
}
