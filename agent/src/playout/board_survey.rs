//! A survey of random games, to find out what names do not say about a board.

use gdl_runtime::engine::{Lanes, NO_CHOICE, State, lanes_of};

use super::board_model::{BoardModel, NO_PIECE};

/// The number of steps examined.
const STEPS: usize = 64;

/// The number of lanes examined.
const LANES: usize = 16;

/// What was observed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Survey {
    /// Whether some legal move went from one piece to another, as captures do.
    pub(super) captures: bool,
    /// For each role, the piece that most of its moves put on their destination.
    pub(super) own: Vec<Option<u32>>,
}

impl Survey {
    /// Surveys games that begin in `initial`. The contents of the lanes are overwritten.
    pub(super) fn make(board: &BoardModel, lanes: &mut dyn Lanes, initial: &State) -> Self {
        let roles = lanes.roles();
        let looked_at = lanes.count().min(LANES);
        let mut votes = vec![vec![0; board.pieces.len()]; roles];
        let mut captures = false;
        let (mut on, mut state) = (Vec::new(), Vec::new());
        lanes.observe_moves(true);
        (0..lanes.count()).for_each(|lane| lanes.load(lane, initial));
        lanes.evaluate();
        for _ in 0..STEPS {
            captures = captures || (0..looked_at).any(|lane| has_capture(board, lanes, lane));
            let over = lanes.terminal().to_vec();
            lanes.advance();
            // A lane whose game was over holds no valid position.
            let alive = |lane: usize| over[lane / 64] >> (lane % 64) & 1 == 0;
            for lane in (0..looked_at).filter(|&lane| alive(lane)) {
                lanes.read_state(lane, &mut state);
                board.occupy(lanes_of(&state), &mut on);
                for (role, votes) in votes.iter_mut().enumerate() {
                    let made = lanes.made(role)[lane];
                    let travel = (made != NO_CHOICE)
                        .then(|| board.travel(role, made))
                        .flatten();
                    let piece = travel.map_or(NO_PIECE, |travel| on[travel.to as usize]);
                    if let Some(votes) = votes.get_mut(piece as usize) {
                        *votes += 1;
                    }
                }
            }
            lanes_of(&over).for_each(|lane| lanes.load(lane, initial));
            lanes.evaluate();
        }
        let own = votes.iter().map(|votes| winner(votes)).collect();
        Self { captures, own }
    }
}

/// The most frequent piece, if there is any.
fn winner(votes: &[u32]) -> Option<u32> {
    let most = votes.iter().copied().max().filter(|&most| most > 0)?;
    let index = votes.iter().position(|&votes| votes == most);
    index.map(|index| index as u32)
}

fn has_capture(board: &BoardModel, lanes: &mut dyn Lanes, lane: usize) -> bool {
    if lanes.terminal()[lane / 64] >> (lane % 64) & 1 == 1 {
        return false;
    }
    let (mut on, mut moves) = (Vec::new(), Vec::new());
    board.occupy(lanes_of(&lanes.state(lane).0), &mut on);
    (0..lanes.roles()).any(|role| {
        moves.clear();
        lanes.legal(lane, role, &mut moves);
        let travels = moves.iter().filter_map(|mv| board.travel(role, mv.0));
        let mut ends = travels.filter_map(|travel| travel.from.map(|from| (from, travel.to)));
        ends.any(|(from, to)| on[from as usize] != NO_PIECE && on[to as usize] != NO_PIECE)
    })
}
