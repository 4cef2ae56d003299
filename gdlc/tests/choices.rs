//! Which candidates plans choose among, in games of thousands of moves and fluents.

use gdlc::compile::{CompileOptions, compile};
use gdlc::plan::Plan;
use gdlc::source::Source;
use std::fmt::Write as _;

fn plan(text: String) -> Plan {
    let program = gdlc::rules::check(Source::new("game", text)).program;
    let program = program.expect("the rules are sound");
    let compilation = compile(&program, &CompileOptions::default());
    compilation.expect("the game fits").plan
}

/// Facts that say which numbers follow each other.
fn successors(relation: &str, last: usize) -> String {
    (1..last).fold(String::new(), |mut facts, number| {
        let _ = write!(facts, "({relation} {number} {})", number + 1);
        facts
    })
}

/// Two players who take turns to mark one of the squares of a board.
fn marking(side: usize) -> String {
    let index: String = (1..=side)
        .map(|number| format!("(index {number})"))
        .collect();
    format!(
        "(role white) (role black) (init (control white)) {index}
        (<= (legal ?r (mark ?x ?y))
            (true (control ?r)) (index ?x) (index ?y) (not (true (marked ?x ?y))))
        (<= (legal white noop) (true (control black)))
        (<= (legal black noop) (true (control white)))
        (<= (next (marked ?x ?y)) (does ?r (mark ?x ?y)))
        (<= (next (marked ?x ?y)) (true (marked ?x ?y)))
        (<= (next (control white)) (true (control black)))
        (<= (next (control black)) (true (control white)))
        (<= terminal (true (marked 1 1)))
        (<= (goal ?r 50) (role ?r))"
    )
}

/// Roles that take turns share candidates, even where not all moves can be compared.
#[test]
fn roles_share_the_candidates_of_a_large_choice() {
    let plan = plan(marking(40));
    let candidates: Vec<usize> = plan
        .choices
        .iter()
        .map(|choice| choice.candidates)
        .collect();
    assert_eq!(candidates, [1600]);
}

/// Hex on nine by nine cells, by rules that number the groups of stones.
fn numbered_groups() -> String {
    let last = 82;
    format!(
        "(role red) (role blue)
        (<= (base (cell ?x ?y ?r)) (index ?x) (index ?y) (role ?r))
        (<= (base (group ?k ?x ?y)) (succ ?k ?l) (index ?x) (index ?y))
        (<= (base (owner ?k ?r)) (succ ?k ?l) (role ?r))
        (<= (base (step ?k)) (succ ?k ?l))
        (<= (base (control ?r)) (role ?r))
        (init (control red)) (init (step 1))
        {} {}
        (<= (index ?n) (next_to ?n ?m)) (<= (index ?m) (next_to ?n ?m))
        (<= (adjacent ?x ?y ?x ?n) (index ?x) (next_to ?y ?n))
        (<= (adjacent ?x ?y ?x ?n) (index ?x) (next_to ?n ?y))
        (<= (adjacent ?x ?y ?m ?y) (index ?y) (next_to ?x ?m))
        (<= (adjacent ?x ?y ?m ?y) (index ?y) (next_to ?m ?x))
        (<= (adjacent ?x ?y ?m ?n) (next_to ?m ?x) (next_to ?y ?n))
        (<= (adjacent ?x ?y ?m ?n) (next_to ?x ?m) (next_to ?n ?y))
        (<= (legal ?r (place ?x ?y))
            (true (control ?r)) (index ?x) (index ?y)
            (not (true (cell ?x ?y red))) (not (true (cell ?x ?y blue))))
        (<= (legal red noop) (true (control blue)))
        (<= (legal blue noop) (true (control red)))
        (<= (next (cell ?x ?y ?r)) (does ?r (place ?x ?y)))
        (<= (next (cell ?x ?y ?r)) (true (cell ?x ?y ?r)))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= (next (owner ?k ?r)) (true (step ?k)) (true (control ?r)))
        (<= (next (owner ?k ?r)) (true (owner ?k ?r)))
        (<= (next (group ?k ?x ?y)) (does ?r (place ?x ?y)) (true (step ?k)))
        (<= (next (group ?k ?x ?y)) (joined ?e) (true (group ?e ?x ?y)) (true (step ?k)))
        (<= (next (group ?k ?x ?y)) (true (group ?k ?x ?y)) (not (joined ?k)))
        (<= (next (control red)) (true (control blue)))
        (<= (next (control blue)) (true (control red)))
        (<= (joined ?k)
            (does ?r (place ?x ?y)) (true (owner ?k ?r)) (true (group ?k ?m ?n))
            (adjacent ?x ?y ?m ?n))
        (<= (path red) (true (group ?k 1 ?i)) (true (group ?k 9 ?j)) (true (owner ?k red)))
        (<= (path blue) (true (group ?k ?i 1)) (true (group ?k ?j 9)) (true (owner ?k blue)))
        (<= terminal (path ?r))
        (<= (goal ?r 100) (path ?r))
        (<= (goal ?r 0) (role ?r) (not (path ?r)))",
        successors("succ", last),
        successors("next_to", 9),
    )
}

/// Whose turn it is is proved first: the thousands of fluents that number groups of stones
/// use up the effort.
#[test]
fn turns_are_proved_in_a_game_of_thousands_of_fluents() {
    let plan = plan(numbered_groups());
    assert_eq!(plan.choices.len(), 1, "the players take turns");
    assert_eq!(plan.choices[0].candidates, 81);
}

/// For each cell of each group: whether it lies next to the new stone, whether the cell comes to
/// belong to a new group, and two operations for what the group has next.
#[test]
fn groups_take_four_operations_for_each_of_their_cells() {
    let [.., next] = plan(numbered_groups()).phase_sizes();
    let cells = 81 * 81;
    assert!(2 * next < 9 * cells, "{next} operations for {cells} cells");
}

/// A move that says where to go from, where to go and where to shoot is drawn in two parts.
#[test]
fn a_choice_among_thousands_of_moves_is_taken_apart() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../experiments/games/amazons_one_ply.kif");
    let plan = plan(std::fs::read_to_string(file).expect("the game is there"));
    assert!(plan.moves.len() > 12_000);
    let [terminal, _, _, count, next] = plan.phase_sizes();
    let playout = terminal + count + next;
    // Counting and selecting one by one takes ten operations a move.
    assert!(playout < 40_000, "{playout} operations in a step");
}
