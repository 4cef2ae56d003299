//! The games in the lanes of one machine.

use crate::actions::ActionSpace;
use crate::bits::{is_set, set_lowest};
use crate::buffers::{StepBuffers, VectorShape};
use crate::options::{Autoreset, EnvironmentOptions, RewardScale};
use crate::turns::TurnOrder;
use gdl_runtime::engine::{Lanes, Move, Pick, State, lanes_of};

/// What the blocks of a vector environment share.
pub(crate) struct BlockRules {
    pub(crate) shape: VectorShape,
    pub(crate) options: EnvironmentOptions,
    pub(crate) roles: Vec<String>,
    /// For every role.
    pub(crate) actions: Vec<ActionSpace>,
    pub(crate) names: Vec<Vec<String>>,
    pub(crate) turns: TurnOrder,
    /// For every role its moves in the order of their numbers.
    pub(crate) moves: Vec<Vec<Move>>,
    /// The same as the engine lists them, where that is another order for any role.
    pub(crate) listed: Option<Vec<Vec<Move>>>,
    /// Whether any moves compete.
    pub(crate) has_choice: bool,
    /// The words of the initial state.
    pub(crate) initial: Box<[u64]>,
}

impl BlockRules {
    pub(crate) fn one_action(&self) -> bool {
        self.shape.slots == 1 && self.turns.one_at_a_time
    }
}

/// Some of the games of a vector environment.
pub(crate) struct LaneBlock {
    pub(crate) lanes: Box<dyn Lanes>,
    /// The number of games: the lowest lanes.
    pub(crate) games: usize,
    /// For every role the legal actions in all lanes, as rows of bits.
    pub(crate) legal: Vec<Vec<u64>>,
    /// The same as the engine lists them, where that is another order.
    pub(crate) listed: Vec<Vec<u64>>,
    /// The legal actions of each game and slot.
    pub(crate) masks: Vec<u64>,
    /// As `masks`, in the order in which the engine lists moves, where that is another one.
    pub(crate) listed_masks: Vec<u64>,
    /// The lanes in which it is each role's turn, where a game takes one action.
    pub(crate) turns: Vec<u64>,
    /// The role that the first slot is about.
    pub(crate) players: Vec<u8>,
    /// The places of the actions of all games in the order in which the engine lists them.
    pub(crate) places: Vec<i32>,
    /// The moves of each game and role, where every role has a slot.
    pub(crate) picks: Vec<Option<Pick>>,
    /// The ranks of the actions of all games, where they have one.
    pub(crate) ranks: Vec<u64>,
    pub(crate) observed: Vec<u64>,
    /// The lanes without a game.
    pub(crate) spare: Vec<u64>,
    /// The games that have ended or were cut off.
    pub(crate) over: Vec<u64>,
    pub(crate) terminal: Vec<u64>,
    /// The number of steps of each game.
    pub(crate) steps: Vec<u32>,
    /// The states of games that are over and stay so.
    pub(crate) held: Vec<(usize, State)>,
    /// The games that take no action in this step.
    pub(crate) waiting: Vec<u64>,
    /// The states of all games before a step in which some wait.
    pub(crate) kept: Vec<u64>,
}

impl LaneBlock {
    pub(crate) fn new(lanes: Box<dyn Lanes>, games: usize, rules: &BlockRules) -> Self {
        let shape = &rules.shape;
        let words = lanes.count().div_ceil(64);
        let mut in_use = vec![0; words];
        set_lowest(&mut in_use, games);
        let mut block = Self {
            legal: vec![Vec::new(); shape.roles],
            listed: vec![Vec::new(); shape.roles],
            masks: vec![0; games * shape.slots * shape.mask_row().words()],
            listed_masks: Vec::new(),
            turns: Vec::new(),
            players: vec![0; games],
            places: vec![0; games],
            picks: vec![None; games * shape.roles],
            ranks: vec![0; games],
            observed: Vec::new(),
            spare: in_use.iter().map(|word| !word).collect(),
            over: vec![0; words],
            terminal: vec![0; words],
            steps: vec![0; games],
            held: Vec::new(),
            waiting: vec![0; words],
            kept: Vec::new(),
            games,
            lanes,
        };
        block.load_all(rules, &rules.initial.repeat(games));
        block
    }

