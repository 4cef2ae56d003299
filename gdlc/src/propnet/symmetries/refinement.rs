//! Colour refinement: elements with different surroundings get different colours.
//!
//! Colours are hashes of what can be seen from an element, so that the colours of two
//! searches can be compared. A look goes once up the gates and once down, and tells more
//! elements apart than one step along all edges does.

use gdl_runtime::random::SplitMix;

use super::graph::{SymmetryGraph, Vertex};
use crate::id::Id as _;
use crate::propnet::Signal;

/// A colour for each element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Coloring {
    pub(super) colors: Vec<u64>,
}

/// What distinguishes kinds of elements and of edges.
#[derive(Debug, Clone, Copy)]
enum Mark {
    Role = 1,
    Base,
    Initially,
    Move,
    Atom,
    True,
    Terminal,
    Goal,
    Legal,
    Next,
    Definition,
    Owner,
    Individual,
    Inverted,
}

impl Coloring {
    /// Elements by their kinds, refined.
    pub(super) fn initial(graph: &SymmetryGraph<'_>) -> Self {
        let (net, elements) = (graph.net, &graph.elements);
        let mut colors = vec![0; elements.count()];
        for role in net.roles.ids() {
            colors[elements.role(role)] = Mark::Role as u64;
        }
        for (id, base) in net.bases.iter_ids() {
            let mark = if base.initially {
                Mark::Initially
            } else {
                Mark::Base
            };
            colors[elements.base(id)] = mark as u64;
        }
        for mv in net.moves.ids() {
            colors[elements.mv(mv)] = Mark::Move as u64;
        }
        for atom in net.loops.ids() {
            colors[elements.atom(atom)] = Mark::Atom as u64;
        }
        Self { colors }.refined(graph, &mut 0)
    }

    /// The colouring after one element was given a colour of its own. Adds what that cost
    /// to `work`.
    pub(super) fn individualized(
        &self,
        graph: &SymmetryGraph<'_>,
        element: usize,
        work: &mut u64,
    ) -> Self {
        let mut coloring = self.clone();
        coloring.colors[element] = mix(coloring.colors[element], Mark::Individual as u64);
        coloring.refined(graph, work)
    }

    /// The colours in order.
    pub(super) fn sorted(&self) -> Vec<u64> {
        let mut sorted = self.colors.clone();
        sorted.sort_unstable();
        sorted
    }

    /// The elements of the smallest colour class of several; `None` if all colours differ.
    pub(super) fn smallest_class(&self) -> Option<Vec<usize>> {
        let mut order: Vec<usize> = (0..self.colors.len()).collect();
        order.sort_unstable_by_key(|&element| (self.colors[element], element));
        let classes = order.chunk_by(|&one, &other| self.colors[one] == self.colors[other]);
        let several = classes.filter(|class| class.len() > 1);
        several
            .min_by_key(|class| class.len())
            .map(<[usize]>::to_vec)
    }

    /// Looks again until that tells no more elements apart.
    fn refined(mut self, graph: &SymmetryGraph<'_>, work: &mut u64) -> Self {
        let mut classes = self.classes();
        loop {
            self = self.look(graph);
            *work += 3 * graph.size();
            let now = self.classes();
            if now == classes {
                return self;
            }
            classes = now;
        }
    }

    fn classes(&self) -> usize {
        let mut sorted = self.sorted();
        sorted.dedup();
        sorted.len()
    }

    /// What every element sees.
    fn look(&self, graph: &SymmetryGraph<'_>) -> Self {
        let (net, elements) = (graph.net, &graph.elements);
        let up = self.look_up(graph);
        let down = self.look_down(graph, &up);
        let seen = |signal: Signal| of_signal(graph.signal(signal), &up);
        let used = |element: usize| graph.input(element).map_or(0, |vertex| down[vertex]);
        let mut colors = self.colors.clone();
        let mut see = |element: usize, root: u64| {
            let color = mix(colors[element], root);
            colors[element] = mix(color, used(element));
        };
        for (id, base) in net.bases.iter_ids() {
            see(elements.base(id), seen(base.next));
        }
        for (id, atom) in net.loops.iter_ids() {
            see(elements.atom(id), seen(atom.definition));
        }
        for (id, mv) in net.moves.iter_ids() {
            let owner = mix(Mark::Owner as u64, self.colors[elements.role(mv.role)]);
            see(elements.mv(id), mix(seen(mv.legal), owner));
        }
        for mv in net.moves.iter_ids() {
            let (element, role) = (elements.mv(mv.0), elements.role(mv.1.role));
            let owned = mix(Mark::Owner as u64, self.colors[element]);
            colors[role] = colors[role].wrapping_add(owned);
        }
        for goal in &net.goals {
            let role = elements.role(goal.role);
            let value = mix(Mark::Goal as u64, goal.value as u64);
            colors[role] = colors[role].wrapping_add(mix(value, seen(goal.holds)));
        }
        Self { colors }
    }

    /// For each vertex, a hash of what is below it.
    fn look_up(&self, graph: &SymmetryGraph<'_>) -> Vec<u64> {
        let mut up = Vec::with_capacity(graph.vertices.len());
        for vertex in &graph.vertices {
            let seen = match vertex {
                Vertex::True => Mark::True as u64,
                Vertex::Input(element) => self.colors[*element],
                Vertex::And(operands) => {
                    let operands = operands.iter().map(|&operand| of_signal(operand, &up));
                    mix(operands.fold(0, u64::wrapping_add), 0)
                }
            };
            up.push(seen);
        }
        up
    }

    /// For each vertex, a hash of what uses it.
    fn look_down(&self, graph: &SymmetryGraph<'_>, up: &[u64]) -> Vec<u64> {
        let (net, elements) = (graph.net, &graph.elements);
        let mut down = vec![0_u64; graph.vertices.len()];
        let mut used = |signal: Signal, use_: u64| {
            let signal = graph.signal(signal);
            let vertex = &mut down[signal.node().index()];
            *vertex = vertex.wrapping_add(with_sign(use_, signal));
        };
        used(net.terminal, Mark::Terminal as u64);
        for goal in &net.goals {
            let role = self.colors[elements.role(goal.role)];
            let value = mix(Mark::Goal as u64, goal.value as u64);
            used(goal.holds, mix(value, role));
        }
        for (id, mv) in net.moves.iter_ids() {
            used(
                mv.legal,
                mix(Mark::Legal as u64, self.colors[elements.mv(id)]),
            );
        }
        for (id, base) in net.bases.iter_ids() {
            used(
                base.next,
                mix(Mark::Next as u64, self.colors[elements.base(id)]),
            );
        }
        for (id, atom) in net.loops.iter_ids() {
            let color = self.colors[elements.atom(id)];
            used(atom.definition, mix(Mark::Definition as u64, color));
        }
        for (number, vertex) in graph.vertices.iter().enumerate().rev() {
            if let Vertex::And(operands) = vertex {
                let seen = mix(down[number], up[number]);
                for &operand in operands {
                    let below = &mut down[operand.node().index()];
                    *below = below.wrapping_add(with_sign(seen, operand));
                }
            }
        }
        down
    }
}

fn of_signal(signal: Signal, up: &[u64]) -> u64 {
    with_sign(up[signal.node().index()], signal)
}

fn with_sign(hash: u64, signal: Signal) -> u64 {
    mix(
        hash,
        if signal.inverted() {
            Mark::Inverted as u64
        } else {
            0
        },
    )
}

/// A hash of two numbers in order.
const fn mix(one: u64, other: u64) -> u64 {
    SplitMix::at(one, other)
}
