//! [`SymmetryGraph`]: a propnet reduced to what it needs, and the test whether a
//! permutation leaves it unchanged.

use rustc_hash::FxHashMap;

use super::elements::Elements;
use crate::id::{Id as _, IdVec};
use crate::propnet::{LoopId, PropNode, PropNodeId, Propnet, Signal};

/// A gate by its operands, or the element that an input belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Vertex {
    True,
    Input(usize),
    And(Box<[Signal]>),
}

/// A propnet in which equal gates are one and unused ones are gone.
#[derive(Debug)]
pub(super) struct SymmetryGraph<'a> {
    pub(super) net: &'a Propnet,
    pub(super) elements: Elements,
    /// The used vertices, operands first, each with the signals of vertices before it.
    pub(super) vertices: Vec<Vertex>,
    numbers: FxHashMap<Vertex, usize>,
    /// For each node of the propnet, its vertex, if it is used.
    vertex_of: IdVec<PropNodeId, usize>,
}

/// The largest number of operands of a conjunction that another one takes over.
const MOST_OPERANDS: usize = 64;

/// Stands for no vertex.
const NONE: usize = usize::MAX;

impl<'a> SymmetryGraph<'a> {
    pub(super) fn new(net: &'a Propnet) -> Self {
        let mut graph = Self {
            net,
            elements: Elements::of(net),
            vertices: Vec::new(),
            numbers: FxHashMap::default(),
            vertex_of: IdVec::filled(NONE, net.nodes.len()),
        };
        let operands = flattened_operands(net);
        let used = used_nodes(net, &operands);
        for (id, node) in net.nodes.iter_ids().filter(|&(id, _)| used[id]) {
            let vertex = match node {
                PropNode::True => Vertex::True,
                PropNode::Base(base) => Vertex::Input(graph.elements.base(*base)),
                PropNode::Does(mv) => Vertex::Input(graph.elements.mv(*mv)),
                PropNode::Loop(atom) => Vertex::Input(graph.elements.atom(*atom)),
                PropNode::And(_) => {
                    let operands = operands[id].iter();
                    and(operands.map(|&operand| graph.signal(operand)))
                }
            };
            graph.vertex_of[id] = graph.number(vertex);
        }
        graph
    }

    fn number(&mut self, vertex: Vertex) -> usize {
        let vertices = &mut self.vertices;
        *self.numbers.entry(vertex).or_insert_with_key(|vertex| {
            vertices.push(vertex.clone());
            vertices.len() - 1
        })
    }

    /// A signal of the propnet as one of the graph's vertices.
    pub(super) fn signal(&self, signal: Signal) -> Signal {
        let vertex = PropNodeId::new(self.vertex_of[signal.node()]);
        Signal::of(vertex).invert_if(signal.inverted())
    }

    /// The vertex of an element, if anything depends on it.
    pub(super) fn input(&self, element: usize) -> Option<usize> {
        self.numbers.get(&Vertex::Input(element)).copied()
    }

    /// The number of vertices and operands: what one look at all of them costs.
    pub(super) fn size(&self) -> u64 {
        let operands = self.vertices.iter().map(|vertex| match vertex {
            Vertex::And(operands) => operands.len(),
            _ => 0,
        });
        (self.vertices.len() + self.elements.count() + operands.sum::<usize>()) as u64
    }

    /// Whether the graph is the same after every element is replaced by its image.
    pub(super) fn is_symmetry(&self, images: &[usize]) -> bool {
        self.vertex_images(images)
            .is_some_and(|vertices| self.are_roots_kept(images, &vertices))
    }

    /// The image of every vertex; `None` if one of them has none.
    fn vertex_images(&self, images: &[usize]) -> Option<Vec<usize>> {
        let mut mapped: Vec<usize> = Vec::with_capacity(self.vertices.len());
        for vertex in &self.vertices {
            let image = match vertex {
                Vertex::True => Vertex::True,
                Vertex::Input(element) => Vertex::Input(images[*element]),
                Vertex::And(operands) => {
                    and(operands.iter().map(|&operand| image_of(operand, &mapped)))
                }
            };
            mapped.push(*self.numbers.get(&image)?);
        }
        Some(mapped)
    }

