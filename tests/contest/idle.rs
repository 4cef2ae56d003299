//! Start clocks and searches on forced plies, on counted budgets.

use super::*;

#[test]
fn journals_tell_what_was_searched_beside_moves() {
    let (folder, game) = (folder(), game("tictactoe"));
    let more = ["--start-steps=500", "--forced", "--json"];
    let report = json(folder.path(), &quick(&game, &more));
    let idle = serde_json::json!({"start": {"steps": 500}, "forced": true});
    assert_eq!(report["idle"], idle);
    let name = "tictactoe.uct.vs.random.30sims.start500steps.forced.jsonl";
    let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
    let head: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(head["idle"], idle);
    // Without them it is another contest, whose journal does not mention them.
    let report = json(folder.path(), &quick(&game, &["--json"]));
    assert_eq!(report["idle"], Value::Null);
    let (out, _) = output(folder.path(), &["results", "."], 0);
    let terms = "30 simulations, start clock 500 steps, forced plies too";
    assert!(out.contains(terms), "{out}");
}

#[test]
fn a_journal_goes_on_only_with_the_same_searches() {
    let (folder, game) = (folder(), game("tictactoe"));
    output(folder.path(), &quick(&game, &["--out=games.jsonl"]), 0);
    let (_, error) = output(
        folder.path(),
        &quick(&game, &["--out=games.jsonl", "--start-sims=9"]),
        2,
    );
    assert!(error.contains("idle is null there and"), "{error}");
}

#[test]
fn they_need_a_counted_budget() {
    let (folder, game) = (folder(), game("tictactoe"));
    let arguments = ["match", &game, "uct", "random", "--time=10ms", "--forced"];
    let (_, error) = output(folder.path(), &arguments, 2);
    assert!(
        error.contains("need moves with simulations or steps"),
        "{error}"
    );
}
