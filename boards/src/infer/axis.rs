//! Axes: the values of a coordinate in their order.

use crate::flat_term::FlatTerm;
use std::collections::{BTreeMap, BTreeSet};

/// The largest number of values of an axis.
pub(super) const LONGEST: usize = 40;

/// Which value follows which, by the binary relations of the rules that say so.
#[derive(Debug, Default)]
pub(super) struct ValueSuccessors<'e>(Vec<BTreeMap<&'e str, Vec<&'e str>>>);

impl<'e> ValueSuccessors<'e> {
    /// Finds the relations that give each value few successors.
    pub(super) fn find(statics: &'e [FlatTerm]) -> Self {
        let mut relations: BTreeMap<&str, BTreeMap<&str, Vec<&str>>> = BTreeMap::new();
        for fact in statics {
            if let [from, to] = &fact.words[..] {
                let follows = relations.entry(&fact.skeleton).or_default();
                follows.entry(from).or_default().push(to);
            }
        }
        let orders = |follows: &BTreeMap<&str, Vec<&str>>| {
            follows.len() >= 2 && follows.values().all(|to| to.len() <= 2)
        };
        Self(relations.into_values().filter(orders).collect())
    }

    /// The values in the order of the first relation that makes a chain of exactly these.
    fn chain(&self, values: &BTreeSet<&str>) -> Option<Vec<String>> {
        self.0.iter().find_map(|follows| {
            let next = |value: &str| -> Option<&str> {
                let mut inside = follows.get(value)?.iter().filter(|to| values.contains(*to));
                let next = inside.next()?;
                inside.next().is_none().then_some(next)
            };
            let followers: BTreeSet<&str> = values.iter().filter_map(|value| next(value)).collect();
            let mut first = values.iter().filter(|value| !followers.contains(*value));
            let mut at = first.next().filter(|_| first.next().is_none()).copied();
            let mut chain = Vec::new();
            while let Some(value) = at.filter(|_| chain.len() < values.len()) {
                chain.push(value.to_owned());
                at = next(value);
            }
            (chain.len() == values.len()).then_some(chain)
        })
    }
}

/// The values of an ordered set from the lowest; `None` if they have no order. Gaps
/// between numbers or letters are filled if they are few.
pub(super) fn order(
    values: &BTreeSet<&str>,
    successors: &ValueSuccessors<'_>,
) -> Option<Vec<String>> {
    let range = 2..=LONGEST;
    if !range.contains(&values.len()) {
        return None;
    }
    let ordered = natural_order(values).or_else(|| successors.chain(values))?;
    range.contains(&ordered.len()).then_some(ordered)
}

/// The key by which values compare: their common prefix, and a number.
pub(super) fn ordinal(value: &str) -> Option<(&str, i64)> {
    if let Ok(number) = value.parse() {
        return Some(("", number));
    }
    let digits = value.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let prefix = &value[..value.len() - digits.len()];
    if !digits.is_empty() {
        return Some((prefix, digits.parse().ok()?));
    }
    let mut letters = value.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_alphabetic() => {
            Some(("", i64::from(u32::from(letter.to_ascii_lowercase()))))
        }
        _ => None,
    }
}

/// Whether a value ends with a digit.
fn is_numbered(value: &str) -> bool {
    value.ends_with(|letter: char| letter.is_ascii_digit())
}

/// Orders numbers, single letters, and numbers with a common prefix.
fn natural_order(values: &BTreeSet<&str>) -> Option<Vec<String>> {
    let first = *values.first()?;
    let (prefix, _) = ordinal(first)?;
    let numbered = is_numbered(first);
    let mut ordered = BTreeMap::new();
    for &value in values {
        let (own, number) = ordinal(value)?;
        let same = own == prefix && is_numbered(value) == numbered;
        if !same || ordered.insert(number, value.to_owned()).is_some() {
            return None;
        }
    }
    let (low, high) = (*ordered.first_key_value()?.0, *ordered.last_key_value()?.0);
    let range = high
        .checked_sub(low)
        .and_then(|range| usize::try_from(range).ok());
    let padded = values
        .iter()
        .any(|value| value[prefix.len()..].starts_with('0') && value.len() > prefix.len() + 1);
    if range.is_some_and(|range| range < 3 * ordered.len()) && !padded {
        for number in low..=high {
            let letter = u32::try_from(number).ok().and_then(char::from_u32);
            let value = match letter {
                Some(letter) if !numbered => letter.to_string(),
                _ => format!("{prefix}{number}"),
            };
            ordered.entry(number).or_insert(value);
        }
    }
    Some(ordered.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(values: &[&str], statics: &[&str]) -> Option<String> {
        let statics: Vec<FlatTerm> = statics
            .iter()
            .filter_map(|fact| FlatTerm::parse(fact))
            .collect();
        let values = values.iter().copied().collect();
        order(&values, &ValueSuccessors::find(&statics)).map(|values| values.join(" "))
    }

    #[test]
    fn numbers_letters_and_prefixes() {
        assert_eq!(
            ordered(&["10", "9", "1", "2", "5"], &[]).as_deref(),
            Some("1 2 3 4 5 6 7 8 9 10")
        );
        assert_eq!(ordered(&["c", "a"], &[]).as_deref(), Some("a b c"));
        assert_eq!(
            ordered(&["p2", "p10", "p1"], &[]).as_deref(),
            Some("p1 p2 p10")
        );
        assert_eq!(
            ordered(&["r02", "r01", "r10"], &[]).as_deref(),
            Some("r01 r02 r10")
        );
        assert_eq!(ordered(&["-1", "0", "1"], &[]).as_deref(), Some("-1 0 1"));
        assert_eq!(ordered(&["1", "a"], &[]), None);
        assert_eq!(ordered(&["red", "blue"], &[]), None);
        assert_eq!(ordered(&["1"], &[]), None);
        assert_eq!(
            ordered(&["-9223372036854775808", "9223372036854775807"], &[]).as_deref(),
            Some("-9223372036854775808 9223372036854775807")
        );
    }

    #[test]
    fn words_have_the_order_of_a_relation() {
        let facts = [
            "(next two three)",
            "(next one two)",
            "(next three four)",
            "(hates two one)",
        ];
        assert_eq!(
            ordered(&["two", "one", "three"], &facts).as_deref(),
            Some("one two three")
        );
        assert_eq!(ordered(&["two", "four"], &facts), None);
        // A ring has no first value.
        let ring = ["(turn north east)", "(turn east north)"];
        assert_eq!(ordered(&["north", "east"], &ring), None);
    }
}
