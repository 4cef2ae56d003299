//! What is exported as AIGER is the net: read back by a reader of our own, it
//! has the same values in random states.
//!
//! The seed is fixed; the variable `SEED` asks for another, and failures name it.

use crate::lanes::{CHAINS, GAMES, Values, assemble, game, program, seed};
use expect_test::expect_file;
use gdlc::id::Id as _;
use gdlc::propnet::passes::run_passes;
use gdlc::propnet::{Aiger, PropNode, Propnet};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

/// A file in either form, taken apart. Literals as AIGER counts them.
#[derive(Debug, PartialEq)]
struct File {
    inputs: usize,
    latches: Vec<(u32, bool)>,
    outputs: Vec<u32>,
    gates: Vec<[u32; 2]>,
    symbols: Vec<String>,
}

impl File {
    fn read(bytes: &[u8]) -> Self {
        let mut rest = bytes;
        let header = String::from(line(&mut rest));
        let mut words = header.split(' ');
        let is_text = words.next() == Some("aag");
        let numbers: Vec<usize> = words.map(|word| word.parse().expect("a number")).collect();
        let [variables, inputs, latches, outputs, gates] = numbers[..] else {
            panic!("{header}");
        };
        assert_eq!(variables, inputs + latches + gates);
        if is_text {
            for input in 1..=inputs {
                assert_eq!(words_of(line(&mut rest)), [2 * input as u32]);
            }
        }
        let latches = (inputs + 1..=inputs + latches).map(|variable| {
            let mut words = words_of(line(&mut rest));
            if is_text {
                assert_eq!(words.remove(0), 2 * variable as u32);
            }
            (words[0], words.get(1) == Some(&1))
        });
        let latches: Vec<_> = latches.collect();
        let outputs = (0..outputs).map(|_| words_of(line(&mut rest))[0]).collect();
        let gates = (variables + 1 - gates..=variables).map(|variable| {
            let gate = 2 * variable as u32;
            if is_text {
                let words = words_of(line(&mut rest));
                assert_eq!(words[0], gate);
                [words[1], words[2]]
            } else {
                let left = gate - number(&mut rest);
                [left, left - number(&mut rest)]
            }
        });
        let gates: Vec<_> = gates.collect();
        let symbols = std::str::from_utf8(rest).expect("symbols are text");
        Self {
            inputs,
            latches,
            outputs,
            gates,
            symbols: symbols.lines().map(str::to_owned).collect(),
        }
    }

    /// The values of all variables, the constant first.
    fn values(&self, inputs: &[u64], latches: &[u64]) -> Vec<u64> {
        let mut values = vec![0];
        values.extend(inputs);
        values.extend(latches);
        for [left, right] in &self.gates {
            assert!(left >= right, "the larger literal comes first");
            let both = of_literal(&values, *left) & of_literal(&values, *right);
            values.push(both);
        }
        values
    }
}

fn line<'a>(rest: &mut &'a [u8]) -> &'a str {
    let end = rest.iter().position(|&byte| byte == b'\n').expect("a line");
    let line = &rest[..end];
    *rest = &rest[end + 1..];
    std::str::from_utf8(line).expect("a line is text")
}

fn words_of(line: &str) -> Vec<u32> {
    line.split(' ')
        .map(|word| word.parse().expect("a number"))
        .collect()
}

/// Seven bits a byte, the lowest first.
fn number(rest: &mut &[u8]) -> u32 {
    let length = 1 + rest.iter().take_while(|&&byte| byte & 0x80 != 0).count();
    let (bytes, behind) = rest.split_at(length);
    *rest = behind;
    let bits = bytes.iter().enumerate();
    bits.map(|(at, byte)| u32::from(byte & 0x7f) << (7 * at))
        .sum()
}

fn of_literal(values: &[u64], literal: u32) -> u64 {
    values[(literal >> 1) as usize] ^ if literal & 1 != 0 { !0 } else { 0 }
}

/// Compares 64 arbitrary states, including some that no play leads to.
fn assert_same(name: &str, net: &Propnet, file: &File, rng: &mut StdRng, seed: u64) {
    let random = |rng: &mut StdRng, length: usize| -> Vec<u64> {
        (0..length).map(|_| rng.random()).collect()
    };
    let now = random(rng, net.bases.len());
    let does = random(rng, net.moves.len());
    let expected = Values::of(net, &now, &does);
    let mut inputs = does;
    inputs.resize(net.moves.len() + net.loops.len(), 0);
    for (id, node) in net.nodes.iter_ids() {
        if let PropNode::Loop(atom) = node {
            inputs[net.moves.len() + atom.index()] = expected.get(gdlc::propnet::Signal::of(id));
        }
    }
    let values = file.values(&inputs, &now);
    let outputs = std::iter::once(net.terminal)
        .chain(net.goals.iter().map(|goal| goal.holds))
        .chain(net.moves.iter().map(|mv| mv.legal))
        .chain(net.loops.iter().map(|atom| atom.definition));
    let latches = net.bases.iter().map(|base| base.next);
    let found = file.outputs.iter().copied();
    let found = found.chain(file.latches.iter().map(|(next, _)| *next));
    for (at, (signal, literal)) in outputs.chain(latches).zip(found).enumerate() {
        let (one, other) = (expected.get(signal), of_literal(&values, literal));
        assert_eq!(one, other, "{name}, seed {seed}, output {at}");
    }
}

#[test]
fn both_forms_are_the_net() {
    let seed = seed();
    let mut rng = StdRng::seed_from_u64(seed);
    let games = GAMES.iter().map(|name| (*name, assemble(&game(name))));
    let chains = std::iter::once(("chains", assemble(&program("chains", CHAINS))));
    for (name, net) in games.chain(chains) {
        for net in [run_passes(net.clone(), &[]).0, net] {
            let aiger = Aiger::of(&net);
            let file = File::read(&aiger.to_binary());
            assert_eq!(file, File::read(aiger.to_text().as_bytes()), "{name}");
            assert_eq!(file.inputs, net.moves.len() + net.loops.len());
            for ((_, initially), base) in file.latches.iter().zip(&net.bases) {
                assert_eq!(*initially, base.initially, "{name}: {}", base.name);
            }
            let named = file.inputs + file.latches.len() + file.outputs.len();
            assert_eq!(file.symbols.len(), named, "{name}");
            for _ in 0..10 {
                assert_same(name, &net, &file, &mut rng, seed);
            }
        }
    }
}

#[test]
fn tictactoe_is_exported_as_ever() {
    let net = run_passes(assemble(&game("tictactoe")), &[]).0;
    expect_file!["golden/tictactoe.aag"].assert_eq(&Aiger::of(&net).to_text());
}
