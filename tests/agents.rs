//! Every component of agents plays whatever the rules allow: random programs and nearly empty
//! games.

use crate::common;
use crate::random_programs;
use gdl_agent::agents::Agent;
use gdl_agent::agents::registry::COMPONENTS;
use gdl_agent::component::Component;
use gdl_agent::matches::{self, MatchError, MatchStepper};
use gdl_agent::player::Player;
use gdl_agent::search::SearchLimits;
use gdl_agent::search::budget::TimeControl;
use gdl_engines::EngineKind;
use gdl_runtime::engine::Engine;
use gdlc::source::Source;
use std::time::Duration;

/// The number of random programs that all components play.
const PROGRAMS: u64 = 4;

/// The rounds of a match, and simulations for each move: playouts of games that hardly ever end
/// are long.
const ROUNDS: usize = 3;
const SIMULATIONS: u64 = 4;

/// Enough for a champion to learn in.
const START_CLOCK: Duration = Duration::from_millis(500);

/// Games without fluents: one that never ends, one that is over at once.
const WITHOUT_FLUENTS: [&str; 2] = [
    "(role white) (role black)
     (legal white one) (legal white two) (legal black one)
     (goal white 50) (goal black 50)
     (<= terminal (true never))",
    "(role white)
     (legal white one) (legal white two)
     (goal white 50)
     terminal",
];

/// A game in which only white has moves after the first round.
const MOVES_RUN_OUT: &str = "
    (role white) (role black) (role grey)
    (init (step 0))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= (next (chosen ?x)) (does white ?x))
    (legal white left) (legal white right)
    (<= (legal black wait) (true (step 0)))
    (<= (legal grey wait) (true (step 0)))
    (<= (goal white 100) (true (chosen left)))
    (<= (goal white 0) (not (true (chosen left))))
    (goal black 50) (goal grey 50)
    (<= terminal (true (step 5)))";

#[test]
fn engines_agree_without_fluents() {
    for (number, text) in WITHOUT_FLUENTS.into_iter().enumerate() {
        let source = Source::new(format!("without-fluents-{number}.kif"), text);
        let kinds = [EngineKind::Reference, EngineKind::Net, EngineKind::Native];
        let mut engines = kinds.map(|kind| common::load(&source, kind));
        common::assert_agree(&mut engines, 1, 2, 3);
    }
}

#[test]
fn all_components_play_without_fluents() {
    for text in WITHOUT_FLUENTS {
        play_with_all_components(text, 1);
    }
}

#[test]
fn all_components_play_random_programs() {
    let first = gdl_testing::seed_or(0);
    for seed in (0..PROGRAMS).map(|number| first.wrapping_add(number)) {
        let text = random_programs::program(seed);
        println!("seed {seed}:\n{text}");
        play_with_all_components(&text, seed);
    }
}

#[test]
fn all_components_play_where_moves_run_out() {
    play_with_all_components(MOVES_RUN_OUT, 1);
}

fn play_with_all_components(rules: &str, seed: u64) {
    let source = Source::new("rules.kif", rules);
    let mut engine = common::load(&source, EngineKind::Net);
    for component in COMPONENTS {
        let agent = agent_with(component);
        println!("{agent}");
        let result = play(&mut *engine, &agent, seed);
        // Random programs may leave a role without a move.
        assert!(
            matches!(result, Ok(()) | Err(MatchError::NoMove(_))),
            "{agent}: {result:?}"
        );
    }
}

/// An agent with this component, and with as little else as it needs.
fn agent_with(component: &Component) -> Agent {
    let name = component.name;
    let texts = [
        name.to_owned(),
        format!("uct+{name}"),
        format!("uct+{name}+mast"),
        format!("uct+{name}+mast+past"),
    ];
    let parsed = texts.iter().find_map(|text| text.parse().ok());
    parsed.unwrap_or_else(|| panic!("no agent with {name}"))
}

/// Lets this agent play all roles, after a start clock if it learns.
fn play(engine: &mut dyn Engine, agent: &Agent, seed: u64) -> Result<(), MatchError> {
    let player = |_| agent.player(engine, SearchLimits::default(), seed);
    let mut players: Vec<Box<dyn Player>> = (0..engine.roles().len()).map(player).collect();
    if agent.learns() {
        let stepper = MatchStepper::begin(engine, ROUNDS);
        matches::prepare(&stepper, engine, &mut players, START_CLOCK);
    }
    let control = TimeControl::Simulations(SIMULATIONS);
    matches::play(engine, &mut players, control, ROUNDS, &mut |_, _| {}).map(|_| ())
}
