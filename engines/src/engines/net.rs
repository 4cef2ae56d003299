//! The net engine: a plan run at once, without a compiler.

use super::rows::layout;
use super::tables::tabulate;
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;
use gdlc::plan::Plan;
#[cfg(all(target_arch = "x86_64", unix))]
use gdlc::x86::Lanes;

/// Loads a plan: as machine code where this processor has the instructions and
/// the system lets a program make code, else as tables.
pub fn load(name: &str, plan: &Plan, width: Width) -> LaneEngine {
    assemble(name, plan, width).unwrap_or_else(|| tabulate(name, plan, width))
}

#[cfg(all(target_arch = "x86_64", unix))]
fn assemble(name: &str, plan: &Plan, width: Width) -> Option<LaneEngine> {
    let lanes = match width {
        Width::W512 if Width::W512.available() => Lanes::L512,
        Width::W256 if is_x86_feature_detected!("avx512vl") => Lanes::L256,
        _ => return None,
    };
    let code = gdlc::x86::assemble(plan, lanes)?;
    let layout = layout(name, plan, &code.storage);
    match crate::native::load_code(&code, lanes, &layout) {
        Ok(programs) => LaneEngine::new("net", layout, programs, width),
        Err(error) => {
            tracing::warn!("tables run {name}: {error:#}");
            None
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", unix)))]
fn assemble(_: &str, _: &Plan, _: Width) -> Option<LaneEngine> {
    None
}
