//! Where games are compiled: a compiler and a cache.

use super::cache::{Cache, Entry, Kind};
use super::child::{AtWork, Limits};
use super::failure::Failure;
use super::library::Library;
use super::rustc::{FLAGS, Rustc};
use anyhow::Context as _;
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;
use gdl_runtime::stop_flag::StopFlag;
use gdlc::diag::Sink;
use gdlc::source::Source;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Changes with the compiler: see `build.rs`.
const FINGERPRINT: &str = env!("GDL_FINGERPRINT");

/// Bytes of the cache unless `GDL_CACHE_LIMIT` says otherwise.
const USUAL_LIMIT: u64 = 1 << 30;

/// How the runtime is compiled. What a game uses of it is compiled with the game,
/// so that optimising it would cost ten seconds and change no instruction.
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

/// A compiler, and the cache of what it made.
#[derive(Debug, Clone)]
pub struct Workshop {
    rustc: PathBuf,
    cache: Cache,
}

impl Workshop {
    /// A workshop with the rustc at a path and a cache in a folder, of so many
    /// bytes.
    #[must_use]
    pub fn new(rustc: &Path, cache: &Path, limit: u64) -> Self {
        Self {
            rustc: rustc.to_owned(),
            cache: Cache::new(cache.to_owned(), limit),
        }
    }

    /// The usual workshop: `RUSTC` if set, else rustc from the path; a cache in
    /// `GDL_CACHE` if set, else in the user's cache folder, of `GDL_CACHE_LIMIT`
    /// MiB if set.
    ///
    /// # Errors
    /// If there is no folder for a cache.
    pub fn of_environment() -> anyhow::Result<Self> {
        let limit = std::env::var("GDL_CACHE_LIMIT").ok();
        let limit = limit.and_then(|limit| limit.parse::<u64>().ok());
        let limit = limit.map_or(USUAL_LIMIT, |mebibytes| mebibytes.saturating_mul(1 << 20));
        Ok(Self::new(&Rustc::usual_path(), &cache_folder()?, limit))
    }

    /// The library of a game's emitted code, compiled unless it is in the cache.
    ///
    /// # Errors
    /// As [`build_library`](super::build_library).
    pub fn build_library(
        &self,
        order: &Order<'_>,
        limits: &Limits,
        cancel: &StopFlag,
    ) -> anyhow::Result<PathBuf> {
        let _at_work = AtWork::begin();
        let rustc = Rustc::at(&self.rustc, limits, cancel)?;
        let job = self.job(&rustc, limits, cancel);
        let runtime = job.compile_runtime()?;
        let (key, library) = job.compile_game(order.code, &runtime)?;
        if let Some((rules, width)) = order.rules
            && let Some(entry) = self.entry_of_rules(rules, width)
            && self.key_in(&entry).as_ref() != Some(&key)
        {
            // It names a game that another rustc compiled.
            entry.discard();
            entry.fill(limits, cancel, |_, out| write(out, &key))?;
        }
        Ok(library)
    }

    /// Compiles what all games need, unless that is in the cache.
    ///
    /// # Errors
    /// As [`build_library`](super::build_library).
    pub fn prepare(&self, limits: &Limits, cancel: &StopFlag) -> anyhow::Result<()> {
        let _at_work = AtWork::begin();
        let rustc = Rustc::at(&self.rustc, limits, cancel)?;
        let job = self.job(&rustc, limits, cancel);
        job.compile_runtime().map(drop)
    }

    fn job<'a>(&'a self, rustc: &'a Rustc, limits: &'a Limits, cancel: &'a StopFlag) -> Job<'a> {
        Job {
            cache: &self.cache,
            rustc,
            limits,
            cancel,
        }
    }

    /// A game that was compiled before for so many lanes, found by the text of its
    /// rules; comments and spacing do not matter. Which rustc compiled it does not
    /// either, so that none is asked.
    #[must_use]
    pub fn cached(&self, rules: &str, width: Width) -> Option<LaneEngine> {
        let key = self.key_in(&self.entry_of_rules(rules, width)?)?;
        let library = self.cache.keyed(Kind::Game, key)?.find()?;
        Library::load(&library).ok()?.engine(width).ok()
    }

