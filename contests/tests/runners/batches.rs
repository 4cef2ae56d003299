//! Tournaments that are played in batches by other processes.

use gdl_contests::batches::{BatchError, BatchPlayer, BatchedTournament, GameBatch, PlayedGame};
use gdl_contests::contest::{self, Contest};
use gdl_contests::contest_game::ContestGame;
use gdl_contests::journal::{GameLine, StoredContest, UnfinishedLine};
use gdl_contests::options::RunOptions;
use gdl_contests::tournament::{Pairing, Tournament};
use gdl_engines::{EngineOptions, open_with_rules};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use tempfile::TempDir;

const TABLE: &str = "\
    games = 30\nsimulations = 20\nseed = 5\n\
    rules = [\"tictactoe\"]\nagents = [\"uct\", \"uct+mast\", \"random\"]\n";

/// A folder with a tournament, its text and an empty folder for its games.
fn table(text: &str) -> (TempDir, Tournament) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("table.toml");
    std::fs::write(&file, text).unwrap();
    let tournament = Tournament::read(&file).unwrap();
    (folder, tournament)
}

fn open(tournament: &Tournament, folder: &Path, options: &RunOptions) -> BatchedTournament {
    BatchedTournament::open(tournament, folder, options).unwrap()
}

/// Plays a batch as another process would: all it knows is a text.
fn play(batch: &GameBatch) -> Vec<PlayedGame> {
    let text = serde_json::to_string(batch).unwrap();
    let batch: GameBatch = serde_json::from_str(&text).unwrap();
    let mut player = BatchPlayer::default();
    let played = player.play(&batch, &mut || ControlFlow::Continue(()));
    played.unwrap()
}

fn play_all(tournament: &Tournament, folder: &Path, options: &RunOptions, size: u64) {
    let mut run = open(tournament, folder, options);
    for batch in run.batches(Some(size), 1) {
        for game in play(&batch) {
            assert!(run.record(game).unwrap());
        }
    }
    assert_eq!(run.recorded(), run.games());
}

/// Plays all games in this process, as the command line does.
fn play_here(tournament: &Tournament, folder: &Path, options: &RunOptions) {
    for pairings in tournament.pairings.chunk_by(Pairing::can_join) {
        let file = &pairings[0].file;
        let kind = tournament.engine;
        let (loaded, rules) = open_with_rules(file, kind, &EngineOptions::default()).unwrap();
        let game = ContestGame::new(file, &rules.text, loaded.engine, kind);
        let contest = |pairing: &'_ Pairing| {
            pairing
                .open(&game, tournament.seed, options, folder, None)
                .unwrap()
        };
        let mut contests: Vec<Contest<'_>> = pairings
            .iter()
            .map(|pairing| Contest {
                store: contest(pairing),
                ranges: std::iter::once(0..pairing.games).collect(),
                agents: &pairing.agents,
            })
            .collect();
        contest::play(&game, &mut contests, options, None, &()).unwrap();
    }
}

/// The games in a folder by journal and number, without the seconds they took, and the number
/// of lines.
fn games(folder: &Path) -> (BTreeMap<(String, u64), GameLine>, usize) {
    let (mut all, mut lines) = (BTreeMap::new(), 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.ends_with(".jsonl") {
            continue;
        }
        lines += std::fs::read_to_string(&path).unwrap().lines().count() - 1;
        let stored = StoredContest::read(&path).unwrap().unwrap();
        for (number, mut line) in stored.games {
            line.players
                .iter_mut()
                .for_each(|player| player.seconds = 0.0);
            all.insert((name.clone(), number), line);
        }
    }
    (all, lines)
}

#[test]
fn one_batch_has_the_games_of_one_thread() {
    let (folder, tournament) = table(TABLE);
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    std::fs::create_dir(&here).unwrap();
    std::fs::create_dir(&there).unwrap();
    let options = RunOptions {
        threads: Some(1),
        ..RunOptions::default()
    };
    play_here(&tournament, &here, &options);
    play_all(&tournament, &there, &options, 1000);
    assert_eq!(games(&here).0.len(), 90);
    assert_eq!(games(&here), games(&there));
}

#[test]
fn games_one_by_one_are_the_same_in_any_batch() {
    let (folder, tournament) = table(TABLE);
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    std::fs::create_dir(&here).unwrap();
    std::fs::create_dir(&there).unwrap();
    let options = RunOptions {
        threads: Some(2),
        dedicated: true,
        ..RunOptions::default()
    };
    play_here(&tournament, &here, &options);
    play_all(&tournament, &there, &options, 7);
    assert_eq!(games(&here), games(&there));
}

