//! The boards of our games.

use crate::surveyed::SurveyedGame;
use expect_test::expect_file;
use gdl_boards::svg::SvgOptions;

/// The game as it begins and after some moves.
#[test]
fn our_games_look_as_they_should() {
    for game in gdl_engines::builtin() {
        let mut game_of = SurveyedGame::builtin(&game.name());
        let states = game_of.states(12);
        let layout = &game_of.layout;
        let texts = [&states[0], &states[states.len() - 1]];
        let texts = texts.map(|facts| layout.text(&layout.picture(facts)));
        let file = format!("golden/{}.txt", game.name());
        expect_file![file].assert_eq(&texts.join("\n"));
    }
}

/// Every fact is in exactly one part of a picture.
#[test]
fn no_fact_is_lost() {
    for game in gdl_engines::builtin() {
        let mut game_of = SurveyedGame::builtin(&game.name());
        for facts in game_of.states(100) {
            let picture = game_of.layout.picture(&facts);
            assert_eq!(
                picture.fact_count(),
                facts.len(),
                "{}: {facts:?}",
                game.name()
            );
        }
    }
}

/// What moves name is what they change, or where they come from.
#[test]
fn moves_name_cells() {
    let cells = |game: &str, mv: &str| -> Vec<String> {
        let game = SurveyedGame::builtin(game);
        let cells = game.layout.cells_of_move(mv);
        let name = |id| game.layout.cell_at(id).coordinates.concat();
        let names = |cells: &Vec<_>| {
            cells
                .iter()
                .map(|&id| name(id))
                .collect::<Vec<_>>()
                .join(",")
        };
        cells.iter().map(names).collect()
    };
    assert_eq!(cells("tictactoe", "(mark 1 3)"), ["13"]);
    assert_eq!(cells("tictactoe", "(MARK 1 3)"), ["13"]);
    assert_eq!(cells("breakthrough", "(move a 2 a 3)"), ["a2", "a3"]);
    assert_eq!(cells("connect_four", "(drop 3)"), ["31,32,33,34,35,36"]);
    assert_eq!(cells("tictactoe", "noop"), Vec::<String>::new());
    assert_eq!(cells("tictactoe", "(mark 9 9)"), Vec::<String>::new());
    assert_eq!(cells("tictactoe", "(((("), Vec::<String>::new());
}

#[test]
fn drawings_and_data_are_well_formed() {
    for game in gdl_engines::builtin() {
        let mut game_of = SurveyedGame::builtin(&game.name());
        let states = game_of.states(20);
        let picture = game_of.layout.picture(&states[states.len() - 1]);
        let svg = game_of.layout.svg(&picture, &SvgOptions::default());
        assert_eq!(well_formed(&svg), Ok(()), "{}", game.name());
        assert!(svg.len() < 200_000, "{}: {} bytes", game.name(), svg.len());
        let cells: usize = game_of
            .layout
            .boards
            .iter()
            .map(|board| board.cells.len())
            .sum();
        assert_eq!(svg.matches("data-cell=").count(), cells);
        assert!(
            serde_json::to_string(&game_of.layout)
                .unwrap()
                .contains("\"roles\"")
        );
        assert!(
            serde_json::to_string(&picture)
                .unwrap()
                .contains("\"boards\"")
        );
    }
}

/// Whether a text is well-formed XML.
pub fn well_formed(text: &str) -> Result<(), String> {
    let mut reader = quick_xml::Reader::from_str(text);
    let mut depth = 0_i32;
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            quick_xml::events::Event::Start(start) => {
                depth += 1;
                for attribute in start.attributes() {
                    let attribute = attribute.map_err(|error| error.to_string())?;
                    attribute
                        .unescape_value()
                        .map_err(|error| error.to_string())?;
                }
            }
            quick_xml::events::Event::End(_) => depth -= 1,
            quick_xml::events::Event::Eof if depth == 0 => return Ok(()),
            quick_xml::events::Event::Eof => return Err("the text ends too early".to_owned()),
            _ => {}
        }
    }
}
