//! What is observed of the games of a block.

use crate::bits::{MaskRow, set_lowest};
use crate::block::{BlockRules, LaneBlock, both};
use crate::buffers::StepBuffers;
use crate::options::Observation;
use gdl_runtime::bit_rows::spread_rows;
use gdl_runtime::engine::lanes_of;

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
                *player = role.cast_signed();
            }
        } else {
            out.players.fill(-1);
        }
        rules.shape.mask_row().write(&self.masks, out.masks);
    }

    /// Reads the legal actions, and whose turn it is.
    pub(crate) fn read_legal(&mut self, rules: &BlockRules) {
        if rules.one_action() {
            self.read_turns(rules);
            return;
        }
        for (role, space) in rules.actions.iter().enumerate() {
            let legal = &mut self.legal[role];
            self.lanes.move_table(role, &space.moves, self.games, legal);
            if space.places.is_some() {
                let listed = &mut self.listed[role];
                self.lanes.legal_table(role, self.games, listed);
            }
        }
        self.fill_masks_of_all(rules);
        self.allow_all_at_ends(rules);
    }

    /// Reads whose turn it is, and the legal actions of that role; all in the last states of
    /// games.
    fn read_turns(&mut self, rules: &BlockRules) {
        let ended: Vec<u64> = both(&self.terminal, &self.over).collect();
        let (lanes, turns, games) = (&mut self.lanes, &mut self.turns, self.games);
        lanes.player_sets(&rules.turns.fluents, turns);
        lanes.player_table(turns, &rules.moves, &ended, games, &mut self.masks);
        if let Some(listed) = &rules.listed {
            lanes.player_table(turns, listed, &ended, games, &mut self.listed_masks);
        }
        let words = turns.len() / rules.shape.roles;
        if let [_, second] = turns.chunks(words).collect::<Vec<_>>()[..] {
            // Bits of the second role are the numbers of the players.
            spread_rows(&second[..games.div_ceil(64)], games, &mut self.players);
            return;
        }
        for (role, set) in (0..).zip(turns.chunks(words)) {
            for game in lanes_of(set).take_while(|&game| game < games) {
                self.players[game] = role;
            }
        }
    }

    /// Puts the legal actions of all roles side by side.
    fn fill_masks_of_all(&mut self, rules: &BlockRules) {
        let (words, roles) = (rules.shape.mask_row().words(), rules.shape.roles);
        for (role, space) in rules.actions.iter().enumerate() {
            let own = space.words();
            let masks = self.masks.chunks_exact_mut(words.max(1)).skip(role);
            let legal = self.legal[role].chunks_exact(own.max(1));
            for (mask, legal) in masks.step_by(roles).zip(legal) {
                mask[..own].copy_from_slice(legal);
                mask[own..].fill(0);
            }
        }
    }

    /// Marks all actions as legal in the last states of games.
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