#[test]
fn what_is_lost_or_comes_twice_changes_nothing() {
    let (folder, tournament) = table(TABLE);
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    std::fs::create_dir(&whole).unwrap();
    std::fs::create_dir(&broken).unwrap();
    let options = RunOptions::default();
    play_all(&tournament, &whole, &options, 20);

    let mut run = open(&tournament, &broken, &options);
    let batches = run.batches(Some(20), 1);
    assert_eq!(batches.len(), 5);
    for (index, expected) in [(3, 20), (1, 20), (3, 0), (0, 20)] {
        let played = play(&batches[index]).into_iter();
        let new = played.filter(|game| run.record(game.clone()).unwrap());
        assert_eq!(new.count(), expected, "batch {index}");
    }
    assert_eq!(run.recorded(), 60);
    drop(run);

    // Another process goes on with those that are missing, as they would have been dealt.
    let mut run = open(&tournament, &broken, &options);
    let left = run.batches(Some(20), 1);
    assert_eq!(left, [batches[2].clone(), batches[4].clone()]);
    for game in left.iter().flat_map(play) {
        assert!(run.record(game).unwrap());
    }
    drop(run);
    let (found, lines) = games(&broken);
    assert_eq!((lines, &found), (90, &games(&whole).0));
}

#[test]
fn games_that_nobody_asked_for_are_refused() {
    let (folder, tournament) = table(TABLE);
    let mut run = open(&tournament, folder.path(), &RunOptions::default());
    let played = play(&run.batches(Some(4), 1)[0]);
    let mut wrong = vec![played[0].clone(), played[0].clone(), played[0].clone()];
    wrong[0].contest = 3;
    wrong[1].line.game = 30;
    wrong[2].line.agents.swap(0, 1);
    for game in wrong {
        let refused = run.record(game);
        assert!(matches!(refused, Err(BatchError::ForeignGame { .. })));
    }
    assert_eq!(run.recorded(), 0);
}

#[test]
fn games_that_were_begun_are_played_on() {
    let (folder, tournament) = table(TABLE);
    let run = open(&tournament, folder.path(), &RunOptions::default());
    let mut batch = run.batches(Some(4), 1).swap_remove(0);
    let before = play(&batch).swap_remove(0).line;
    batch.parts[0].begun = vec![UnfinishedLine {
        game: before.game,
        from: 0,
        players: before.players.clone(),
        interruptions: 0,
        moves: before.moves[..3].to_vec(),
    }];
    let played = play(&batch);
    let mut lines = played.iter().map(|game| &game.line);
    let after = lines.find(|line| line.game == before.game).unwrap();
    assert_eq!(after.interruptions, 1);
    assert_eq!(after.moves[..3], before.moves[..3]);
    let others = played.iter().filter(|game| game.line.interruptions == 0);
    assert_eq!(others.count(), 3);
}

#[test]
fn batches_suit_what_is_played() {
    let sizes = |text: &str, dedicated: bool, workers: u64| {
        let (folder, tournament) = table(text);
        let options = RunOptions {
            dedicated,
            ..RunOptions::default()
        };
        let batches = open(&tournament, folder.path(), &options).batches(None, workers);
        let sizes = batches.iter().map(GameBatch::games);
        sizes.collect::<Vec<usize>>()
    };
    let many = TABLE.replace("games = 30", "games = 3000");
    let lanes = EngineOptions::default().width().lanes();
    assert_eq!(sizes(&many, false, 2)[0], lanes.min(256));
    assert_eq!(sizes(TABLE, false, 64), [32, 32, 26]);
    assert_eq!(sizes(TABLE, true, 2), [2; 45]);
    let timed = TABLE.replace("simulations = 20", "time = \"10ms\"");
    assert_eq!(sizes(&timed, false, 2), [2; 45]);
    // Where trees are large, there is memory for fewer of them.
    let large = many.replace("simulations = 20", "simulations = 50000");
    assert_eq!(sizes(&large, false, 2)[0], 100);
}

#[test]
fn agents_with_threads_take_as_many_processors() {
    let text = TABLE.replace("\"uct+mast\"", "\"uct+threads(n=3)\"");
    let (folder, tournament) = table(&text);
    let run = open(&tournament, folder.path(), &RunOptions::default());
    let processors: Vec<usize> = run
        .batches(Some(30), 1)
        .iter()
        .map(GameBatch::processors)
        .collect();
    assert_eq!(processors, [3, 1, 3]);
}

#[test]
fn hosted_matches_are_not_for_batches() {
    let text = TABLE.replace("simulations = 20", "playclock = 5");
    let (folder, tournament) = table(&text);
    let opened = BatchedTournament::open(&tournament, folder.path(), &RunOptions::default());
    assert!(matches!(opened.err(), Some(BatchError::Hosted { .. })));
}
