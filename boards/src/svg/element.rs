//! Writing elements.

use quick_xml::Writer;
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};
use std::fmt::Display;

/// An attribute of an element.
pub(super) type Attribute = (&'static str, String);

/// Writes a document; names and values are escaped.
pub(super) struct SvgWriter(Writer<Vec<u8>>);

impl SvgWriter {
    pub(super) fn new() -> Self {
        Self(Writer::new(Vec::new()))
    }

    /// Opens the document: its size, and its title and description for screen readers.
    pub(super) fn begin(&mut self, width: f64, height: f64, title: &str, description: &str) {
        let size = format!("0 0 {} {}", number(width), number(height));
        self.open(
            "svg",
            &[
                ("xmlns", "http://www.w3.org/2000/svg".to_owned()),
                ("class", "gdl-picture".to_owned()),
                ("viewBox", size),
                attribute("width", width),
                attribute("height", height),
                ("role", "img".to_owned()),
            ],
        );
        self.text_element("title", &[], &cut(title, 200));
        self.text_element("desc", &[], description);
    }

    /// Writes one of our style sheets, which is not escaped.
    pub(super) fn style(&mut self, style: &str) {
        self.open("style", &[]);
        self.write(Event::Text(BytesText::from_escaped(style)));
        self.close("style");
    }

    pub(super) fn open(&mut self, name: &str, attributes: &[Attribute]) {
        self.write(Event::Start(start(name, attributes)));
    }

    pub(super) fn close(&mut self, name: &str) {
        self.write(Event::End(BytesEnd::new(name)));
    }

    pub(super) fn empty(&mut self, name: &str, attributes: &[Attribute]) {
        self.write(Event::Empty(start(name, attributes)));
    }

    pub(super) fn text_element(&mut self, name: &str, attributes: &[Attribute], text: &str) {
        self.open(name, attributes);
        self.write(Event::Text(BytesText::new(&allowed(text))));
        self.close(name);
    }

    /// Closes the document.
    pub(super) fn finish(mut self) -> String {
        self.close("svg");
        let mut text = String::from_utf8_lossy(&self.0.into_inner()).into_owned();
        text.push('\n');
        text
    }

    fn write(&mut self, event: Event<'_>) {
        // Writing to memory does not fail.
        let _ = self.0.write_event(event);
    }
}

fn start<'n>(name: &'n str, attributes: &[Attribute]) -> BytesStart<'n> {
    let mut element = BytesStart::new(name);
    for (key, value) in attributes {
        element.push_attribute((*key, allowed(value).as_str()));
    }
    element
}

/// An attribute whose value is a number.
pub(super) fn attribute(name: &'static str, value: f64) -> Attribute {
    (name, number(value))
}

/// A number with at most two decimals.
pub(super) fn number(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    // No negative zero.
    (rounded + 0.0).to_string()
}

/// A text of at most this many characters, cut if it is longer.
pub(super) fn cut(text: &str, most: usize) -> String {
    let mut letters = text.char_indices();
    match letters.nth(most) {
        None => text.to_owned(),
        Some(_) => {
            let end = text
                .char_indices()
                .nth(most.saturating_sub(1))
                .map_or(0, |(at, _)| at);
            format!("{}…", &text[..end])
        }
    }
}

/// A text without characters that XML does not allow, and without those that reverse the
/// direction of what follows.
fn allowed(text: &(impl Display + ?Sized)) -> String {
    let replace = |letter: char| match letter {
        '\t' | '\n' | '\r' => ' ',
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        letter => letter,
    };
    text.to_string().chars().map(replace).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_never_markup() {
        let hostile = "</title><script>alert('1')</script>\"onload=\u{1}\u{202e}]]>&amp;";
        let mut writer = SvgWriter::new();
        writer.begin(1.0, 2.5, hostile, hostile);
        writer.empty("rect", &[("class", hostile.to_owned())]);
        let text = writer.finish();
        assert_eq!(text.matches('<').count(), 7, "{text}");
        assert!(!text.contains("<script"), "{text}");
        assert!(!text.contains("\"onload"), "{text}");
        assert!(text.contains("&amp;amp;"), "{text}");
        assert!(
            !text.contains('\u{1}') && !text.contains('\u{202e}'),
            "{text}"
        );
    }

    #[test]
    fn numbers_and_cuts() {
        assert_eq!(
            [number(1.0), number(-0.001), number(2.346)],
            ["1", "0", "2.35"]
        );
        assert_eq!(
            [cut("abc", 3), cut("äbcd", 3), cut("", 0)],
            ["abc", "äb…", ""]
        );
    }
}
