//! The semantics on rule sheets small enough to work out by hand.

#![allow(clippy::unwrap_used)]

use super::column_index::ColumnIndex;
use super::{Cause, EvaluationBudget, ParseTermError, Reference, ReferenceError, TermId};
use crate::id::Id as _;
use crate::rules;
use crate::source::Source;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use std::collections::BTreeSet;
use std::sync::Arc;

fn load_with(text: &str, budget: EvaluationBudget) -> Result<Reference, ReferenceError> {
    let checked = rules::check(Source::new("test", text));
    let program = checked
        .program
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    Reference::with_budget(Arc::new(program), budget)
}

fn load(text: &str) -> Reference {
    load_with(text, EvaluationBudget::default()).unwrap()
}

/// A one-role game around some rules, whose only move is `go` unless `legal` is
/// among them.
fn solitaire(rules: &str) -> Reference {
    let legal = if rules.contains("legal") {
        ""
    } else {
        "(legal robot go)"
    };
    let goal = if rules.contains("goal") {
        ""
    } else {
        "(goal robot 100)"
    };
    let terminal = if rules.contains("terminal") {
        ""
    } else {
        "(<= terminal (true over))"
    };
    load(&format!(
        "(role robot) (init start) {legal} {goal} {terminal} {rules}"
    ))
}

fn show(game: &Reference, terms: &[TermId]) -> Vec<String> {
    let mut texts: Vec<String> = terms.iter().map(|&term| game.show(term)).collect();
    texts.sort();
    texts
}

fn parse_all(game: &mut Reference, texts: &[&str]) -> Vec<TermId> {
    texts.iter().map(|text| game.parse(text).unwrap()).collect()
}

fn next(game: &mut Reference, facts: &[&str], joint: &[&str]) -> Vec<String> {
    let state = Reference::state(&parse_all(game, facts));
    let joint = parse_all(game, joint);
    let next = game.next(&state, &joint).unwrap();
    show(game, &next)
}

fn legal(game: &mut Reference, facts: &[&str], role: usize) -> Vec<String> {
    let state = Reference::state(&parse_all(game, facts));
    let moves = game.legal(&state, role).unwrap();
    moves.iter().map(|&mv| game.show(mv)).collect()
}

#[test]
fn the_initial_state_is_what_init_says() {
    let game = solitaire("(init (cell 1 2 b)) (<= (init (cell ?x ?x b)) (row ?x)) (row 3) (row 4)");
    assert_eq!(
        show(&game, game.initial()),
        ["(cell 1 2 b)", "(cell 3 3 b)", "(cell 4 4 b)", "start"]
    );
}

#[test]
fn recursion_reaches_its_least_fixpoint() {
    let mut game = solitaire(
        "(edge a b) (edge b c) (edge c a) (edge d e)
         (<= (reach ?x) (true (at ?x)))
         (<= (reach ?y) (reach ?x) (edge ?x ?y) (not (true (closed ?x ?y))))
         (<= (next (seen ?x)) (reach ?x))",
    );
    assert_eq!(
        next(&mut game, &["(at d)"], &["go"]),
        ["(seen d)", "(seen e)"]
    );
    assert_eq!(
        next(&mut game, &["(at b)"], &["go"]),
        ["(seen a)", "(seen b)", "(seen c)"]
    );
    assert_eq!(
        next(&mut game, &["(at b)", "(closed c a)"], &["go"]),
        ["(seen b)", "(seen c)"]
    );
}

#[test]
fn two_relations_may_recur_through_each_other() {
    let mut game = solitaire(
        "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
         (even 0) (<= (even ?y) (succ ?x ?y) (odd ?x)) (<= (odd ?y) (succ ?x ?y) (even ?x))
         (<= (next (parity ?n even)) (true (number ?n)) (even ?n))
         (<= (next (parity ?n odd)) (true (number ?n)) (odd ?n))",
    );
    assert_eq!(
        next(&mut game, &["(number 3)", "(number 4)"], &["go"]),
        ["(parity 3 odd)", "(parity 4 even)"]
    );
}

