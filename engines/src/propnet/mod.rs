//! The engine `net`: runs the plan of a propnet at once, without a compiler.

#[cfg(unix)]
mod machine_code;
pub(crate) mod programs;

use crate::game::{CheckedGame, LoadError, LoadedEngine};
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;
use gdlc::lut_program;
use gdlc::plan::{Arity, Plan};
use programs::assemble;

/// Loads a checked game.
pub(crate) fn load(mut game: CheckedGame<'_>) -> Result<LoadedEngine, LoadError> {
    let width = game.options.width();
    let compilation = game.compile(Arity::of(game.options.level(), width))?;
    let engine = load_plan(&game.source.name, &compilation.plan, width);
    Ok(game.loaded_compiled(engine, &compilation, "assemble"))
}

/// Loads a plan: as machine code if this processor has the instructions for it and the
/// system allows generated code, else as tables.
#[must_use]
pub fn load_plan(name: &str, plan: &Plan, width: Width) -> LaneEngine {
    assemble_plan(name, plan, width).unwrap_or_else(|| {
        let (program, layout) = lut_program::translate(name, plan);
        LaneEngine::new("net", layout, program.programs(), width)
            .expect("64 lanes run on every processor")
    })
}

/// Loads a plan as machine code; `None` if this processor lacks the instructions for it, or the
/// system forbids generated code.
#[must_use]
pub fn assemble_plan(name: &str, plan: &Plan, width: Width) -> Option<LaneEngine> {
    let (programs, layout) = assemble(name, plan, width)?;
    LaneEngine::new("net", layout, programs, width)
}
