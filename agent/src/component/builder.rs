//! An agent under construction: what components write their choices into.

use std::path::PathBuf;
use std::sync::Arc;

use gdl_runtime::engine::{Engine, Role};
use gdl_runtime::layout::Layout;

use crate::champion::settings::ChampionSettings;
use crate::playout::Playout;
use crate::playout::uniform::Uniform;
use crate::search::settings::{SearchLimits, SearchSettings};
use crate::selection::{
    Estimate, Exploration, FirstPlayUrgency, Knowledge, SelectionOptions, SelectionRule,
};
use crate::simultaneous::SimultaneousRule;

/// What components may know about the game.
#[derive(Default)]
pub struct GameContext<'a> {
    /// The engine; `None` when only the agent itself is inspected.
    pub engine: Option<&'a dyn Engine>,
    /// The number of moves known for each role. Engines without a layout may come
    /// across further moves during play.
    pub moves: Vec<usize>,
    /// The names of fluents and moves, if the engine knows all of them in advance.
    pub layout: Option<Arc<Layout>>,
}

impl<'a> GameContext<'a> {
    /// The context of an engine's game.
    #[must_use]
    pub fn new(engine: &'a dyn Engine) -> Self {
        let layout = engine.layout();
        let moves = match &layout {
            Some(layout) => layout.moves.iter().map(Vec::len).collect(),
            None => vec![0; engine.roles().len()],
        };
        Self {
            engine: Some(engine),
            moves,
            layout,
        }
    }

    /// The roles whose goal does not depend on how the game ends, as far as the engine knows.
    pub(crate) fn indifferent(&self) -> Vec<Role> {
        let goals = self.engine.map_or(Vec::new(), Engine::constant_goals);
        let roles = (0..).zip(goals).filter(|(_, goal)| goal.is_some());
        roles.map(|(role, _)| role).collect()
    }
}

/// Makes a selection rule once all components have contributed their options.
type SelectionFactory = Box<dyn FnOnce(SelectionOptions) -> Box<dyn SelectionRule>>;

/// Makes one playout policy from several.
type PlayoutCombination = Box<dyn FnOnce(Vec<Box<dyn Playout>>) -> Box<dyn Playout>>;

/// Makes a playout policy from another one.
type PlayoutWrapper = Box<dyn FnOnce(Box<dyn Playout>) -> Box<dyn Playout>>;

/// Collects the choices of an agent's components.
pub struct AgentBuilder {
    /// Everything that is a plain setting of the search.
    pub settings: SearchSettings,
    selection: Option<SelectionFactory>,
    options: SelectionOptions,
    playouts: Vec<Box<dyn Playout>>,
    combination: Option<PlayoutCombination>,
    wrappers: Vec<PlayoutWrapper>,
    /// Whether the agent itself determines how lanes are used, so that it cannot share
    /// them with other games.
    pub reserves_lanes: bool,
    /// The number of search trees.
    pub trees: usize,
    /// How the agent learns, if it does.
    pub champion: Option<ChampionSettings>,
    /// Whether parts of a game are searched separately.
    pub is_factored: bool,
    /// The file of the network that it begins with.
    pub network: Option<PathBuf>,
}

impl Default for AgentBuilder {
    fn default() -> Self {
        Self {
            settings: SearchSettings::default(),
            selection: None,
            options: SelectionOptions::default(),
            playouts: Vec::new(),
            combination: None,
            wrappers: Vec::new(),
            reserves_lanes: false,
            trees: 1,
            champion: None,
            is_factored: false,
            network: None,
        }
    }
}

impl AgentBuilder {
    /// Sets the selection rule, made from the options that other components add.
    pub fn selection<S: SelectionRule + 'static>(
        &mut self,
        make: impl FnOnce(SelectionOptions) -> S + 'static,
    ) {
        self.selection = Some(Box::new(|options| Box::new(make(options))));
    }

    /// Replaces the value of moves that the selection rule works with.
    pub fn estimate(&mut self, estimate: impl Estimate + 'static) {
        self.options.estimate = Some(Box::new(estimate));
    }

    /// Replaces how much the selection rule explores.
    pub fn exploration(&mut self, exploration: impl Exploration + 'static) {
        self.options.exploration = Some(Box::new(exploration));
    }

    /// Replaces how the selection rule treats untried moves.
    pub fn first_play(&mut self, first_play: impl FirstPlayUrgency + 'static) {
        self.options.first_play = Some(Box::new(first_play));
    }

    /// Adds knowledge about moves to what the selection rule works with.
    pub fn knowledge(&mut self, knowledge: impl Knowledge + 'static) {
        self.options.knowledge.push(Box::new(knowledge));
    }

    /// Sets the rule for simultaneous moves.
    pub fn simultaneous(&mut self, rule: impl SimultaneousRule + 'static) {
        self.settings.simultaneous = Some(Box::new(rule));
    }

    /// Adds a playout policy. The first one that applies to the game is used, unless
    /// policies are [combined](Self::combine_playouts).
    pub fn playout(&mut self, playout: impl Playout + 'static) {
        self.playouts.push(Box::new(playout));
    }

    /// Uses all playout policies that apply to the game, in the order of the agent's text,
    /// if there are several.
    pub fn combine_playouts<P: Playout + 'static>(
        &mut self,
        combine: impl FnOnce(Vec<Box<dyn Playout>>) -> P + 'static,
    ) {
        self.combination = Some(Box::new(|policies| Box::new(combine(policies))));
    }

    /// Wraps the agent's playout policy, which is uniform if there is no other, in a policy
    /// that can delegate to it.
    pub fn wrap_playout<P: Playout + 'static>(
        &mut self,
        wrap: impl FnOnce(Box<dyn Playout>) -> P + 'static,
    ) {
        self.wrappers
            .push(Box::new(|policy| Box::new(wrap(policy))));
    }

    /// The settings of each of the agent's trees, which share the memory limit.
    #[must_use]
    pub fn finish(self, limits: SearchLimits) -> SearchSettings {
        let options = self.options;
        let playouts = self.playouts.into_iter();
        let mut applicable = playouts.filter(|playout| playout.applies());
        let playout = match self.combination {
            Some(combine) => match applicable.collect::<Vec<_>>() {
                policies if policies.len() > 1 => Some(combine(policies)),
                mut single => single.pop(),
            },
            None => applicable.next(),
        };
        let playout = self.wrappers.into_iter().fold(playout, |playout, wrap| {
            Some(wrap(playout.unwrap_or_else(|| Box::new(Uniform))))
        });
        SearchSettings {
            selection: self.selection.map(|make| make(options)),
            playout,
            memory: limits.memory / self.trees,
            in_flight: self.settings.in_flight.or(limits.in_flight),
            playouts_per_leaf: self.settings.playouts_per_leaf.or(limits.playouts_per_leaf),
            tidy: limits.tidy,
            ..self.settings
        }
    }
}
