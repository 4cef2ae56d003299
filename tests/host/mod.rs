//! `gdl host`, and contests between remote players, end to end: players of all manners
//! over real sockets.
#![allow(clippy::unwrap_used)]

mod contests;
mod player;

use crate::common::command::{self, gdl};
use crate::common::process::keeping_time;
use expect_test::expect;
use player::{Manner, Player};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Stdio;

/// Six roles move simultaneously, twice; those whose last move is `a` win.
const CHORUS: &str = "\
(role good) (role late) (role illegal) (role drops) (role garbage) (role other)
; everybody says something
(init (round 1)) (after 1 2) (after 2 3)
(word a) (word b)
(<= (legal ?r (say ?w)) (role ?r) (word ?w))
(<= (next (round ?n)) (true (round ?m)) (after ?m ?n))
(<= (next (said ?r ?w)) (does ?r (say ?w)))
(<= terminal (true (round 3)))
(<= (goal ?r 100) (true (said ?r a)))
(<= (goal ?r 0) (true (said ?r b)))
";

/// What `gdl host` prints to standard output and standard error.
fn output(folder: &Path, arguments: &[&str], code: i32) -> (String, String) {
    command::output(folder, &[&["host"], arguments].concat(), code)
}

fn game(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    path.join(format!("{name}.kif")).display().to_string()
}

fn player_option(role: &str, player: &Player) -> String {
    format!("--player={role}={}", player.url)
}

const CLOCKS: [&str; 2] = ["--startclock=5", "--playclock=1"];

#[test]
fn a_match_goes_on_whatever_players_do() {
    let _clocks = keeping_time();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("chorus.kif"), CHORUS).unwrap();
    let manners = [
        Manner::Good,
        Manner::Late,
        Manner::Illegal,
        Manner::Drops,
        Manner::Garbage,
    ];
    let players = manners.map(Player::new);
    let options: Vec<String> = (players.iter().enumerate())
        .map(|(role, player)| player_option(&(role + 1).to_string(), player))
        .collect();
    let mut arguments = vec!["chorus.kif", "--player=other=random", "--record=match.json"];
    arguments.extend(CLOCKS);
    arguments.extend(options.iter().map(String::as_str));
    let (out, _) = output(folder.path(), &arguments, 1);
    assert!(out.contains("late erred: no answer in time (TO)"), "{out}");
    assert!(
        out.contains("(surely not legal)\" is not legal (IL)"),
        "{out}"
    );
    assert!(
        out.ends_with("Errors: late 2, illegal 2, drops 3, garbage 2\n"),
        "{out}"
    );

    let record = std::fs::read(folder.path().join("match.json")).unwrap();
    let record: Value = serde_json::from_slice(&record).unwrap();
    let round = json!(["", "TO", "IL (surely not legal)", "CE", "CE", ""]);
    let start = json!(["", "", "", "CE", "", ""]);
    assert_eq!(record["errors"], json!([start, round, round]));
    assert_eq!(record["isCompleted"], true);
    for moves in record["moves"].as_array().unwrap() {
        let moves = moves.as_array().unwrap();
        let legal = |mv: &Value| mv == "(say a)" || mv == "(say b)";
        assert!(moves.len() == 6 && moves.iter().all(legal), "{moves:?}");
    }
    let names = json!(["Good", "Late", "Illegal", "Drops", "Garbage", "random"]);
    assert_eq!(record["playerNamesFromHost"], names);
    let last = players[0].heard().pop().unwrap();
    assert!(last.starts_with("( STOP chorus."), "{last}");
}

