//! From the actions of callers to the moves of a machine.

use crate::bits::{is_set, set_lowest};
use crate::block::{BlockRules, LaneBlock};
use crate::error::EnvironmentError;
use gdl_runtime::bit_rows::rank_rows;
use gdl_runtime::engine::Pick;

/// The action that leaves a game as it is.
const WAIT: i32 = -1;

impl LaneBlock {
    /// Prepares a step by these actions; `first` is the number of the first game.
    ///
    /// # Errors
    /// If an action is not legal.
    pub(crate) fn choose(
        &mut self,
        rules: &BlockRules,
        actions: &[i32],
        first: usize,
    ) -> Result<(), EnvironmentError> {
        self.find_waiting(rules.shape.slots, actions);
        let legal = match rules.one_action() {
            true => self.choose_ranks(rules, actions),
            false => self.choose_picks(rules, actions),
        };
        legal.map_err(|(game, role, action)| EnvironmentError::Illegal {
            environment: first + game,
            role: rules.roles[role].clone(),
            action,
            name: (usize::try_from(action).ok())
                .and_then(|action| rules.names[role].get(action))
                .map_or_else(|| "no move".to_owned(), Clone::clone),
        })
    }

    fn find_waiting(&mut self, slots: usize, actions: &[i32]) {
        self.waiting.fill(0);
        if actions.contains(&WAIT) {
            for (game, actions) in actions.chunks_exact(slots).enumerate() {
                self.waiting[game / 64] |= u64::from(actions[0] == WAIT) << (game % 64);
            }
        }
    }

    /// Finds the ranks of the actions, one for each game. The error is a game whose action is not
    /// legal, with the role and the action.
    fn choose_ranks(
        &mut self,
        rules: &BlockRules,
        actions: &[i32],
    ) -> Result<(), (usize, usize, i32)> {
        let words = rules.shape.mask_row().words();
        let all_legal = rank_rows(&self.masks, words, actions, &mut self.ranks);
        if rules.listed.is_some() {
            let places = self.places.iter_mut().zip(&self.players).zip(actions);
            for ((place, &player), &action) in places {
                *place = rules.actions[usize::from(player)].place(action);
            }
            rank_rows(&self.listed_masks, words, &self.places, &mut self.ranks);
        }
        if all_legal {
            return Ok(());
        }
        for (game, &action) in actions.iter().enumerate() {
            let mask = &self.masks[game * words..][..words];
            let is_legal = u32::try_from(action).is_ok_and(|action| is_set(mask, action));
            if !is_legal {
                if !self.is_free(game) {
                    return Err((game, self.players[game].into(), action));
                }
                self.ranks[game] = 0;
            }
        }
        Ok(())
    }

    /// Finds the moves of all roles. The error is a game in which one is not legal, with the role
    /// and the action.
    fn choose_picks(
        &mut self,
        rules: &BlockRules,
        actions: &[i32],
    ) -> Result<(), (usize, usize, i32)> {
        let roles = rules.shape.roles;
        for (index, &action) in actions.iter().enumerate() {
            let (game, role) = (index / roles, index % roles);
            self.picks[index] = match self.is_free(game) {
                true => None,
                false => {
                    let pick = self.pick(rules, game, role, action);
                    Some(pick.ok_or((game, role, action))?)
                }
            };
        }
        Ok(())
    }

    /// Whether a game takes no action.
    fn is_free(&self, game: usize) -> bool {
        is_set(&self.over, game as u32) || is_set(&self.waiting, game as u32)
    }

    /// How the machine takes an action; `None` if it is not legal.
    fn pick(&self, rules: &BlockRules, game: usize, role: usize, action: i32) -> Option<Pick> {
        let space = &rules.actions[role];
        let words = space.words();
        let action = u32::try_from(action).ok()?;
        let legal = &self.legal[role][game * words..][..words];
        let listed = match space.places {
            Some(_) => &self.listed[role][game * words..][..words],
            None => &[],
        };
        is_set(legal, action).then(|| space.pick(action, legal, listed))
    }

    /// Makes the machine's next step use the chosen moves.
    pub(crate) fn force(&mut self, rules: &BlockRules) {
        if !rules.one_action() {
            self.lanes.force_table(&self.picks);
        } else if rules.has_choice {
            // The rank of a game without candidates is ignored.
            let mut games = vec![0; self.over.len()];
            set_lowest(&mut games, self.games);
            self.lanes.force_ranks(0, &games, &self.ranks);
        }
    }
}
