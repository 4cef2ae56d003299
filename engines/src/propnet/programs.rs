//! The programs of a plan: machine code and tables.

#[cfg(unix)]
use super::machine_code;
#[cfg(unix)]
use gdl_runtime::lanes::CpuLevel;
use gdl_runtime::lanes::Width;
use gdl_runtime::layout::Layout;
use gdl_runtime::programs::Programs;
use gdlc::lut_program;
#[cfg(unix)]
use gdlc::plan::Arity;
use gdlc::plan::Plan;

/// The programs of a plan with the meaning of their rows: machine code for this width if that is
/// possible, and tables for every width.
pub(crate) fn load_programs(name: &str, plan: &Plan, width: Width) -> Vec<(Programs, Layout)> {
    let (tables, layout) = lut_program::translate(name, plan);
    let code = assemble(name, plan, width);
    code.into_iter()
        .chain([(tables.programs(), layout)])
        .collect()
}

/// Machine code for this width with the meaning of its rows, if this processor has the
/// instructions for it and the system allows generated code.
#[cfg(unix)]
pub(super) fn assemble(name: &str, plan: &Plan, width: Width) -> Option<(Programs, Layout)> {
    let level = match (plan.arity, width) {
        (Arity::Two, _) => width.level(),
        // Its instructions at 256 lanes, too, are those of AVX-512.
        (Arity::Three, _) => CpuLevel::Avx512,
    };
    if !level.available() {
        return None;
    }
    let code = gdlc::x86::assemble(name, plan, width)?;
    match machine_code::load_code(&code, width) {
        Ok(programs) => Some((programs, code.layout)),
        Err(error) => {
            tracing::warn!("tables run {name}, since its machine code cannot be loaded: {error}");
            None
        }
    }
}

#[cfg(not(unix))]
pub(super) fn assemble(_: &str, _: &Plan, _: Width) -> Option<(Programs, Layout)> {
    None
}
