//! Planes show what the pictures of states show.

use gdl_boards::{GameEvidence, StateLayout};
use gdl_engines::{EngineKind, EngineOptions, open_with_rules};
use gdl_environments::{
    ChannelKind, EnvironmentError, EnvironmentOptions, Observation, PlaneLayout, StepTables,
    TurnOrder, VectorEnvironment, sample_actions,
};
use gdl_runtime::engine::State;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

#[test]
fn planes_show_the_pieces_on_the_board() {
    for game in [
        "tictactoe",
        "connect_four",
        "breakthrough",
        "othello",
        "hex",
        "checkers",
    ] {
        planes_are_pictures(game);
    }
}

fn planes_are_pictures(game: &str) {
    let (loaded, rules) =
        open_with_rules(Path::new(game), EngineKind::Net, &EngineOptions::default())
            .expect("the game is built in");
    let mut engine = loaded.engine;
    let layout = engine.layout().expect("the engine has a layout");
    let look = StateLayout::infer(&GameEvidence::of_game(
        &mut *engine,
        &rules,
        Duration::from_secs(10),
    ));
    let planes =
        PlaneLayout::new(&layout, &look, &TurnOrder::new(&layout)).expect("there is a board");
    let planes = Arc::new(planes);
    let cells = planes.height * planes.width;
    assert_eq!(planes.fluents.len(), planes.channels.len() * cells);
    let options = EnvironmentOptions {
        environments: 3,
        observation: Observation::Planes(Arc::clone(&planes)),
        ..EnvironmentOptions::default()
    };
    let mut games = VectorEnvironment::new(&*engine, options).expect("the game can be run");
    let shape = *games.shape();
    let mut tables = StepTables::new(&shape);
    games
        .reset(None, &mut tables.buffers())
        .expect("the buffers fit");
    let mut actions = vec![0; 3];
    for step in 0..30 {
        let mut states = vec![0; 3 * shape.state_words];
        games.states(&mut states).expect("the array fits");
        for (index, state) in states.chunks(shape.state_words).enumerate() {
            let observed =
                &tables.observations[index * planes.fluents.len()..][..planes.fluents.len()];
            let facts = engine.facts(&State(state.into()));
            let picture = look.picture(&facts);
            let seen: usize = (picture.boards.iter().flat_map(|board| &board.cells))
                .map(|cell| cell.pieces.len())
                .sum();
            let mut shown = 0;
            for (channel, plane) in planes.channels.iter().zip(observed.chunks(cells)) {
                let held = plane.iter().filter(|&&bit| bit == 1).count();
                match channel.kind {
                    ChannelKind::Piece => shown += held,
                    ChannelKind::Mark => {}
                    ChannelKind::Turn | ChannelKind::Fact => assert!(held == 0 || held == cells),
                }
                if channel.kind == ChannelKind::Piece {
                    let board = look
                        .boards
                        .iter()
                        .position(|board| board.name == channel.board)
                        .expect("a board");
                    for (cell, content) in look.boards[board]
                        .cells
                        .iter()
                        .zip(&picture.boards[board].cells)
                    {
                        let bit = plane[cell.row as usize * planes.width + cell.column as usize];
                        let is_there = content
                            .pieces
                            .iter()
                            .any(|piece| piece.name == channel.name);
                        assert!(is_there || bit == 0, "{game}: {channel:?} at {cell:?}");
                    }
                }
            }
            assert_eq!(shown, seen, "{game}, step {step}");
        }
        sample_actions(&tables.masks, shape.mask_row(), step, &mut actions);
        games
            .step(&actions, &mut tables.buffers())
            .expect("the actions are legal");
    }
}

#[test]
fn channels_have_meanings() {
    let (loaded, rules) = open_with_rules(
        Path::new("tictactoe"),
        EngineKind::Net,
        &EngineOptions::default(),
    )
    .expect("the game is built in");
    let mut engine = loaded.engine;
    let layout = engine.layout().expect("the engine has a layout");
    let look = StateLayout::infer(&GameEvidence::of_game(
        &mut *engine,
        &rules,
        Duration::from_secs(10),
    ));
    let turns = TurnOrder::new(&layout);
    assert!(turns.one_at_a_time);
    assert_eq!(turns.fluents.len(), 2);
    let planes = PlaneLayout::new(&layout, &look, &turns).expect("there is a board");
    assert_eq!((planes.height, planes.width), (3, 3));
    let kinds: Vec<_> = planes
        .channels
        .iter()
        .map(|channel| (channel.kind, channel.owner))
        .collect();
    let (piece, turn) = (ChannelKind::Piece, ChannelKind::Turn);
    assert_eq!(
        kinds,
        [
            (piece, Some(0)),
            (piece, Some(1)),
            (turn, Some(0)),
            (turn, Some(1))
        ]
    );
}

#[test]
fn planes_of_another_game_are_refused() {
    let open = |game: &str| {
        let options = EngineOptions::default();
        open_with_rules(Path::new(game), EngineKind::Net, &options).expect("the game is built in")
    };
    let (loaded, rules) = open("othello");
    let mut engine = loaded.engine;
    let layout = engine.layout().expect("the engine has a layout");
    let evidence = GameEvidence::of_game(&mut *engine, &rules, Duration::from_secs(10));
    let look = StateLayout::infer(&evidence);
    let planes = PlaneLayout::new(&layout, &look, &TurnOrder::new(&layout));
    let options = EnvironmentOptions {
        observation: Observation::Planes(Arc::new(planes.expect("there is a board"))),
        ..EnvironmentOptions::default()
    };
    let refused = VectorEnvironment::new(&*open("tictactoe").0.engine, options);
    assert_eq!(refused.err(), Some(EnvironmentError::OtherPlanes));
}
