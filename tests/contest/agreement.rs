//! Results beside published values: agreement, drawings, and values from tables.

use super::*;

/// Plays a contest, and writes two tables that list it.
fn play(folder: &Path) {
    let game = game("tictactoe");
    output(folder, &quick(&game, &["--out=games.jsonl"]), 0);
    for (name, paper) in [("one", 90.0), ("two", 20.0)] {
        let text = format!(
            "games = 1\nsteps = 1\npaper_games = 300\n[[pairing]]\ngame = {game:?}\n\
             first = \"uct\"\nsecond = \"random\"\npaper = {paper:.1}\ninterval = 3.0\n\
             table = \"{name}\"\nrow = \"Tic-tac-toe\"\ncolumn = \"UCT\"\n"
        );
        std::fs::write(folder.join(format!("{name}.toml")), text).unwrap();
    }
}

#[test]
fn games_count_in_every_table_that_has_them() {
    let folder = folder();
    let folder = folder.path();
    play(folder);
    let tables = ["--tables=one.toml", "--tables=two.toml"];
    let arguments = [&["results", "games.jsonl", "--json"], &tables[..]].concat();
    let (summaries, _) = output(folder, &arguments, 0);
    assert_eq!(summaries.lines().count(), 2);
    std::fs::write(folder.join("summary.jsonl"), &summaries).unwrap();

    let agreement = ["results", "summary.jsonl", "--agreement", "--json"];
    let agreement = json(folder, &agreement);
    assert_eq!(agreement["cells"], 2);
    assert_eq!(agreement["budget"], serde_json::json!({"simulations": 30}));
    // Of 90 and 20 %, 50 % is 40 and 30 points away.
    assert_eq!(agreement["mean_difference_of_half"], 35.0);
    let (text, _) = output(folder, &["results", "summary.jsonl", "--agreement"], 0);
    assert!(
        text.contains("30 simulations") && text.contains("35.0"),
        "{text}"
    );
    let damaged = summaries.clone() + "{}\n";
    std::fs::write(folder.join("damaged.jsonl"), damaged).unwrap();
    let (_, error) = output(folder, &["results", "damaged.jsonl"], 2);
    assert!(error.contains("damaged.jsonl, line 3"), "{error}");
    // It is printed below the results, too.
    let (overview, _) = output(folder, &["results", "summary.jsonl"], 0);
    assert!(overview.ends_with(&text), "{overview}");
}

#[test]
fn results_are_drawn() {
    let folder = folder();
    let folder = folder.path();
    play(folder);
    let drawn = [
        "results",
        "games.jsonl",
        "--tables=one.toml",
        "--plot=figure.svg",
    ];
    output(folder, &drawn, 0);
    let drawing = std::fs::read_to_string(folder.join("figure.svg")).unwrap();
    assert!(drawing.starts_with("<svg ") && drawing.contains("30 simulations: 1 cell"));
    let (_, error) = output(folder, &["results", "games.jsonl", "--plot=other.svg"], 2);
    assert!(
        error.contains("no contest has a published value"),
        "{error}"
    );
}
