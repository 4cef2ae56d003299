//! `gdl build`: the executable plays its game on its own, where there is neither
//! a compiler nor a rule sheet.

use crate::common;
use crate::common::process::compiling;
use crate::common::served::Served;
use assert_cmd::Command;
use expect_test::expect_file;
use gdl_engines::digest::sha256_hex;
use gdl_network::protocol::message::Message;
use serde_json::Value;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// A folder for these tests, with a cache of compiled games of its own.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("standalone");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("folders can be made");
        folder
    })
}

/// Runs `gdl build` in the project's folder.
fn build(game: &str, out: &Path) -> assert_cmd::assert::Assert {
    let _compiler = compiling();
    Command::new(env!("CARGO_BIN_EXE_gdl"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("GDL_CACHE", folder().join("cache"))
        .env_remove("RUST_LOG")
        .timeout(Duration::from_secs(300))
        .args(["build", game, "-o"])
        .arg(out)
        .assert()
}

/// Tic-tac-toe, built; `None`, with a message, where there is no compiler.
fn tictactoe() -> Option<&'static Path> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        if let Err(error) = gdl_engines::native::Rustc::find() {
            eprintln!("SKIPPED, for want of a compiler: {error:#}");
            return None;
        }
        let out = folder().join("ttt");
        build("games/tictactoe.kif", &out).success();
        Some(out)
    });
    built.as_deref()
}

/// A built executable with arguments, to be run without a PATH.
fn run(binary: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(binary);
    command
        .current_dir(folder())
        .env("PATH", "")
        .env_remove("RUST_LOG")
        .env_remove("RUSTC")
        .timeout(Duration::from_secs(60))
        .args(args);
    command
}

fn stdout(command: &mut Command) -> String {
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("output is UTF-8")
}

#[test]
fn it_counts_moves() {
    let Some(binary) = tictactoe() else { return };
    assert!(stdout(&mut run(binary, &["perft", "3"])).contains("504"));
    let report = stdout(&mut run(binary, &["perft", "5", "--json"]));
    let report: Value = serde_json::from_str(&report).expect("output is JSON");
    let nodes = |depth: usize| report["counts"][depth - 1]["nodes"].as_u64();
    assert_eq!(
        [1, 2, 3, 4, 5].map(nodes),
        [9, 72, 504, 3024, 15120].map(Some)
    );
}

#[test]
fn it_measures_itself() {
    let Some(binary) = tictactoe() else { return };
    let args = ["bench", "--seconds", "0.1", "--threads", "1", "--json"];
    let report = stdout(&mut run(binary, &args));
    let report: Value = serde_json::from_str(&report).expect("output is JSON");
    assert_eq!(report["engine"], "native");
    assert!(report["playouts"].as_u64() > Some(1_000), "{report}");
    // See `tests/bench.rs` for the average length of random games.
    let number = |name: &str| report[name].as_f64().expect("it is a number");
    let off = number("average_length") - 7.626_190;
    assert!(off.abs() < 6.0 * number("average_length_error"), "{off}");
}

#[test]
fn it_plays_and_the_seed_decides() {
    let Some(binary) = tictactoe() else { return };
    let args = ["play", "--sims", "50", "--seed", "1"];
    let game = || -> Vec<String> {
        let text = stdout(&mut run(binary, &args));
        // How fast it was is not part of the game.
        let lines = text.lines().filter(|line| !line.contains("simulations in"));
        lines.map(str::to_owned).collect()
    };
    let first = game();
    assert!(
        first.iter().any(|line| line.starts_with("Goals: ")),
        "{first:?}"
    );
    assert_eq!(game(), first);
}

#[test]
fn agents_compete_in_it_as_in_gdl() {
    let Some(binary) = tictactoe() else { return };
    let games = folder().join("games.jsonl");
    let _ = std::fs::remove_file(&games);
    let args = "match uct random --games 4 --sims 50 --seed 1 --threads 1 --json --out";
    let mut args: Vec<&str> = args.split(' ').collect();
    args.push(games.to_str().expect("it is a path"));
    let summary = stdout(&mut run(binary, &args));
    let summary: Value = serde_json::from_str(&summary).expect("output is JSON");
    assert_eq!(summary["games"], 4, "{summary}");
    // The journal is that of the rule sheet, so that `gdl match` can go on with it.
    let journal = std::fs::read_to_string(&games).expect("games are kept");
    let digest = sha256_hex(&common::game("tictactoe").text);
    let head = journal.lines().next().expect("it has a head");
    assert!(head.contains(&digest[..32]), "{head}");
}

