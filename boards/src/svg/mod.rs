//! Drawing pictures as SVG.
//!
//! The drawing is one `<svg>` element with the class `gdl-picture`. Every colour is a
//! custom property of CSS with a default, light and dark: a page sets, for instance,
//! `--gdl-red` on `.gdl-picture` to change it. Programs that do not know custom properties
//! use the light defaults. Cells carry `data-board` and `data-cell`, their positions in
//! [`StateLayout::boards`](crate::StateLayout::boards) and [`BoardLayout::cells`](crate::BoardLayout::cells), for
//! pages that want to know what was clicked.
//!
//! Texts of rules never become markup: characters that XML does not allow are replaced, long texts
//! are cut, and everything passes through the writer of `quick-xml`.

mod animation;
mod arrangement;
mod board;
mod drawing;
mod element;
mod measure;
mod overlay;
mod sign;
mod strip;
mod style;

pub use animation::animation;
pub use drawing::SvgOptions;
pub use overlay::{Arrow, Overlay};
pub use strip::{StripPicture, strip};
pub use style::STYLE;
