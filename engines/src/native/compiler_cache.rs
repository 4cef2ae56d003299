//! The compile service: rustc, and a cache of what it compiled.

use super::artifacts::{ArtifactCache, ArtifactKind, CacheEntry};
use super::error::{CompilerFailure, NativeError};
use super::library::Library;
use super::process::{ActiveCompilation, CompileLimits};
use super::rustc::{FLAGS, Rustc};
use crate::cache_folder::cache_folder;
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;
use gdl_runtime::stop_flag::StopFlag;
use gdlc::diag::Sink;
use gdlc::source::Source;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Changes whenever the code emitted for a rule sheet may change: with the compiler and
/// with the sources of this crate that decide what is emitted.
const FINGERPRINT: [&str; 3] = [
    gdlc::FINGERPRINT,
    include_str!("engine.rs"),
    include_str!("compiler_cache.rs"),
];

/// Bytes of the cache unless `GDL_CACHE_LIMIT` is set.
const DEFAULT_LIMIT: u64 = 1 << 30;

/// How the runtime is compiled. What a game uses of it is generic or inlined and is
/// compiled with the game, so optimising the rest would take ten seconds and change no
/// instruction.
const RUNTIME: [&str; 6] = [
    "--crate-name",
    "gdl_runtime",
    "--crate-type",
    "rlib",
    "-C",
    "opt-level=0",
];

/// How a game is compiled.
const GAME: [&str; 6] = [
    "--crate-name",
    "game",
    "--crate-type",
    "cdylib",
    "-C",
    "opt-level=3",
];

/// Emitted code to compile.
#[derive(Debug, Clone, Copy)]
pub struct CompileRequest<'a> {
    /// The code, as [`emit_game`](super::emit_game) returns it.
    pub code: &'a str,
    /// The rule sheet from which the code follows without any options, and the only
    /// width that it is for; `None` if the game is not to be found by its rules.
    pub rules: Option<(&'a str, Width)>,
}

/// A compiler, and the cache of what it compiled.
#[derive(Debug, Clone)]
pub struct CompilerCache {
    rustc: PathBuf,
    artifacts: ArtifactCache,
}

impl CompilerCache {
    /// Uses the rustc at a path and a cache in `folder` of at most `limit` bytes.
    #[must_use]
    pub fn new(rustc: &Path, folder: &Path, limit: u64) -> Self {
        Self {
            rustc: rustc.to_owned(),
            artifacts: ArtifactCache::new(folder.to_owned(), limit),
        }
    }

    /// Uses the compiler `RUSTC` if set, else rustc from the path; and a cache in
    /// `GDL_CACHE` if set, else in the user's cache folder, of at most
    /// `GDL_CACHE_LIMIT` MiB if set, else one GiB.
    ///
    /// # Errors
    /// [`NativeError::NoCacheFolder`] if there is no folder for a cache.
    pub fn from_environment() -> Result<Self, NativeError> {
        let limit = std::env::var("GDL_CACHE_LIMIT").ok();
        let limit = limit.and_then(|limit| {
            let mebibytes = limit.trim().parse::<u64>();
            mebibytes
                .inspect_err(|error| tracing::warn!("GDL_CACHE_LIMIT is {limit:?}: {error}"))
                .ok()
        });
        let limit = limit.map_or(DEFAULT_LIMIT, |mebibytes| mebibytes.saturating_mul(1 << 20));
        Ok(Self::new(
            &Rustc::default_path(),
            &cache_folder().ok_or(NativeError::NoCacheFolder)?,
            limit,
        ))
    }

    /// The library of a game's emitted code, compiled unless it is in the cache.
    ///
    /// # Errors
    /// [`CompilerFailure`] if there is no compiler, it fails, exceeds its limits or is
    /// stopped; otherwise if files cannot be written.
    pub fn build_library(
        &self,
        request: &CompileRequest<'_>,
        limits: &CompileLimits,
        stop: &StopFlag,
    ) -> Result<PathBuf, NativeError> {
        let _active = ActiveCompilation::begin();
        let rustc = Rustc::at(&self.rustc, limits, stop)?;
        let job = self.job(&rustc, limits, stop);
        let runtime = job.compile_runtime()?;
        let (key, library) = job.compile_game(request.code, &runtime)?;
        if let Some((rules, width)) = request.rules
            && let Some(entry) = self.entry_of_rules(rules, width)
            && read_key(&entry).as_ref() != Some(&key)
        {
            // The entry, if any, names a game that another rustc compiled.
            entry.delete();
            entry.find_or_make(limits, stop, |_, out| write(out, &key))?;
        }
        Ok(library)
    }

    /// Compiles what all games need, unless it is in the cache, so that the first game
    /// need not wait for it.
    ///
    /// # Errors
    /// As [`build_library`](Self::build_library).
    pub fn prepare(&self, limits: &CompileLimits, stop: &StopFlag) -> Result<(), NativeError> {
        let _active = ActiveCompilation::begin();
        let rustc = Rustc::at(&self.rustc, limits, stop)?;
        self.job(&rustc, limits, stop).compile_runtime().map(drop)
    }

