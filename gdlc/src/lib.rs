//! A compiler for the Game Description Language (GDL) of general game playing.
//!
//! The rules of a game become a propositional network, the network becomes a plan
//! of operations of two or three inputs, and the plan runs as Rust compiled ahead of time
//! ([`emit`]), as machine code generated at run time ([`x86`]), or as data for an
//! interpreter ([`lut_program`]). Every bit of a machine word is a game of its own,
//! so one pass over the plan advances up to 512 games.
//!
//! The stages, each with a module: [`syntax`] and [`rules`] (reading and checking),
//! [`ground`] (rules without variables), [`propnet`] (gates, and passes over them),
//! [`mod@plan`] (operations in order), and one of the three back ends. [`reference`](mod@reference)
//! evaluates rules directly and is the oracle that the others are compared with;
//! [`format`](mod@format) lays out rule sheets; [`build`] is for build scripts.
//!
//! # Text to Rust
//!
//! ```
//! let rules = "
//!     (role player)
//!     (init off)
//!     (legal player press)
//!     (<= (next on) (does player press))
//!     (<= terminal (true on))
//!     (goal player 100)";
//! let code = gdlc::compile_text("switch", rules)?;
//! assert!(code.contains("pub static GAME"));
//!
//! // Mistakes are reported as diagnostics with positions.
//! let mistake = gdlc::compile_text("mistake", "(role player");
//! let Err(gdlc::CompileError::Diagnosed(diagnostics)) = mistake else { panic!() };
//! assert!(!diagnostics.is_empty());
//! # Ok::<(), gdlc::CompileError>(())
//! ```
//!
//! # Text to a propnet
//!
//! ```
//! use gdlc::compile::{CompileOptions, compile};
//! use gdlc::propnet::show_propnet;
//! use gdlc::{rules, source::Source};
//!
//! let text = "
//!     (role player)
//!     (init off)
//!     (legal player press)
//!     (legal player wait)
//!     (<= (next on) (does player press))
//!     (<= (next off) (true off) (does player wait))
//!     (<= terminal (true on))
//!     (<= (goal player 100) (true on))
//!     (<= (goal player 0) (not (true on)))";
//! let checked = rules::check(Source::new("switch", text));
//! let program = checked.program.expect("the rules are valid");
//! let propnet = compile(&program, &CompileOptions::default())?.propnet;
//! assert_eq!((propnet.bases.len(), propnet.moves.len()), (2, 2));
//! println!("{}", show_propnet(&propnet));
//! # Ok::<(), gdlc::compile::PlanError>(())
//! ```

pub mod build;
pub mod compile;
pub mod complemented_edge;
pub mod components;
pub mod diag;
pub mod emit;
pub mod format;
pub mod functional;
pub mod ground;
pub mod id;
pub mod lut_program;
pub mod plan;
pub mod propnet;
pub mod propnet_budget;
pub mod reference;
pub mod rules;
pub mod source;
pub mod syntax;
pub mod visited_lists;
pub mod x86;

pub use compile::{CompileError, compile_text};

/// Identifies the compiler: a digest of its version and its sources, as 16
/// hexadecimal digits. Anything derived from emitted code and cached should be
/// keyed by it.
pub const FINGERPRINT: &str = env!("GDLC_FINGERPRINT");
