//! Agents as texts: reading and writing.

use std::fmt;

use super::part::{Part, Place, Values};

/// Why a text is no agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadAgent {
    /// What is wrong.
    pub problem: String,
    /// What there would be to choose from.
    pub choices: Vec<String>,
}

impl BadAgent {
    fn new(problem: String, choices: impl IntoIterator<Item = &'static str>) -> Self {
        Self {
            problem,
            choices: choices.into_iter().map(str::to_owned).collect(),
        }
    }
}

impl fmt::Display for BadAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)?;
        if !self.choices.is_empty() {
            write!(f, "; there are {}", self.choices.join(", "))?;
        }
        Ok(())
    }
}

impl std::error::Error for BadAgent {}

type Chosen = (&'static Part, Values);

pub(super) fn parse(text: &str, parts: &[&'static Part]) -> Result<Vec<Chosen>, BadAgent> {
    let mut chosen: Vec<Chosen> = Vec::new();
    for piece in text.split('+') {
        let part = parse_part(piece.trim(), parts)?;
        if let Some((other, _)) = chosen.iter().find(|(other, _)| conflict(other, part.0)) {
            let problem = format!(
                "{} and {} cannot be parts of one agent: both are for {}",
                other.name,
                part.0.name,
                part.0.place.describe()
            );
            return Err(BadAgent::new(problem, []));
        }
        chosen.push(part);
    }
    check_base(&chosen, parts)?;
    Ok(chosen)
}

fn conflict(one: &Part, other: &Part) -> bool {
    one == other || one.place == other.place && one.place != Place::Playout
}

/// An agent has one rule of selection, or does not search and has nothing else.
fn check_base(chosen: &[Chosen], parts: &[&'static Part]) -> Result<(), BadAgent> {
    let is_base = |part: &Part| matches!(part.place, Place::Selection | Place::NoSearch);
    if !chosen.iter().any(|(part, _)| is_base(part)) {
        let bases = parts.iter().filter(|part| is_base(part));
        let problem = "an agent begins with what it selects moves by".to_owned();
        return Err(BadAgent::new(problem, bases.map(|part| part.name)));
    }
    let idle = chosen
        .iter()
        .find(|(part, _)| part.place == Place::NoSearch);
    match idle {
        Some((part, _)) if chosen.len() > 1 => {
            let problem = format!("{} does not search, and has no other parts", part.name);
            Err(BadAgent::new(problem, []))
        }
        _ => Ok(()),
    }
}

fn parse_part(text: &str, parts: &[&'static Part]) -> Result<Chosen, BadAgent> {
    let (name, arguments) = match text.split_once('(') {
        None => (text, ""),
        Some((name, rest)) => match rest.strip_suffix(')') {
            Some(arguments) => (name.trim_end(), arguments),
            None => {
                let problem = format!("`{text}` has no closing bracket");
                return Err(BadAgent::new(problem, []));
            }
        },
    };
    let part = parts.iter().find(|part| part.name == name).ok_or_else(|| {
        let names = parts.iter().map(|part| part.name);
        BadAgent::new(format!("no part is called `{name}`"), names)
    })?;
    let (part, mut values) = part.by_default();
    for argument in arguments.split(',').filter(|text| !text.trim().is_empty()) {
        parse_argument(part, argument, &mut values)?;
    }
    Ok((part, values))
}

fn parse_argument(part: &'static Part, text: &str, values: &mut Values) -> Result<(), BadAgent> {
    let names = || part.parameters.iter().map(|known| known.name);
    let Some((name, value)) = text.split_once('=') else {
        let problem = format!("`{}` of {} is not NAME=NUMBER", text.trim(), part.name);
        return Err(BadAgent::new(problem, names()));
    };
    let (name, value) = (name.trim(), value.trim());
    let index = names().position(|known| known == name).ok_or_else(|| {
        let problem = format!("{} has no parameter `{name}`", part.name);
        BadAgent::new(problem, names())
    })?;
    let range = &part.parameters[index].range;
    match value.parse() {
        Ok(number) if range.contains(&number) => {
            values.0[index] = number;
            Ok(())
        }
        _ => {
            let (least, most) = (range.start(), range.end());
            let part = part.name;
            let problem =
                format!("{name} of {part} is a number from {least} to {most}, not `{value}`");
            Err(BadAgent::new(problem, []))
        }
    }
}

/// Writes a part with those parameters that are not what they are by default.
pub(super) fn write(f: &mut fmt::Formatter<'_>, part: &Part, values: &Values) -> fmt::Result {
    f.write_str(part.name)?;
    let pairs = part.parameters.iter().zip(&values.0);
    let changed = pairs.filter(|(parameter, value)| parameter.default != **value);
    let mut open = "(";
    for (parameter, value) in changed {
        write!(f, "{open}{}={value}", parameter.name)?;
        open = ",";
    }
    f.write_str(if open == "," { ")" } else { "" })
}

#[cfg(test)]
mod tests {
    use crate::agents::Agent;

    fn canonical(text: &str) -> String {
        match text.parse::<Agent>() {
            Ok(agent) => agent.to_string(),
            Err(error) => format!("error: {error}"),
        }
    }

    #[test]
    fn texts_are_read_and_written() {
        assert_eq!(canonical("uct"), "uct");
        assert_eq!(canonical(" uct ( c = 40 ) "), "uct");
        assert_eq!(
            canonical("uct(c=20)+discount(gamma=0.99)"),
            "uct(c=20)+discount(gamma=0.99)"
        );
        assert_eq!(canonical("random"), "random");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let starts = |text: &str, with: &str| {
            let said = canonical(text);
            assert!(said.starts_with(with), "{text}: {said}");
        };
        starts(
            "uct+wisdom",
            "error: no part is called `wisdom`; there are uct, random, ",
        );
        starts("uct+random", "error: random does not search");
        starts(
            "uct+uct(c=1)",
            "error: uct and uct cannot be parts of one agent",
        );
        starts(
            "discount",
            "error: an agent begins with what it selects moves by; there are uct, random",
        );
        starts("uct(d=1)", "error: uct has no parameter `d`; there are c");
        starts("uct(c=1", "error: `uct(c=1` has no closing bracket");
        starts("uct(c=-1)", "error: c of uct is a number from 0 to ");
        starts("uct(c=NaN)", "error: c of uct is a number from 0 to ");
        starts(
            "uct(40)",
            "error: `40` of uct is not NAME=NUMBER; there are c",
        );
        starts("", "error: no part is called ``");
    }
}
