//! `gdl lsp`: a language server for editors.

use anyhow::Context as _;
use gdl_lsp::{Connection, SessionEnd, serve};
use std::process::ExitCode;

/// Serve an editor: diagnostics as you type, navigation, renaming, completion, formatting
///
/// The server speaks the Language Server Protocol over standard input and output; editors
/// start it (see docs/editors.md).
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit codes:
  0  the editor ended the session
  1  the editor left without ending it
  2  the editor does not speak the protocol

Examples:
  gdl lsp                         # as an editor calls it
  RUST_LOG=gdl_lsp=debug gdl lsp  # with a log on standard error")]
pub struct LspArgs {
    /// Accepted because many editors pass it; there is no other way to talk to the server
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Serves until the editor ends the session.
///
/// # Errors
/// If the editor does not speak the protocol, or cannot be written to.
pub fn run(_: &LspArgs) -> anyhow::Result<ExitCode> {
    let (connection, threads) = Connection::stdio();
    let end = serve(&connection)?;
    // The threads end when nothing can be sent any more.
    drop(connection);
    (threads.join()).context("the connection with the editor is broken")?;
    Ok(match end {
        SessionEnd::Shutdown => ExitCode::SUCCESS,
        SessionEnd::Abandoned => ExitCode::from(1),
    })
}
