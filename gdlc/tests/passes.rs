//! Passes keep what a net means, do what they promise, and can each be left out;
//! analyses never claim what random play refutes.
//!
//! The seed is fixed; the variable `SEED` asks for another, and failures name it.

use crate::lanes::{CHAINS, GAMES, Values, Walk, assemble, game, program, seed};
use gdlc::id::Id;
use gdlc::propnet::analyses::{
    Exclusion, ImpliedLiterals, MutexGroups, Turns, find_mutex_groups, prove_mutex_groups,
};
use gdlc::propnet::passes::{PASSES, run_passes};
use gdlc::propnet::{PropNode, PropNodeId, Propnet, Signal};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use std::collections::BTreeSet;

/// Steps of 64 games that nets are compared over.
const STEPS: usize = 60;

/// The unimproved net of every game, and of one with two recursions.
fn nets() -> impl Iterator<Item = (&'static str, Propnet)> {
    let games = GAMES.iter().map(|name| (*name, assemble(&game(name))));
    std::iter::once(("chains", chains())).chain(games)
}

fn chains() -> Propnet {
    assemble(&program("chains", CHAINS))
}

/// The names of all passes but one.
fn all_but(kept: &str) -> Vec<String> {
    let names = PASSES.iter().map(|pass| pass.name);
    names
        .filter(|name| *name != kept)
        .map(str::to_owned)
        .collect()
}

fn only(net: &Propnet, pass: &str) -> Propnet {
    run_passes(net.clone(), &all_but(pass)).0
}

#[test]
fn every_pass_keeps_the_meaning_and_can_be_left_out() {
    let names: BTreeSet<&str> = PASSES.iter().map(|pass| pass.name).collect();
    for (game, net) in nets() {
        let mut variants = vec![("all passes".to_owned(), run_passes(net.clone(), &[]).0)];
        for name in &names {
            let (without, _) = run_passes(net.clone(), &[(*name).to_owned()]);
            variants.push((format!("without {name}"), without));
            variants.push((format!("{name} alone"), only(&net, name)));
        }
        assert_same(game, &net, &variants);
    }
}

/// Panics at the first difference between a net and its variants in random play.
fn assert_same(game: &str, net: &Propnet, variants: &[(String, Propnet)]) {
    let seed = seed();
    let mut walk = Walk::start(net, seed);
    for step in 0..STEPS {
        let expected = Values::of(net, &walk.now, &walk.does);
        let open = !expected.get(net.terminal);
        for (variant, other) in variants {
            let found = Values::of(other, &walk.now, &walk.does);
            let differ = |one: Signal, two: Signal, lanes: u64, what: &dyn std::fmt::Debug| {
                let difference = (expected.get(one) ^ found.get(two)) & lanes;
                assert_eq!(
                    difference, 0,
                    "{game}, {variant}, seed {seed}, step {step}: {what:?}"
                );
            };
            differ(net.terminal, other.terminal, !0, &"terminal");
            for (one, two) in net.goals.iter().zip(&other.goals) {
                differ(one.holds, two.holds, !0, one);
            }
            for (one, two) in net.moves.iter().zip(&other.moves) {
                differ(one.legal, two.legal, open, one);
            }
            for (one, two) in net.bases.iter().zip(&other.bases) {
                differ(one.next, two.next, walk.going_on, one);
            }
        }
        walk.advance();
    }
}

#[test]
fn leaving_all_out_changes_nothing() {
    let net = chains();
    let (same, reports) = run_passes(net.clone(), &all_but("no pass"));
    assert!(reports.is_empty());
    assert_eq!(
        gdlc::propnet::show_propnet(&same),
        gdlc::propnet::show_propnet(&net)
    );
}

/// Counted in two-input gates, which is what wide and shared gates amount to.
#[test]
fn nets_shrink() {
    for (game, net) in nets() {
        let before = net.size();
        let (after, reports) = run_passes(net, &[]);
        assert_eq!(reports.len(), PASSES.len());
        let after = after.size();
        println!("{game}: {before}; then {after}");
        let gates = [before, after].map(|size| size.operands - size.gates);
        assert!(gates[1] < gates[0], "{game}: {before}; then {after}");
    }
}

#[test]
fn constant_folding_leaves_no_constant_repeated_or_contradictory_operand() {
    for (game, net) in nets() {
        let folded = only(&net, "constant_folding");
        for operands in gates(&folded) {
            assert!(operands.len() > 1, "{game}");
            let constants = [Signal::TRUE, Signal::FALSE];
            assert!(
                !constants.iter().any(|constant| operands.contains(constant)),
                "{game}"
            );
            let nodes: BTreeSet<PropNodeId> =
                operands.iter().map(|operand| operand.node()).collect();
            assert_eq!(nodes.len(), operands.len(), "{game}: {operands:?}");
        }
    }
}

