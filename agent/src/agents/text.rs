//! Agents as texts: reading and writing.

use std::collections::HashSet;
use std::fmt;

use crate::component::{
    Component, Parameter, ParameterKind, ParameterValue, ParameterValues, Slot,
};

/// Why a text does not describe an agent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}{}", suggestion(.choices))]
pub struct AgentTextError {
    /// What is wrong.
    pub problem: String,
    /// The names to choose from instead; empty if that would not help.
    pub choices: Vec<String>,
}

fn suggestion(choices: &[String]) -> String {
    match choices {
        [] => String::new(),
        names => format!("; there are {}", names.join(", ")),
    }
}

impl AgentTextError {
    fn new(problem: String, choices: impl IntoIterator<Item = &'static str>) -> Self {
        Self {
            problem,
            choices: choices.into_iter().map(str::to_owned).collect(),
        }
    }
}

type Chosen = (&'static Component, ParameterValues);

pub(super) fn parse(
    text: &str,
    components: &[&'static Component],
) -> Result<Vec<Chosen>, AgentTextError> {
    let mut chosen: Vec<Chosen> = Vec::new();
    for piece in pieces(text) {
        let component = parse_component(piece.trim(), components)?;
        if let Some((other, _)) = chosen
            .iter()
            .find(|(other, _)| conflict(other, component.0))
        {
            let problem = format!(
                "{} and {} cannot both be in one agent: both are for {}",
                other.name,
                component.0.name,
                component.0.slot.describe()
            );
            return Err(AgentTextError::new(problem, []));
        }
        chosen.push(component);
    }
    check_base(&chosen, components)?;
    Ok(chosen)
}

/// The texts of the components, separated by `+`. A `+` inside brackets is part of a file name.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut is_inside = false;
    text.split(move |letter| {
        match letter {
            '(' => is_inside = true,
            ')' => is_inside = false,
            _ => {}
        }
        letter == '+' && !is_inside
    })
}

fn conflict(one: &Component, other: &Component) -> bool {
    one == other || one.slot == other.slot && !one.slot.holds_several()
}

/// Checks that there is a selection rule, or a single component, which does not search.
fn check_base(chosen: &[Chosen], components: &[&'static Component]) -> Result<(), AgentTextError> {
    let is_base =
        |component: &Component| matches!(component.slot, Slot::Selection | Slot::NoSearch);
    if !chosen.iter().any(|(component, _)| is_base(component)) {
        let bases = components.iter().filter(|component| is_base(component));
        let problem = "an agent begins with what it selects moves by".to_owned();
        return Err(AgentTextError::new(
            problem,
            bases.map(|component| component.name),
        ));
    }
    let idle = chosen
        .iter()
        .find(|(component, _)| component.slot == Slot::NoSearch);
    match idle {
        Some((component, _)) if chosen.len() > 1 => {
            let problem = format!(
                "{} does not search, and has no other components",
                component.name
            );
            Err(AgentTextError::new(problem, []))
        }
        _ => Ok(()),
    }
}

fn parse_component(
    text: &str,
    components: &[&'static Component],
) -> Result<Chosen, AgentTextError> {
    let (name, arguments) = match text.split_once('(') {
        None => (text, ""),
        Some((name, rest)) => match rest.strip_suffix(')') {
            Some(arguments) => (name.trim_end(), arguments),
            None => {
                let problem = format!("`{text}` has no closing bracket");
                return Err(AgentTextError::new(problem, []));
            }
        },
    };
    let component = components
        .iter()
        .find(|component| component.name == name)
        .ok_or_else(|| {
            let names = components.iter().map(|component| component.name);
            AgentTextError::new(format!("no component is called `{name}`"), names)
        })?;
    let (component, mut values) = component.by_default();
    let mut given = HashSet::new();
    for argument in arguments.split(',').filter(|text| !text.trim().is_empty()) {
        let parameter = parse_argument(component, argument, &mut values)?;
        if !given.insert(parameter) {
            let problem = format!("{name} has its parameter `{parameter}` twice");
            return Err(AgentTextError::new(problem, []));
        }
    }
    Ok((component, values))
}

/// Sets the value of a parameter, and returns the parameter's name.
fn parse_argument(
    component: &'static Component,
    text: &str,
    values: &mut ParameterValues,
) -> Result<&'static str, AgentTextError> {
    let names = || component.parameters.iter().map(|known| known.name);
    let Some((name, value)) = text.split_once('=') else {
        let known = component.parameters.iter();
        let is_number = |known: &Parameter| matches!(known.kind, ParameterKind::Number { .. });
        let value = match known.clone().all(is_number) {
            true => "NUMBER",
            false => "VALUE",
        };
        let problem = format!(
            "`{}` of {} is not NAME={value}",
            text.trim(),
            component.name
        );
        return Err(AgentTextError::new(problem, names()));
    };
    let (name, value) = (name.trim(), value.trim());
    let index = names().position(|known| known == name).ok_or_else(|| {
        let problem = format!("{} has no parameter `{name}`", component.name);
        AgentTextError::new(problem, names())
    })?;
    let component_name = component.name;
    values.0[index] = match &component.parameters[index].kind {
        ParameterKind::Number { range, .. } => match value.parse() {
            Ok(number) if range.contains(&number) => ParameterValue::Number(number),
            _ => {
                let (least, most) = (range.start(), range.end());
                let problem = format!(
                    "{name} of {component_name} is a number from {least} to {most}, not `{value}`"
                );
                return Err(AgentTextError::new(problem, []));
            }
        },
        ParameterKind::Choice { names } => match names.contains(&value) {
            true => ParameterValue::Text(value.to_owned()),
            false => {
                let problem = format!("{name} of {component_name} cannot be `{value}`");
                return Err(AgentTextError::new(problem, names.iter().copied()));
            }
        },
        ParameterKind::Text { placeholder } => {
            if value.is_empty() || value.contains(['(', ')']) {
                let problem = format!(
                    "{name} of {component_name} is a {placeholder} without commas and brackets, \
                     not `{value}`"
                );
                return Err(AgentTextError::new(problem, []));
            }
            ParameterValue::Text(value.to_owned())
        }
    };
    Ok(component.parameters[index].name)
}

/// Writes a component with those of its parameters that differ from their defaults.
pub(super) fn write(
    f: &mut fmt::Formatter<'_>,
    component: &Component,
    values: &ParameterValues,
) -> fmt::Result {
    f.write_str(component.name)?;
    let pairs = component.parameters.iter().zip(&values.0);
    let changed = pairs.filter(|(parameter, value)| parameter.kind.default_value() != **value);
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
        assert_eq!(canonical("uct+trees(by=sum)"), "uct+trees");
        assert_eq!(canonical("uct+trees(by=raw)"), "uct+trees(by=raw)");
        assert_eq!(
            canonical("champion( net = nets/a+b=c.net , uct=40)+mast"),
            "champion(net=nets/a+b=c.net)+mast"
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        let starts = |text: &str, with: &str| {
            let said = canonical(text);
            assert!(said.starts_with(with), "{text}: {said}");
        };
        starts(
            "uct+wisdom",
            "error: no component is called `wisdom`; there are uct, champion, random, ",
        );
        starts("uct+random", "error: random does not search");
        starts(
            "uct+uct(c=1)",
            "error: uct and uct cannot both be in one agent",
        );
        starts(
            "discount",
            "error: an agent begins with what it selects moves by; there are uct, champion, random",
        );
        starts("uct(d=1)", "error: uct has no parameter `d`; there are c");
        starts("uct(c=1", "error: `uct(c=1` has no closing bracket");
        starts("uct(c=1,c=2)", "error: uct has its parameter `c` twice");
        starts("uct(c=-1)", "error: c of uct is a number from 0 to ");
        starts("uct(c=NaN)", "error: c of uct is a number from 0 to ");
        starts(
            "uct(40)",
            "error: `40` of uct is not NAME=NUMBER; there are c",
        );
        starts(
            "champion(net=)",
            "error: net of champion is a FILE without ",
        );
        starts(
            "uct+trees(by=vote)",
            "error: by of trees cannot be `vote`; there are sum, sum10, best, raw",
        );
        starts("champion(x)", "error: `x` of champion is not NAME=VALUE; ");
        starts("", "error: no component is called ``");
    }
}
