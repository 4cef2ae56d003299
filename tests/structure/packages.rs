//! Packages: those that build scripts and programs share have the same features in both, so that
//! cargo builds them once. Building the compiler alone twice would add minutes.

use std::collections::BTreeSet;
use std::process::Command;

#[test]
fn no_package_is_built_with_two_sets_of_features() {
    let listed = Command::new(env!("CARGO"))
        .args(["tree", "--frozen", "--workspace", "--duplicates"])
        .args(["--edges", "normal,build", "--depth", "0", "--format", "{p}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(listed.status.success(), "{listed:?}");
    let listed = String::from_utf8_lossy(&listed.stdout);
    let mut versions = BTreeSet::new();
    let twice = listed.lines().filter(|line| !line.is_empty());
    let twice: Vec<&str> = twice.filter(|line| !versions.insert(*line)).collect();
    assert!(twice.is_empty(), "built twice: {twice:?}");
    assert!(
        !versions.is_empty(),
        "no package has two versions, so nothing was checked"
    );
}
