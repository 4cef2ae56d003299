//! What players search while they have nothing to decide.

use super::*;
use gdl_agent::search::SearchLimits;
use gdl_contests::budget::MoveBudget;
use gdl_contests::runner::DedicatedRunner;

/// Simulations a move: at most 95 for a player of tic-tac-toe, and 171 if it searches on all nine
/// plies. The cutoff decides after 100 that leave the tree.
const SIMULATIONS: u64 = 19;

const MOVE: TimeControl = TimeControl::Simulations(SIMULATIONS);

const START: IdleSearch = IdleSearch {
    start: Some(MoveBudget::Simulations(300)),
    forced: false,
};

const FORCED: IdleSearch = IdleSearch {
    start: None,
    forced: true,
};

fn agents() -> [Agent; 2] {
    ["uct+unproven+cutoff"; 2].map(|text| text.parse().unwrap())
}

/// Twelve games on each of the runners for counted budgets.
fn play_both(idle: IdleSearch) -> [Vec<FinishedGame>; 2] {
    let agents = agents();
    let mut together = InterleavedRunner {
        time_control: MOVE,
        idle,
        ..interleaved(&agents, 4, 1)
    };
    let limits = SearchLimits {
        in_flight: Some(1),
        playouts_per_leaf: Some(1),
        ..SearchLimits::default()
    };
    let make_player = |agent: usize, engine: &dyn Engine, seed: u64| -> Box<dyn Player> {
        agents[agent].player(engine, limits, seed)
    };
    let mut apart = DedicatedRunner {
        engine: engine(),
        make_player: &make_player,
        time_control: MOVE,
        idle,
        start: None,
        rounds: 100,
        threads: 1,
        watch: &(),
    };
    let runners: [&mut dyn Runner; 2] = [&mut together, &mut apart];
    runners.map(|runner| {
        let (games, outcome) = play(runner, 12, usize::MAX);
        assert_eq!((games.len(), outcome), (12, Ok(())));
        games
    })
}

/// The number of players, of 24, whose cutoff has decided.
fn decided(games: &[FinishedGame]) -> usize {
    let reports = games.iter().flat_map(|game| &game.record.players);
    reports.filter(|report| report.cuts.is_some()).count()
}

#[test]
fn nothing_is_searched_unless_asked_for() {
    for games in play_both(IdleSearch::default()) {
        assert_eq!(decided(&games), 0);
        // One of the two roles has a choice in every round.
        for game in games {
            let searches: u64 = game
                .record
                .players
                .iter()
                .map(|report| report.searches)
                .sum();
            assert!(searches <= game.record.moves.len() as u64);
        }
    }
}

#[test]
fn start_clocks_are_spent_before_the_first_move() {
    for games in play_both(START) {
        assert_eq!(decided(&games), 24);
        // They do not count as moves.
        let mut reports = games.iter().flat_map(|game| &game.record.players);
        assert!(reports.all(|report| report.simulations <= SIMULATIONS * report.searches));
    }
}

#[test]
fn forced_plies_are_searched_if_asked_for() {
    for games in play_both(FORCED) {
        // Games of seven plies or more suffice.
        assert!(decided(&games) > 12, "{} of 24", decided(&games));
    }
}

#[test]
fn both_runners_choose_among_legal_moves_after_all() {
    for games in play_both(IdleSearch {
        forced: true,
        ..START
    }) {
        for game in games {
            assert_eq!(game.goals.iter().sum::<i32>(), 100);
            assert!((5..=9).contains(&game.record.moves.len()));
        }
    }
}
