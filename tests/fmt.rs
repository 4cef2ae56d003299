//! `gdl fmt`: what it writes, where, and its exit codes.
#![allow(clippy::unwrap_used)]

use crate::common::{self, command};
use assert_cmd::Command;
use std::path::{Path, PathBuf};

const UGLY: &str = "(role   white)\n(<= terminal\n ; over\n (a ) )\n(a)\n";
const PRETTY: &str = "(role white)\n(<= terminal\n    ; over\n    (a))\n(a)\n";

fn fmt() -> Command {
    command::gdl(common::root(), &["fmt"])
}

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn standard_input_goes_to_standard_output() {
    fmt().write_stdin(UGLY).assert().code(0).stdout(PRETTY);
    fmt()
        .arg("-")
        .write_stdin(PRETTY)
        .assert()
        .code(0)
        .stdout(PRETTY);
    fmt().write_stdin("").assert().code(0).stdout("");
}

#[test]
fn files_and_folders_are_written_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let ugly = write(folder.path(), "ugly.kif", UGLY);
    let pretty = write(folder.path(), "pretty.gdl", PRETTY);
    let other = write(folder.path(), "other.txt", UGLY);
    let unchanged = pretty.metadata().unwrap().modified().unwrap();
    fmt().arg(folder.path()).assert().code(0).stdout("");
    assert_eq!(
        [&ugly, &pretty, &other].map(|path| read(path)),
        [PRETTY, PRETTY, UGLY]
    );
    assert_eq!(pretty.metadata().unwrap().modified().unwrap(), unchanged);
    assert_eq!(
        folder.path().read_dir().unwrap().count(),
        3,
        "nothing else is left"
    );
}

#[test]
fn check_shows_what_would_change_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let ugly = write(folder.path(), "ugly.kif", UGLY);
    let pretty = write(folder.path(), "pretty.kif", PRETTY);
    let output = fmt().arg("--check").args([&pretty, &ugly]).assert().code(1);
    let shown = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert!(
        shown.starts_with(&format!("--- {}\n", ugly.display())),
        "{shown}"
    );
    assert!(
        shown.contains("\n-(role   white)\n+(role white)\n"),
        "{shown}"
    );
    assert_eq!(read(&ugly), UGLY);
    let listed = fmt()
        .args(["--check", "--list"])
        .arg(folder.path())
        .assert()
        .code(1);
    listed.stdout(format!("{}\n", ugly.display()));
    fmt()
        .arg("--check")
        .arg(&pretty)
        .assert()
        .code(0)
        .stdout("");
    fmt()
        .args(["--check", "-"])
        .write_stdin(UGLY)
        .assert()
        .code(1);
}

#[test]
fn what_cannot_be_formatted_is_left_alone_and_hides_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let broken = write(folder.path(), "broken.kif", "(role   white");
    let bytes = write(folder.path(), "latin.kif", b"; \xe9t\xe9\n(role  white)");
    let ugly = write(folder.path(), "ugly.kif", UGLY);
    let output = fmt().args([&broken, &ugly]).assert().code(1);
    let errors = String::from_utf8(output.get_output().stderr.clone()).unwrap();
    assert!(errors.contains("this `(` is never closed"), "{errors}");
    assert_eq!(read(&broken), "(role   white");
    assert_eq!(read(&ugly), PRETTY);
    let output = fmt()
        .args([&bytes, Path::new("no/such.kif")])
        .assert()
        .code(2);
    let errors = String::from_utf8(output.get_output().stderr.clone()).unwrap();
    assert!(
        errors.contains("not UTF-8") && errors.contains("no/such.kif"),
        "{errors}"
    );
    assert!(std::fs::read(&bytes).unwrap().contains(&0xe9));
    // A character that stands for others is one like any other.
    let replaced = write(folder.path(), "replaced.kif", "; \u{fffd}\n(role  white)\n");
    fmt().arg(&replaced).assert().code(0);
    assert_eq!(read(&replaced), "; \u{fffd}\n(role white)\n");
    fmt().write_stdin("(role").assert().code(1).stdout("");
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "game.kif", UGLY);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path().join("link.kif");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    fmt().arg(&link).assert().code(0);
    assert_eq!(read(&file), PRETTY);
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    assert!(link.symlink_metadata().unwrap().is_symlink());
}

#[test]
fn our_own_rule_sheets_are_formatted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [
        "agent/tests/games",
        "games",
        "examples/embed/games",
        "experiments/games",
        "experiments/positions/games",
        "network/src/compliance/rules",
    ];
    let folders = folders.map(|folder| root.join(folder));
    fmt()
        .arg("--check")
        .args(folders)
        .assert()
        .code(0)
        .stdout("");
}
