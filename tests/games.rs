//! The games of `games/` are the games that they are meant to be: what goldens
//! cannot tell, since they are made from the same rules.

mod common;

use gdl::engines::EngineKind;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use runtime::engine::{Engine, Move, Position, State};

const SEED: u64 = 11;
const GAMES_EACH: usize = 10;
/// Draughts is the longest: its clock runs out after 80 plies without progress.
const MAX_STEPS: usize = 2000;

/// A game in play, one joint move after the other.
struct Match {
    engine: Box<dyn Engine>,
    state: State,
}

impl Match {
    fn new(game: &str) -> Self {
        let engine = common::load(&common::game(game), EngineKind::Reference);
        let state = engine.initial();
        Self { engine, state }
    }

    /// The role to move makes its move, all others wait.
    fn turn(&mut self, mv: &str) {
        let roles = 0..self.engine.roles().len();
        let joint: Vec<String> = roles
            .map(|role| match self.legal(role).as_slice() {
                [only] if only == "noop" => only.clone(),
                names => {
                    assert!(names.iter().any(|name| name == mv), "{mv}: {names:?}");
                    mv.to_owned()
                }
            })
            .collect();
        self.state = common::advance(self.engine.as_mut(), &self.state, &joint);
    }

    fn turns(&mut self, moves: &[&str]) {
        moves.iter().for_each(|mv| self.turn(mv));
    }