#[test]
fn the_closure_of_a_relation_with_itself_is_complete() {
    let mut game = solitaire(
        "(edge 1 2) (edge 2 3) (edge 3 4) (edge 4 5)
         (<= (entry ?x) (edge ?x ?y))
         (<= (path ?x ?y) (edge ?x ?y))
         (<= (path ?x ?z) (entry ?y) (path ?x ?y) (path ?y ?z))
         (<= (next (p ?x ?y)) (path ?x ?y))",
    );
    assert_eq!(next(&mut game, &[], &["go"]).len(), 10);
}

#[test]
fn negation_asks_the_complete_earlier_stratum() {
    let mut game = solitaire(
        "(square a) (square b) (square c)
         (<= (blocked ?x) (true (wall ?x)))
         (<= (free ?x) (square ?x) (not (blocked ?x)))
         (<= cramped (not roomy))
         (<= roomy (free ?x) (free ?y) (distinct ?x ?y))
         (<= (next (free ?x)) (free ?x))
         (<= (next crowd) cramped)",
    );
    assert_eq!(
        next(&mut game, &["(wall b)"], &["go"]),
        ["(free a)", "(free c)"]
    );
    assert_eq!(
        next(&mut game, &["(wall b)", "(wall c)"], &["go"]),
        ["(free a)", "crowd"]
    );
}

#[test]
fn moves_are_made_simultaneously() {
    let mut game = load(
        "(role left) (role right)
         (<= (legal ?r (push ?x)) (role ?r) (hand ?x)) (hand 1) (hand 2)
         (<= (next (pushed ?x ?y)) (does left (push ?x)) (does right (push ?y)))
         (<= (next same) (does left ?m) (does right ?m))
         (<= terminal (true same)) (<= (goal ?r 50) (role ?r))",
    );
    assert_eq!(show(&game, game.roles()), ["left", "right"]);
    assert_eq!(legal(&mut game, &[], 1), ["(push 1)", "(push 2)"]);
    assert_eq!(
        next(&mut game, &[], &["(push 1)", "(push 2)"]),
        ["(pushed 1 2)"]
    );
    assert_eq!(
        next(&mut game, &[], &["(push 2)", "(push 2)"]),
        ["(pushed 2 2)", "same"]
    );
    let one_move = parse_all(&mut game, &["(push 1)"]);
    assert_eq!(
        game.next(&[], &one_move),
        Err(ReferenceError::JointMove { roles: 2, moves: 1 })
    );
}

#[test]
fn functions_are_matched_inside_and_built() {
    let mut game = solitaire(
        "(known (f b) (other a b) 0)
         (<= (next (stack (pair ?y ?x) (s ?n))) (true (stack (pair ?x ?y) ?n)))
         (<= (next (twin ?x)) (true (stack (pair ?x ?x) ?n)))
         (<= (next (top ?t)) (true (stack ?t (s ?n))) (distinct ?t (pair a a)))",
    );
    assert_eq!(
        next(&mut game, &["(stack (pair a (f b)) 0)"], &["go"]),
        ["(stack (pair (f b) a) (s 0))"]
    );
    assert_eq!(
        next(&mut game, &["(stack (pair a a) (s 0))"], &["go"]),
        ["(stack (pair a a) (s (s 0)))", "(twin a)"]
    );
    assert_eq!(
        next(&mut game, &["(stack (other a b) (s 0))"], &["go"]),
        ["(top (other a b))"]
    );
}

#[test]
fn goals_may_be_none_one_or_several() {
    let mut game = solitaire(
        "(<= (goal robot 100) (true won)) (<= (goal robot 30) (true drawn))
         (<= (goal robot ?n) (true (score ?n)))",
    );
    let mut goals = |facts: &[&str]| {
        let state = Reference::state(&parse_all(&mut game, facts));
        game.goals(&state, 0)
    };
    assert_eq!(goals(&[]), Ok(vec![]));
    assert_eq!(goals(&["won"]), Ok(vec![100]));
    assert_eq!(goals(&["won", "drawn", "(score 100)"]), Ok(vec![30, 100]));
    assert_eq!(
        goals(&["(score robot)"]),
        Err(ReferenceError::Goal {
            value: "robot".into()
        })
    );
}

