//! All engines agree on small random programs.
//!
//! The programs are finite, safe and stratified by construction, and otherwise as
//! unusual as possible: meaningless rules, several goals, recursion through the state,
//! and negation wherever it is allowed.

use crate::common;
use gdl_engines::{EngineKind, EngineOptions};
use gdl_runtime::engine::Engine;
use gdlc::propnet::passes::PASSES;
use gdlc::source::Source;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use std::fmt::Write as _;
use std::sync::Arc;

const PROGRAMS: u64 = 300;
const NATIVE_PROGRAMS: u64 = 4;

/// The random program of a seed.
pub fn program(seed: u64) -> String {
    Generator::new(seed).program()
}

#[test]
fn engines_agree_on_random_programs() {
    let first = gdl_testing::seed_or(0);
    let mut compared = 0;
    for seed in (0..PROGRAMS).map(|number| first.wrapping_add(number)) {
        let text = program(seed);
        let source = Source::new(format!("random-{seed}.kif"), text);
        println!("seed {seed}:\n{}", source.text);
        let mut engines = engines(&source, seed);
        compared += common::assert_agree(&mut engines, seed, 3, 12);
    }
    println!("{compared} distinct states");
    assert!(
        compared as u64 > 3 * PROGRAMS,
        "the programs hardly move: {compared}"
    );
}

/// Only a few programs, since compiling each takes a second or more.
#[test]
fn native_agrees_on_random_programs() {
    let first = gdl_testing::seed_or(0);
    for seed in (0..NATIVE_PROGRAMS).map(|number| first.wrapping_add(number)) {
        let text = program(seed);
        let source = Source::new(format!("random-{seed}.kif"), text);
        let kinds = [EngineKind::Reference, EngineKind::Native];
        let mut engines = kinds.map(|kind| common::load(&source, kind));
        common::assert_agree(&mut engines, seed, 10, 12);
        let net = common::load(&source, EngineKind::Net);
        let [_, native] = engines;
        assert_eq!(native.constant_goals(), net.constant_goals(), "seed {seed}");
    }
}

/// The engines: the reference, `net` with some passes left out, since every pass preserves
/// behaviour, and `net` at every level of the processor.
fn engines(source: &Arc<Source>, seed: u64) -> Vec<Box<dyn Engine>> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut some_passes = EngineOptions::default();
    some_passes.compilation.without = PASSES
        .iter()
        .filter(|_| rng.random_bool(0.5))
        .map(|pass| pass.name.to_owned())
        .collect();
    println!("without {:?}", some_passes.compilation.without);
    let incomplete = gdl_engines::load(source, EngineKind::Net, &some_passes);
    let mut engines = vec![
        common::load(source, EngineKind::Reference),
        incomplete.expect("passes are not needed"),
    ];
    engines.extend(common::levels().into_iter().map(|level| {
        let engine = gdl_engines::load(source, EngineKind::Net, &level);
        engine.expect("the processor has the level")
    }));
    engines
}

/// The kinds of argument: a variable stands for one kind only, so that terms
/// cannot grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// `a`, `b`, `c`.
    Thing,
    /// `(g a)`, `(g b)`, `(g c)`.
    Wrapped,
    /// A role.
    Role,
}

/// A relation or a fluent, with the kinds of its arguments.
#[derive(Debug, Clone)]
struct Shape {
    name: String,
    sorts: Vec<Sort>,
}

struct Generator {
    rng: StdRng,
    roles: usize,
    statics: Vec<Shape>,
    fluents: Vec<Shape>,
    moves: Vec<Shape>,
    views: Vec<Shape>,
    text: String,
}