    /// A game that was compiled before for this width, found by the text of its rules
    /// without regard to comments and spacing. It does not matter which rustc compiled
    /// it, and none needs to be installed.
    #[must_use]
    pub fn find_compiled(&self, rules: &str, width: Width) -> Option<LaneEngine> {
        let key = read_key(&self.entry_of_rules(rules, width)?)?;
        let entry = self.artifacts.entry_of_key(ArtifactKind::Game, key)?;
        Library::load(&entry.find()?).ok()?.engine(width).ok()
    }

    /// The entry that holds the key of the game with these rules; `None` if they cannot
    /// be parsed.
    fn entry_of_rules(&self, rules: &str, width: Width) -> Option<CacheEntry<'_>> {
        let (rules, width) = (canonical_rules(rules)?, format!("{width:?}"));
        let runtime = runtime_text();
        let texts = [&FINGERPRINT[..], &[&runtime, &width, &rules]].concat();
        Some(self.artifacts.entry(ArtifactKind::Rules, &texts))
    }

    fn job<'a>(
        &'a self,
        rustc: &'a Rustc,
        limits: &'a CompileLimits,
        stop: &'a StopFlag,
    ) -> CompileJob<'a> {
        CompileJob {
            artifacts: &self.artifacts,
            rustc,
            limits,
            stop,
        }
    }
}

/// What all steps of a compilation share.
struct CompileJob<'a> {
    artifacts: &'a ArtifactCache,
    rustc: &'a Rustc,
    limits: &'a CompileLimits,
    stop: &'a StopFlag,
}

impl CompileJob<'_> {
    fn compile_runtime(&self) -> Result<PathBuf, NativeError> {
        let entry = self.entry(ArtifactKind::Runtime, "");
        entry.find_or_make(self.limits, self.stop, |folder, out| {
            for (path, text) in gdl_runtime::sources::SOURCES {
                write(&folder.join(path), text)?;
            }
            self.compile(&RUNTIME, [folder, &folder.join("lib.rs"), out], &[])
        })
    }

    /// The key and the library of a game.
    fn compile_game(&self, code: &str, runtime: &Path) -> Result<(String, PathBuf), NativeError> {
        let root = library_root(code);
        let entry = self.entry(ArtifactKind::Game, &root);
        let library = entry.find_or_make(self.limits, self.stop, |folder, out| {
            let path = folder.join("game.rs");
            write(&path, &root)?;
            let mut linked = OsString::from("gdl_runtime=");
            linked.push(runtime);
            let linked = ["--extern".into(), linked];
            self.compile(&GAME, [folder, &path, out], &linked)
        })?;
        Ok((entry.key().to_owned(), library))
    }

    /// The entry of what this compiler makes of a text.
    fn entry(&self, kind: ArtifactKind, text: &str) -> CacheEntry<'_> {
        let flags = [&FLAGS[..], &RUNTIME, &GAME].concat().join(" ");
        let texts = [self.rustc.version(), &flags, &runtime_text(), text];
        self.artifacts.entry(kind, &texts)
    }

    /// Compiles the crate with this root file, using a folder for temporary files.
    fn compile(
        &self,
        flags: &[&str],
        [folder, root, out]: [&Path; 3],
        more: &[OsString],
    ) -> Result<(), NativeError> {
        let mut arguments: Vec<OsString> = flags.iter().map(OsString::from).collect();
        arguments.extend_from_slice(more);
        arguments.extend(["-o".into(), out.into(), root.into()]);
        let run = (self.rustc).compile(&arguments, folder, self.limits, self.stop);
        run.and_then(|()| match std::fs::metadata(out) {
            Ok(file) if file.len() > 0 => Ok(()),
            _ => Err(CompilerFailure::WroteNothing.into()),
        })
    }
}

/// A rule sheet without comments and in uniform spacing; `None` if it cannot be parsed.
pub(super) fn canonical_rules(rules: &str) -> Option<String> {
    let mut sink = Sink::new(Source::new("rules", rules));
    let description = gdlc::syntax::parse(&mut sink);
    (!sink.has_errors()).then(|| description.to_string())
}

fn read_key(entry: &CacheEntry<'_>) -> Option<String> {
    std::fs::read_to_string(entry.find()?).ok()
}

fn write(path: &Path, text: &str) -> Result<(), NativeError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(NativeError::file("make", folder))?;
    }
    std::fs::write(path, text).map_err(NativeError::file("write", path))
}

fn runtime_text() -> String {
    let texts = gdl_runtime::sources::SOURCES.iter();
    texts.map(|(_, text)| *text).collect()
}

/// The emitted code as a crate with the function that [`Library`] calls.
fn library_root(code: &str) -> String {
    format!(
        "mod game {{\n{code}\n}}\n\n\
         #[unsafe(no_mangle)]\n\
         pub extern \"C\" fn gdl_game() -> *const ::gdl_runtime::compiled::Compiled {{\n    \
         &raw const game::GAME\n}}\n"
    )
}