#[test]
fn case_and_spacing_do_not_matter() {
    let mut game = solitaire("(Init (Cell 1 B)) (<= (NEXT (cell ?X c)) (TRUE (CELL ?x b)))");
    assert_eq!(
        next(&mut game, &[" ( CELL  1\nb )"], &["GO"]),
        ["(Cell 1 c)"]
    );
    let one = game.parse("(cell 1 b)").unwrap();
    assert_eq!(game.parse("(CELL 1 B)"), Ok(one));
}

#[test]
fn texts_that_are_no_terms_are_refused() {
    let mut game = solitaire("(init (cell 1 b))");
    for text in ["", "(cell 1 b", "cell 1)", "1 b", "()", "((cell) 1)", ")("] {
        assert_eq!(
            game.parse(text),
            Err(ParseTermError::Malformed(text.into())),
            "{text}"
        );
    }
    assert_eq!(
        game.parse("(cell 2 b)"),
        Err(ParseTermError::UnknownSymbol("2".into()))
    );
}

#[test]
fn the_end_is_recognised() {
    let mut game = solitaire("(<= terminal (true (step ?n)) (last ?n)) (last 3) (init (step 1))");
    let mut terminal = |facts: &[&str]| {
        let state = Reference::state(&parse_all(&mut game, facts));
        game.terminal(&state).unwrap()
    };
    assert!(!terminal(&["(step 1)"]));
    assert!(terminal(&["(step 3)"]));
    assert!(!terminal(&["start"]));
}

#[test]
fn legal_moves_do_not_depend_on_history() {
    let rules = "(<= (legal robot (take ?x)) (true (heap ?x))) (heap a) (heap b) (heap c)
                 (<= (next (heap ?x)) (true (heap ?x)))";
    let (mut forwards, mut backwards) = (solitaire(rules), solitaire(rules));
    parse_all(&mut forwards, &["(heap a)", "(heap b)", "(heap c)"]);
    parse_all(&mut backwards, &["(heap c)", "(heap b)", "(heap a)"]);
    let facts = ["(heap b)", "(heap c)", "(heap a)"];
    assert_eq!(
        legal(&mut forwards, &facts, 0),
        legal(&mut backwards, &facts, 0)
    );
    assert_eq!(legal(&mut forwards, &["(heap b)"], 0), ["(take b)"]);
}

/// The error of loading a game and evaluating its first state within a budget.
fn error_within(budget: EvaluationBudget, rules: &str) -> (usize, Cause) {
    let text = format!(
        "(role r) (init 0) (legal r go) (goal r 0)\n(<= terminal (q ?x ?y) (distinct ?x ?x))\n{rules}"
    );
    let run = |budget| {
        let mut game = load_with(&text, budget)?;
        let state: Box<[TermId]> = game.initial().into();
        game.terminal(&state)
    };
    assert_eq!(
        run(EvaluationBudget::default()),
        Ok(false),
        "only the budget is at fault"
    );
    match run(budget) {
        Err(ReferenceError::OverBudget { line, cause, .. }) => (line, cause),
        other => panic!("{other:?}"),
    }
}

#[test]
fn evaluations_keep_to_their_budget() {
    let digits: String = (1..=9).map(|digit| format!("(d {digit})")).collect();

    let facts = EvaluationBudget {
        facts: 50,
        ..EvaluationBudget::default()
    };
    let pairs = format!("{digits}\n(<= (q ?x (f ?y)) (d ?x) (d ?y))");
    assert_eq!(error_within(facts, &pairs), (4, Cause::TooManyFacts(50)));

    let matches = EvaluationBudget {
        matches: 500,
        ..EvaluationBudget::default()
    };
    let fruitless = format!(
        "{digits}\n(<= (q ?x ?x) (d ?x) (d ?y) (d ?z) (not (d ?x)))\n(<= (q ?x ?y) (d ?x) (d ?y) (d ?z) (distinct ?z ?z))"
    );
    assert_eq!(
        error_within(matches, &fruitless),
        (5, Cause::TooManyMatches(500))
    );

    let depth = EvaluationBudget {
        depth: 2,
        ..EvaluationBudget::default()
    };
    let nested =
        "(r1 (f 1))\n(<= (r2 (g ?x)) (r1 ?x))\n(<= (r3 (h ?x)) (r2 ?x))\n(<= (q ?x 4) (r3 ?x))";
    assert_eq!(error_within(depth, nested), (5, Cause::TermTooDeep(2)));

    // Of terms that share their parts, the length grows much faster than the depth.
    let length = EvaluationBudget {
        length: 18,
        ..EvaluationBudget::default()
    };
    let doubled = "(r1 (f 1 1))\n(<= (q (f ?x ?x) 4) (r1 ?x))";
    assert_eq!(error_within(length, doubled), (4, Cause::TermTooLong(18)));
    let long = format!("{digits}\n(<= (q ?x {}) (d ?x))", "long".repeat(160));
    assert_eq!(error_within(facts, &long), (4, Cause::TooManyFacts(50)));

    let terms = EvaluationBudget {
        terms: 60,
        ..EvaluationBudget::default()
    };
    let compared = format!("{digits}\n(<= (q ?x ?y) (d ?x) (d ?y) (distinct (f ?x ?y) (g ?x ?y)))");
    assert_eq!(error_within(terms, &compared), (4, Cause::TooManyTerms(60)));
}

