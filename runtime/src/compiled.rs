//! [`Compiled`]: a compiled game, linked in or loaded from a library.
//!
//! Everything here has the memory layout of C, so that a library need not come from
//! the same compiler as the program that loads it.
//! [`compiled_game!`](crate::compiled_game) makes the functions of the widths from
//! the emitted code, which is generic over the word.

#![allow(unsafe_code)]

use crate::lane_engine::LaneEngine;
use crate::lanes::{Width, Word};
use crate::layout::{BaseRow, Choice, Layout, MoveRow, Row};
use crate::program::{Phase, Rows, StepProgram};
use crate::programs::Programs;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// The version of the memory layout that this module defines.
pub const ABI: u32 = 7;

/// A phase of a step. The pointers are to the rows of the current state, the computed
/// rows and the rows of the next state, each the game's number of words.
pub type PhaseFunction = unsafe extern "C" fn(now: *const u8, work: *mut u8, next: *mut u8);

/// A game as machine code.
#[repr(C)]
pub struct Compiled {
    /// The [`ABI`] of the runtime that it was compiled with.
    pub abi: u32,
    /// The meaning of the rows.
    pub layout: StaticLayout,
    /// The phases at each of [`Width::ALL`]; `None` for widths not compiled.
    pub widths: [Option<[PhaseFunction; 5]>; 6],
}

/// A slice with the memory layout of C.
#[repr(C)]
pub struct List<T: 'static> {
    start: *const T,
    length: usize,
}

// SAFETY: a list is a `&'static [T]` by another name.
unsafe impl<T: Sync> Sync for List<T> {}

impl<T: 'static> List<T> {
    /// The list of a slice.
    #[must_use]
    pub const fn of(entries: &'static [T]) -> Self {
        Self {
            start: entries.as_ptr(),
            length: entries.len(),
        }
    }

    /// The slice.
    #[must_use]
    pub fn get(&self) -> &'static [T] {
        // SAFETY: made from such a slice, by `of`.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}

/// A string with the memory layout of C.
#[repr(C)]
pub struct Text(List<u8>);

impl Text {
    /// The text of a string.
    #[must_use]
    pub const fn of(text: &'static str) -> Self {
        Self(List::of(text.as_bytes()))
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(self.0.get()))
    }
}

/// A [`Layout`] as static data of a library.
#[repr(C)]
pub struct StaticLayout {
    /// The name of the game.
    pub name: Text,
    /// The roles, in order.
    pub roles: List<Text>,
    /// The fluents and whether they hold initially.
    pub bases: List<StaticBase>,
    /// The number of computed rows.
    pub work: u32,
    /// The number of operations per step.
    pub operations: u32,
    /// The moves, roles in order.
    pub moves: List<StaticMove>,
    /// For every role in order, the numbers of its moves in the order in which `legal`
    /// lists them.
    pub legal_order: List<List<u32>>,
    /// Whether the game is over.
    pub terminal: Row,
    /// The goal values, ascending within a role.
    pub goals: List<StaticGoal>,
    /// See [`Layout::indifferent`].
    pub indifferent: List<bool>,
    /// The choices.
    pub choices: List<Choice>,
}

/// A fluent.
#[repr(C)]
pub struct StaticBase {
    /// As KIF.
    pub name: Text,
    /// Whether it holds in the initial state.
    pub initially: bool,
}

/// A move.
#[repr(C)]
pub struct StaticMove {
    /// The index of its role.
    pub role: u32,
    /// As KIF.
    pub name: Text,
    /// Whether it is legal.
    pub legal: Row,
    /// The choice it is a candidate of, or -1.
    pub choice: i32,
}

/// A goal value.
#[repr(C)]
pub struct StaticGoal {
    /// The index of its role.
    pub role: u32,
    /// The value.
    pub value: i32,
    /// Whether it holds.
    pub row: Row,
}

impl StaticLayout {
    fn to_layout(&self) -> Layout {
        let roles: Vec<String> = self.roles.get().iter().map(ToString::to_string).collect();
        let mut moves = vec![Vec::new(); roles.len()];
        for mv in self.moves.get() {
            moves[mv.role as usize].push(MoveRow {
                name: mv.name.to_string(),
                legal: mv.legal,
                choice: u32::try_from(mv.choice).ok(),
            });
        }
        let mut goals = vec![Vec::new(); roles.len()];
        for goal in self.goals.get() {
            goals[goal.role as usize].push((goal.value, goal.row));
        }
        let bases = self.bases.get().iter().map(|base| BaseRow {
            name: base.name.to_string(),
            initially: base.initially,
        });
        Layout {
            name: self.name.to_string(),
            bases: bases.collect(),
            work: self.work,
            operations: self.operations,
            moves,
            legal_order: self
                .legal_order
                .get()
                .iter()
                .map(|order| order.get().to_vec())
                .collect(),
            terminal: Some(self.terminal),
            goals,
            indifferent: self.indifferent.get().to_vec(),
            choices: self.choices.get().to_vec(),
            roles,
        }
    }
}

