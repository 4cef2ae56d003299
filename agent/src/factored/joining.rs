//! Joins the plans of the parts of a game into one plan of the whole.

use gdl_runtime::engine::{Lanes, Move, State};
use gdl_runtime::factors::GameFactor;

use super::classes::combinations;
use super::factor_states::{FactorStates, PlanningLimits};
use crate::expander::{Expander, Positions};

/// The largest number of combinations of classes that are considered.
const MOST_COMBINATIONS: usize = 4096;

/// The largest number of combinations that are played.
const MOST_PLAYED: usize = 256;

/// Up to this number of parts, their plans are joined in every order.
const MOST_ORDERED: usize = 4;

/// The largest number of moves of a plan.
const LONGEST: usize = 1000;

/// The state from which plans begin, with a machine that tells goals.
pub(super) struct GoalLookup<'a> {
    pub(super) lanes: &'a mut dyn Lanes,
    pub(super) from: &'a [u64],
}

impl GoalLookup<'_> {
    /// The goals of the only role in combinations of states of the parts.
    fn goals_of(&mut self, parts: &[FactorStates], combined: &[Vec<usize>]) -> Vec<i32> {
        let mut goals = Vec::new();
        for chunk in combined.chunks(self.lanes.count()) {
            for (lane, states) in chunk.iter().enumerate() {
                let mut whole = self.from.to_vec();
                for (part, &state) in parts.iter().zip(states) {
                    whole = part.put_into(state, &whole).collect();
                }
                self.lanes.load(lane, &State(whole.into()));
            }
            self.lanes.evaluate();
            for lane in 0..chunk.len() {
                let mut goal = [0];
                self.lanes.goals(lane, &mut goal);
                goals.push(goal[0]);
            }
        }
        goals
    }
}

/// Moves of the only role, each with the state in which it is made, up to the end of the game.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JoinedPlan {
    pub(super) steps: Vec<(State, Move)>,
    /// The goal that it reaches.
    pub(super) goal: i32,
}

/// The plan with the highest goal among those composed, part after part, of plans to one state of
/// each class. Each is played to the end, so that its goal is certain even if the parts affect each
/// other; where the game goes on after the last of its moves, moves that belong to no part are
/// made.
pub(super) fn join_plans(
    game: &[GameFactor],
    parts: &[FactorStates],
    classes: &[Vec<usize>],
    lookup: &mut GoalLookup<'_>,
    expander: &mut Expander,
    limits: &PlanningLimits<'_>,
) -> Option<JoinedPlan> {
    let combined = combinations(classes, MOST_COMBINATIONS);
    let goals = lookup.goals_of(parts, &combined);
    let length = |states: &[usize]| {
        let depths = parts.iter().zip(states);
        depths
            .map(|(part, &state)| part.depth(state))
            .sum::<usize>()
    };
    let mut promising: Vec<(i32, Vec<usize>)> = goals.into_iter().zip(combined).collect();
    promising.sort_by_key(|(goal, states)| (-goal, length(states)));
    let mut best: Option<JoinedPlan> = None;
    for (goal, states) in promising.into_iter().take(MOST_PLAYED) {
        if best.as_ref().is_some_and(|best| best.goal >= goal) {
            break;
        }
        let plans = parts.iter().zip(&states);
        let plans: Vec<Vec<Move>> = plans.map(|(part, &state)| part.plan(state)).collect();
        for order in orders(parts.len()) {
            if limits.are_reached() {
                return best;
            }
            let moves: Vec<Move> = order.iter().flat_map(|&part| plans[part].clone()).collect();
            let played = play(game, lookup.from, &moves, expander);
            let higher = |plan: &JoinedPlan| best.as_ref().is_none_or(|best| plan.goal > best.goal);
            best = played.filter(higher).or(best);
        }
    }
    best
}

/// Makes these moves and then moves that belong to no part until the game is over; `None` if
/// it does not end or a move is not legal.
fn play(
    game: &[GameFactor],
    from: &[u64],
    moves: &[Move],
    expander: &mut Expander,
) -> Option<JoinedPlan> {
    let is_idle = |mv: Move| !game.iter().any(|part| part.moves[0].contains(&mv.0));
    let mut positions = Positions::default();
    expander.examine(from, &mut positions);
    let mut steps = Vec::new();
    while steps.len() < LONGEST && !positions.terminal[0] {
        let legal = positions.moves(0, 0);
        let wanted = moves.get(steps.len());
        let pick = legal.iter().find(|pick| match wanted {
            Some(&mv) => pick.mv == mv,
            None => is_idle(pick.mv),
        })?;
        let (pick, alone) = (*pick, legal.len() == 1);
        let state = positions.state(0).to_vec();
        expander.advance(&state, &[(!alone).then_some(pick)], true, &mut positions);
        steps.push((State(state.into()), pick.mv));
    }
    positions.terminal[0].then(|| JoinedPlan {
        steps,
        goal: positions.goals(0)[0],
    })
}

/// Orders of this number of parts: all if they are few, otherwise each part comes last once.
fn orders(parts: usize) -> Vec<Vec<usize>> {
    if parts > MOST_ORDERED {
        let order = |first| (0..parts).map(move |part| (first + part) % parts).collect();
        return (0..parts).map(order).collect();
    }
    let choices = vec![(0..parts).collect(); parts];
    let mut orders = combinations(&choices, usize::MAX);
    orders.retain(|order| (0..parts).all(|part| order.contains(&part)));
    orders
}

#[cfg(test)]
mod tests {
    use super::orders;

    #[test]
    fn every_part_comes_last() {
        assert_eq!(orders(2), [[0, 1], [1, 0]]);
        assert_eq!(orders(4).len(), 24);
        assert_eq!(orders(6).len(), 6);
    }
}
