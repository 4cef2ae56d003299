//! Finds strata and dependences: the order in which relations are evaluated, and
//! what each varies with.

use super::dependencies::Dependencies;
use super::{Dependence, Keyword, Program, RelationId};

/// Fills in `strata` and every relation's `dependence`.
pub fn assign(program: &mut Program, dependencies: &Dependencies) {
    for component in dependencies.components() {
        let dependence = component
            .iter()
            .map(|&relation| dependence_of(program, dependencies, relation))
            .max()
            .unwrap_or(Dependence::Static);
        for &relation in component {
            program.relations[relation].dependence = dependence;
        }
    }
    let mut strata = dependencies.components().to_vec();
    strata.sort_by_key(|stratum| {
        !stratum
            .iter()
            .any(|&relation| program.is_supplied(relation))
    });
    program.strata = strata;
}

/// What a relation varies with, given its keyword and the components before it.
fn dependence_of(
    program: &Program,
    dependencies: &Dependencies,
    relation: RelationId,
) -> Dependence {
    match program.relations[relation].keyword {
        Some(Keyword::True) => Dependence::State,
        Some(Keyword::Does) => Dependence::Moves,
        _ => dependencies
            .of(relation)
            .iter()
            .map(|dependency| program.relations[dependency.to].dependence)
            .max()
            .unwrap_or(Dependence::Static),
    }
}
