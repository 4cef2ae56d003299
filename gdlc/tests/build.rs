//! Rule sheets compiled by a build script.

use gdlc::build::{compile_folder, compile_games};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

const SWITCH: &str = "(role r)\n(init off)\n(legal r press)\n(<= (next on) (true off))\n\
    (<= terminal (true on))\n(goal r 100)\n";

/// An empty folder of this test's own, with `games` and `out` in it.
fn folders(test: &str) -> (PathBuf, PathBuf) {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("build")
        .join(test);
    let _ = fs::remove_dir_all(&root);
    let folders = (root.join("games"), root.join("out"));
    fs::create_dir_all(&folders.0).expect("folders can be made");
    fs::create_dir_all(&folders.1).expect("folders can be made");
    folders
}

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).expect("files can be written");
}

/// When each of the written modules was written.
fn written(out: &Path) -> Vec<(String, SystemTime)> {
    let mut files: Vec<_> = fs::read_dir(out)
        .expect("the folder is there")
        .map(|entry| entry.expect("the folder can be listed"))
        .filter(|entry| {
            entry
                .path()
                .extension()
                .is_some_and(|extension| extension == "rs")
        })
        .map(|entry| {
            let modified = entry.metadata().and_then(|data| data.modified());
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, modified.expect("files have times"))
        })
        .collect();
    files.sort();
    files
}

fn names(files: &[(String, SystemTime)]) -> Vec<&str> {
    files.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn only_what_changed_is_compiled_again() {
    let (games, out) = folders("changes");
    write(&games, "one.kif", SWITCH);
    write(&games, "two.kif", SWITCH);
    write(&games, "notes.txt", "not a rule sheet");
    let watched = compile_folder(&games, &out).expect("the games are sound");
    assert_eq!(
        watched,
        [games.join("one.kif"), games.join("two.kif"), games.clone()]
    );
    let first = written(&out);
    assert_eq!(names(&first), ["games.rs", "one.rs", "two.rs"]);

    // Times of files may be coarse.
    std::thread::sleep(Duration::from_millis(20));
    compile_folder(&games, &out).expect("the games are sound");
    assert_eq!(written(&out), first);

    write(&games, "two.kif", &SWITCH.replace("press", "push"));
    compile_folder(&games, &out).expect("the games are sound");
    let second = written(&out);
    assert_eq!(second[..2], first[..2]);
    assert!(second[2].1 > first[2].1);
    let code = fs::read_to_string(out.join("two.rs")).expect("it is there");
    assert!(code.contains("\"push\"") && !code.contains("\"press\""));

    fs::remove_file(games.join("one.kif")).expect("it was there");
    compile_folder(&games, &out).expect("the games are sound");
    let modules = fs::read_to_string(out.join("games.rs")).expect("it is there");
    assert!(
        modules.contains("pub mod two") && !modules.contains("pub mod one"),
        "{modules}"
    );
}

#[test]
fn modules_and_the_list_of_games_are_declared() {
    let (games, out) = folders("modules");
    write(&games, "one.kif", SWITCH);
    write(&games, "two.kif", SWITCH);
    compile_folder(&games, &out).expect("the games are sound");
    let modules = fs::read_to_string(out.join("games.rs")).expect("it is there");
    let file = syn::parse_file(&modules).expect("it is Rust");
    assert_eq!(file.items.len(), 3);
    assert!(modules.contains("[&one::GAME, &two::GAME, ]"), "{modules}");
    let code = fs::read_to_string(out.join("one.rs")).expect("it is there");
    syn::parse_file(&code).expect("it is Rust");
}

#[test]
fn a_mistake_is_underlined() {
    let (games, out) = folders("mistake");
    write(&games, "fine.kif", SWITCH);
    write(
        &games,
        "wrong.kif",
        &format!("{SWITCH}(<= (next ?x) (not (true ?x)))\n"),
    );
    let error = compile_folder(&games, &out).expect_err("a variable is unsafe");
    let text = format!("{error:#}");
    assert!(text.contains("wrong.kif:7:"), "{text}");
    assert!(text.contains("(<= (next ?x) (not (true ?x)))"), "{text}");
    assert!(text.lines().any(|line| line.contains("^^")), "{text}");
    // What is wrong is compiled as soon as it is right.
    write(&games, "wrong.kif", SWITCH);
    compile_folder(&games, &out).expect("the games are sound");
}

/// The disk was full, or the build was ended.
#[test]
fn code_that_was_not_written_to_its_end_is_written_again() {
    let (games, out) = folders("cut");
    write(&games, "one.kif", SWITCH);
    compile_folder(&games, &out).expect("the games are sound");
    let code = fs::read_to_string(out.join("one.rs")).expect("it is there");
    for end in [0, code.len() / 2, code.len() - 2] {
        write(&out, "one.rs", &code[..end]);
        compile_folder(&games, &out).expect("the games are sound");
        let repaired = fs::read_to_string(out.join("one.rs")).expect("it is there");
        assert!(repaired == code, "cut at {end}");
    }
}

#[test]
fn comments_may_be_in_any_encoding() {
    let (games, out) = folders("encoding");
    let text = [b"; \xe9checs\n", SWITCH.as_bytes()].concat();
    fs::write(games.join("one.kif"), text).expect("files can be written");
    compile_folder(&games, &out).expect("the games are sound");
}

#[test]
fn files_that_cannot_name_modules_are_refused() {
    let (games, out) = folders("names");
    for name in ["two words.kif", "4x4.kif", "fn.kif", "a-b.kif", "games.kif"] {
        write(&games, name, SWITCH);
        let error = compile_folder(&games, &out).expect_err("it names no module");
        assert!(error.to_string().contains(name), "{error}");
        fs::remove_file(games.join(name)).expect("it was there");
    }
    let error = compile_folder(&games.join("absent"), &out).expect_err("there is no folder");
    assert!(error.to_string().contains("absent"), "{error}");
}

/// `compile_games` prints instructions to cargo and ends the process, so it runs in a
/// separate process, which runs this same test.
#[test]
fn build_scripts_tell_cargo_what_they_read_and_fail_loudly() {
    const FOLDER: &str = "GDLC_TEST_FOLDER";
    if let Some(folder) = std::env::var_os(FOLDER) {
        return compile_games(folder);
    }
    let (games, out) = folders("script");
    let run = || {
        let output = Command::new(std::env::current_exe().expect("this is running"))
            .args(["--exact", "--nocapture"])
            .arg("build::build_scripts_tell_cargo_what_they_read_and_fail_loudly")
            .env(FOLDER, &games)
            .env("OUT_DIR", &out)
            .output()
            .expect("this can be run again");
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr),
        )
    };
    write(&games, "switch.kif", SWITCH);
    let (code, out_text, _) = run();
    assert_eq!(code, Some(0));
    for watched in [&games, &games.join("switch.kif")] {
        let line = format!("cargo:rerun-if-changed={}\n", watched.display());
        assert!(out_text.contains(&line), "{out_text}");
    }
    assert!(out.join("switch.rs").exists());
    write(
        &games,
        "switch.kif",
        &SWITCH.replace("(next on)", "(next ?on)"),
    );
    let (code, _, complaint) = run();
    assert_eq!(code, Some(1), "{complaint}");
    assert!(complaint.contains("switch.kif:4:"), "{complaint}");
    assert!(complaint.contains("^^"), "{complaint}");
}