    /// The legal moves of a role, sorted.
    fn legal(&mut self, role: usize) -> Vec<String> {
        let moves = self.position().legal.swap_remove(role);
        let names = moves.iter().map(|&mv| self.engine.move_name(role, mv));
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    fn position(&mut self) -> Position {
        self.engine.examine(&self.state)
    }

    fn facts(&self) -> Vec<String> {
        self.engine.facts(&self.state)
    }

    /// The goal values at the end, one a role.
    fn result(&mut self) -> Option<Vec<i32>> {
        let position = self.position();
        let only = |goals: &Vec<i32>| match goals.as_slice() {
            [goal] => *goal,
            goals => panic!("not one goal value but {goals:?}"),
        };
        (position.terminal).then(|| position.goals.iter().map(only).collect())
    }
}

#[test]
fn random_games_are_sound() {
    for path in common::games() {
        let name = path.file_stem().expect("it has a name").to_string_lossy();
        let mut game = Match::new(&name);
        let mut rng = StdRng::seed_from_u64(SEED);
        for _ in 0..GAMES_EACH {
            game.state = game.engine.initial();
            let goals = play_out(&mut game, &mut rng, &name);
            let total: i32 = goals.iter().sum();
            let in_range = goals.iter().all(|goal| (0..=100).contains(goal));
            assert!(in_range, "{name}: {goals:?}");
            match &*name {
                "peg_solitaire" => {}
                "yavalath" => assert!([100, 150].contains(&total), "{name}: {goals:?}"),
                _ => assert_eq!(total, 100, "{name}: {goals:?}"),
            }
            if ["hex", "breakthrough"].contains(&&*name) {
                assert!(goals.contains(&100), "{name} has no draws: {goals:?}");
            }
        }
    }
}

/// Plays at random to the end; every role always has a move.
fn play_out(game: &mut Match, rng: &mut StdRng, name: &str) -> Vec<i32> {
    for _ in 0..MAX_STEPS {
        if let Some(goals) = game.result() {
            return goals;
        }
        let position = game.position();
        let pick = |moves: &Vec<Move>| {
            assert!(!moves.is_empty(), "{name}: a role has no move");
            moves[rng.random_range(0..moves.len())]
        };
        let joint: Vec<Move> = position.legal.iter().map(pick).collect();
        game.state = game.engine.next(&game.state, &joint);
    }
    panic!("{name} does not end within {MAX_STEPS} steps");
}

/// Found by an exhaustive search of another program.
#[test]
fn peg_solitaire_can_be_solved() {
    const JUMPS: &str = "2444 3234 1333 1513 3432 3133 3515 3735 4323 1333 4143 4323 4525 1535 \
        4745 4525 6343 5153 5333 2343 4345 5535 2545 5755 5456 7555 4565 7375 7555 5654 6444";
    let mut game = Match::new("peg_solitaire");
    for jump in JUMPS.split_whitespace() {
        let cells: Vec<String> = jump.chars().map(String::from).collect();
        game.turn(&format!("(jump {})", cells.join(" ")));
    }
    assert_eq!(game.result(), Some(vec![100]));
    assert_eq!(game.facts(), ["(cell 4 4 peg)", "(left 1)"]);
}

#[test]
fn hex_is_won_by_a_bent_chain() {
    let mut game = Match::new("hex");
    // Red climbs in column 4 and slants to column 3; blue plays elsewhere.
    for row in 1..=6 {
        game.turns(&[&format!("(place 4 {row})"), &format!("(place 7 {row})")]);
        assert_eq!(game.result(), None);
    }
    game.turn("(place 3 7)");
    assert_eq!(game.result(), Some(vec![100, 0]));
}

#[test]
fn hex_cells_that_only_look_near_do_not_join() {
    let mut game = Match::new("hex");
    for row in 1..=6 {
        game.turns(&[&format!("(place 4 {row})"), &format!("(place 1 {row})")]);
    }
    game.turn("(place 5 7)");
    assert_eq!(game.result(), None);
}

#[test]
fn three_in_a_row_lose_in_yavalath_and_four_win() {
    let mut game = Match::new("yavalath");
    // Red makes a row of three in its third move and is out.
    game.turns(&["(place 1 1)", "(place 1 3)", "(place 9 9)"]);
    game.turns(&["(place 2 1)", "(place 2 3)", "(place 8 9)"]);
    game.turn("(place 3 1)");
    assert_eq!(game.result(), None);
    // Green and blue go on by themselves; green closes a gap to four.
    game.turns(&["(place 4 4)", "(place 5 8)"]);
    assert!(game.facts().contains(&"(out red)".to_owned()));
    game.turns(&["(place 4 3)", "(place 5 6)", "(place 3 3)"]);
    assert_eq!(game.result(), Some(vec![0, 100, 0]));
}

#[test]
fn the_piece_that_has_jumped_jumps_on_in_draughts() {
    let mut game = Match::new("checkers");
    game.turns(&["(move a 3 b 4)", "(move b 6 a 5)", "(move b 2 a 3)"]);
    game.turns(&["(move a 7 b 6)", "(move b 4 c 5)"]);
    assert_eq!(game.legal(1), ["(jump b 6 d 4)", "(jump d 6 b 4)"]);
    game.turn("(jump b 6 d 4)");
    let facts = game.facts();
    assert!(facts.contains(&"(chain d 4)".to_owned()), "{facts:?}");
    assert!(facts.contains(&"(turn white)".to_owned()), "{facts:?}");
    assert_eq!(game.legal(0), ["noop"]);
    assert_eq!(game.legal(1), ["(jump d 4 b 2)"]);
    game.turn("(jump d 4 b 2)");
    assert!(game.facts().contains(&"(turn black)".to_owned()));
}

#[test]
fn othello_turns_what_is_enclosed() {
    let mut game = Match::new("othello");
    game.turn("(place d 3)");
    let black: Vec<String> = (game.facts().into_iter())
        .filter(|fact| fact.ends_with(" black)") && fact.starts_with("(cell"))
        .collect();
    assert_eq!(
        black,
        [
            "(cell d 3 black)",
            "(cell d 4 black)",
            "(cell d 5 black)",
            "(cell e 4 black)"
        ]
    );
}

#[test]
fn both_crash_who_enter_one_square() {
    let mut game = Match::new("tron");
    let mut go = |red: &str, blue: &str| {
        let joint = [format!("(go {red})"), format!("(go {blue})")];
        game.state = common::advance(game.engine.as_mut(), &game.state, &joint);
    };
    // Red from (2 4), blue from (7 5).
    go("east", "west");
    go("east", "west");
    go("north", "west");
    assert_eq!(game.result(), Some(vec![50, 50]));
}
