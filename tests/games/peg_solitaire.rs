//! Peg solitaire: a solution.

use super::play::Match;

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