    /// The number of games.
    pub(crate) const fn games(&self) -> usize {
        self.games
    }

    /// Makes the moves that were chosen, and writes the results.
    pub(crate) fn step(&mut self, rules: &BlockRules, out: &mut StepBuffers<'_>) {
        let some_wait = self.waiting.iter().any(|&set| set != 0);
        if some_wait {
            self.lanes.state_table(self.games, &mut self.kept);
        }
        self.force(rules);
        self.lanes.advance();
        if some_wait {
            self.take_back();
        }
        self.renew(rules);
        let was_over = match rules.options.autoreset {
            Autoreset::Disabled => self.over.clone(),
            Autoreset::NextStep | Autoreset::SameStep => Vec::new(),
        };
        if rules.options.step_limit.is_some() {
            self.count_steps();
        }
        self.lanes.evaluate();
        self.find_ends(rules);
        self.reward(rules, &was_over, out);
        self.tell_ends(out);
        if rules.options.autoreset == Autoreset::SameStep && self.over.iter().any(|&set| set != 0) {
            self.tell_last(rules, out);
            self.lanes.load_all(&self.over, &rules.initial);
            for game in lanes_of(&self.over) {
                self.steps[game] = 0;
            }
            self.lanes.evaluate();
            self.over.fill(0);
            self.terminal.copy_from_slice(self.lanes.terminal());
        }
        self.observe(rules, out);
    }

    /// After an advance: returns games that wait to their states.
    fn take_back(&mut self) {
        self.lanes.state_table(self.games, &mut self.observed);
        let words = self.kept.len() / self.games;
        for game in lanes_of(&self.waiting) {
            let state = game * words..(game + 1) * words;
            self.observed[state.clone()].copy_from_slice(&self.kept[state]);
        }
        self.lanes.load_table(&self.observed);
    }

    /// After an advance: reloads lanes that were terminal, whose contents are meaningless.
    fn renew(&mut self, rules: &BlockRules) {
        let spare: Vec<u64> = both(&self.spare, &self.terminal).collect();
        self.lanes.load_all(&spare, &rules.initial);
        match rules.options.autoreset {
            // Where games are reset in the same step, only those that were set to the end are over.
            Autoreset::NextStep | Autoreset::SameStep => {
                self.lanes.load_all(&self.over, &rules.initial);
            }
            Autoreset::Disabled => {
                for (lane, state) in &self.held {
                    self.lanes.load(*lane, state);
                }
            }
        }
    }

    fn count_steps(&mut self) {
        for (game, steps) in self.steps.iter_mut().enumerate() {
            *steps = match is_set(&self.over, game as u32) {
                true => 0,
                false => *steps + u32::from(!is_set(&self.waiting, game as u32)),
            };
        }
    }

    /// Finds which games are over now. Where games are not reset, those that were over remain so.
    fn find_ends(&mut self, rules: &BlockRules) {
        let stays = rules.options.autoreset == Autoreset::Disabled;
        self.terminal.copy_from_slice(self.lanes.terminal());
        let now: Vec<u64> = self.ended(rules).collect();
        for (over, now) in self.over.iter_mut().zip(now) {
            *over = if stays { *over | now } else { now };
        }
        if stays {
            self.held
                .retain(|&(lane, _)| is_set(&self.over, lane as u32));
            for lane in lanes_of(&self.over) {
                if self.held.iter().all(|&(held, _)| held != lane) {
                    self.held.push((lane, self.lanes.state(lane)));
                }
            }
        }
    }

    /// The games that are terminal or have had as many steps as they may.
    fn ended<'a>(&'a self, rules: &'a BlockRules) -> impl Iterator<Item = u64> + 'a {
        let limit = rules.options.step_limit.unwrap_or(u32::MAX);
        let terminal = self.terminal.iter().zip(&self.spare).enumerate();
        terminal.map(move |(index, (terminal, spare))| {
            let steps = self.steps.iter().skip(64 * index).take(64).enumerate();
            let cut = match rules.options.step_limit {
                None => 0,
                Some(_) => steps.fold(0, |set, (bit, &steps)| {
                    set | u64::from(steps >= limit) << bit
                }),
            };
            (terminal | cut) & !spare
        })
    }