/// Counts stones one by one, as public rule sheets do: from every number
/// onwards if all of `count` is evaluated, from 0 if magic sets restrict it.
const COUNTING: &str = "
    (role r) (cell 1) (cell 2) (cell 3) (cell 4)
    (after 1 2) (after 2 3) (after 3 4)
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
    (init (stone 1)) (init (stone 3))
    (<= (legal r (put ?c)) (cell ?c) (not (true (stone ?c))))
    (<= (legal r pass) (total 4))
    (<= (next (stone ?c)) (true (stone ?c)))
    (<= (next (stone ?c)) (does r (put ?c)))
    (<= terminal (total 4))
    (<= (goal r ?n) (total ?n))
    (<= (total ?n) (count 1 0 ?n))
    (<= (number ?n) (succ ?n ?m))
    (<= (one ?c ?m ?n) (cell ?c) (succ ?m ?n) (true (stone ?c)))
    (<= (one ?c ?m ?m) (cell ?c) (number ?m) (not (true (stone ?c))))
    (<= (count 4 ?m ?n) (one 4 ?m ?n))
    (<= (count ?c ?m ?n) (after ?c ?d) (one ?c ?m ?k) (count ?d ?k ?n))";

#[test]
fn magic_sets_change_no_answer() {
    let restricted = EvaluationBudget {
        unrestricted: 0,
        ..EvaluationBudget::default()
    };
    let mut whole = load(COUNTING);
    let mut restricted = load_with(COUNTING, restricted).unwrap();
    for stones in 0_u32..16 {
        let facts: Vec<String> = (0..4)
            .filter(|cell| stones >> cell & 1 == 1)
            .map(|cell| format!("(stone {})", cell + 1))
            .collect();
        let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
        let answers = |game: &mut Reference| {
            let state = Reference::state(&parse_all(game, &facts));
            (
                legal(game, &facts, 0),
                game.goals(&state, 0).unwrap(),
                game.terminal(&state).unwrap(),
                next(game, &facts, &["(put 2)"]),
            )
        };
        let expected = answers(&mut whole);
        assert_eq!(expected.1, [facts.len() as i32]);
        assert_eq!(expected, answers(&mut restricted), "{facts:?}");
    }
    assert!(whole.model.restricted().is_empty());
    assert!(!restricted.model.restricted().is_empty());
}

