//! What is seen of the games of a block.

use crate::bits::{MaskRow, set_lowest};
use crate::block::{BlockRules, LaneBlock, both};
use crate::buffers::StepBuffers;
use crate::options::Observation;
use gdl_runtime::engine::lanes_of;

/// Stands for a role that is not known yet.
const NOBODY: usize = usize::MAX;

impl LaneBlock {
    /// Writes which games have ended and which were cut off.
    pub(crate) fn tell_ends(&self, out: &mut StepBuffers<'_>) {
        let row = MaskRow {
            bits: self.games,
            packed: false,
        };
        let ended: Vec<u64> = both(&self.terminal, &self.over).collect();
        let cut = self.over.iter().zip(&self.terminal);
        let cut: Vec<u64> = cut.map(|(over, terminal)| over & !terminal).collect();
        row.write(&ended[..row.words()], out.terminated);
        row.write(&cut[..row.words()], out.truncated);
    }

    /// Writes what is observed last of games that end in this step.
    pub(crate) fn tell_last(&mut self, rules: &BlockRules, out: &mut StepBuffers<'_>) {
        let Some(last) = &mut out.last else { return };
        self.read_observations(rules);
        let row = rules.shape.observation_row();
        let (words, bytes, state_words) = (row.words(), row.bytes(), rules.shape.state_words);
        let mut state = Vec::new();
        for game in lanes_of(&self.over) {
            let observed = &self.observed[game * words..][..words];
            row.write(observed, &mut last.observations[game * bytes..][..bytes]);
            self.lanes.read_state(game, &mut state);
            last.states[game * state_words..][..state_words].copy_from_slice(&state);
        }
    }

    /// Reads what is observed in all games.
    fn read_observations(&mut self, rules: &BlockRules) {
        match &rules.options.observation {
            Observation::None => self.observed.clear(),
            Observation::Fluents => self.lanes.state_table(self.games, &mut self.observed),
            Observation::Planes(planes) => {
                let observed = &mut self.observed;
                self.lanes
                    .fluent_table(&planes.fluents, self.games, observed);
            }
        }
    }

    /// Writes observations, masks and players.
    pub(crate) fn observe(&mut self, rules: &BlockRules, out: &mut StepBuffers<'_>) {
        self.read_observations(rules);
        let row = rules.shape.observation_row();
        row.write(&self.observed, out.observations);
        self.read_legal(rules);
        if rules.one_action() {
            for (player, &role) in out.players.iter_mut().zip(&self.players) {
                *player = role as i8;
            }
        } else {
            out.players.fill(-1);
        }
        rules.shape.mask_row().write(&self.masks, out.masks);
    }

    /// Reads the legal actions, and whose turn it is.
    pub(crate) fn read_legal(&mut self, rules: &BlockRules) {
        for (role, space) in rules.actions.iter().enumerate() {
            let legal = &mut self.legal[role];
            self.lanes.move_table(role, &space.moves, self.games, legal);
            if space.places.is_some() {
                let listed = &mut self.listed[role];
                self.lanes.legal_table(role, self.games, listed);
            }
        }
        if rules.one_action() {
            self.find_players(rules);
            self.fill_masks_of_players(rules);
        } else {
            self.fill_masks_of_all(rules);
        }
        self.allow_all_at_ends(rules);
    }

    /// Finds whose turn it is: the role that has moves that compete, else the one that the
    /// fluents tell, else the first.
    fn find_players(&mut self, rules: &BlockRules) {
        self.players.fill(NOBODY);
        for (role, space) in rules.actions.iter().enumerate() {
            let words = space.candidates.len();
            let legal = self.legal[role].chunks_exact(words.max(1));
            for (player, legal) in self.players.iter_mut().zip(legal) {
                let pairs = legal.iter().zip(&space.candidates);
                let competing = pairs.fold(0, |any, (legal, candidate)| any | legal & candidate);
                *player = if competing != 0 { role } else { *player };
            }
        }
        if self.players.contains(&NOBODY) {
            let fluents = &rules.turn_fluents;
            self.lanes
                .fluent_table(fluents, self.games, &mut self.observed);
            let words = fluents.len().div_ceil(64);
            for (game, player) in self.players.iter_mut().enumerate() {
                if *player == NOBODY {
                    let told = self.observed[game * words..][..words].iter().enumerate();
                    let mut told = told.filter(|(_, word)| **word != 0);
                    let fluent = told
                        .next()
                        .map(|(word, bits)| 64 * word + bits.trailing_zeros() as usize);
                    *player = fluent.map_or(0, |fluent| rules.turns.fluents[fluent].1);
                }
            }
        }
    }

    /// Takes the legal actions of each game's player for its mask.
    fn fill_masks_of_players(&mut self, rules: &BlockRules) {
        let words = rules.shape.mask_row().words();
        let is_full = |legal: &Vec<u64>| legal.len() == words * self.games;
        if let (1.., [first, second]) = (words, &self.legal[..])
            && is_full(first)
            && is_full(second)
        {
            let rows = first.chunks_exact(words).zip(second.chunks_exact(words));
            let masks = self.masks.chunks_exact_mut(words).zip(&self.players);
            for ((mask, &player), (first, second)) in masks.zip(rows) {
                // No branch: players are random.
                let choice = (player as u64).wrapping_neg();
                for ((mask, first), second) in mask.iter_mut().zip(first).zip(second) {
                    *mask = first & !choice | second & choice;
                }
            }
            return;
        }
        for (game, mask) in self.masks.chunks_exact_mut(words.max(1)).enumerate() {
            let role = self.players[game];
            let own = rules.actions[role].candidates.len();
            mask[..own].copy_from_slice(&self.legal[role][game * own..][..own]);
            mask[own..].fill(0);
        }
    }

    /// Puts the legal actions of all roles side by side.
    fn fill_masks_of_all(&mut self, rules: &BlockRules) {
        let (words, roles) = (rules.shape.mask_row().words(), rules.shape.roles);
        for (role, space) in rules.actions.iter().enumerate() {
            let own = space.candidates.len();
            let masks = self.masks.chunks_exact_mut(words.max(1)).skip(role);
            let legal = self.legal[role].chunks_exact(own.max(1));
            for (mask, legal) in masks.step_by(roles).zip(legal) {
                mask[..own].copy_from_slice(legal);
                mask[own..].fill(0);
            }
        }
    }

    /// In the last states of games all actions count as legal.
    fn allow_all_at_ends(&mut self, rules: &BlockRules) {
        let row = rules.shape.mask_row();
        let words = rules.shape.slots * row.words();
        let ended: Vec<u64> = both(&self.terminal, &self.over).collect();
        for game in lanes_of(&ended) {
            for mask in self.masks[game * words..][..words].chunks_mut(row.words()) {
                set_lowest(mask, row.bits);
            }
        }
    }
}
