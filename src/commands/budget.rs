//! The options that say what every move may cost, shared by all commands.

use gdl_contests::budget::MoveBudget;

/// What every move may cost.
#[derive(Debug, Clone, clap::Args)]
pub struct BudgetOptions {
    /// Time per move, as in 1s or 200ms
    #[arg(long, alias = "seconds", value_name = "TIME", value_parser = parse_time)]
    time: Option<MoveBudget>,
    /// Simulations per move, instead of time: repeatable with --seed
    #[arg(long, alias = "simulations", value_name = "N", conflicts_with = "time",
          value_parser = clap::value_parser!(u64).range(1..))]
    sims: Option<u64>,
    /// Total moves that the simulations for one move may make, instead of time: equivalent
    /// to time if all moves cost the same; repeatable with --seed
    #[arg(long, value_name = "N", conflicts_with_all = ["time", "sims"],
          value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
}

impl BudgetOptions {
    /// Returns the budget that was asked for, if any.
    #[must_use]
    pub fn chosen(&self) -> Option<MoveBudget> {
        let counted = self.sims.map(MoveBudget::Simulations);
        counted.or(self.steps.map(MoveBudget::Steps)).or(self.time)
    }
}

/// A time with its unit, or a number of seconds, as `--seconds` used to take.
fn parse_time(text: &str) -> Result<MoveBudget, String> {
    match text.parse() {
        Ok(seconds) if f64::is_finite(seconds) && seconds > 0.0 => Ok(MoveBudget::Seconds(seconds)),
        _ => MoveBudget::time(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit_or_are_seconds() {
        for (text, seconds) in [("200ms", 0.2), ("1s", 1.0), ("1.5", 1.5), ("1m 30s", 90.0)] {
            assert_eq!(parse_time(text), Ok(MoveBudget::Seconds(seconds)), "{text}");
        }
        for wrong in ["nan", "inf", "0", "-1", "0s", "soon", ""] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }
}
