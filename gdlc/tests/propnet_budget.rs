//! What the stages after grounding may cost.

use gdl_runtime::stop_flag::StopFlag;
use gdlc::compile::{CompileOptions, PlanError, compile, ground_rules};
use gdlc::ground::GroundingBudget;
use gdlc::plan::{Arity, plan};
use gdlc::propnet;
use gdlc::propnet::passes::{run_passes, run_passes_while};
use gdlc::propnet_budget::{PropnetBudget, PropnetRefusal};
use gdlc::rules::Program;
use gdlc::source::Source;
use std::cell::Cell;
use std::time::Duration;

/// Eight lamps, of which one goes on with each move.
const LAMPS: &str = "
    (role player) (lamp 0) (lamp 1) (lamp 2) (lamp 3) (lamp 4) (lamp 5) (lamp 6) (lamp 7)
    (<= (legal player (press ?n)) (lamp ?n) (not (true (on ?n))))
    (<= (next (on ?n)) (does player (press ?n)))
    (<= (next (on ?n)) (true (on ?n)))
    (<= dark (lamp ?n) (not (true (on ?n))))
    (<= terminal (not dark))
    (goal player 100)";

fn lamps() -> Program {
    let program = gdlc::rules::check(Source::new("lamps", LAMPS)).program;
    program.expect("the rules are sound")
}

fn refusal(options: &CompileOptions) -> Option<PropnetRefusal> {
    match compile(&lamps(), options) {
        Ok(_) => None,
        Err(PlanError::Propnet(error)) => {
            assert_eq!(error.sheet, "lamps");
            Some(error.refusal)
        }
        Err(PlanError::Ground(error)) => panic!("grounding was refused: {error}"),
    }
}

#[test]
fn propnets_that_are_too_large_are_refused_with_their_size() {
    let within = |operands| {
        refusal(&CompileOptions {
            propnet_budget: PropnetBudget {
                operands,
                ..PropnetBudget::default()
            },
            ..CompileOptions::default()
        })
    };
    let Some(PropnetRefusal::Operands { size, limit: 10 }) = within(10) else {
        panic!("ten operands suffice");
    };
    assert!(size.operands > 10);
    assert_eq!(within(size.operands), None);
    let refused = PropnetRefusal::Operands {
        size,
        limit: size.operands - 1,
    };
    assert_eq!(within(size.operands - 1), Some(refused));
}

#[test]
fn no_stage_begins_when_time_is_over() {
    let limit = Duration::ZERO;
    let options = CompileOptions {
        propnet_budget: PropnetBudget {
            time: limit,
            ..PropnetBudget::default()
        },
        ..CompileOptions::default()
    };
    assert_eq!(refusal(&options), Some(PropnetRefusal::Time { limit }));
}

/// Passes and stages of planning are asked for one by one, and nothing follows a refusal.
#[test]
fn each_pass_and_each_stage_can_be_the_last_one() {
    let ground = ground_rules(&lamps(), &GroundingBudget::default()).expect("eight lamps are few");
    let (net, passes) = run_passes(propnet::assemble(&ground), &[]);
    let planned = |allowed: usize| -> Result<usize, usize> {
        let asked = Cell::new(0);
        let proceed = || {
            asked.set(asked.get() + 1);
            (asked.get() <= allowed).then_some(()).ok_or(asked.get())
        };
        run_passes_while(propnet::assemble(&ground), &[], proceed)?;
        plan(&net, Arity::default(), proceed)?;
        Ok(asked.get())
    };
    let stages = planned(usize::MAX).expect("nothing is refused");
    assert!(stages > passes.len() + 5, "{stages}");
    for allowed in 0..stages {
        assert_eq!(planned(allowed), Err(allowed + 1));
    }
    assert_eq!(planned(stages), Ok(stages));
}

/// Grounding eight lamps takes too few steps to look at the flag.
#[test]
fn no_stage_begins_when_nobody_wants_the_result() {
    let stop = StopFlag::default();
    stop.raise();
    let options = CompileOptions {
        budget: GroundingBudget {
            stop: Some(stop),
            ..GroundingBudget::default()
        },
        ..CompileOptions::default()
    };
    assert_eq!(refusal(&options), Some(PropnetRefusal::Cancelled));
}