#[test]
fn records_are_those_of_the_ggp_base() {
    let folder = tempfile::tempdir().unwrap();
    let (x, o) = (Player::new(Manner::Good), Player::new(Manner::Good));
    let (x, o) = (player_option("x", &x), player_option("2", &o));
    let game = game("tictactoe");
    let arguments = [&game, &x, &o, "--json", "--record=records/"];
    let (out, err) = output(folder.path(), &[&arguments[..], &CLOCKS].concat(), 0);
    assert!(
        err.starts_with("seed ") && err.lines().count() == 1,
        "{err}"
    );
    let mut files = std::fs::read_dir(folder.path().join("records")).unwrap();
    let kept = std::fs::read_to_string(files.next().unwrap().unwrap().path()).unwrap();
    assert_eq!(kept, out, "what is kept is what is printed");
    let mut record: Value = serde_json::from_str(&out).unwrap();
    let id = record["matchId"].as_str().unwrap();
    assert!(id.starts_with("tictactoe.1"), "{id}");
    let times = record["stateTimes"].as_array().unwrap();
    assert!(times.is_sorted_by_key(Value::as_u64), "{times:?}");
    assert!(times[0].as_u64() >= record["startTime"].as_u64());
    for changing in ["matchId", "randomToken", "startTime", "stateTimes"] {
        record[changing] = Value::Null;
    }
    expect![[r#"{"matchId":null,"randomToken":null,"startTime":null,"gameMetaURL":"","isCompleted":true,"isAborted":false,"states":["( (turn x) )","( (cell 1 1 x) (turn o) )","( (cell 1 1 x) (cell 1 2 o) (turn x) )","( (cell 1 1 x) (cell 1 2 o) (cell 1 3 x) (turn o) )","( (cell 1 1 x) (cell 1 2 o) (cell 1 3 x) (cell 2 1 o) (turn x) )","( (cell 1 1 x) (cell 1 2 o) (cell 1 3 x) (cell 2 1 o) (cell 2 2 x) (turn o) )","( (cell 1 1 x) (cell 1 2 o) (cell 1 3 x) (cell 2 1 o) (cell 2 2 x) (cell 2 3 o) (turn x) )","( (cell 1 1 x) (cell 1 2 o) (cell 1 3 x) (cell 2 1 o) (cell 2 2 x) (cell 2 3 o) (cell 3 1 x) (turn o) )"],"moves":[["(mark 1 1)","noop"],["noop","(mark 1 2)"],["(mark 1 3)","noop"],["noop","(mark 2 1)"],["(mark 2 2)","noop"],["noop","(mark 2 3)"],["(mark 3 1)","noop"]],"stateTimes":null,"errors":[["",""],["",""],["",""],["",""],["",""],["",""],["",""],["",""]],"goalValues":[100,0],"previewClock":-1,"startClock":5,"playClock":1,"playerNamesFromHost":["Good","Good"],"isPlayerHuman":[false,false],"tournamentNameFromHost":"","scrambled":false}"#]].assert_eq(&record.to_string());
}

#[test]
fn players_hear_the_rules_and_every_move() {
    let folder = tempfile::tempdir().unwrap();
    let player = Player::new(Manner::Good);
    let (game, option) = (game("tictactoe"), player_option("o", &player));
    let more = ["--player=x=random", "--preview=2", "--seed=3", "--quiet"];
    let arguments = [&[game.as_str(), &option], &CLOCKS[..], &more].concat();
    let (out, _) = output(folder.path(), &arguments, 0);
    assert!(
        out.starts_with("Goals: x ") && out.lines().count() == 1,
        "{out}"
    );
    let heard = player.heard();
    assert_eq!(heard[0], "( INFO )");
    assert!(
        heard[1].starts_with("( PREVIEW ((role x) (role o) "),
        "{}",
        heard[1]
    );
    let start = &heard[2];
    assert!(start.contains(" o ((role x) (role o) "), "{start}");
    assert!(
        start.ends_with(") 5 1 )") && !start.contains(';'),
        "{start}"
    );
    assert!(heard[3].ends_with(" NIL )"), "{}", heard[3]);
    assert!(
        heard[4].contains(" ((mark ") && heard[4].ends_with(" noop) )"),
        "{}",
        heard[4]
    );
    assert!(heard.last().unwrap().starts_with("( STOP "), "{heard:?}");
}

#[test]
fn a_simultaneous_game_and_a_game_of_one_role_are_played() {
    let folder = tempfile::tempdir().unwrap();
    for (name, roles) in [("tron", 2), ("peg_solitaire", 1)] {
        let players: Vec<Player> = (0..roles).map(|_| Player::new(Manner::Good)).collect();
        let options: Vec<String> = (players.iter().enumerate())
            .map(|(role, player)| player_option(&(role + 1).to_string(), player))
            .collect();
        let game = game(name);
        let mut arguments = vec![game.as_str(), "--scramble=4"];
        arguments.extend(CLOCKS);
        arguments.extend(options.iter().map(String::as_str));
        let (out, err) = output(folder.path(), &arguments, 0);
        assert!(
            out.contains("Goals: ") && err.is_empty(),
            "{name}: {out}{err}"
        );
    }
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 0, "nothing is kept unless it is asked for");
}

#[test]
fn scrambled_players_know_no_word_of_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let player = Player::new(Manner::Good);
    let (game, option) = (game("tictactoe"), player_option("x", &player));
    let more = ["--player=o=random", "--scramble=1", "--json"];
    let arguments = [&[game.as_str(), &option], &CLOCKS[..], &more].concat();
    let (out, _) = output(folder.path(), &arguments, 0);
    let record: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(record["scrambled"], true);
    assert_eq!(record["states"][0], "( (turn x) )");
    assert!(
        record["moves"][0][0]
            .as_str()
            .unwrap()
            .starts_with("(mark ")
    );
    assert_eq!(record["moves"][0][1], "noop");
    for message in player.heard() {
        let mut words = message.split([' ', '(', ')', '.']);
        let known = [
            "mark",
            "noop",
            "turn",
            "cell",
            "x",
            "o",
            "?p",
            "tictactoe",
            "line",
            "open",
        ];
        assert!(!words.any(|word| known.contains(&word)), "{message}");
    }
}

