//! Agents as players whose searches a session can stop.

use gdl_agent::agents::Agent;
use gdl_agent::player::search_player::SearchPlayer;
use gdl_agent::search::SearchLimits;
use gdl_runtime::engine::Engine;
use gdl_runtime::stop_flag::StopFlag;

use super::request_error::RequestError;

/// The agent of a text, as a player whose searches end when `stop` is raised; `None` if it
/// does not search.
///
/// # Errors
/// If the text is not an agent, the agent wants more threads than the machine has, or a file that it
/// names cannot be used.
pub(super) fn searcher(
    agent: &str,
    engine: &dyn Engine,
    seed: u64,
    limits: SearchLimits,
    stop: &StopFlag,
) -> Result<Option<SearchPlayer>, RequestError> {
    let agent: Agent = agent.parse()?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    if agent.threads() > threads {
        return Err(RequestError::TooManyThreads(threads));
    }
    agent.check_files(engine)?;
    let mut player = agent.search_player(engine, limits, seed);
    if let Some(player) = &mut player {
        player.set_stop_flag(stop.clone());
    }
    Ok(player)
}
