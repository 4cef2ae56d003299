//! Runs the `gdl` command.

use assert_cmd::Command;
use std::path::Path;
use std::time::Duration;

/// Returns `gdl` with arguments, to be run in a folder; killed after two minutes.
pub fn gdl(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gdl"));
    command
        .current_dir(folder)
        .env_remove("RUST_LOG")
        .timeout(Duration::from_secs(120))
        .args(arguments);
    command
}

/// Runs `gdl`, expects this exit code, and returns its standard output and error.
pub fn output(folder: &Path, arguments: &[&str], code: i32) -> (String, String) {
    let assert = gdl(folder, arguments).assert();
    let output = assert.get_output();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("it prints UTF-8");
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}\n{err}");
    (out, err)
}
