//! The style sheet of drawings.

/// The style sheet of all drawings, for pages that contain several: see
/// [`SvgOptions::without_style`](super::SvgOptions::without_style).
///
/// Declarations that use a custom property come twice, since programs that do not support
/// those then use the first.
pub const STYLE: &str = include_str!("style.css");