/// A rule being made: its literals, and the variables that they bind, with their sorts.
#[derive(Default)]
struct Body {
    literals: Vec<String>,
    bound: Vec<(String, Sort)>,
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        Self {
            roles: rng.random_range(1..=3),
            rng,
            statics: Vec::new(),
            fluents: Vec::new(),
            moves: Vec::new(),
            views: Vec::new(),
            text: String::new(),
        }
    }

    fn program(mut self) -> String {
        for role in 0..self.roles {
            self.line(format!("(role r{role})"));
        }
        self.statics = self.shapes("s", 2, 2);
        self.fluents = self.shapes("f", 4, 2);
        self.moves = self.shapes("m", 2, 1);
        self.facts();
        for group in self.shapes("v", 6, 2).chunks(2) {
            self.views(group);
        }
        self.legal();
        self.next();
        self.end();
        self.text
    }

    fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    fn shapes(&mut self, prefix: &str, count: usize, arity: usize) -> Vec<Shape> {
        (0..count)
            .map(|number| Shape {
                name: format!("{prefix}{number}"),
                sorts: (0..self.rng.random_range(0..=arity))
                    .map(|_| match self.rng.random_range(0..6) {
                        0 => Sort::Wrapped,
                        1 => Sort::Role,
                        _ => Sort::Thing,
                    })
                    .collect(),
            })
            .collect()
    }

    fn facts(&mut self) {
        for thing in ["a", "b", "c"] {
            self.line(format!("(thing {thing})"));
            self.line(format!("(wrapped (g {thing}))"));
        }
        for shape in self.statics.clone() {
            for _ in 0..3 {
                let fact = self.atom(&shape, &mut None);
                self.line(fact);
            }
        }
        for shape in self.fluents.clone() {
            for _ in 0..self.rng.random_range(1..5) {
                let fact = self.atom(&shape, &mut None);
                self.line(format!("(init {fact})"));
            }
        }
    }

    /// Rules for views over what came before them and, positively, over each
    /// other.
    fn views(&mut self, group: &[Shape]) {
        for shape in group {
            for _ in 0..self.rng.random_range(1..=3) {
                let mut body = self.state_body();
                if self.rng.random_bool(0.4) {
                    let companion = &group[self.rng.random_range(0..group.len())];
                    self.recursion(companion, &mut body);
                }
                self.rule(shape, "", body);
            }
        }
        self.views.extend_from_slice(group);
    }

    /// A literal that may be recursive: GDL requires other literals to bind its arguments.
    fn recursion(&mut self, shape: &Shape, body: &mut Body) {
        let args = self.args(shape, &mut Some(&mut *body));
        body.literals.push(shape.applied(&args));
        let sorts = args.iter().zip(&shape.sorts).map(of_sort);
        body.literals.extend(sorts);
    }

    fn legal(&mut self) {
        self.line("(<= (legal ?r wait) (role ?r))");
        for shape in self.moves.clone() {
            for _ in 0..2 {
                let mut body = self.state_body();
                let role = self.term(Sort::Role, &mut Some(&mut body));
                if role.starts_with('?') {
                    body.literals.push(format!("(role {role})"));
                }
                self.rule(&shape, &format!("legal {role}"), body);
            }
        }
    }

    fn next(&mut self) {
        for shape in self.fluents.clone() {
            for _ in 0..self.rng.random_range(1..=3) {
                let mut body = self.state_body();
                if self.rng.random_bool(0.7) {
                    let does = self.does(&mut body);
                    body.literals.push(does);
                }
                self.rule(&shape, "next", body);
            }
        }
    }

    fn does(&mut self, body: &mut Body) -> String {
        let role = self.term(Sort::Role, &mut Some(&mut *body));
        let index = self.rng.random_range(0..=self.moves.len());
        let mv = match self.moves.get(index).cloned() {
            Some(shape) => self.atom(&shape, &mut Some(&mut *body)),
            None => "wait".to_owned(),
        };
        format!("(does {role} {mv})")
    }

    fn end(&mut self) {
        let nullary = Shape {
            name: "terminal".to_owned(),
            sorts: Vec::new(),
        };
        let mut body = self.state_body();
        for _ in 0..3 {
            let extra = self.positive(&mut body);
            body.literals.push(extra);
        }
        self.rule(&nullary, "", body);
        for value in [0, 30, 100] {
            let mut body = self.state_body();
            let role = self.term(Sort::Role, &mut Some(&mut body));
            if role.starts_with('?') {
                body.literals.push(format!("(role {role})"));
            }
            let conditions = self.negatives(body).literals.join(" ");
            self.line(format!("(<= (goal {role} {value}) {conditions})"));
        }
    }

    /// One or two positive literals about the state.
    fn state_body(&mut self) -> Body {
        let mut body = Body::default();
        for _ in 0..self.rng.random_range(1..=2) {
            let literal = self.positive(&mut body);
            body.literals.push(literal);
        }
        body
    }

    fn positive(&mut self, body: &mut Body) -> String {
        let views = self.views.len();
        let (keyword, shape) = match self.rng.random_range(0..10) {
            0..5 => ("true", self.pick_fluent()),
            5..8 if views > 0 => ("", self.views[self.rng.random_range(0..views)].clone()),
            _ => {
                let index = self.rng.random_range(0..self.statics.len());
                ("", self.statics[index].clone())
            }
        };
        let atom = self.atom(&shape, &mut Some(body));
        if keyword.is_empty() {
            atom
        } else {
            format!("({keyword} {atom})")
        }
    }

    fn pick_fluent(&mut self) -> Shape {
        let index = self.rng.random_range(0..self.fluents.len());
        self.fluents[index].clone()
    }

    /// Adds literals that bind nothing: negations and `distinct`.
    fn negatives(&mut self, mut body: Body) -> Body {
        if self.rng.random_bool(0.5) {
            let mut closed = Body {
                literals: Vec::new(),
                bound: body.bound.clone(),
            };
            // Only bound variables may occur: `positive` may bind new ones, and
            // then the negation is left out.
            let literal = self.positive(&mut closed);
            if closed.bound.len() == body.bound.len() {
                body.literals.push(format!("(not {literal})"));
            }
        }
        if self.rng.random_bool(0.3) && body.bound.len() > 1 {
            let (one, _) = &body.bound[0];
            let (two, _) = &body.bound[1];
            body.literals.push(format!("(distinct {one} {two})"));
        }
        body
    }

    /// Writes the rule for `(wrapper shape…)`; head variables that the body does
    /// not bind are bound by their sort.
    fn rule(&mut self, shape: &Shape, wrapper: &str, body: Body) {
        let mut body = self.negatives(body);
        let before = body.bound.len();
        let head = self.atom(shape, &mut Some(&mut body));
        for (variable, sort) in &body.bound[before..] {
            body.literals.push(of_sort((variable, sort)));
        }
        let mut line = "(<= ".to_owned();
        if wrapper.is_empty() {
            line.push_str(&head);
        } else {
            let _ = write!(line, "({wrapper} {head})");
        }
        for literal in &body.literals {
            let _ = write!(line, " {literal}");
        }
        self.line(line + ")");
    }

    fn atom(&mut self, shape: &Shape, body: &mut Option<&mut Body>) -> String {
        let args = self.args(shape, body);
        shape.applied(&args)
    }

    fn args(&mut self, shape: &Shape, body: &mut Option<&mut Body>) -> Vec<String> {
        let sorts = shape.sorts.iter();
        sorts.map(|&sort| self.term(sort, body)).collect()
    }

    /// A term of a sort: ground where there is no body, else often a variable.
    fn term(&mut self, sort: Sort, body: &mut Option<&mut Body>) -> String {
        if let Some(body) = body
            && self.rng.random_bool(0.7)
        {
            return self.variable(sort, body);
        }
        match sort {
            Sort::Thing => ["a", "b", "c"][self.rng.random_range(0..3)].to_owned(),
            Sort::Role => format!("r{}", self.rng.random_range(0..self.roles)),
            Sort::Wrapped => {
                let inner = self.term(Sort::Thing, body);
                format!("(g {inner})")
            }
        }
    }

    fn variable(&mut self, sort: Sort, body: &mut Body) -> String {
        let names: &[&str] = match sort {
            Sort::Thing => &["?x", "?y", "?z"],
            Sort::Role => &["?r", "?p"],
            Sort::Wrapped => &["?u"],
        };
        let name = names[self.rng.random_range(0..names.len())].to_owned();
        if !body.bound.contains(&(name.clone(), sort)) {
            body.bound.push((name.clone(), sort));
        }
        name
    }
}

impl Shape {
    fn applied(&self, args: &[String]) -> String {
        if args.is_empty() {
            return self.name.clone();
        }
        format!("({} {})", self.name, args.join(" "))
    }
}

/// The literal that states the sort of a term.
fn of_sort((term, sort): (&String, &Sort)) -> String {
    match sort {
        Sort::Thing => format!("(thing {term})"),
        Sort::Role => format!("(role {term})"),
        Sort::Wrapped => format!("(wrapped {term})"),
    }
}
