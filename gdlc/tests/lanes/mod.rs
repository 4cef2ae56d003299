//! Nets evaluated as their definition says, 64 games side by side, and played at
//! random: what the passes, the analyses and the plan are compared with.

use gdlc::ground::{GroundingBudget, ground};
use gdlc::id::Id as _;
use gdlc::propnet::{self, PropNode, Propnet, Signal};
use gdlc::rules::{self, Program};
use gdlc::source::Source;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use std::path::Path;

/// The rule sheets of `games/`, by name.
pub const GAMES: &[&str] = &[
    "breakthrough",
    "checkers",
    "connect_four",
    "hex",
    "othello",
    "peg_solitaire",
    "tictactoe",
    "tron",
    "yavalath",
];

/// Links are laid by two roles at once; whatever a chain of links reaches, from
/// either end, is lit: recursion through the state, and a second recursion on top
/// of the first.
pub const CHAINS: &str = "
(role left)
(role right)
(place a) (place b) (place c) (place d) (place e)
(init (source a))
(init (left-over 4))
(fewer 4 3) (fewer 3 2) (fewer 2 1) (fewer 1 0)
(<= (legal ?p (link ?x ?y)) (role ?p) (place ?x) (place ?y) (distinct ?x ?y)
    (not (true (linked ?x ?y))))
(<= (legal left (cut ?x ?y)) (true (linked ?x ?y)))
(<= (legal right (move ?x)) (lit ?x))
(<= (next (linked ?x ?y)) (does ?p (link ?x ?y)))
(<= (next (linked ?x ?y)) (true (linked ?x ?y)) (not (does left (cut ?x ?y))))
(<= (next (source ?x)) (does right (move ?x)))
(<= (next (source ?x)) (true (source ?x)) (not moved))
(<= moved (does right (move ?x)))
(<= (next (left-over ?m)) (true (left-over ?n)) (fewer ?n ?m))
(<= (lit ?x) (true (source ?x)))
(<= (lit ?y) (lit ?x) (true (linked ?x ?y)))
(<= (dark ?x) (place ?x) (not (lit ?x)))
(<= (void ?x) (dark ?x) (true (linked ?x ?y)) (lit ?y))
(<= (void ?x) (dark ?x) (true (linked ?x ?y)) (void ?y))
(<= terminal (true (left-over 0)))
(<= terminal (not some-dark))
(<= some-dark (dark ?x))
(<= (goal left 100) (void d))
(<= (goal left 20) (not (void d)))
(<= (goal right 100) (lit e))
(<= (goal right 0) (dark e) (not (void e)))
";

/// A program from text.
pub fn program(name: &str, text: &str) -> Program {
    let checked = rules::check(Source::new(name, text));
    let Some(program) = checked.program else {
        panic!("{}", gdlc::diag::render(&checked.diagnostics, false));
    };
    program
}

/// A program of `games/`.
pub fn game(name: &str) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../games")
        .join(name);
    let text = std::fs::read_to_string(path.with_extension("kif")).expect("the game is there");
    program(name, &text)
}

/// A program's net before any pass.
pub fn assemble(program: &Program) -> Propnet {
    propnet::assemble(&ground(program, &GroundingBudget::default()).expect("the budget suffices"))
}

/// The fixed seed, or another on demand.
pub fn seed() -> u64 {
    gdl_testing::seed_or(11)
}

/// The values of all nodes: one bit a game.
pub struct Values(Vec<u64>);

impl Values {
    /// The values for the given fluents and moves.
    pub fn of(net: &Propnet, now: &[u64], does: &[u64]) -> Self {
        let mut loops = vec![0; net.loops.len()];
        let mut groups: Vec<u32> = net.loops.iter().map(|atom| atom.group).collect();
        groups.sort_unstable();
        groups.dedup();
        let mut values = Self::once(net, now, does, &loops);
        for group in groups {
            loop {
                let mut changed = false;
                for (value, atom) in loops.iter_mut().zip(&net.loops) {
                    let new = values.get(atom.definition);
                    if atom.group == group && new != *value {
                        assert_eq!(new | *value, new, "{} is not monotone", atom.name);
                        *value = new;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
                values = Self::once(net, now, does, &loops);
            }
        }
        values
    }

    fn once(net: &Propnet, now: &[u64], does: &[u64], loops: &[u64]) -> Self {
        let mut values = Self(Vec::with_capacity(net.nodes.len()));
        for node in &net.nodes {
            values.0.push(match node {
                PropNode::True => !0,
                PropNode::Base(base) => now[base.index()],
                PropNode::Does(mv) => does[mv.index()],
                PropNode::Loop(atom) => loops[atom.index()],
                PropNode::And(operands) => operands
                    .iter()
                    .fold(!0, |all, &operand| all & values.get(operand)),
            });
        }
        values
    }

    /// The value of a signal.
    pub fn get(&self, signal: Signal) -> u64 {
        self.0[signal.node().index()] ^ if signal.inverted() { !0 } else { 0 }
    }
}

/// 64 random games of a net, each restarted when it ends.
pub struct Walk<'a> {
    net: &'a Propnet,
    rng: StdRng,
    /// The fluents, one bit a game.
    pub now: Vec<u64>,
    /// The moves made, none where the game is over.
    pub does: Vec<u64>,
    /// The games in which a move is made.
    pub going_on: u64,
}

impl<'a> Walk<'a> {
    /// The first moves from the initial state.
    pub fn start(net: &'a Propnet, seed: u64) -> Self {
        let initially = net
            .bases
            .iter()
            .map(|base| if base.initially { !0 } else { 0 });
        let mut walk = Self {
            net,
            rng: StdRng::seed_from_u64(seed),
            now: initially.collect(),
            does: vec![0; net.moves.len()],
            going_on: 0,
        };
        walk.choose();
        walk
    }

    /// Makes the moves and chooses the next ones.
    pub fn advance(&mut self) {
        let values = Values::of(self.net, &self.now, &self.does);
        for (now, base) in self.now.iter_mut().zip(&self.net.bases) {
            let initially = if base.initially { !0 } else { 0 };
            *now = values.get(base.next) & self.going_on | initially & !self.going_on;
        }
        self.choose();
    }

    fn choose(&mut self) {
        self.does.fill(0);
        let values = Values::of(self.net, &self.now, &self.does);
        let legal: Vec<u64> = self
            .net
            .moves
            .iter()
            .map(|mv| values.get(mv.legal))
            .collect();
        self.going_on = !values.get(self.net.terminal);
        for game in 0..64 {
            let mut made = Vec::new();
            for role in self.net.roles.ids() {
                let moves = self
                    .net
                    .moves
                    .iter_ids()
                    .filter(|(id, mv)| mv.role == role && legal[id.index()] >> game & 1 != 0);
                let moves: Vec<_> = moves.map(|(id, _)| id).collect();
                if moves.is_empty() {
                    self.going_on &= !(1 << game);
                } else {
                    made.push(moves[self.rng.random_range(0..moves.len())]);
                }
            }
            if self.going_on >> game & 1 != 0 {
                made.iter()
                    .for_each(|mv| self.does[mv.index()] |= 1 << game);
            }
        }
    }
}
