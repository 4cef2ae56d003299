//! What a root reaches in a search graph, where moves of one role lead from node to node, and
//! joint moves of several roles are kept in a separate table.

/// For each of the nodes, whether the root reaches it through nodes that stay. `joints` pairs
/// nodes where several roles decide with their successors, one at a time; `successors` returns
/// where the moves of other nodes lead.
pub(crate) fn reached<I: Iterator<Item = usize>>(
    nodes: usize,
    root: usize,
    joints: impl Iterator<Item = (usize, usize)>,
    successors: impl Fn(usize) -> I,
    stays: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let mut joints: Vec<(usize, usize)> = joints.collect();
    joints.sort_unstable();
    let mut reached = vec![false; nodes];
    reached[root] = true;
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        let from = joints.partition_point(|&(other, _)| other < node);
        let own = joints[from..]
            .iter()
            .take_while(|(other, _)| *other == node);
        for child in successors(node).chain(own.map(|&(_, child)| child)) {
            if stays(child) && !std::mem::replace(&mut reached[child], true) {
                open.push(child);
            }
        }
    }
    reached
}