#[test]
fn structural_hashing_leaves_no_two_gates_with_the_same_operands() {
    for (game, net) in nets() {
        let shared = only(&net, "structural_hashing");
        let mut seen = BTreeSet::new();
        for mut operands in gates(&shared) {
            operands.sort_unstable();
            assert!(seen.insert(operands.clone()), "{game}: {operands:?} twice");
        }
    }
}

#[test]
fn dead_code_elimination_leaves_nothing_that_is_not_needed() {
    for (game, net) in nets() {
        let net = only(&net, "dead_code_elimination");
        let mut needed: BTreeSet<PropNodeId> = net.roots().map(Signal::node).collect();
        for (id, node) in net.nodes.iter_ids().rev() {
            if let (true, PropNode::And(operands)) = (needed.contains(&id), node) {
                needed.extend(operands.iter().map(|operand| operand.node()));
            }
        }
        for (id, node) in net.nodes.iter_ids().skip(1) {
            assert!(needed.contains(&id), "{game}: nothing needs {node:?}");
        }
    }
}

#[test]
fn constant_latches_leaves_no_fluent_that_keeps_its_initial_value() {
    let text = format!(
        "{CHAINS}\n(init (always here))\n(<= (next (always ?x)) (true (always ?x)))\n\
        (<= (next (linked a b)) (true (never seen)) (true (always here)))\n\
        (<= (next (never seen)) (true (never seen)))"
    );
    let net = only(&assemble(&program("frozen", &text)), "constant_latches");
    let read = |name: &str| {
        let read = net
            .nodes
            .iter()
            .any(|node| matches!(node, PropNode::Base(base) if *net.bases[*base].name == *name));
        assert_eq!(read, name == "(source a)", "{name}");
    };
    ["(source a)", "(always here)", "(never seen)"]
        .iter()
        .for_each(|name| read(name));
}

/// Nine cells that keep what they hold while another is touched.
const FRAME: &str = "
(role p)
(cell 1) (cell 2) (cell 3) (cell 4) (cell 5) (cell 6) (cell 7) (cell 8) (cell 9)
(init (full 1))
(<= (legal p (touch ?x)) (cell ?x))
(<= (next (full ?x)) (true (full ?x)) (does p (touch ?y)) (distinct ?x ?y))
(<= (next (full ?x)) (not (true (full ?x))) (does p (touch ?x)))
(<= terminal (true (full 9)))
(goal p 100)
";

/// The operands of a conjunction, as text.
fn operands_of(net: &Propnet, signal: Signal) -> Vec<String> {
    let PropNode::And(operands) = &net.nodes[signal.node()] else {
        panic!("{signal:?} is no conjunction");
    };
    let name = |operand: &Signal| {
        let sign = if operand.inverted() { "not " } else { "" };
        match &net.nodes[operand.node()] {
            PropNode::Base(base) => format!("{sign}{}", net.bases[*base].name),
            PropNode::Does(mv) => format!("{sign}{}", net.moves[*mv].name),
            other => format!("{sign}{other:?}"),
        }
    };
    let mut names: Vec<String> = operands.iter().map(name).collect();
    names.sort_unstable();
    names
}

#[test]
fn canonical_move_sets_turns_frame_rules_round() {
    let factored = only(&assemble(&program("frame", FRAME)), "factoring");
    let net = only(&factored, "canonical_move_sets");
    let frame = ["(full 1)", "not (touch 1)"];
    let found = net.nodes.iter_ids().any(|(id, node)| {
        matches!(node, PropNode::And(_)) && operands_of(&net, Signal::of(id)) == frame
    });
    assert!(found, "{}", gdlc::propnet::show_propnet(&net));
}

#[test]
fn factoring_takes_out_what_alternatives_share() {
    let text = "
        (role p) (init (on d)) (legal p wait) (legal p hold)
        (<= (next (on a)) (true (on b)) (true (on c)))
        (<= (next (on a)) (true (on b)) (true (on d)))
        (<= (next (on a)) (true (on b)) (does p wait))
        (<= (next (on b)) (does p wait) (not (true (on b))))
        (<= (next (on c)) (does p wait) (not (true (on c))))
        (<= (next (on d)) (does p wait) (not (true (on d))))
        (<= terminal (true (on a)))
        (goal p 100)";
    let net = assemble(&program("factors", text));
    let read = |net: &Propnet| {
        let reads = |node: &PropNode| match node {
            PropNode::And(operands) => operands.iter().any(|operand| {
                let node = &net.nodes[operand.node()];
                let name = |base| &*net.bases[base].name == "(on b)" && !operand.inverted();
                matches!(node, PropNode::Base(base) if name(*base))
            }),
            _ => false,
        };
        net.nodes.iter().filter(|node| reads(node)).count()
    };
    let factored = only(&net, "factoring");
    assert_eq!(
        (read(&net), read(&only(&factored, "dead_code_elimination"))),
        (3, 1)
    );
}