impl Compiled {
    /// The engine of a game that is linked in, at the widest of the compiled widths up
    /// to `width` that this processor supports; `None` if there is none.
    #[must_use]
    pub fn engine(&'static self, width: Width) -> Option<LaneEngine> {
        self.loaded_engine(width, &(Arc::new(()) as Arc<dyn Send + Sync>))
    }

    /// The same for a game in a library, whose code may be called while `keep` lives.
    /// Also returns `None` if it was compiled for another version of the runtime.
    #[must_use]
    pub fn loaded_engine(&self, width: Width, keep: &Arc<dyn Send + Sync>) -> Option<LaneEngine> {
        if self.abi != ABI {
            return None;
        }
        let layout = self.layout.to_layout();
        let [w64, portable128, portable256, w128, w256, w512] = self.widths;
        let programs = Programs {
            w64: w64.map(|phases| phases_of(phases, &layout, keep)),
            portable128: portable128.map(|phases| phases_of(phases, &layout, keep)),
            portable256: portable256.map(|phases| phases_of(phases, &layout, keep)),
            w128: w128.map(|phases| phases_of(phases, &layout, keep)),
            w256: w256.map(|phases| phases_of(phases, &layout, keep)),
            w512: w512.map(|phases| phases_of(phases, &layout, keep)),
        };
        LaneEngine::new("native", layout, programs, width)
    }

    /// The name of the game.
    #[must_use]
    pub fn name(&self) -> String {
        self.layout.name.to_string()
    }
}

/// Phases that are not part of a [`Compiled`], as a program.
///
/// # Safety
/// The functions must meet the contract of [`PhaseFunction`], for words of this width
/// and the numbers of rows of the layout, and stay valid while `keep` lives.
#[must_use]
pub unsafe fn program<W: Word>(
    phases: [PhaseFunction; 5],
    layout: &Layout,
    keep: &Arc<dyn Send + Sync>,
) -> Arc<dyn StepProgram<W>> {
    phases_of(phases, layout, keep)
}

fn phases_of<W: Word>(
    phases: [PhaseFunction; 5],
    layout: &Layout,
    keep: &Arc<dyn Send + Sync>,
) -> Arc<dyn StepProgram<W>> {
    Arc::new(Phases {
        phases,
        bases: layout.bases.len(),
        work: layout.work as usize,
        _keep: Arc::clone(keep),
        word: PhantomData,
    })
}

/// The phases of a compiled game at one width.
struct Phases<W> {
    phases: [PhaseFunction; 5],
    bases: usize,
    work: usize,
    _keep: Arc<dyn Send + Sync>,
    word: PhantomData<fn(W)>,
}

impl<W: Word> StepProgram<W> for Phases<W> {
    fn run(&self, phase: Phase, rows: &mut Rows<W>) {
        assert!(rows.now.len() == self.bases && rows.next.len() == self.bases);
        assert!(rows.work.len() == self.work);
        // SAFETY: there are as many rows as the layout compiled with the phases says,
        // and a row's word proves that its instructions exist.
        unsafe {
            self.phases[phase as usize](
                rows.now.as_ptr().cast(),
                rows.work.as_mut_ptr().cast(),
                rows.next.as_mut_ptr().cast(),
            );
        }
    }
}

