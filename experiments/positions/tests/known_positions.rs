//! The set in the repository is what its header says, and what solvers say.

use gdl_positions::classes::CLASSES;
use gdl_positions::game_tree::GameTree;
use gdl_positions::maker::{evaluate, solver};
use gdl_positions::position_set::{ClassSummary, KnownPosition, PositionSet};
use gdl_positions::sampling::SampledPosition;
use gdl_positions::several_roles::SeveralRoleSolver;
use gdl_positions::solution::ExactSolver as _;
use std::collections::BTreeMap;

/// Positions that took more states are not solved again.
const FEW_STATES: u64 = 3_000;

fn set() -> PositionSet {
    PositionSet::read(&PositionSet::file()).unwrap_or_else(|error| panic!("{error}"))
}

fn tree(class: &ClassSummary) -> GameTree {
    GameTree::open(&PositionSet::sheet(&class.sheet)).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_header_says_what_is_in_the_file() {
    let set = set();
    let names = set.header.classes.iter().map(|class| &class.name[..]);
    assert!(names.eq(CLASSES.iter().map(|class| class.name)));
    let mut known = 0;
    for class in &set.header.classes {
        let mut counts = BTreeMap::new();
        for position in set.of_class(&class.name) {
            *counts.entry(position.empty).or_insert(0) += 1;
            known += 1;
        }
        assert_eq!(counts, class.positions, "{}", class.name);
        assert!(
            set.of_class(&class.name)
                .is_sorted_by_key(|position| position.empty)
        );
    }
    assert_eq!(known, set.positions.len());
    let text = set.to_text().expect("it is JSON");
    let file = std::fs::read_to_string(PositionSet::file()).expect("it can be read");
    assert_eq!(text, file, "the file is as it would be written");
}

#[test]
fn moves_are_legal_and_lead_to_what_is_recorded() {
    let set = set();
    for (summary, class) in set.header.classes.iter().zip(&CLASSES) {
        let mut tree = tree(summary);
        for known in set.of_class(class.name) {
            let positions = (tree.replay(&known.moves))
                .unwrap_or_else(|error| panic!("{}, {:?}: {error}", class.name, known.moves));
            let role = tree.decider(&positions, 0).expect("roles take turns");
            let legal = positions.moves(0, role).iter();
            let legal: Vec<String> = legal.map(|pick| tree.move_name(role, pick.mv)).collect();
            assert_eq!(tree.engine().roles()[role], known.role);
            assert_eq!(legal.len(), known.legal);
            assert_eq!(
                tree.empty_cells(positions.state(0), class.cells),
                known.empty
            );
            assert!(!known.right.is_empty() && known.right.len() < legal.len());
            assert!(known.right.iter().all(|mv| legal.contains(mv)));
            let value = known.value().expect("the value for the role to move");
            assert!(tree.goals(role).contains(&value));
        }
    }
}

#[test]
fn positions_that_take_few_states_are_solved_alike_again() {
    let set = set();
    let mut again = 0;
    for class in &set.header.classes {
        let mut solver = solver(tree(class)).expect("the game can be solved");
        let few = |known: &&KnownPosition| known.expanded <= FEW_STATES;
        for known in set.of_class(&class.name).filter(few) {
            let replayed = solver.tree().replay(&known.moves);
            let sampled = SampledPosition {
                moves: known.moves.clone(),
                positions: replayed.expect("the moves are legal"),
            };
            let solved = evaluate(&mut *solver, &sampled, &class.name, known.empty, u64::MAX);
            let solved = solved.expect("it can be solved").expect("moves differ");
            // How many states it takes depends on what the solver knew before.
            let expanded = known.expanded;
            assert_eq!(KnownPosition { expanded, ..solved }, *known);
            again += 1;
        }
    }
    assert!(again * 4 > set.positions.len(), "only {again}");
}

#[test]
fn both_solvers_agree() {
    let set = set();
    for name in ["tictactoe", "connect_four 8-14"] {
        let classes = set.header.classes.iter();
        let class = classes.clone().find(|class| class.name == name);
        let class = class.expect("the class is in the set");
        let mut two = solver(tree(class)).expect("the game has two roles");
        let mut several = SeveralRoleSolver::new(tree(class));
        for known in set.of_class(name).filter(|known| known.empty <= 9) {
            let positions = two
                .tree()
                .replay(&known.moves)
                .expect("the moves are legal");
            let goals = two.solve(&positions, 0).expect("it can be solved");
            assert_eq!(several.solve(&positions, 0), Ok(goals), "{:?}", known.moves);
        }
    }
}

#[test]
fn tictactoe_is_a_draw() {
    let set = set();
    let mut solver = solver(tree(&set.header.classes[0])).expect("the game has two roles");
    let initial = solver.tree().engine().initial();
    let positions = solver.tree().examine(&initial.0);
    assert_eq!(solver.solve(&positions, 0), Ok(vec![[50, 50], [50, 50]]));
}