fn gates(net: &Propnet) -> impl Iterator<Item = Vec<Signal>> {
    net.nodes.iter().filter_map(|node| match node {
        PropNode::And(operands) => Some(operands.to_vec()),
        _ => None,
    })
}

/// Whether two fluents, by name, are known to exclude each other.
fn exclude(net: &Propnet, groups: &MutexGroups, one: &str, two: &str) -> bool {
    let find = |name: &str| {
        let found = net.bases.iter_ids().find(|(_, base)| *base.name == *name);
        found
            .unwrap_or_else(|| panic!("there is no fluent {name}"))
            .0
    };
    groups.exclude(find(one), find(two))
}

#[test]
fn mutex_groups_find_whose_turn_it_is_and_what_a_cell_holds() {
    for (name, columns, rows) in [("tictactoe", 3, 3), ("connect_four", 7, 6)] {
        let net = run_passes(assemble(&game(name)), &[]).0;
        let groups = find_mutex_groups(&net, &ImpliedLiterals::find(&net));
        let roles = [&net.roles[Id::new(0)], &net.roles[Id::new(1)]];
        let fluents = |functor: &str| roles.map(|role| format!("({functor} {role})"));
        let [one, two] = fluents("turn");
        assert!(
            exclude(&net, &groups, &one, &two),
            "{name}: {:?}",
            groups.groups
        );
        for column in 1..=columns {
            for row in 1..=rows {
                let [one, two] = fluents(&format!("cell {column} {row}"));
                assert!(exclude(&net, &groups, &one, &two), "{name}: {one} {two}");
            }
        }
        // Different cells do not exclude each other, nor do cells exclude a turn.
        let [mark, _] = fluents("cell 1 1");
        let [other, _] = fluents("cell 2 1");
        assert!(!exclude(&net, &groups, &mark, &other), "{name}");
        assert!(!exclude(&net, &groups, &mark, &one), "{name}");
    }
}

/// `a` repeats what `b` was one step earlier, and `b` what `c` was: at times both numbers.
const CHAIN: &str = "
(role p)
(init (turn 1))
(legal p stay) (legal p go)
(<= (next (a ?n)) (true (b ?n)))
(<= (next (b ?n)) (true (c ?n)))
(<= (next (c 1)) (does p go))
(<= (next (c 2)) (does p go) (true (turn 2)))
(<= (next (turn 1)) (true (turn 2)))
(<= (next (turn 2)) (true (turn 1)))
(<= terminal (true (a 1)) (true (a 2)))
(goal p 100)
";

#[test]
fn groups_whose_proofs_rely_on_others_fall_with_them() {
    let net = assemble(&program("chain", CHAIN));
    let groups = find_mutex_groups(&net, &ImpliedLiterals::find(&net));
    assert!(exclude(&net, &groups, "(turn 1)", "(turn 2)"));
    for name in ["a", "b", "c"] {
        let [one, two] = [1, 2].map(|n| format!("({name} {n})"));
        assert!(!exclude(&net, &groups, &one, &two), "{name}: {groups:?}");
    }
}

#[test]
fn groups_that_a_pass_found_are_those_of_the_propnet_that_it_left() {
    let net = run_passes(assemble(&program("turns", TURNS)), &[]).0;
    let found = net.mutex_groups.as_ref().expect("roles take turns");
    let proved = prove_mutex_groups(&net, &ImpliedLiterals::find(&net));
    assert!(!found.groups.is_empty());
    assert_eq!(found.groups, proved.groups);
}

#[test]
fn mutex_groups_are_never_wrong() {
    let seed = seed();
    let mut found = 0;
    for (game, net) in nets() {
        let improved = run_passes(net.clone(), &[]).0;
        let groups = find_mutex_groups(&improved, &ImpliedLiterals::find(&improved));
        found += groups.groups.len();
        let mut walk = Walk::start(&net, seed);
        for step in 0..STEPS {
            for group in &groups.groups {
                let mut seen = 0;
                for base in group {
                    let now = walk.now[base.index()];
                    assert_eq!(seen & now, 0, "{game}, seed {seed}, step {step}: {group:?}");
                    seen |= now;
                }
            }
            walk.advance();
        }
    }
    assert!(found > 100, "only {found} groups");
}

