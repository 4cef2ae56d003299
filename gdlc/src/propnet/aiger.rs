//! Propnets in AIGER 1.9, the exchange format of logic synthesis and model checking
//! (Biere, Heljanko and Wieringa, "AIGER 1.9 and beyond", 2011).
//!
//! Fluents are latches with their initial values. Moves are inputs; the file does not
//! express that a role makes one legal move at a time. Outputs are `terminal`, the
//! goals and the legal moves. AIGER has no recursion: each recursive atom at which a
//! cycle is cut is an input, `loop ATOM`, with an output, `definition ATOM`, whose value
//! it must equal; of all solutions, the least is meant. Conjunctions of more than two
//! operands become balanced trees.

use super::{PropNode, PropNodeId, Propnet, Signal};
use crate::id::{Id as _, IdVec};
use std::fmt::Write as _;

/// A literal in AIGER's encoding: twice the variable, plus one if inverted; 0 is false.
type AigerLiteral = u32;

/// A propnet in AIGER's variables: inputs, then latches, then gates.
#[derive(Debug, Clone)]
pub struct Aiger {
    inputs: Vec<String>,
    latches: Vec<Latch>,
    outputs: Vec<(String, AigerLiteral)>,
    /// The operands of every gate, the larger literal first.
    gates: Vec<[AigerLiteral; 2]>,
}

#[derive(Debug, Clone)]
struct Latch {
    name: String,
    next: AigerLiteral,
    initially: bool,
}

impl Aiger {
    /// Translates a propnet.
    #[must_use]
    pub fn of(net: &Propnet) -> Self {
        let mut translation = Translation::new(net);
        for node in &net.nodes {
            let literal = translation.of_node(node);
            translation.literals.push(literal);
        }
        translation.finish()
    }

    /// The text form, `.aag`.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = self.header("aag");
        for input in 1..=self.inputs.len() {
            let _ = writeln!(text, "{}", 2 * input);
        }
        for (index, latch) in self.latches.iter().enumerate() {
            let variable = self.inputs.len() + index + 1;
            let _ = writeln!(text, "{} {}", 2 * variable, latch.describe());
        }
        self.write_outputs(&mut text);
        for (index, [left, right]) in self.gates.iter().enumerate() {
            let _ = writeln!(text, "{} {left} {right}", self.gate(index));
        }
        self.write_symbols(&mut text);
        text
    }

    /// The binary form, `.aig`, which stores gates as differences of literals.
    #[must_use]
    pub fn to_binary(&self) -> Vec<u8> {
        let mut text = self.header("aig");
        for latch in &self.latches {
            let _ = writeln!(text, "{}", latch.describe());
        }
        self.write_outputs(&mut text);
        let mut bytes = text.into_bytes();
        for (index, &[left, right]) in self.gates.iter().enumerate() {
            push_number(&mut bytes, self.gate(index) - left);
            push_number(&mut bytes, left - right);
        }
        let mut symbols = String::new();
        self.write_symbols(&mut symbols);
        bytes.extend(symbols.into_bytes());
        bytes
    }

    fn header(&self, form: &str) -> String {
        let (inputs, latches) = (self.inputs.len(), self.latches.len());
        let (outputs, gates) = (self.outputs.len(), self.gates.len());
        let variables = inputs + latches + gates;
        format!("{form} {variables} {inputs} {latches} {outputs} {gates}\n")
    }

    /// The literal of a gate.
    fn gate(&self, index: usize) -> AigerLiteral {
        literal(1 + self.inputs.len() + self.latches.len() + index)
    }

    fn write_outputs(&self, text: &mut String) {
        for (_, output) in &self.outputs {
            let _ = writeln!(text, "{output}");
        }
    }

    fn write_symbols(&self, text: &mut String) {
        for (index, name) in self.inputs.iter().enumerate() {
            let _ = writeln!(text, "i{index} {name}");
        }
        for (index, latch) in self.latches.iter().enumerate() {
            let _ = writeln!(text, "l{index} {}", latch.name);
        }
        for (index, (name, _)) in self.outputs.iter().enumerate() {
            let _ = writeln!(text, "o{index} {name}");
        }
    }
}

impl Latch {
    /// The next value, then the initial one unless it is false.
    fn describe(&self) -> String {
        let initial = if self.initially { " 1" } else { "" };
        format!("{}{initial}", self.next)
    }
}

fn literal(variable: usize) -> AigerLiteral {
    u32::try_from(2 * variable).expect("budgets bound the net")
}

/// Appends a number, seven bits per byte, lowest first; the high bit is set if more bytes
/// follow.
fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

struct Translation<'a> {
    net: &'a Propnet,
    literals: IdVec<PropNodeId, AigerLiteral>,
    gates: Vec<[AigerLiteral; 2]>,
}

impl<'a> Translation<'a> {
    fn new(net: &'a Propnet) -> Self {
        Self {
            net,
            literals: IdVec::new(),
            gates: Vec::new(),
        }
    }

    fn inputs(&self) -> usize {
        self.net.moves.len() + self.net.loops.len()
    }

    fn of_node(&mut self, node: &PropNode) -> AigerLiteral {
        match node {
            PropNode::True => 1,
            PropNode::Does(mv) => literal(1 + mv.index()),
            PropNode::Loop(atom) => literal(1 + self.net.moves.len() + atom.index()),
            PropNode::Base(base) => literal(1 + self.inputs() + base.index()),
            PropNode::And(operands) => {
                self.and_all(operands.iter().map(|&one| self.of(one)).collect())
            }
        }
    }

    fn of(&self, signal: Signal) -> AigerLiteral {
        self.literals[signal.node()] ^ u32::from(signal.inverted())
    }

    /// Joins neighbours pairwise until one literal is left.
    fn and_all(&mut self, mut row: Vec<AigerLiteral>) -> AigerLiteral {
        while row.len() > 1 {
            row = row
                .chunks(2)
                .map(|pair| match *pair {
                    [left, right] => self.and(left, right),
                    _ => pair[0],
                })
                .collect();
        }
        row.first().copied().unwrap_or(1)
    }

    fn and(&mut self, left: AigerLiteral, right: AigerLiteral) -> AigerLiteral {
        self.gates.push([left.max(right), left.min(right)]);
        literal(self.inputs() + self.net.bases.len() + self.gates.len())
    }

    fn finish(self) -> Aiger {
        let net = self.net;
        let role = |role| &net.roles[role];
        let does = net
            .moves
            .iter()
            .map(|mv| format!("(does {} {})", role(mv.role), mv.name));
        let loops = net.loops.iter().map(|atom| format!("loop {}", atom.name));
        let latches = net.bases.iter().map(|base| Latch {
            name: format!("(true {})", base.name),
            next: self.of(base.next),
            initially: base.initially,
        });
        let mut outputs = vec![("terminal".to_owned(), self.of(net.terminal))];
        outputs.extend(net.goals.iter().map(|goal| {
            let name = format!("(goal {} {})", role(goal.role), goal.value);
            (name, self.of(goal.holds))
        }));
        outputs.extend(net.moves.iter().map(|mv| {
            let name = format!("(legal {} {})", role(mv.role), mv.name);
            (name, self.of(mv.legal))
        }));
        outputs.extend(net.loops.iter().map(|atom| {
            let name = format!("definition {}", atom.name);
            (name, self.of(atom.definition))
        }));
        Aiger {
            inputs: does.chain(loops).collect(),
            latches: latches.collect(),
            outputs,
            gates: self.gates,
        }
    }
}