/// Counters that are set, moved and taken away by two players at once: bodies with a relation
/// several times, negated and not, facts that follow in several ways, and recursion beside them.
const COUNTERS: &str = "
    (role left) (role right)
    (size 0) (size 1) (size 2) (size 3)
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 0)
    (init (at 0 0)) (init (at 1 2)) (init (at 2 2)) (init (at 3 1)) (init (turn even))
    (<= (legal ?p (put ?x ?y)) (role ?p) (size ?x) (size ?y) (not (true (at ?x ?y))))
    (<= (legal ?p (take ?x ?y)) (role ?p) (true (at ?x ?y)))
    (<= (legal left (swap ?x ?y)) (true (at ?x ?y)) (not (true (at ?y ?x))) (distinct ?x ?y))
    (<= (legal ?p wait) (role ?p))
    (<= (touched ?x ?y) (does ?p (put ?x ?y)))
    (<= (touched ?x ?y) (does ?p (take ?x ?y)))
    (<= (touched ?x ?y) (does ?p (swap ?x ?y)))
    (<= (next (at ?x ?y)) (does ?p (put ?x ?y)) (not (clash ?x ?y)))
    (<= (next (at ?y ?x)) (does ?p (swap ?x ?y)))
    (<= (next (at ?x ?y)) (true (at ?x ?y)) (not (touched ?x ?y)))
    (<= (clash ?x ?y) (does left (put ?x ?y)) (does right (put ?x ?y)))
    (<= (next (turn odd)) (true (turn even)))
    (<= (next (turn even)) (true (turn odd)))
    (<= (next (pair ?x)) (pair ?x))
    (<= (pair ?x) (true (at ?x ?y)) (true (at ?x ?z)) (distinct ?y ?z))
    (<= (pair ?x) (true (at ?x ?x)) (true (at ?y ?x)) (true (at ?x ?z)))
    (<= (alone ?x ?y) (true (at ?x ?y)) (succ ?x ?z) (not (true (at ?z ?y))) (not (true (at ?x ?z))))
    (<= (legal right (leave ?x)) (alone ?x ?y) (not (pair ?x)))
    (<= (reaches ?x ?y) (true (at ?x ?y)))
    (<= (reaches ?x ?z) (reaches ?x ?y) (true (at ?y ?z)))
    (<= (legal left (close ?x)) (reaches ?x ?x) (not (true (at ?x ?x))))
    (<= terminal (true (at 0 0)) (true (at 0 1)) (true (at 0 2)) (true (at 0 3)) (true (at 1 1)))
    (<= (goal ?p 100) (role ?p) (not (pair 0)))
    (<= (goal ?p 0) (role ?p) (pair 0))
";

/// All that can be asked of a state, and what follows it if the roles make these of their moves.
#[derive(Debug, PartialEq, Eq)]
struct QueryAnswers {
    terminal: bool,
    goals: Vec<Vec<i32>>,
    legal: Vec<Vec<TermId>>,
    next: Box<[TermId]>,
}

impl QueryAnswers {
    fn of(game: &mut Reference, state: &[TermId], picks: [usize; 2]) -> Self {
        let terminal = game.terminal(state).unwrap();
        let goals = [0, 1].map(|role| game.goals(state, role).unwrap());
        let legal = [0, 1].map(|role| game.legal(state, role).unwrap());
        let joint = [0, 1].map(|role| legal[role][picks[role] % legal[role].len()]);
        Self {
            terminal,
            goals: goals.into(),
            legal: legal.into(),
            next: game.next(state, &joint).unwrap(),
        }
    }
}

#[test]
fn a_state_is_the_same_however_it_is_entered() {
    walk_through_counters(EvaluationBudget::default());
}

#[test]
fn relations_that_cannot_be_restricted_are_kept_as_others_are() {
    let budget = EvaluationBudget::default();
    walk_through_counters(EvaluationBudget {
        unrestricted: 2,
        ..budget
    });
}

/// Compares every state, entered by its differences from the last one, with the same state entered
/// anew.
fn walk_through_counters(budget: EvaluationBudget) {
    let seed = gdl_testing::seed_or(0);
    let mut random = StdRng::seed_from_u64(seed);
    let mut game = load_with(COUNTERS, budget).unwrap();
    let mut state: Box<[TermId]> = game.initial().into();
    let mut entered = 0;
    for step in 0..600 {
        let picks = std::array::from_fn(|_| random.random_range(0..1 << 20));
        let by_changes = QueryAnswers::of(&mut game, &state, picks);
        entered += u64::from(game.model.trials.entered > 0);
        let mut anew = game.clone();
        anew.model.current = None;
        let alone = QueryAnswers::of(&mut anew, &state, picks);
        let facts = show(&game, &state);
        assert_eq!(by_changes, alone, "seed {seed}, step {step}: {facts:?}");
        // Now and then another state is entered, from which little or much differs.
        state = match step % 50 {
            49 => game.initial().into(),
            _ => by_changes.next,
        };
    }
    assert!(
        entered > 300,
        "only {entered} states were entered by changes"
    );
}