/// Makes a [`Compiled`] from emitted code.
///
/// The chunks of each phase are functions on arrays of rows, generic over the word;
/// they are instantiated for every width and compiled for its instructions. On
/// architectures other than x86-64, portable words stand in for words of 128 and 256
/// lanes.
#[macro_export]
macro_rules! compiled_game {
    (
        $(#[$doc:meta])*
        pub static $game:ident;
        bases: $bases:literal;
        work: $work:literal;
        layout: $layout:expr;
        widths: [$($width:tt)*];
        terminal: [$($terminal:ident)*];
        goals: [$($goals:ident)*];
        legal: [$($legal:ident)*];
        count: [$($count:ident)*];
        next: [$($next:ident)*];
    ) => {
        $crate::compiled_game!(@widths [$($width)*]
            ($bases, $work, terminal($($terminal)*) goals($($goals)*) legal($($legal)*) count($($count)*) next($($next)*)));

        $(#[$doc])*
        pub static $game: $crate::compiled::Compiled = $crate::compiled::Compiled {
            abi: $crate::compiled::ABI,
            layout: $layout,
            widths: [
                $crate::compiled_game!(@table w64 [$($width)*]),
                $crate::compiled_game!(@table portable128 [$($width)*]),
                $crate::compiled_game!(@table portable256 [$($width)*]),
                $crate::compiled_game!(@table w128 [$($width)*]),
                $crate::compiled_game!(@table w256 [$($width)*]),
                $crate::compiled_game!(@table w512 [$($width)*]),
            ],
        };
    };
    (@table w64 [w64 $($rest:tt)*]) => { Some(w64::PHASES) };
    (@table portable128 [portable128 $($rest:tt)*]) => { Some(portable128::PHASES) };
    (@table portable128 [w128 $($rest:tt)*]) => {
        $crate::on_x86_64!({
            $crate::compiled_game!(@table portable128 [$($rest)*])
        } else { Some(portable128::PHASES) })
    };
    (@table portable256 [portable256 $($rest:tt)*]) => { Some(portable256::PHASES) };
    (@table portable256 [w256 $($rest:tt)*]) => {
        $crate::on_x86_64!({
            $crate::compiled_game!(@table portable256 [$($rest)*])
        } else { Some(portable256::PHASES) })
    };
    (@table w128 [w128 $($rest:tt)*]) => {
        $crate::on_x86_64!({ Some(w128::PHASES) } else { None })
    };
    (@table w256 [w256 $($rest:tt)*]) => {
        $crate::on_x86_64!({ Some(w256::PHASES) } else { None })
    };
    (@table w512 [w512 $($rest:tt)*]) => {
        $crate::on_x86_64!({ Some(w512::PHASES) } else { None })
    };
    (@table $width:ident [$other:ident $($rest:tt)*]) => {
        $crate::compiled_game!(@table $width [$($rest)*])
    };
    (@table $width:ident []) => { None };
    (@widths [$($width:ident)*] $phases:tt) => {
        $($crate::compiled_game!(@width $width $phases);)*
    };
    (@width w64 $phases:tt) => {
        $crate::compiled_game!(@module w64, u64, allow(dead_code), $phases);
    };
    (@width portable128 $phases:tt) => {
        $crate::compiled_game!(@module portable128, $crate::lanes::Portable128,
            allow(dead_code), $phases);
    };
    (@width portable256 $phases:tt) => {
        $crate::compiled_game!(@module portable256, $crate::lanes::Portable256,
            allow(dead_code), $phases);
    };
    (@width w128 $phases:tt) => {
        $crate::on_x86_64! {{
            $crate::compiled_game!(@module w128, $crate::lanes::Word128,
                target_feature(enable = "sse2"), $phases);
        } else {
            $crate::compiled_game!(@width portable128 $phases);
        }}
    };
    (@width w256 $phases:tt) => {
        $crate::on_x86_64! {{
            $crate::compiled_game!(@module w256, $crate::lanes::Word256,
                target_feature(enable = "avx2"), $phases);
        } else {
            $crate::compiled_game!(@width portable256 $phases);
        }}
    };
    (@width w512 $phases:tt) => {
        $crate::on_x86_64! {{
            $crate::compiled_game!(@module w512, $crate::lanes::Word512,
                target_feature(enable = "avx512f"), $phases);
        } else {}}
    };
    (@module $module:ident, $word:ty, $feature:meta,
        ($bases:literal, $work:literal, $($phase:ident $chunks:tt)*)
    ) => {
        #[allow(unsafe_code)]
        mod $module {
            $($crate::compiled_game!(@chunks $word, $feature, $bases, $work, $chunks);)*
            $($crate::compiled_game!(@phase $word, $bases, $work, $phase $chunks);)*
            pub(super) const PHASES: [$crate::compiled::PhaseFunction; 5] = [$($phase),*];
        }
    };
    (@chunks $word:ty, $feature:meta, $bases:literal, $work:literal, ($($chunk:ident)*)) => {
        $(
            #[$feature]
            #[inline(never)]
            fn $chunk(
                now: &[$word; $bases],
                work: &mut [$word; $work],
                next: &mut [$word; $bases],
            ) {
                // A word on the stack aligns it: otherwise values that are spilled from
                // registers would straddle cache lines.
                std::hint::black_box(&mut std::mem::MaybeUninit::<$word>::uninit());
                super::$chunk::<$word>(now, work, next);
            }
        )*
    };
    (@phase $word:ty, $bases:literal, $work:literal, $phase:ident ($($chunk:ident)*)) => {
        unsafe extern "C" fn $phase(now: *const u8, work: *mut u8, next: *mut u8) {
            // SAFETY: the caller passes rows of this width in the numbers that the
            // layout gives, on a machine that has the width's instructions.
            #[allow(unused_unsafe, unused_variables)]
            unsafe {
                let now = &*now.cast::<[$word; $bases]>();
                let work = &mut *work.cast::<[$word; $work]>();
                let next = &mut *next.cast::<[$word; $bases]>();
                $($chunk(now, work, next);)*
            }
        }
    };
}