    /// Where the key of the game stands that follows from rules, if they can be
    /// read.
    fn entry_of_rules(&self, rules: &str, width: Width) -> Option<Entry<'_>> {
        let mut sink = Sink::new(Source::new("rules", rules));
        let description = gdlc::syntax::parse(&mut sink);
        if sink.has_errors() {
            return None;
        }
        let (rules, width) = (description.to_string(), width.to_string());
        let texts = [FINGERPRINT, &runtime_text(), &width, &rules];
        Some(self.cache.entry(Kind::Rules, &texts))
    }

    fn key_in(&self, entry: &Entry<'_>) -> Option<String> {
        std::fs::read_to_string(entry.find()?).ok()
    }
}

/// What is to be compiled.
#[derive(Debug, Clone, Copy)]
pub struct Order<'a> {
    /// Emitted code.
    pub code: &'a str,
    /// The text of the rules from which that code follows without any options, and
    /// the one width that it is for, if the game is to be found by them.
    pub rules: Option<(&'a str, Width)>,
}

/// A compilation that may be called off.
struct Job<'a> {
    cache: &'a Cache,
    rustc: &'a Rustc,
    limits: &'a Limits,
    cancel: &'a StopFlag,
}

impl Job<'_> {
    fn compile_runtime(&self) -> anyhow::Result<PathBuf> {
        let entry = self.entry(Kind::Runtime, "");
        entry.fill(self.limits, self.cancel, |folder, out| {
            for (path, text) in gdl_runtime::sources::SOURCES {
                write(&folder.join(path), text)?;
            }
            self.compile(&RUNTIME, [folder, &folder.join("lib.rs"), out], &[])
        })
    }

    /// A game's key and library.
    fn compile_game(&self, code: &str, runtime: &Path) -> anyhow::Result<(String, PathBuf)> {
        let root = library_root(code);
        let entry = self.entry(Kind::Game, &root);
        let library = entry.fill(self.limits, self.cancel, |folder, out| {
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
    fn entry(&self, kind: Kind, text: &str) -> Entry<'_> {
        let flags = [&FLAGS[..], &RUNTIME, &GAME].concat().join(" ");
        let texts = [self.rustc.version(), &flags, &runtime_text(), text];
        self.cache.entry(kind, &texts)
    }

    /// Compiles a crate in a folder, from its root to a file.
    fn compile(
        &self,
        flags: &[&str],
        [folder, root, out]: [&Path; 3],
        more: &[OsString],
    ) -> anyhow::Result<()> {
        let mut arguments: Vec<OsString> = flags.iter().map(OsString::from).collect();
        arguments.extend_from_slice(more);
        arguments.extend(["-o".into(), out.into(), root.into()]);
        let run = (self.rustc).compile(&arguments, folder, self.limits, self.cancel);
        run.and_then(|()| match std::fs::metadata(out) {
            Ok(file) if file.len() > 0 => Ok(()),
            _ => Err(Failure::WroteNothing.into()),
        })
    }
}

/// Where compiled games are kept: `GDL_CACHE` if set, else the user's cache folder.
fn cache_folder() -> anyhow::Result<PathBuf> {
    if let Some(folder) = std::env::var_os("GDL_CACHE") {
        return Ok(folder.into());
    }
    let folders = directories::ProjectDirs::from("", "", "gdl")
        .context("there is no home folder to keep compiled games in; set GDL_CACHE")?;
    Ok(folders.cache_dir().to_owned())
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn runtime_text() -> String {
    let texts = gdl_runtime::sources::SOURCES.iter();
    texts.map(|(_, text)| *text).collect()
}

/// A crate around the emitted items, with the function that a loader calls.
fn library_root(code: &str) -> String {
    format!(
        "mod game {{\n{code}\n}}\n\n\
         #[unsafe(no_mangle)]\n\
         pub extern \"C\" fn gdl_game() -> *const ::gdl_runtime::compiled::Compiled {{\n    \
         &raw const game::GAME\n}}\n"
    )
}
