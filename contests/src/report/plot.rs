//! A plot of our figures against published ones.

use super::agreement::compared;
use crate::statistics::agreement::ComparedScore;
use crate::summary::ContestSummary;
use plotters::prelude::*;
use std::error::Error;

/// The width and height of a drawing, in pixels.
const SIZE: (u32, u32) = (720, 720);

/// The colours of budgets, in order, distinguishable by the colour-blind as well
/// (Okabe and Ito 2008).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// Why there is no drawing.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// No contest has a published value.
    #[error("there is nothing to draw: no contest has a published value")]
    Nothing,
    /// The drawing failed.
    #[error("cannot draw: {0}")]
    Drawing(String),
}

/// The points of one budget.
struct Series {
    conditions: String,
    points: Vec<ComparedScore>,
}

/// An SVG document with our scores against the published ones, in per cent: one point per
/// cell, with both intervals, coloured by budget, and the line on which they are equal.
///
/// # Errors
/// If no contest has a published value.
pub fn against_published(summaries: &[ContestSummary]) -> Result<String, PlotError> {
    let series = series(summaries);
    if series.is_empty() {
        return Err(PlotError::Nothing);
    }
    let mut text = String::new();
    draw(&mut text, &series).map_err(|error| PlotError::Drawing(error.to_string()))?;
    Ok(text)
}

fn series(summaries: &[ContestSummary]) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    for summary in summaries {
        let Some((_, point)) = compared(summary) else {
            continue;
        };
        let conditions = summary.conditions();
        match all
            .iter_mut()
            .find(|series| series.conditions == conditions)
        {
            Some(series) => series.points.push(point),
            None => all.push(Series {
                conditions,
                points: vec![point],
            }),
        }
    }
    all
}

fn draw(text: &mut String, all: &[Series]) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .x_label_area_size(48)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..100.0, 0.0..100.0)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("published, %")
        .y_desc("ours, %")
        .x_label_formatter(&|percent| format!("{percent:.0}"))
        .y_label_formatter(&|percent| format!("{percent:.0}"))
        .label_style(("sans-serif", 15))
        .draw()?;
    let grey = BLACK.mix(0.5);
    chart.draw_series([PathElement::new([(0.0, 0.0), (100.0, 100.0)], grey)])?;
    for (index, series) in all.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let bars = series.points.iter().flat_map(|point| bars(point, colour));
        chart.draw_series(bars)?;
        let points = series.points.iter();
        let dots = points.map(|point| Circle::new((point.theirs, point.ours), 3, colour.filled()));
        let label = format!("{}: {}", series.conditions, cells(series.points.len()));
        chart
            .draw_series(dots)?
            .label(label)
            .legend(move |(x, y)| Circle::new((x + 8, y), 4, colour.filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.9))
        .border_style(grey)
        .label_font(("sans-serif", 14))
        .draw()?;
    area.present()?;
    Ok(())
}

fn cells(count: usize) -> String {
    match count {
        1 => "1 cell".to_owned(),
        count => format!("{count} cells"),
    }
}

/// The intervals of a point: theirs across, ours upright.
fn bars(point: &ComparedScore, colour: RGBColor) -> [PathElement<(f64, f64)>; 2] {
    let (across, upright) = point.half_widths();
    let (x, y) = (point.theirs, point.ours);
    let within = |value: f64| value.clamp(0.0, 100.0);
    let bar = |ends: [(f64, f64); 2]| {
        PathElement::new(ends.map(|(x, y)| (within(x), within(y))), colour.mix(0.35))
    };
    [
        bar([(x - across, y), (x + across, y)]),
        bar([(x, y - upright), (x, y + upright)]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::MoveBudget;
    use crate::published_value::PublishedValue;
    use crate::summary::tests::{line, stored};

    /// The first agent wins all of ten games; the published value is 60 ± 5.
    fn summary(budget: u64, interval: Option<f64>) -> ContestSummary {
        let goals = |game: u64| {
            if game.is_multiple_of(2) {
                [100, 0]
            } else {
                [0, 100]
            }
        };
        let games = (0..10).map(|game| line(game, &goals(game)));
        ContestSummary {
            budget: MoveBudget::Simulations(budget),
            paper: Some(PublishedValue {
                percent: Some(60.0),
                interval,
                ..PublishedValue::default()
            }),
            ..ContestSummary::new(&stored(games), u64::MAX)
        }
    }

    #[test]
    fn every_cell_is_a_point_with_two_bars() {
        let summaries = [
            summary(30, Some(5.0)),
            summary(30, None),
            summary(300, Some(5.0)),
        ];
        let text = against_published(&summaries).expect("there are points");
        assert!(text.starts_with("<svg "), "{text}");
        assert!(text.trim_end().ends_with("</svg>"), "{text}");
        // Three points and two in the legend; bars are lines of their own colours.
        assert_eq!(text.matches("<circle ").count(), 5);
        let bars = |colour: &str| {
            text.matches(&format!("opacity=\"0.35\" stroke=\"{colour}\""))
                .count()
        };
        assert_eq!((bars("#0072B2"), bars("#D55E00")), (4, 2));
        assert!(text.contains("30 simulations: 2 cells"), "{text}");
        assert!(text.contains("300 simulations: 1 cell"), "{text}");
    }

    #[test]
    fn nothing_published_gives_no_drawing() {
        let mut bare = summary(30, None);
        bare.paper = None;
        assert!(matches!(
            against_published(&[bare]),
            Err(PlotError::Nothing)
        ));
    }
}
