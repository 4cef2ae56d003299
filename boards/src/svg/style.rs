//! The style sheet of drawings.

/// The style sheet of all drawings, for pages that contain several: see
/// [`SvgOptions::without_style`](super::SvgOptions::without_style).
///
/// A declaration that uses a custom property follows one that does not, for programs that do not
/// support custom properties.
pub const STYLE: &str = include_str!("style.css");