#[test]
fn it_serves_its_game_compiled_from_the_first_move() {
    let Some(binary) = tictactoe() else { return };
    let player = Served::start_program(binary, &[], |command| {
        command.env("PATH", "").env_remove("RUSTC");
    });
    let start = |id: &str, rules: String| {
        let clock = Duration::from_secs(2);
        let reply = player.say(&Message::Start {
            id: id.to_owned(),
            role: "x".to_owned(),
            rules,
            start_clock: clock,
            play_clock: clock,
        });
        assert_eq!(reply, "ready");
        let engine = player.event("engine")["engine"].to_string();
        let id = id.to_owned();
        assert_ne!(player.say(&Message::Play { id, moves: None }), "busy");
        engine
    };
    let rules = &common::game("tictactoe").text;
    let commented = format!("; from a host\n{}", rules.replace('\n', " \n"));
    let engine = start("own", commented);
    assert!(engine.starts_with("\"native"), "{engine}");
    // Another game is played too, though there is no compiler.
    let engine = start("other", rules.replace("noop", "wait"));
    assert!(engine.starts_with("\"net"), "{engine}");
}

#[test]
fn help_tells_what_it_does() {
    let Some(binary) = tictactoe() else { return };
    for (name, args) in [
        ("standalone", &["--help"][..]),
        ("standalone-match", &["match", "--help"]),
        ("standalone-serve", &["serve", "--help"]),
    ] {
        expect_file![format!("help/{name}.txt")].assert_eq(&stdout(&mut run(binary, args)));
    }
}

/// It holds one game and lacks the other commands of `gdl`.
#[test]
fn it_does_nothing_else() {
    let Some(binary) = tictactoe() else { return };
    let help = stdout(&mut run(binary, &["--help"]));
    for (command, has) in [
        ("play", true),
        ("match", true),
        ("serve", true),
        ("perft", true),
        ("bench", true),
        ("build", false),
    ] {
        let listed = help
            .lines()
            .any(|line| line.trim_start().starts_with(command));
        assert_eq!(listed, has, "{command}: {help}");
    }
    run(binary, &["check", "x.kif"]).assert().code(2);
}

/// Runs an executable that this process wrote. A child that another thread is
/// about to start may still hold the file open for writing; then it is busy.
fn run_new(binary: &Path, args: &[&str]) -> std::process::Output {
    for _ in 0..1000 {
        match std::process::Command::new(binary).args(args).output() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(10));
            }
            outcome => return outcome.expect("it can be started"),
        }
    }
    panic!("{} stays busy", binary.display())
}

#[test]
fn a_damaged_executable_says_so() {
    let Some(binary) = tictactoe() else { return };
    let whole = std::fs::read(binary).expect("it was built");
    let length_at = whole.len() - 32;
    let length = |at: usize| {
        let bytes = whole[at..at + 8].try_into().expect("8 bytes");
        usize::try_from(u64::from_le_bytes(bytes)).expect("it fits in memory")
    };
    let library_at = length_at - length(length_at) - length(length_at + 8);
    let damaged = folder().join("damaged");
    let expect = |change: &dyn Fn(&mut Vec<u8>), complaint: &str| {
        let mut bytes = whole.clone();
        change(&mut bytes);
        // Written over a copy, which has the permission to be run.
        std::fs::copy(binary, &damaged).expect("files can be copied");
        std::fs::write(&damaged, bytes).expect("files can be written");
        let output = run_new(&damaged, &["perft", "1"]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(complaint), "{message}");
    };
    expect(&|bytes| bytes[length_at + 6] = 0xff, "truncated");
    expect(
        &|bytes| bytes[library_at..library_at + 64].fill(0),
        "cannot load",
    );
}

#[test]
fn what_cannot_be_built_is_refused() {
    let sheet = folder().join("wrong.kif");
    std::fs::write(&sheet, "(role r)\n(legal r ?move)\n").expect("files can be written");
    let out = folder().join("wrong");
    let outcome = build(&sheet.to_string_lossy(), &out).failure();
    let message = String::from_utf8_lossy(&outcome.get_output().stderr).into_owned();
    assert!(message.contains("wrong.kif:2:"), "{message}");
    assert!(!out.exists());
    // The rule sheet is not what its executable replaces.
    let sheet = folder().join("sheet");
    std::fs::copy("games/tictactoe.kif", &sheet).expect("files can be copied");
    let outcome = build(&sheet.to_string_lossy(), &sheet).code(2);
    let message = String::from_utf8_lossy(&outcome.get_output().stderr).into_owned();
    assert!(message.contains("would replace the rules"), "{message}");
    let mut nameless = Command::new(env!("CARGO_BIN_EXE_gdl"));
    nameless.current_dir(folder()).args(["build", "-"]);
    nameless.write_stdin("(role r)").assert().code(2);
    assert!(!folder().join("-").exists());
    let out = folder().join("absent");
    build("games/absent.kif", &out).code(2);
    assert!(!out.exists());
}