    /// Writes the rewards of games that have just ended.
    fn reward(&mut self, rules: &BlockRules, was_over: &[u64], out: &mut StepBuffers<'_>) {
        let roles = rules.shape.roles;
        out.rewards.fill(0.0);
        let before = was_over.iter().copied().chain(std::iter::repeat(0));
        let ended: Vec<u64> = both(&self.terminal, &self.over)
            .zip(before)
            .map(|(ended, before)| ended & !before)
            .collect();
        if ended.iter().all(|&set| set == 0) {
            return;
        }
        let rewards = &mut *out.rewards;
        self.lanes.goals_all(&ended, &mut |role, goal, games| {
            let reward = goal as f32 / 100.0;
            for game in lanes_of(games) {
                rewards[game * roles + role] = reward;
            }
        });
        if rules.options.rewards == RewardScale::ZeroSum {
            for game in lanes_of(&ended) {
                let rewards = &mut rewards[game * roles..][..roles];
                let sum: f32 = rewards.iter().sum();
                for reward in rewards {
                    *reward -= (sum - *reward) / (roles as f32 - 1.0);
                }
            }
        }
    }

    /// Begins new games in some lanes, or in all, and writes what is observed in all.
    pub(crate) fn reset(
        &mut self,
        rules: &BlockRules,
        games: Option<&[u8]>,
        out: &mut StepBuffers<'_>,
    ) {
        let mut set: Vec<u64> = self.spare.clone();
        for game in 0..self.games {
            let wanted = games.is_none_or(|games| games[game] != 0);
            set[game / 64] |= u64::from(wanted) << (game % 64);
        }
        self.lanes.load_all(&set, &rules.initial);
        self.begin(&set);
        self.show(rules, out);
    }

    /// Marks the games of a set as newly begun.
    fn begin(&mut self, set: &[u64]) {
        for game in lanes_of(set).take_while(|&game| game < self.games) {
            self.steps[game] = 0;
        }
        for (over, set) in self.over.iter_mut().zip(set) {
            *over &= !set;
        }
        self.held.retain(|&(lane, _)| !is_set(set, lane as u32));
    }

    /// Evaluates all lanes after some were loaded, and writes what is observed.
    pub(crate) fn show(&mut self, rules: &BlockRules, out: &mut StepBuffers<'_>) {
        let cut = self.over.clone();
        self.lanes.evaluate();
        self.find_ends(rules);
        for (over, cut) in self.over.iter_mut().zip(cut) {
            *over |= cut;
        }
        out.rewards.fill(0.0);
        self.tell_ends(out);
        self.observe(rules, out);
    }

    /// Puts states into the lanes of all games, and finds what is legal in them.
    pub(crate) fn load_all(&mut self, rules: &BlockRules, states: &[u64]) {
        self.lanes.load_table(states);
        let all: Vec<u64> = self.over.iter().map(|_| u64::MAX).collect();
        self.begin(&all);
        self.lanes.evaluate();
        self.find_ends(rules);
        self.read_legal(rules);
    }

    /// Puts a state into the lane of a game.
    pub(crate) fn load(&mut self, game: usize, state: &[u64]) {
        let mut set = vec![0; self.over.len()];
        set[game / 64] = 1 << (game % 64);
        self.lanes.load_all(&set, state);
        self.begin(&set);
    }

    /// Writes the words of all states.
    pub(crate) fn states(&mut self, out: &mut [u64]) {
        self.lanes.state_table(self.games, &mut self.observed);
        out.copy_from_slice(&self.observed);
    }
}

/// The members of both sets.
pub(crate) fn both<'a>(one: &'a [u64], other: &'a [u64]) -> impl Iterator<Item = u64> + 'a {
    one.iter().zip(other).map(|(one, other)| one & other)
}
