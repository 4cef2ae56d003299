//! A disk that cannot be written to.

use super::short_match::{LAMPS, rounds, start, still_plays, stop};
use crate::common::served::Served;
use std::fs;
use std::process::{Command, Stdio};

/// Lets a shell run some commands before the given command.
fn after(first: &str, command: &mut Command) {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("{first}; exec \"$0\" \"$@\"")])
        .arg(command.get_program())
        .args(command.get_args())
        .envs(
            command
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    *command = shell;
}

fn plays_without_records(player: &Served) {
    assert_eq!(player.say(&start("lost", "keeper", LAMPS)), "ready");
    let trouble = player.event("trouble")["reason"].to_string();
    assert!(trouble.contains("cannot write"), "{trouble}");
    let last = rounds(player, "lost", None, 3);
    assert_eq!(player.say(&stop("lost", last)), "done");
    still_plays(player);
}

/// Limits files to no bytes at all. As on a full disk, files can be created, but not
/// filled.
#[test]
fn a_full_disk() {
    let full = "trap '' XFSZ; ulimit -f 0";
    let player = Served::start_with(&["--no-native"], |command| after(full, command));
    plays_without_records(&player);
    // Compiling fails as well.
    let player = Served::start_with(&[], |command| after(full, command));
    assert_eq!(player.say(&start("one", "keeper", LAMPS)), "ready");
    let mut troubles = [player.event("trouble"), player.event("trouble")];
    troubles.sort_by_key(|trouble| trouble["reason"].to_string());
    let reasons = troubles.map(|trouble| trouble["reason"].to_string());
    assert!(reasons[0].contains("cannot write"), "{reasons:?}");
    assert!(reasons[1].contains("net engine"), "{reasons:?}");
    let last = rounds(&player, "one", None, 3);
    assert_eq!(player.say(&stop("one", last)), "done");
    still_plays(&player);
}

/// The path of the records' folder is taken by a file.
#[test]
fn a_folder_that_is_none() {
    let player = Served::start_with(&["--no-native"], |command| {
        let mut arguments = command
            .get_args()
            .skip_while(|argument| *argument != "--folder");
        let folder = arguments.nth(1).expect("it has a folder").to_owned();
        fs::remove_dir(&folder).expect("it is empty");
        fs::write(&folder, "no folder").expect("it can be written");
    });
    plays_without_records(&player);
}
