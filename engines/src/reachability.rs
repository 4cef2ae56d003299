//! Which role is first to reach what several roles can bring about, as a program over an
//! engine's fluents.

use crate::propnet::programs::load_programs;
use crate::small_games::ground_small;
use gdl_runtime::lanes::Width;
use gdl_runtime::layout::Layout;
use gdl_runtime::reachability::ReachabilityProgram;
use gdlc::ground::BaseId;
use gdlc::id::{Id, IdVec};
use gdlc::plan::{Arity, plan_functions};
use gdlc::propnet::reachability::{Reachability, prepare};
use gdlc::propnet::{PropNode, Propnet, PropnetBase, Signal, assemble};
use gdlc::rules::Program;
use std::collections::HashMap;
use std::sync::Arc;

/// The program of a game; `None` if there is nothing that several roles can bring about, if the
/// game is too large or its rules are recursive.
pub(crate) fn find_reachability(
    program: &Program,
    layout: &Layout,
    width: Width,
) -> Option<Arc<ReachabilityProgram>> {
    let net = prepare(assemble(&ground_small(program)?));
    let found = Reachability::find(&net).ok()?;
    let functions = in_layout(found.net, net.bases.len(), layout)?;
    let plan = plan_functions(&functions, Arity::of(width.level(), width));
    let programs = load_programs(&layout.name, &plan, width);
    let fluents = layout.bases.len();
    Some(Arc::new(ReachabilityProgram::new(programs, fluents)))
}

/// The same propnet over the fluents of a layout; `None` if it needs one that the layout lacks.
/// Its first `fluents` fluents are those of the game.
fn in_layout(net: Propnet, fluents: usize, layout: &Layout) -> Option<Propnet> {
    let names = layout.bases.iter().enumerate();
    let numbers: HashMap<&str, usize> = names.map(|(at, base)| (&*base.name, at)).collect();
    let own = layout.bases.iter().map(|base| PropnetBase {
        name: base.name.as_str().into(),
        initially: base.initially,
        next: Signal::FALSE,
    });
    let computed = net.bases.iter().skip(fluents).cloned();
    let bases: IdVec<BaseId, PropnetBase> = own.chain(computed).collect();
    let nodes = net.nodes.iter().map(|node| match node {
        PropNode::Base(base) => {
            let number = numbers.get(&*net.bases[*base].name)?;
            Some(PropNode::Base(BaseId::new(*number)))
        }
        other => Some(other.clone()),
    });
    Some(Propnet {
        nodes: nodes.collect::<Option<_>>()?,
        bases,
        ..net
    })
}