/// A role waits just while the other one steps.
const TURNS: &str = "
(role p) (role q)
(init (turn p))
(step 1) (step 2) (step 3)
(<= (legal ?r (step ?n)) (true (turn ?r)) (step ?n) (not (true (trodden ?n))))
(<= (legal ?r stay) (true (turn ?r)) (true (trodden 1)) (true (trodden 2)))
(<= (legal p wait) (true (turn q)))
(<= (legal q wait) (true (turn p)))
(<= (next (turn p)) (true (turn q)))
(<= (next (turn q)) (true (turn p)))
(<= (next (trodden ?n)) (does ?r (step ?n)))
(<= (next (trodden ?n)) (true (trodden ?n)) (not (does q stay)))
(<= terminal (true (trodden 1)) (true (trodden 2)) (true (trodden 3)))
(goal p 100) (goal q 0)
";

#[test]
fn of_roles_that_take_turns_exactly_one_is_idle() {
    let seed = seed();
    let mut found = Vec::new();
    let turns = ("turns", assemble(&program("turns", TURNS)));
    for (game, net) in nets().chain([turns]) {
        let improved = run_passes(net.clone(), &[]).0;
        let implied = ImpliedLiterals::find(&improved);
        let groups = find_mutex_groups(&improved, &implied);
        let Some(turns) = Turns::find(&improved, &implied, &groups) else {
            continue;
        };
        found.push(game);
        let mut walk = Walk::start(&net, seed);
        for step in 0..STEPS {
            let [one, other] = turns.idle.map(|mv| walk.does[mv.index()]);
            let exactly_one = (one ^ other) & walk.going_on;
            assert_eq!(
                exactly_one, walk.going_on,
                "{game}, seed {seed}, step {step}"
            );
            walk.advance();
        }
    }
    assert!(found.contains(&"turns"), "{found:?}");
    assert!(!found.contains(&"tron"), "{found:?}");
}

/// What each signal is in many positions of random play.
struct History(Vec<Values>);

impl History {
    fn record(net: &Propnet, seed: u64) -> Self {
        let mut walk = Walk::start(net, seed);
        let steps = (0..STEPS).map(|_| {
            let values = Values::of(net, &walk.now, &walk.does);
            walk.advance();
            values
        });
        Self(steps.collect())
    }

    fn hold_together(&self, one: Signal, two: Signal) -> bool {
        self.0
            .iter()
            .any(|values| values.get(one) & values.get(two) != 0)
    }
}

/// Signals to ask about: some of any kind, and those that are asked about most.
fn signals(net: &Propnet, rng: &mut StdRng) -> Vec<Signal> {
    let any = |rng: &mut StdRng| {
        let node = PropNodeId::new(rng.random_range(0..net.nodes.len()));
        Signal::of(node).invert_if(rng.random_bool(0.3))
    };
    let roots: Vec<Signal> = net.roots().collect();
    (0..60)
        .map(|index| match index % 2 {
            0 => any(rng),
            _ => roots[rng.random_range(0..roots.len())],
        })
        .collect()
}

#[test]
fn exclusion_proves_no_falsehood() {
    let seed = seed();
    let mut rng = StdRng::seed_from_u64(seed);
    let mut proved = 0;
    for (game, net) in nets() {
        let net = run_passes(net, &[]).0;
        let implied = ImpliedLiterals::find(&net);
        let groups = find_mutex_groups(&net, &implied);
        let mut exclusion = Exclusion::new(&net, &implied, &groups);
        let history = History::record(&net, seed);
        for one in signals(&net, &mut rng) {
            for two in signals(&net, &mut rng) {
                if exclusion.proves(one, two) {
                    let obvious = one == !two || [one, two].contains(&Signal::FALSE);
                    proved += usize::from(!obvious);
                    let refuted = history.hold_together(one, two);
                    assert!(
                        !refuted,
                        "{game}, seed {seed}: {one:?} and {two:?} hold together"
                    );
                }
            }
        }
    }
    println!("{proved} proofs");
    assert!(proved > 1000, "only {proved} proofs");
}

#[test]
fn implied_literals_follow() {
    let seed = seed();
    let mut rng = StdRng::seed_from_u64(seed);
    for (game, net) in nets() {
        let net = run_passes(net, &[]).0;
        let implied = ImpliedLiterals::find(&net);
        let history = History::record(&net, seed);
        for signal in signals(&net, &mut rng) {
            for &consequence in implied.of(signal) {
                let refuted = history.hold_together(signal, !consequence);
                assert!(
                    !refuted,
                    "{game}, seed {seed}: {consequence:?} without {signal:?}"
                );
            }
        }
    }
}
