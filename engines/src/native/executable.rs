//! Machine code in memory: assembled phases as programs.
//!
//! Safety: a page is either written or run, never both, and what is run is what
//! the assembler wrote, which reads and writes the rows that its storage names.

#![allow(unsafe_code)]

use anyhow::Context as _;
use gdl_runtime::compiled::{PhaseFunction, program};
use gdl_runtime::lane_engine::Programs;
use gdl_runtime::layout::Layout;
use gdlc::x86::{Code, Lanes};
use memmap2::MmapMut;
use std::sync::Arc;

/// The programs of code that was assembled for so many lanes, whose rows are
/// those of the layout.
///
/// # Errors
/// If the system has no memory for it, or lets no program make code.
pub fn load_code(code: &Code, lanes: Lanes, layout: &Layout) -> anyhow::Result<Programs> {
    let mut pages = MmapMut::map_anon(code.bytes.len()).context("no memory for machine code")?;
    pages.copy_from_slice(&code.bytes);
    let pages = pages
        .make_exec()
        .context("the system runs no code that a program makes")?;
    // SAFETY: the head of the file; the entries are inside the pages.
    let phases = code.entries.map(|entry| unsafe {
        std::mem::transmute::<*const u8, PhaseFunction>(pages.as_ptr().add(entry))
    });
    let keep = Arc::new(pages) as Arc<dyn Send + Sync>;
    // SAFETY: the head of the file; `keep` holds the pages.
    Ok(unsafe {
        Programs {
            w64: None,
            w256: (lanes == Lanes::L256).then(|| program(phases, layout, &keep)),
            w512: (lanes == Lanes::L512).then(|| program(phases, layout, &keep)),
        }
    })
}
