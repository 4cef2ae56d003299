//! A match as an animated drawing.

use super::element::{SvgWriter, cut, number};
use super::measure::LINE;
use super::strip::StripPicture;
use super::style::STYLE;
use crate::layout::StateLayout;

/// The last picture stays this many times as long as the others.
const LAST: usize = 4;

/// Draws pictures of one game one after another in the same place, each for this many seconds,
/// over and over, with its caption below.
///
/// It is animated by CSS, even as an image in a page, and pauses while hovered over. Viewers who
/// prefer reduced motion see the last picture, as do programs that do not support animations.
#[must_use]
pub fn animation(
    layout: &StateLayout,
    pictures: &[StripPicture],
    title: &str,
    seconds: f64,
) -> String {
    let size = StripPicture::size(layout, pictures);
    let (width, height) = size;
    let last = pictures.len().saturating_sub(1);
    let whole = (last + LAST) as f64 * seconds;
    let mut writer = SvgWriter::new();
    let captions: Vec<&str> = pictures.iter().map(|one| one.caption.as_str()).collect();
    let description = cut(&captions.join("; "), 2000);
    writer.begin(width, height + LINE, title, &description);
    writer.style(STYLE);
    writer.style(&frame_style(last));
    for (index, one) in pictures.iter().enumerate() {
        let shown = if index == last { "visible" } else { "hidden" };
        let name = frame_name(last, if index == last { LAST } else { 1 });
        // A negative delay begins in the middle: the picture's turn comes after `index` others.
        let delay = index as f64 * seconds - whole;
        let timing = format!(
            "animation:{name} {}s step-end {}s infinite",
            number(whole),
            number(delay)
        );
        let frame = [
            ("class", "gdl-frame".to_owned()),
            ("visibility", shown.to_owned()),
            ("style", timing),
        ];
        writer.open("g", if last == 0 { &frame[..2] } else { &frame });
        one.draw(layout, size, &mut writer);
        writer.close("g");
    }
    writer.finish()
}

/// When pictures are visible, for animations of one length: a page may contain several lengths.
fn frame_style(last: usize) -> String {
    let slots = (last + LAST) as f64;
    let rule = |held: usize| {
        format!(
            "@keyframes {}{{0%{{visibility:visible}}{}%{{visibility:hidden}}to{{visibility:hidden}}}}",
            frame_name(last, held),
            100.0 * held as f64 / slots
        )
    };
    format!(
        "{}{}.gdl-picture:hover .gdl-frame{{animation-play-state:paused!important}}\
         @media(prefers-reduced-motion:reduce){{.gdl-frame{{animation:none!important}}}}",
        rule(1),
        rule(LAST)
    )
}

fn frame_name(last: usize, held: usize) -> String {
    format!("gdl-frame-{held}-of-{}", last + LAST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_take_turns() {
        let style = frame_style(4);
        assert!(style.contains("@keyframes gdl-frame-1-of-8{0%{visibility:visible}12.5%{"));
        assert!(style.contains("@keyframes gdl-frame-4-of-8{0%{visibility:visible}50%{"));
    }
}
