//! `gdl` as people run it.

use assert_cmd::Command;
use std::path::Path;
use std::time::Duration;

/// `gdl` with arguments, in a folder; ends within two minutes.
pub fn gdl(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gdl"));
    command
        .current_dir(folder)
        .env_remove("RUST_LOG")
        .timeout(Duration::from_secs(120))
        .args(arguments);
    command
}

/// What it prints to both outputs before it ends with this code.
pub fn output(folder: &Path, arguments: &[&str], code: i32) -> (String, String) {
    let assert = gdl(folder, arguments).assert();
    let output = assert.get_output();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("it prints UTF-8");
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}\n{err}");
    (out, err)
}
