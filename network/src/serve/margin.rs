//! The safety margin between an answer and the end of the host's clock.

use std::time::{Duration, Instant};

/// A clock divided by this is the part reserved for the network and the host.
const CLOCK_DIVISOR: u32 = 10;

/// The bounds of the reserved part.
const LEAST: Duration = Duration::from_millis(100);
const MOST: Duration = Duration::from_secs(1);

/// The greatest lateness that is taken into account.
const MOST_MEASURED: Duration = Duration::from_secs(2);

/// How long before the end of a clock to answer: a fixed part of the clock, plus the
/// longest time by which an answer in this match reached the host after its deadline.
#[derive(Debug, Clone, Copy, Default)]
pub struct Margin {
    lateness: Duration,
}

impl Margin {
    /// The deadline for answering a message, given when it arrived and its clock.
    pub fn deadline(&self, received: Instant, clock: Duration) -> Instant {
        let kept = (clock / CLOCK_DIVISOR).clamp(LEAST, MOST).min(clock / 2);
        let measured = self.lateness.min(MOST_MEASURED).min(clock / 4);
        let time = clock.saturating_sub(kept + measured);
        received.checked_add(time).unwrap_or(received)
    }

    /// Records when the answer with the deadline `due` arrived at the host.
    pub fn answered(&mut self, due: Instant, arrived: Instant) {
        self.lateness = self.lateness.max(arrived.saturating_duration_since(due));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_tenth_of_the_clock_is_kept_within_bounds() {
        let now = Instant::now();
        for (clock, time) in [
            (10_000, 9_000),
            (60_000, 59_000),
            (500, 400),
            (100, 50),
            (0, 0),
        ] {
            let deadline = Margin::default().deadline(now, ms(clock));
            assert_eq!(deadline - now, ms(time), "{clock} ms");
        }
    }

    #[test]
    fn lateness_widens_it_up_to_a_quarter_of_the_clock() {
        let now = Instant::now();
        let mut margin = Margin::default();
        margin.answered(now + ms(10), now);
        assert_eq!(margin.deadline(now, ms(10_000)) - now, ms(9_000), "early");
        margin.answered(now, now + ms(300));
        margin.answered(now, now + ms(20));
        assert_eq!(margin.deadline(now, ms(10_000)) - now, ms(8_700));
        assert_eq!(margin.deadline(now, ms(1_000)) - now, ms(650));
    }
}
