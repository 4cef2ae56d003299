//! [`Programs`]: the logic of one game at several lane widths.

use crate::lanes::{Portable128, Portable256, Word, Word128, Word256, Word512};
use crate::program::StepProgram;
use std::any::Any;
use std::sync::Arc;

/// The logic of one game at the lane widths for which there is code.
#[derive(Clone, Default)]
pub struct Programs {
    /// At 64 lanes.
    pub w64: Option<Arc<dyn StepProgram<u64>>>,
    /// At 128 lanes of portable words.
    pub portable128: Option<Arc<dyn StepProgram<Portable128>>>,
    /// At 256 lanes of portable words.
    pub portable256: Option<Arc<dyn StepProgram<Portable256>>>,
    /// At 128 lanes.
    pub w128: Option<Arc<dyn StepProgram<Word128>>>,
    /// At 256 lanes.
    pub w256: Option<Arc<dyn StepProgram<Word256>>>,
    /// At 512 lanes.
    pub w512: Option<Arc<dyn StepProgram<Word512>>>,
}

impl Programs {
    /// The same logic at every width.
    pub fn of<P>(program: P) -> Self
    where
        P: StepProgram<u64>
            + StepProgram<Portable128>
            + StepProgram<Portable256>
            + StepProgram<Word128>
            + StepProgram<Word256>
            + StepProgram<Word512>
            + 'static,
    {
        let program = Arc::new(program);
        Self {
            w64: Some(program.clone()),
            portable128: Some(program.clone()),
            portable256: Some(program.clone()),
            w128: Some(program.clone()),
            w256: Some(program.clone()),
            w512: Some(program),
        }
    }

    /// The code for a word, if there is any.
    pub(crate) fn of_word<W: Word>(&self) -> Option<&Arc<dyn StepProgram<W>>> {
        let all: [&dyn Any; 6] = [
            &self.w64,
            &self.portable128,
            &self.portable256,
            &self.w128,
            &self.w256,
            &self.w512,
        ];
        let mut own = all
            .into_iter()
            .filter_map(|program| program.downcast_ref::<Option<Arc<dyn StepProgram<W>>>>());
        own.next()?.as_ref()
    }
}