#[test]
fn the_seed_of_a_match_repeats_its_scrambled_words() {
    let folder = tempfile::tempdir().unwrap();
    let game = game("tictactoe");
    let starts = ["7", "7", "8"].map(|seed| {
        let player = Player::new(Manner::Good);
        let (option, seed_option) = (player_option("x", &player), format!("--seed={seed}"));
        let more = ["--player=o=random", "--scramble", &seed_option, "--json"];
        let arguments = [&[game.as_str(), &option], &CLOCKS[..], &more].concat();
        let (_, err) = output(folder.path(), &arguments, 0);
        assert!(err.contains(&format!("seed {seed}")), "{err}");
        let heard = player.heard();
        let start = heard.iter().find(|message| message.contains("START"));
        let words = start.unwrap().split_whitespace();
        // The name of a match is the time.
        let words = words.filter(|word| !word.starts_with("game."));
        words.map(str::to_owned).collect::<Vec<_>>()
    });
    assert_eq!(starts[0], starts[1]);
    assert_ne!(starts[0], starts[2]);
}

#[test]
fn interrupted_matches_are_aborted_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let player = Player::new(Manner::Late);
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_gdl"))
        .args(["host", &game("tictactoe"), &player_option("x", &player)])
        .args([
            "--player=o=random",
            "--playclock=100",
            "--record=match.json",
        ])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    player.wait_for("( PLAY");
    let kill = std::process::Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
    player.wait_for("( ABORT tictactoe.");
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("interrupted after "), "{message}");
    let record = std::fs::read(folder.path().join("match.json")).unwrap();
    let record: Value = serde_json::from_slice(&record).unwrap();
    assert_eq!(
        (&record["isAborted"], &record["isCompleted"]),
        (&json!(true), &json!(false))
    );
}

#[test]
fn a_match_goes_on_when_it_cannot_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("chorus.kif"), CHORUS).unwrap();
    let player = Player::new(Manner::Late);
    let option = player_option("late", &player);
    let records = folder.path().join("records");
    let gone = records.clone();
    let remover = std::thread::spawn(move || {
        player.wait_for("( PLAY");
        std::fs::remove_dir_all(gone).unwrap();
    });
    let arguments = [
        "chorus.kif",
        &option,
        "--record=records/",
        "--startclock=5",
        "--playclock=5",
    ];
    let others = ["good", "illegal", "drops", "garbage", "other"];
    let others = others.map(|role| format!("--player={role}=random"));
    let arguments = arguments
        .into_iter()
        .chain(others.iter().map(String::as_str));
    let (out, err) = output(folder.path(), &arguments.collect::<Vec<_>>(), 0);
    remover.join().unwrap();
    assert!(out.contains("(after 2 moves)"), "{out}");
    assert_eq!(err.matches("the match goes on, but").count(), 1, "{err}");
}

#[test]
fn arguments_have_to_fit_game_and_players() {
    let folder = tempfile::tempdir().unwrap();
    let game = game("tictactoe");
    let player = Player::new(Manner::Good);
    let (x, o) = (player_option("x", &player), player_option("o", &player));
    let absent = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("--player=x={}", listener.local_addr().unwrap())
    };
    for (arguments, message) in [
        (&["--player=z=random"][..], "the roles are x, o"),
        (&["--player=x"], "write ROLE=WHO"),
        (&["--player=x=wisdom"], "there are uct"),
        (&["--player=x=https://host:1"], "expected http://HOST:PORT"),
        (&[x.as_str(), &o], "a player has one role"),
        (&[absent.as_str()], "no player at http://127.0.0.1:"),
        (&["--playclock=0"], "--playclock"),
        (
            &["--record=nowhere/match.json"],
            "cannot write nowhere/match.json",
        ),
    ] {
        let (out, err) = output(folder.path(), &[&[game.as_str()], arguments].concat(), 2);
        assert!(
            out.is_empty() && err.contains(message),
            "{arguments:?}: {err}"
        );
    }
    output(folder.path(), &["nothing.kif"], 2);
    gdl(folder.path(), &["host", "-"])
        .write_stdin("(role")
        .assert()
        .code(1);
}
