//! The style sheet of drawings.

/// The style sheet of all drawings, for pages that contain several: see
/// [`SvgOptions::without_style`](super::SvgOptions::without_style).
///
/// Declarations come twice where they use a custom property, since programs that do not
/// know those then use the first.
pub const STYLE: &str = include_str!("style.css");
