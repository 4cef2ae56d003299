//! Last good replies: a move that answered the moves before it well is made again.

use gdl_runtime::engine::{Move, NO_CHOICE, Role};
use indexmap::IndexMap;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxBuildHasher;

use super::history::MoveHistory;
use super::{Observed, Playout, PlayoutPlan, SamplingMode, Situation};
use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::episode::Episode;

/// The component.
pub const COMPONENT: Component = Component {
    name: "lgr",
    slot: Slot::Replies,
    summary: "outside the tree, a role makes its last good reply to the previous joint move, if it \
              is legal, and otherwise what the playout policy of the agent chooses; a reply is \
              good if no other role got more in the end",
    source: "Drake 2009; Baier and Drake 2010; Tak, Winands and Björnsson 2012",
    parameters: &[Parameter {
        name: "forget",
        meaning: "1: a reply is forgotten when it is made and another role gets more; 0: it stays",
        kind: ParameterKind::Number {
            default: 1.0,
            range: 0.0..=1.0,
        },
    }],
    build: |builder, values, game| {
        let (roles, forgets) = (game.moves.len(), values.get(0) > 0.0);
        builder.wrap_playout(move |policy| LastGoodReply::new(policy, roles, forgets));
    },
};

/// The number of replies of a role beyond which all of them are forgotten: about 30 MB.
const MOST_REPLIES: usize = 1 << 20;

/// The Last-Good-Reply policy (Drake 2009; Tak, Winands and Björnsson 2012; survey of
/// 2015, section 2.3.3), with forgetting (Baier and Drake 2010) or without.
///
/// There is one reply of each role to each joint move, and a new one replaces it. Where
/// there is none, or it is not legal, another policy chooses: `ngram` in the combination
/// that the survey calls one of the best. Replies serve playouts only, not the order in
/// which the tree tries moves.
///
/// The policy depends on the last moves, so it is asked in every state of every lane: per
/// simulation, besides the transposed tables of states and legal moves, a look-up for each
/// choice, and what the other policy costs there. In Breakthrough, with random moves where
/// there is no reply, a simulation takes about as long as with PAST.
pub struct LastGoodReply {
    policy: Box<dyn Playout>,
    forgets: bool,
    /// For each role, its reply by the digest of the joint move before.
    replies: Vec<IndexMap<u64, u32, FxBuildHasher>>,
}

impl LastGoodReply {
    /// For a game with this number of roles; `policy` chooses where there is no reply.
    #[must_use]
    pub fn new(policy: Box<dyn Playout>, roles: usize, forgets: bool) -> Self {
        Self {
            policy,
            forgets,
            replies: vec![IndexMap::default(); roles],
        }
    }

    fn reply(&self, role: Role, history: &MoveHistory<'_>) -> Option<Move> {
        let last = history.digests().nth(1)?;
        self.replies[role].get(&last).copied().map(Move)
    }
}

impl Playout for LastGoodReply {
    fn sampling_mode(&mut self) -> SamplingMode<'_> {
        SamplingMode::PerLane
    }

    fn choose(&mut self, situation: &Situation<'_>, random: &mut Xoshiro256PlusPlus) -> usize {
        self.policy.choose(situation, random)
    }

    fn choose_after(
        &mut self,
        situation: &Situation<'_>,
        history: &MoveHistory<'_>,
        random: &mut Xoshiro256PlusPlus,
    ) -> usize {
        let reply = self.reply(situation.role, history);
        let legal = reply.and_then(|reply| situation.moves.iter().position(|&mv| mv == reply));
        legal.unwrap_or_else(|| self.policy.choose_after(situation, history, random))
    }

    fn observes(&self) -> Observed {
        self.policy.observes().max(Observed::Moves)
    }

    fn learn(&mut self, role: Role, episode: &Episode<'_>) {
        self.policy.learn(role, episode);
        let highest = episode.goals.iter().max();
        for (step, joint) in episode.steps().enumerate().skip(1) {
            let Some(last) = MoveHistory::before(episode, step).digests().nth(1) else {
                continue;
            };
            for (role, &mv) in joint.iter().enumerate().filter(|&(_, &mv)| mv != NO_CHOICE) {
                let replies = &mut self.replies[role];
                if Some(&episode.goals[role]) == highest {
                    if replies.len() > MOST_REPLIES {
                        replies.clear();
                    }
                    replies.insert(last, mv);
                } else if self.forgets && replies.get(&last) == Some(&mv) {
                    replies.swap_remove(&last);
                }
            }
        }
    }

    fn begin_playout(&mut self) -> PlayoutPlan {
        self.policy.begin_playout()
    }

    fn resume_playout(&mut self, plan: PlayoutPlan) {
        self.policy.resume_playout(plan);
    }

    fn end_playout(&mut self, plan: PlayoutPlan, goals: &[i32]) {
        self.policy.end_playout(plan, goals);
    }

    fn begin_move(&mut self) {
        self.policy.begin_move();
    }

    fn fade(&mut self, factor: f32) {
        self.policy.fade(factor);
    }

    fn fade_made(&mut self, factor: f32, episode: &Episode<'_>) {
        self.policy.fade_made(factor, episode);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::uniform::Uniform;

    /// Role 0 makes a move, role 1 replies and gets a goal value.
    fn learn(replies: &mut LastGoodReply, mv: u32, reply: u32, goal: i32) {
        let episode = Episode {
            simulations: 1,
            goals: &[100 - goal, goal],
            moves: &[mv, NO_CHOICE, NO_CHOICE, reply],
            inside: 0,
            states: &[],
        };
        replies.learn(0, &episode);
    }

    fn reply(replies: &LastGoodReply, mv: u32) -> Option<u32> {
        let joint = [mv, NO_CHOICE];
        let history = MoveHistory::new(2, &joint, &[]);
        replies.reply(1, &history).map(|mv| mv.0)
    }

    #[test]
    fn the_last_good_reply_is_known() {
        let mut replies = LastGoodReply::new(Box::new(Uniform), 2, false);
        learn(&mut replies, 1, 5, 100);
        learn(&mut replies, 2, 6, 100);
        learn(&mut replies, 1, 7, 50);
        learn(&mut replies, 1, 8, 0);
        assert_eq!(
            [1, 2, 3].map(|mv| reply(&replies, mv)),
            [Some(7), Some(6), None]
        );
        // A first move is no reply, and role 0 never moved after role 1.
        assert!(replies.replies[0].is_empty());
    }

    #[test]
    fn what_turns_out_bad_is_forgotten_or_not() {
        for (forgets, kept) in [(true, None), (false, Some(5))] {
            let mut replies = LastGoodReply::new(Box::new(Uniform), 2, forgets);
            learn(&mut replies, 1, 5, 100);
            learn(&mut replies, 1, 6, 0);
            assert_eq!(reply(&replies, 1), Some(5));
            learn(&mut replies, 1, 5, 0);
            assert_eq!(reply(&replies, 1), kept);
        }
    }
}