/// Marks are added until there are twenty. When there are few, looking for rows of them is less
/// work than looking for those with the last one. All of `around` changes whenever the place does.
const FILLING: &str = "
(role p)
(number 0) (number 1) (number 2) (number 3) (number 4)
(<= (init (place ?a ?b)) (first ?a ?b)) (first 0 0)
(<= (cell ?a ?b) (number ?a) (number ?b) (distinct ?a 4))
(<= (legal p (mark ?a ?b)) (cell ?a ?b) (not (true (marked ?a ?b))))
(<= (next (marked ?a ?b)) (true (marked ?a ?b)))
(<= (next (marked ?a ?b)) (does p (mark ?a ?b)))
(<= (next (place ?a ?b)) (does p (mark ?a ?b)))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (row ?a) (true (marked ?a ?b)) (succ ?b ?c) (succ ?c ?d) (succ ?d ?e)
    (true (marked ?a ?c)) (true (marked ?a ?d)) (true (marked ?a ?e)))
(<= (row ?b) (true (marked ?a ?b)) (succ ?a ?c) (succ ?c ?d) (succ ?d ?e)
    (true (marked ?c ?b)) (true (marked ?d ?b)) (true (marked ?e ?b)))
(<= (around ?c ?d) (true (place ?a ?b)) (cell ?a ?d) (cell ?c ?b))
(<= open (cell ?a ?b) (not (true (marked ?a ?b))))
(<= (crossed ?a) (row ?a) (around ?a ?b))
(<= terminal (not open) (crossed 1))
(goal p 100)
";

#[test]
fn what_games_do_later_decides_what_is_kept() {
    let mut game = load_with(FILLING, EvaluationBudget::default()).unwrap();
    for _ in 0..20 {
        let mut state: Box<[TermId]> = game.initial().into();
        while !game.terminal(&state).unwrap() {
            let legal = game.legal(&state, 0).unwrap();
            state = game.next(&state, &legal[..1]).unwrap();
        }
    }
    let is_kept = |name: &str| {
        let relations = game.model.program.relations.iter_ids();
        let mut relations = relations.map(|(id, relation)| (id, relation.name));
        let named = relations.find(|(_, symbol)| game.model.program.symbols[*symbol] == *name);
        let (relation, _) = named.expect("the sheet has it");
        let mut strata = game.model.strata.list.iter();
        let stratum = strata.find(|stratum| stratum.relations.contains(&relation));
        stratum.is_some_and(|stratum| stratum.is_kept)
    };
    assert!(is_kept("row"));
    assert!(is_kept("open"));
    assert!(!is_kept("around"));
}

#[test]
fn an_index_has_the_rows_that_were_added_and_not_removed() {
    let seed = gdl_testing::seed_or(0);
    let mut random = StdRng::seed_from_u64(seed);
    // Few terms, which are tabled, and so many that they are hashed; with and without columns.
    for (terms, columns) in [
        (4, vec![0, 2]),
        (4, vec![]),
        (3000, vec![1]),
        (3000, vec![0, 1, 2]),
    ] {
        let mut index = ColumnIndex::new(columns.clone());
        let mut rows: Vec<[TermId; 3]> = Vec::new();
        let mut present: BTreeSet<usize> = BTreeSet::new();
        for _ in 0..2000 {
            let removed = present.iter().nth(random.random_range(0..80)).copied();
            if let Some(row) = removed {
                present.remove(&row);
                index.remove(row, |row| &rows[row]);
            } else {
                rows.push(std::array::from_fn(|_| {
                    TermId::new(random.random_range(0..terms))
                }));
                present.insert(rows.len() - 1);
                index.insert(rows.len() - 1, |row| &rows[row]);
            }
            let like = rows[random.random_range(0..rows.len())];
            let key = |row: &[TermId; 3]| columns.iter().map(|&at| row[at]).collect::<Vec<_>>();
            let expected = present.iter().copied();
            let expected = expected.filter(|&row| key(&rows[row]) == key(&like));
            let mut found = BTreeSet::new();
            let mut row = index.first(key(&like).into_iter(), |row| &rows[row]);
            while let Some(at) = row {
                found.insert(at);
                row = index.next(at);
            }
            assert_eq!(
                found,
                expected.collect(),
                "seed {seed}, {terms} terms, {columns:?}"
            );
        }
        assert!(
            present.len() > 10,
            "seed {seed}: {} rows are left",
            present.len()
        );
    }
}