    /// Whether the image of every root is the root of the image.
    fn are_roots_kept(&self, images: &[usize], vertices: &[usize]) -> bool {
        let (net, elements) = (self.net, &self.elements);
        let Some(symmetry) = elements.symmetry(images) else {
            return false;
        };
        let image = |signal: Signal| image_of(self.signal(signal), vertices);
        let is_kept = |from: Signal, to: Signal| image(from) == self.signal(to);
        let mut bases = net.bases.iter_ids();
        let mut moves = net.moves.iter_ids();
        let mut loops = net.loops.iter_ids();
        let goals = |map: &dyn Fn(Signal) -> Signal, of_image: bool| {
            let goals = net.goals.iter().map(|goal| {
                let role = match of_image {
                    true => goal.role,
                    false => symmetry.roles[goal.role],
                };
                (role, goal.value, map(goal.holds))
            });
            let mut goals: Vec<_> = goals.collect();
            goals.sort_unstable();
            goals
        };
        is_kept(net.terminal, net.terminal)
            && bases.all(|(id, base)| {
                let other = &net.bases[symmetry.bases[id]];
                base.initially == other.initially && is_kept(base.next, other.next)
            })
            && moves.all(|(id, mv)| {
                let other = &net.moves[symmetry.moves[id]];
                symmetry.roles[mv.role] == other.role && is_kept(mv.legal, other.legal)
            })
            && loops.all(|(id, atom)| {
                let other = images[elements.atom(id)];
                let other = other.checked_sub(elements.atom(LoopId::new(0)));
                other.is_some_and(|other| {
                    let other = &net.loops[LoopId::new(other)];
                    is_kept(atom.definition, other.definition)
                })
            })
            && goals(&image, false) == goals(&|signal| self.signal(signal), true)
    }
}

/// A gate with its operands in order.
fn and(operands: impl Iterator<Item = Signal>) -> Vertex {
    let mut operands: Vec<Signal> = operands.collect();
    operands.sort_unstable();
    operands.dedup();
    Vertex::And(operands.into())
}

fn image_of(signal: Signal, vertices: &[usize]) -> Signal {
    let vertex = PropNodeId::new(vertices[signal.node().index()]);
    Signal::of(vertex).invert_if(signal.inverted())
}

/// The operands of every gate, in which conjunctions are replaced by their own operands, unless
/// that makes too many: whether rules share a part of a condition is seldom symmetric.
fn flattened_operands(net: &Propnet) -> IdVec<PropNodeId, Vec<Signal>> {
    let mut flattened: IdVec<PropNodeId, Vec<Signal>> = IdVec::filled(Vec::new(), net.nodes.len());
    for (id, node) in net.nodes.iter_ids() {
        let PropNode::And(operands) = node else {
            continue;
        };
        let mut of_gate: Vec<Signal> = Vec::with_capacity(operands.len());
        for &operand in operands {
            let below = &flattened[operand.node()];
            match !operand.inverted() && (1..=MOST_OPERANDS).contains(&below.len()) {
                true => of_gate.extend_from_slice(below),
                false => of_gate.push(operand),
            }
        }
        of_gate.sort_unstable();
        of_gate.dedup();
        flattened[id] = of_gate;
    }
    flattened
}

/// Whether each node is used, by the operands of gates.
fn used_nodes(net: &Propnet, operands: &IdVec<PropNodeId, Vec<Signal>>) -> IdVec<PropNodeId, bool> {
    let mut used = IdVec::filled(false, net.nodes.len());
    net.roots().for_each(|root| used[root.node()] = true);
    for (id, operands) in operands.iter_ids().rev() {
        if used[id] {
            operands
                .iter()
                .for_each(|operand| used[operand.node()] = true);
        }
    }
    used
}
