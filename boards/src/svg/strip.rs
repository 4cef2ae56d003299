//! Several pictures of one game side by side.

use super::arrangement::Arrangement;
use super::drawing::{LINES_WIDTH, SvgOptions, draw_lines};
use super::element::{SvgWriter, attribute, cut, number};
use super::measure::LINE;
use super::style::STYLE;
use crate::layout::StateLayout;
use crate::picture::Picture;

/// The number of pictures in a row of a strip.
const IN_A_ROW: usize = 5;

/// A picture of a strip.
#[derive(Debug, Clone)]
pub struct StripPicture {
    /// The state.
    pub picture: Picture,
    /// What is written below it.
    pub caption: String,
    /// What is drawn above the boards, and how.
    pub options: SvgOptions,
}

impl StripPicture {
    /// The size of pictures of a game, without their captions.
    pub(super) fn size(layout: &StateLayout, pictures: &[Self]) -> (f64, f64) {
        if !layout.boards.is_empty() {
            return Arrangement::of(layout).size();
        }
        let lines = |one: &Self| layout.lines_beside(&one.picture, LINES_WIDTH).len();
        let most = pictures.iter().map(lines).max().unwrap_or(0);
        (LINES_WIDTH, LINE * most as f64 + 10.0)
    }

    /// Draws the boards, or without any what stands beside them, and the caption below.
    pub(super) fn draw(&self, layout: &StateLayout, size: (f64, f64), writer: &mut SvgWriter) {
        layout.draw_at(&self.picture, &self.options, writer);
        if layout.boards.is_empty() {
            let lines = layout.lines_beside(&self.picture, LINES_WIDTH);
            draw_lines(&lines, 0.0, writer);
        }
        let (width, height) = size;
        let place = [
            attribute("x", width / 2.0),
            attribute("y", height + 2.0),
            ("class", "gdl-label".to_owned()),
        ];
        let caption = cut(&self.caption, (width / 7.0) as usize);
        writer.text_element("text", &place, &caption);
    }
}

/// Draws pictures of one game side by side, with a caption below each.
#[must_use]
pub fn strip(layout: &StateLayout, pictures: &[StripPicture], title: &str) -> String {
    let size = StripPicture::size(layout, pictures);
    let (width, height) = size;
    let columns = pictures.len().clamp(1, IN_A_ROW);
    let rows = pictures.len().div_ceil(IN_A_ROW).max(1);
    let mut writer = SvgWriter::new();
    let captions: Vec<&str> = pictures.iter().map(|one| one.caption.as_str()).collect();
    let whole = (width * columns as f64, (height + LINE) * rows as f64);
    writer.begin(whole.0, whole.1, title, &cut(&captions.join("; "), 2000));
    writer.style(STYLE);
    for (index, one) in pictures.iter().enumerate() {
        let x = (index % IN_A_ROW) as f64 * width;
        let y = (index / IN_A_ROW) as f64 * (height + LINE);
        writer.open(
            "g",
            &[(
                "transform",
                format!("translate({} {})", number(x), number(y)),
            )],
        );
        one.draw(layout, size, &mut writer);
        writer.close("g");
    }
    writer.finish()
}
