//! The result of a search: a move, and what the search found out about the others.

use gdl_runtime::engine::{Move, Role, State};

use super::candidate::best;
use super::evaluation::{MoveEvaluation, evaluations};
use super::mixture;
use super::report::SearchReport;
use super::root_merge::RootMerge;
use super::searcher::Searcher;

/// The chosen move and the evaluations behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResult {
    /// The move.
    pub chosen: Move,
    /// The moves that were considered, most visited first; empty without a search.
    pub evaluations: Vec<MoveEvaluation>,
    /// What the search did; all zero without a search.
    pub report: SearchReport,
    /// The decision of the playout cutoff in words, if there is a cutoff.
    pub cutoff: Option<String>,
    /// Whether the cutoff ends playouts early; `None` if there is no cutoff or it has
    /// not decided yet.
    pub cuts: Option<bool>,
    /// What a champion learned and the search it plays by, in words, once that is decided.
    pub choice: Option<String>,
}

impl SearchResult {
    /// A move chosen without a search.
    #[must_use]
    pub fn without_search(chosen: Move) -> Self {
        Self {
            chosen,
            evaluations: Vec::new(),
            report: SearchReport::default(),
            cutoff: None,
            cuts: None,
            choice: None,
        }
    }

    /// The joint result of one or several searchers for a role's move in a state.
    /// `legal` are its legal moves: if none of them was searched, the first is chosen.
    #[must_use]
    pub fn of<'a>(
        searchers: impl Iterator<Item = &'a Searcher> + Clone,
        state: &State,
        role: Role,
        legal: &[Move],
    ) -> Self {
        let merge = searchers.clone().next();
        let merge = merge.map_or_else(RootMerge::default, |first| first.settings.root_merge);
        let told = searchers.clone();
        let mut candidates = merge.merge(told.map(|searcher| searcher.evaluate(state, role)));
        // Only the engine decides what is legal.
        candidates.retain(|candidate| legal.contains(&candidate.edge.mv));
        let cutoff = searchers.clone().find_map(Searcher::verdict);
        let cuts = searchers.clone().find_map(Searcher::cuts);
        let best = || best(&candidates).map(|best| best.edge.mv);
        let chosen = mixture::draw(searchers.clone(), state, role, legal).or_else(best);
        let report = searchers.map(Searcher::report).reduce(SearchReport::join);
        Self {
            chosen: chosen.unwrap_or(legal[0]),
            evaluations: evaluations(&candidates),
            report: report.unwrap_or_default(),
            cutoff,
            cuts,
            choice: None,
        }
    }

    /// The evaluation of the chosen move.
    #[must_use]
    pub fn evaluation(&self) -> Option<&MoveEvaluation> {
        self.evaluations
            .iter()
            .find(|evaluation| evaluation.mv == self.chosen)
    }
}
