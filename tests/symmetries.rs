//! Symmetries found in the rules hold in the engines: the image of a random game is a game
//! too, with the same results.

use crate::common;
use gdl_engines::{EngineKind, input};
use gdl_runtime::automorphism::Automorphism;
use gdl_runtime::engine::{Engine, State};
use gdlc::ground::{GroundingBudget, ground};
use gdlc::propnet::symmetries::{Symmetry, SymmetryGroup, prepare};
use gdlc::propnet::{Propnet, assemble};
use rand::SeedableRng as _;
use rand::rngs::StdRng;
use std::collections::{BTreeSet, HashMap};

/// An exchange by names.
struct Exchange {
    roles: Vec<usize>,
    facts: HashMap<String, String>,
    moves: HashMap<(usize, String), String>,
}

impl Exchange {
    fn new(net: &Propnet, symmetry: &Symmetry, engine: &dyn Engine) -> Self {
        let role = |id| {
            let mut names = engine.roles().iter();
            let name: &str = &net.roles[id];
            names
                .position(|role| role == name)
                .expect("engines know the roles")
        };
        let bases = net.bases.iter_ids().map(|(id, base)| {
            let image = &net.bases[symmetry.bases[id]];
            (base.name.to_string(), image.name.to_string())
        });
        let moves = net.moves.iter_ids().map(|(id, mv)| {
            let image = &net.moves[symmetry.moves[id]];
            ((role(mv.role), mv.name.to_string()), image.name.to_string())
        });
        Self {
            roles: net.roles.ids().map(|id| role(symmetry.roles[id])).collect(),
            facts: bases.collect(),
            moves: moves.collect(),
        }
    }

    /// Facts that always hold are not among the fluents of the propnet.
    fn fact(&self, fact: String) -> String {
        self.facts.get(&fact).cloned().unwrap_or(fact)
    }

    fn mv(&self, role: usize, name: String) -> (usize, String) {
        let image = self.moves.get(&(role, name.clone())).cloned();
        (self.roles[role], image.unwrap_or(name))
    }
}

/// What can be seen of a state: facts, whether it is terminal, goals, and the legal moves
/// of all roles if it is not.
type Seen = (BTreeSet<String>, bool, Vec<i32>, BTreeSet<(usize, String)>);

fn see(engine: &mut dyn Engine, state: &State) -> Seen {
    let position = engine.examine(state);
    let moves = position.legal.iter().enumerate().flat_map(|(role, moves)| {
        let engine: &dyn Engine = engine;
        moves
            .iter()
            .map(move |&mv| (role, engine.move_name(role, mv)))
    });
    let moves = moves.filter(|_| !position.terminal).collect();
    let goals = position
        .goals
        .iter()
        .map(|goals| goals.iter().copied().max().unwrap_or(0));
    (
        engine.facts(state).into_iter().collect(),
        position.terminal,
        goals.collect(),
        moves,
    )
}

fn exchanged(exchange: &Exchange, seen: Seen) -> Seen {
    let (facts, terminal, goals, moves) = seen;
    let mut images = vec![0; goals.len()];
    for (role, goal) in goals.into_iter().enumerate() {
        images[exchange.roles[role]] = goal;
    }
    let facts = facts.into_iter().map(|fact| exchange.fact(fact)).collect();
    let moves = moves
        .into_iter()
        .map(|(role, mv)| exchange.mv(role, mv))
        .collect();
    (facts, terminal, images, moves)
}

/// Plays a random game and its image side by side, by names and by the numbers of the engine.
fn play_both(
    engine: &mut dyn Engine,
    exchange: &Exchange,
    automorphism: &Automorphism,
    rng: &mut StdRng,
) {
    let (mut state, mut image) = (engine.initial(), engine.initial());
    let mut words = image.0.clone();
    loop {
        automorphism.states.apply(&state.0, &mut words);
        assert_eq!(words, image.0);
        let seen = see(engine, &state);
        assert_eq!(exchanged(exchange, seen), see(engine, &image));
        let position = engine.examine(&state);
        if position.terminal {
            return;
        }
        let joint = common::random_joint(&position, rng);
        let legal = engine.examine(&image).legal;
        let mut images = joint.clone();
        for (from, &mv) in joint.iter().enumerate() {
            let (role, name) = exchange.mv(from, engine.move_name(from, mv));
            let mut moves = legal[role].iter().copied();
            let found = moves.find(|&mv| engine.move_name(role, mv) == name);
            images[role] = found.expect("images of legal moves are legal");
            assert_eq!(automorphism.move_image(from, mv.0), images[role].0);
        }
        state = engine.next(&state, &joint);
        image = engine.next(&image, &images);
    }
}

/// The order of the symmetry group of one of our games; tests every generator in play.
fn order(game: &str, rng: &mut StdRng) -> Option<u128> {
    let program = input::check(common::game(game)).expect("the rules are sound");
    let ground = ground(&program, &GroundingBudget::default()).expect("the game is small");
    let net = prepare(assemble(&ground));
    let group = SymmetryGroup::find(&net);
    let mut engine = common::load(&common::game(game), EngineKind::Net);
    let found = engine.automorphism_finder().expect("it has rules")();
    let of_states = engine.symmetry_finder().expect("it has rules")();
    assert!(found.iter().map(|found| &found.states).eq(&*of_states));
    assert_eq!(found.len(), group.generators.len());
    for (generator, automorphism) in group.generators.iter().zip(&*found) {
        let exchange = Exchange::new(&net, generator, &*engine);
        assert_eq!(*automorphism.states.roles, exchange.roles);
        (0..5).for_each(|_| play_both(&mut *engine, &exchange, automorphism, rng));
    }
    group.order
}

#[test]
fn symmetries_of_rules_are_symmetries_of_play() {
    let mut rng = StdRng::seed_from_u64(gdl_testing::seed());
    let games = [
        "tictactoe",
        "peg_solitaire",
        "pentago",
        "connect_four",
        "breakthrough",
        "tron",
        "battle",
        "amazons_small",
        "skirmish",
        "yavalath",
    ];
    let orders = games.map(|game| order(game, &mut rng));
    assert_eq!(orders, [8, 8, 8, 2, 2, 2, 4, 2, 2, 12].map(Some));
}
