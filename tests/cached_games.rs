//! Compiled games are found in the cache by the text of their rules.
#![cfg(target_os = "linux")]

use crate::common;
use crate::common::process::{compiling, write_script};
use gdl_engines::native::{CompileLimits, CompileRequest, CompilerCache, emit_game};
use gdl_runtime::engine::Engine;
use gdl_runtime::lanes::Width;
use gdl_runtime::perft;
use gdl_runtime::stop_flag::StopFlag;
use gdlc::compile::{CompileOptions, compile};
use std::fs;
use std::path::{Path, PathBuf};

const MIB: u64 = 1 << 20;

/// Compiles a game for 64 lanes.
fn build(cache: &CompilerCache, rules: &str) -> anyhow::Result<PathBuf> {
    let _compiler = compiling();
    let source = gdlc::source::Source::new("game", rules);
    let program = gdl_engines::input::check(source)?;
    let plan = compile(&program, &CompileOptions::default())?.plan;
    let code = emit_game("game", &program, &plan, &[Width::W64])?;
    let request = CompileRequest {
        code: &code,
        rules: Some((rules, Width::W64)),
    };
    Ok(cache.build_library(&request, &CompileLimits::FOREGROUND, &StopFlag::default())?)
}

/// A rustc that reports another version.
fn newer_rustc(folder: &Path) -> PathBuf {
    let path = folder.join("newer");
    let script = "#!/bin/sh\nif [ \"$1\" = -vV ]; then echo newer; else exec rustc \"$@\"; fi\n";
    write_script(&path, script);
    path
}

fn tictactoe_perft(engine: &mut dyn Engine) -> u64 {
    let state = engine.initial();
    perft::count(engine, &state, 4)
}

#[test]
fn a_game_is_found_by_its_rules() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let cache = CompilerCache::new(Path::new("rustc"), folder.path(), 1024 * MIB);
    let rules = &common::game("tictactoe").text;
    assert!(cache.find_compiled(rules, Width::W64).is_none());
    let library = build(&cache, rules)?;

    // Comments and spacing do not matter; every word does.
    let other = format!("; by hand\n{}\n", rules.replace('\n', "\n  "));
    let mut engine = cache
        .find_compiled(&other, Width::W64)
        .expect("it is there");
    assert_eq!(tictactoe_perft(&mut engine), 3024);
    assert!(
        cache
            .find_compiled(&rules.to_uppercase(), Width::W64)
            .is_none()
    );
    assert!(cache.find_compiled(rules, Width::W256).is_none());
    assert!(cache.find_compiled("(role", Width::W64).is_none());

    // It is found without a compiler, too; of several builds, the last one counts, whichever
    // compiler made it.
    let none = CompilerCache::new(Path::new("/nowhere/rustc"), folder.path(), 0);
    assert!(none.find_compiled(rules, Width::W64).is_some());
    let other = CompilerCache::new(&newer_rustc(folder.path()), folder.path(), 1024 * MIB);
    let newer = build(&other, rules)?;
    assert_ne!(library, newer);
    fs::remove_dir_all(library.parent().expect("it has a folder"))?;
    assert!(cache.find_compiled(rules, Width::W64).is_some());
    let library = newer;

    // A loaded game stays usable, whatever happens to its file.
    let damaged = fs::read(&library)?.split_off(100);
    fs::remove_file(&library)?;
    fs::write(&library, damaged)?;
    assert_eq!(tictactoe_perft(&mut engine), 3024);
    assert!(cache.find_compiled(rules, Width::W64).is_none());
    build(&other, rules)?;
    assert!(cache.find_compiled(rules, Width::W64).is_some());
    fs::remove_dir_all(folder.path())?;
    assert_eq!(tictactoe_perft(&mut engine), 3024);
    assert!(cache.find_compiled(rules, Width::W64).is_none());
    Ok(())
}
