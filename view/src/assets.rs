//! The files of the page, inside the program.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

/// The files that `web/build.mjs` bundles from the sources in `web/src`.
#[derive(RustEmbed)]
#[folder = "web/dist"]
struct Assets;

/// The HTML of a page.
pub(crate) async fn page(name: &'static str) -> Response {
    file(name)
}

/// A file that the page loads: one of those inside the program, and no other.
pub(crate) async fn asset(Path(name): Path<String>) -> Response {
    file(&name)
}

/// The styles of boards.
pub(crate) async fn board_style() -> Response {
    (
        [(CONTENT_TYPE, "text/css; charset=utf-8")],
        gdl_boards::svg::STYLE,
    )
        .into_response()
}

/// The page of a replay, without its match.
pub(crate) fn replay_skeleton() -> String {
    let file = Assets::get("replay.html")
        .map(|file| file.data)
        .unwrap_or_default();
    String::from_utf8_lossy(&file).into_owned()
}

fn file(name: &str) -> Response {
    let Some(file) = Assets::get(name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    ([(CONTENT_TYPE, content_type(name))], file.data).into_response()
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}
