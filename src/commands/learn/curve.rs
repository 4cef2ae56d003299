//! The course of learning as a picture: the loss and the score over time.

use super::round_table::RoundRow;
use std::fmt::Write as _;

/// The size of the picture, and the space around the axes, in pixels.
const SIZE: (f64, f64) = (720.0, 400.0);
const MARGIN: (f64, f64) = (60.0, 45.0);

/// Intervals into which an axis is divided.
const TICKS: u32 = 5;

const LOSS_COLOUR: &str = "#1f77b4";
const SCORE_COLOUR: &str = "#d62728";

/// Draws the rounds as an SVG document: the loss on the left axis, from 0 to its
/// maximum, and the score against uct on the right one, in percent.
pub(super) fn draw(game: &str, rows: &[RoundRow]) -> String {
    let maximum = |values: &mut dyn Iterator<Item = f64>| {
        let most = values.filter(|value| value.is_finite());
        let most = most.fold(0.0, f64::max);
        if most > 0.0 { most } else { 1.0 }
    };
    let time = maximum(&mut rows.iter().map(|row| row.seconds));
    // A network that knows nothing has a loss of ln 2.
    let losses = (rows.iter()).filter_map(|row| Some((row.seconds, f64::from(row.loss?))));
    let most_loss = maximum(&mut losses.clone().map(|(_, loss)| loss)).max(0.7);
    let scores = rows.iter().filter_map(|row| {
        let score = row.against_uct?;
        Some((row.seconds, score.share()))
    });
    let (width, height) = SIZE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    axes(&mut svg, time, most_loss);
    titles(&mut svg, game);
    let losses = losses.map(|(x, y)| place(x / time, y / most_loss));
    line(&mut svg, losses, LOSS_COLOUR);
    let scores: Vec<(f64, f64)> = scores.map(|(x, y)| place(x / time, y)).collect();
    for (x, y) in &scores {
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{SCORE_COLOUR}\"/>"
        );
    }
    line(&mut svg, scores.into_iter(), SCORE_COLOUR);
    svg.push_str("</svg>\n");
    svg
}

/// The lines of the grid, with the values that they stand for.
fn axes(svg: &mut String, time: f64, most_loss: f64) {
    let (left, right) = (MARGIN.0, SIZE.0 - MARGIN.0);
    let below = SIZE.1 - MARGIN.1 + 18.0;
    let digits = if time < 50.0 { 1 } else { 0 };
    for tick in 0..=TICKS {
        let share = f64::from(tick) / f64::from(TICKS);
        let [(x, _), (_, y)] = [place(share, 0.0), place(0.0, share)];
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>"
        );
        let seconds = format!("{:.digits$} s", share * time);
        text(svg, (x, below), "middle", "black", &seconds);
        let loss = format!("{:.2}", share * most_loss);
        text(svg, (left - 8.0, y + 4.0), "end", LOSS_COLOUR, &loss);
        let score = format!("{:.0} %", 100.0 * share);
        text(svg, (right + 8.0, y + 4.0), "start", SCORE_COLOUR, &score);
    }
}

/// The name of the game, and what the axes stand for.
fn titles(svg: &mut String, game: &str) {
    let ((left, right), y) = ((MARGIN.0, SIZE.0 - MARGIN.0), MARGIN.1 - 18.0);
    text(svg, (left, y), "start", LOSS_COLOUR, "loss");
    text(svg, (SIZE.0 / 2.0, y), "middle", "black", game);
    text(svg, (right, y), "end", SCORE_COLOUR, "score against uct");
}

/// The pixel at some share of the horizontal and the vertical axis, from the lower left.
fn place(x: f64, y: f64) -> (f64, f64) {
    let (width, height) = (SIZE.0 - 2.0 * MARGIN.0, SIZE.1 - 2.0 * MARGIN.1);
    (MARGIN.0 + x * width, SIZE.1 - MARGIN.1 - y * height)
}

/// A line through points; those that are not finite are left out.
fn line(svg: &mut String, points: impl Iterator<Item = (f64, f64)>, colour: &str) {
    let points = points.filter(|(x, y)| x.is_finite() && y.is_finite());
    let points: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let points = points.join(" ");
    let _ = writeln!(
        svg,
        "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
    );
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, colour: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{text}</text>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(seconds: f64, loss: Option<f32>) -> RoundRow {
        RoundRow {
            seconds,
            games: 1,
            plies_per_second: 1.0,
            by_searches: false,
            loss,
            against_rival: None,
            against_uct: None,
        }
    }

    #[test]
    fn the_loss_goes_from_left_to_right() {
        let rows = [row(1.0, Some(0.7)), row(5.0, None), row(10.0, Some(0.35))];
        let svg = draw("a<b", &rows);
        assert!(svg.contains("points=\"120.0,45.0 660.0,200.0\""), "{svg}");
        assert!(svg.contains(">a&lt;b</text>"), "{svg}");
        assert!(svg.contains(">10.0 s</text>"), "{svg}");
        assert!(!svg.contains("<circle"), "{svg}");
    }

    #[test]
    fn nothing_learned_is_an_empty_picture() {
        let svg = draw("", &[]);
        assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{svg}");
    }
}
