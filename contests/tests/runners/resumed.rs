//! Games that were interrupted.

use super::*;
use gdl_agent::matches::{Ending, PlayerReport};
use gdl_contests::runner::DedicatedRunner;

/// A game goes on where it stopped, and what was counted before is kept.
#[test]
fn games_are_resumed() {
    let agents = ["uct", "random"].map(|text| text.parse().unwrap());
    let whole = play_interleaved(&agents, 8, 1);
    let begun = |game: &FinishedGame| GameRecord {
        moves: game.record.moves[..2].to_vec(),
        players: vec![
            PlayerReport {
                simulations: 1000,
                ..PlayerReport::default()
            };
            2
        ],
        interruptions: 1,
        ..GameRecord::new(game.record.fixture.clone())
    };
    let mut together = interleaved(&agents, 8, 1);
    let mut apart = DedicatedRunner {
        engine: engine(),
        make_player: &random,
        time_control: FEW_SIMULATIONS,
        idle: IdleSearch::default(),
        start: None,
        rounds: 100,
        threads: 2,
        watch: &(),
    };
    let runners: [&mut dyn Runner; 2] = [&mut together, &mut apart];
    for runner in runners {
        let mut ended = 0;
        let outcome = runner.play(&mut whole.iter().map(begun), &mut |event| {
            let GameEvent::Finished(game) = event else {
                return ControlFlow::Continue(());
            };
            ended += 1;
            let (record, number) = (&game.record, game.record.fixture.number as usize);
            assert_eq!(record.moves[..2], whole[number].record.moves[..2]);
            assert!(record.moves.len() >= 5);
            assert_eq!(game.ending, Ending::Terminal);
            assert_eq!(record.interruptions, 1);
            assert!(
                record
                    .players
                    .iter()
                    .all(|player| player.simulations >= 1000)
            );
            ControlFlow::Continue(())
        });
        assert_eq!((ended, outcome), (whole.len(), Ok(())));
    }
}
