//! What playout policies cost, and what is lost by the quantisation of their
//! weights: `cargo run --release --example policies -- games/breakthrough.kif`.
//!
//! Every policy plays some games against itself and learns from them; then, timed, it
//! learns from the last of them once more and chooses again in all their states. The
//! loss is the total variation distance, averaged over the choices of the last games,
//! between the distribution that the policy intends and that of its weights. It is also
//! measured after few games, when the policy knows only a few moves.

use std::collections::VecDeque;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail};
use gdl_agent::agents::Agent;
use gdl_agent::episode::Episode;
use gdl_agent::playout::uniform::Uniform;
use gdl_agent::playout::weights::MoveWeights;
use gdl_agent::playout::{Playout, SamplingMode, Situation};
use gdl_agent::search::SearchLimits;
use gdl_engines::{EngineKind, EngineOptions, open};
use gdl_runtime::engine::{Engine, Move, NO_CHOICE, Role};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

const POLICIES: [&str; 5] = ["uct", "uct+mast", "uct+to-mast", "uct+past", "uct+fast"];

/// The number of games that a policy learns from, and how many of the last are kept.
const GAMES: usize = 1000;
const KEPT: usize = 100;

/// The numbers of games after which the loss is measured.
const STAGES: [usize; 4] = [10, 30, 100, GAMES];

/// Joint moves of a simulation that count as made inside the tree.
const INSIDE: usize = 8;

/// A game that was played: see [`Episode`].
struct Game {
    goals: Vec<i32>,
    moves: Vec<u32>,
    states: Vec<u64>,
    choices: Vec<(Role, usize, Vec<Move>)>,
}

impl Game {
    fn episode(&self) -> Episode<'_> {
        let steps = self.moves.len() / self.goals.len();
        Episode {
            simulations: 1,
            goals: &self.goals,
            moves: &self.moves,
            inside: steps.min(INSIDE),
            states: &self.states,
        }
    }
}

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file] = &args[..] else {
        bail!("usage: policies FILE");
    };
    let mut engine = open(Path::new(file), EngineKind::Net, &EngineOptions::default())?.engine;
    println!(
        "policy        ns a choice  ns to learn a game  moves a game  choices a game  loss after 10, 30, 100, 1000"
    );
    for text in POLICIES {
        let agent: Agent = text.parse().map_err(|error| anyhow!("{text}: {error}"))?;
        let settings = agent.settings(&*engine, SearchLimits::default());
        let mut policy = settings.playout.unwrap_or_else(|| Box::new(Uniform));
        let (games, losses) = play(&mut *engine, &mut *policy).context("a role has no move")?;
        report(text, &mut *policy, &games, &losses);
    }
    Ok(())
}

/// Lets a policy play and learn from games. Returns the last of them, and the losses at all
/// stages.
fn play(engine: &mut dyn Engine, policy: &mut dyn Playout) -> Option<(Vec<Game>, Vec<String>)> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut kept, mut losses) = (VecDeque::new(), Vec::new());
    for number in 1..=GAMES {
        let game = play_one(engine, policy, &mut random)?;
        policy.learn(0, &game.episode());
        kept.push_back(game);
        if kept.len() > KEPT {
            kept.pop_front();
        }
        if STAGES.contains(&number) {
            losses.push(average_loss(policy, kept.make_contiguous()));
        }
    }
    Some((kept.into(), losses))
}

/// The average loss over the choices in games, in words.
fn average_loss(policy: &mut dyn Playout, games: &[Game]) -> String {
    let SamplingMode::Weighted(weights) = policy.sampling_mode() else {
        return "none".to_owned();
    };
    let (mut sum, mut choices) = (0.0, 0);
    for game in games {
        each_choice(game, |situation| sum += loss(weights, &situation));
        choices += game.choices.len();
    }
    format!("{:.1} %", 100.0 * sum / choices as f64)
}

fn play_one(
    engine: &mut dyn Engine,
    policy: &mut dyn Playout,
    random: &mut Xoshiro256PlusPlus,
) -> Option<Game> {
    let mut state = engine.initial();
    let (mut moves, mut states, mut choices) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        let position = engine.examine(&state);
        let at = states.len();
        states.extend_from_slice(&state.0);
        if position.terminal {
            let goals = position.goals.iter();
            let goals = goals.map(|goals| goals.last().copied().unwrap_or(0));
            return Some(Game {
                goals: goals.collect(),
                moves,
                states,
                choices,
            });
        }
        let mut joint = Vec::new();
        for (role, legal) in position.legal.into_iter().enumerate() {
            let situation = Situation {
                role,
                state: &state.0,
                moves: &legal,
            };
            let mv = match legal.len() {
                0 => return None,
                1 => legal[0],
                _ => legal[policy.choose(&situation, random)],
            };
            joint.push(mv);
            moves.push(if legal.len() == 1 { NO_CHOICE } else { mv.0 });
            if legal.len() > 1 {
                choices.push((role, at, legal));
            }
        }
        state = engine.next(&state, &joint);
    }
}

/// Measures a policy on games that it has played.
fn report(text: &str, policy: &mut dyn Playout, games: &[Game], losses: &[String]) {
    let choices: usize = games.iter().map(|game| game.choices.len()).sum();
    let steps: usize = games.iter().map(|game| game.episode().len()).sum();
    let learning = clock(|| {
        let episodes = games.iter().map(Game::episode);
        episodes.for_each(|episode| policy.learn(0, &episode));
    });
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let choosing = clock(|| {
        for game in games {
            each_choice(game, |situation| {
                black_box(policy.choose(&situation, &mut random));
            });
        }
    });
    println!(
        "{text:<14}{:>11.0}{:>20.0}{:>14.1}{:>16.1}  {}",
        choosing.as_nanos() as f64 / choices as f64,
        learning.as_nanos() as f64 / games.len() as f64,
        steps as f64 / games.len() as f64,
        choices as f64 / games.len() as f64,
        losses.join(", "),
    );
}

/// The shortest of several times.
fn clock(mut work: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..5).map(time).min().unwrap_or_default()
}

fn each_choice<'a>(game: &'a Game, mut visit: impl FnMut(Situation<'a>)) {
    let words = game.states.len() / (game.episode().len() + 1);
    for (role, at, moves) in &game.choices {
        visit(Situation {
            role: *role,
            state: &game.states[*at..at + words],
            moves,
        });
    }
}

/// The distance, from 0 to 1, between the distribution of the weights and that of the values.
fn loss(weights: &MoveWeights, situation: &Situation<'_>) -> f64 {
    let role = situation.role;
    let held: Vec<f64> = weigh(situation, |mv| f64::from(weights.weight(role, mv)));
    let exact = weigh(situation, |mv| weights.exact_weight(role, mv));
    let pairs = held.iter().zip(&exact);
    pairs.map(|(held, exact)| (held - exact).abs()).sum::<f64>() / 2.0
}

/// Weights, scaled to probabilities.
fn weigh(situation: &Situation<'_>, weight: impl Fn(Move) -> f64) -> Vec<f64> {
    let weights: Vec<f64> = situation.moves.iter().map(|&mv| weight(mv)).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}
