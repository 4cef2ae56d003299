//! Any crate can compile games in: cargo builds the sources of the example in a crate
//! outside this workspace, offline, and runs it.
//!
//! The crate has the profiles of this workspace and is built into the same target directory,
//! so that cargo takes the dependencies of the compiler from there. To cargo, the compiler
//! itself is a different package, since its path from the workspace's root is different.

use crate::common::process::compiling;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The profile that this test was built with.
const PROFILE: &str = if cfg!(debug_assertions) {
    "dev"
} else {
    "release"
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The directory that cargo built this test in.
fn target() -> &'static Path {
    let inside = Path::new(env!("CARGO_TARGET_TMPDIR"));
    inside.parent().expect("cargo gives tests a folder inside")
}

/// Copies the example into a crate outside the workspace, with the same versions of
/// dependencies, and returns its folder.
fn make_crate() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("embedded");
    let example = root().join("examples/embed");
    for file in ["build.rs", "src/main.rs", "games/nim.kif"] {
        copy(&example.join(file), &folder.join(file));
    }
    copy(&root().join("Cargo.lock"), &folder.join("Cargo.lock"));
    // Not used: they give the compiler's dependencies the features that they have in the
    // workspace, as in the manifest of the games.
    let features = "anstyle = \"1\"\nlibc = { version = \"0.2\", features = [\"extra_traits\"] }";
    let manifest = format!(
        "[package]\nname = \"embedded\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\ngdl-runtime.path = {:?}\n\n\
         [build-dependencies]\ngdlc.path = {:?}\n{features}\n\n\
         [workspace]\n\n{}\n\
         [profile.{PROFILE}.package.gdlc]\nopt-level = 0\n",
        root().join("runtime"),
        root().join("gdlc"),
        profiles(),
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("files can be written");
    folder
}

/// The profiles of the workspace, as a manifest has them.
fn profiles() -> String {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("it is there");
    let mut manifest: toml::Table = manifest.parse().expect("manifests are TOML");
    manifest.retain(|section, _| section == "profile");
    manifest.to_string()
}

fn copy(from: &Path, to: &Path) {
    let folder = to.parent().expect("files stand in folders");
    std::fs::create_dir_all(folder).expect("folders can be made");
    std::fs::copy(from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
}

/// Runs cargo offline, and at low priority, since the tests beside this one measure time.
fn cargo(folder: &Path, command: &str) -> Output {
    let _compiler = compiling();
    Command::new("nice")
        .args([env!("CARGO"), command, "--quiet", "--offline"])
        .args(["--profile", PROFILE, "--target-dir"])
        .arg(target())
        .current_dir(folder)
        .output()
        .expect("cargo can be run")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// One test, since both builds use the same folder.
#[test]
fn a_crate_of_its_own_compiles_games_in_and_a_mistake_fails_its_build() {
    let folder = make_crate();
    games_are_compiled_in(&folder);
    a_mistake_in_a_rule_sheet_is_underlined(&folder);
}

fn games_are_compiled_in(folder: &Path) {
    let output = cargo(folder, "run");
    let (printed, complaint) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{complaint}");
    let mean = |role: &str| -> f64 {
        let line = printed.lines().find(|line| line.starts_with(role));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        let number = number.unwrap_or_else(|| panic!("nothing about {role} in {printed}"));
        number.parse().expect("the mean is a number")
    };
    // Every game has one winner, and neither player always wins.
    assert!(
        (mean("first:") + mean("second:") - 100.0).abs() < 0.1,
        "{printed}"
    );
    assert!((20.0..80.0).contains(&mean("first:")), "{printed}");
}

fn a_mistake_in_a_rule_sheet_is_underlined(folder: &Path) {
    let sheet = folder.join("games/nim.kif");
    let rules = std::fs::read_to_string(&sheet).expect("it was copied");
    let mistake = "(<= (next (heap ?h ?n)) (not (touched ?h)))";
    let line = rules.lines().count() + 1;
    std::fs::write(&sheet, format!("{rules}{mistake}\n")).expect("files can be written");
    let output = cargo(folder, "build");
    let complaint = text(&output.stderr);
    assert_eq!(output.status.code(), Some(101), "{complaint}");
    assert!(
        complaint.contains(&format!("nim.kif:{line}:")),
        "{complaint}"
    );
    let lines: Vec<&str> = complaint.lines().collect();
    let shown = lines.iter().position(|shown| shown.contains(mistake));
    let shown = shown.unwrap_or_else(|| panic!("{complaint}"));
    assert!(lines[shown + 1].contains('^'), "{complaint}");
}
