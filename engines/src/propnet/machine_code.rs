//! Makes assembled machine code executable.
//!
//! Safety: a page is either writable or executable, never both, and what is executed is
//! what the assembler wrote, which reads and writes the rows that its storage names.

#![allow(unsafe_code)]

use gdl_runtime::compiled::{PhaseFunction, program};
use gdl_runtime::lanes::Width;
use gdl_runtime::programs::Programs;
use gdlc::x86::Code;
use memmap2::MmapMut;
use std::io;
use std::sync::Arc;

/// The programs of code that was assembled for this width.
///
/// # Errors
/// If the system has no memory for the code, or does not let programs generate
/// code.
pub fn load_code(code: &Code, width: Width) -> io::Result<Programs> {
    let mut pages = MmapMut::map_anon(code.bytes.len())?;
    pages.copy_from_slice(&code.bytes);
    let pages = pages.make_exec()?;
    // SAFETY: see the head of this file; the entry points are inside the pages.
    let phases = code.entries.map(|entry| unsafe {
        std::mem::transmute::<*const u8, PhaseFunction>(pages.as_ptr().add(entry))
    });
    let keep = Arc::new(pages) as Arc<dyn Send + Sync>;
    // SAFETY: see the head of this file; `keep` holds the pages.
    Ok(unsafe {
        Programs {
            w128: (width == Width::W128).then(|| program(phases, &code.layout, &keep)),
            w256: (width == Width::W256).then(|| program(phases, &code.layout, &keep)),
            w512: (width == Width::W512).then(|| program(phases, &code.layout, &keep)),
            ..Programs::default()
        }
    })
}
