//! Human-readable factors.

use std::fmt::Write as _;

use super::Factors;
use crate::id::Id as _;
use crate::propnet::Propnet;

/// The factors as text, with their fluents and moves.
#[must_use]
pub fn show_factors(net: &Propnet, factors: &Factors) -> String {
    let mut text = format!(
        "; {} factors, {} fluents that no move changes, {} moves that change nothing\n",
        factors.factors.len(),
        factors.autonomous.len(),
        factors.idle.len()
    );
    for (id, factor) in factors.factors.iter_ids() {
        let after: Vec<String> = factor
            .after
            .iter()
            .map(|other| (other.index() + 1).to_string())
            .collect();
        let after = match &after[..] {
            [] => String::new(),
            _ => format!(", after {}", after.join(", ")),
        };
        let (bases, moves) = (factor.bases.len(), factor.moves.len());
        let _ = writeln!(
            text,
            "; factor {}: {bases} fluents, {moves} moves{after}",
            id.index() + 1
        );
        for &base in &factor.bases {
            let _ = writeln!(text, "(true {})", net.bases[base].name);
        }
        for &mv in &factor.moves {
            let mv = &net.moves[mv];
            let _ = writeln!(text, "(does {} {})", net.roles[mv.role], mv.name);
        }
    }
    text
}
