//! `gdl agents`: the parts that agents are made of.

use gdl_agent::agents::registry::COMPONENTS;
use gdl_agent::component::{Component, Parameter};
use std::process::ExitCode;

/// Explain the parts that agents are made of
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl agents                  every part: what it does, its parameters, its source
  gdl agents --json           the same for programs

An agent is a text of parts joined by +, the rule of selection among them:
  uct                         plain Monte-Carlo tree search
  uct(c=20)+mast              with another parameter, and playouts guided by mast
  uct+rave(k=500)+fast+mast   fast where it applies, else mast")]
pub struct AgentsArgs {
    /// Print one JSON array
    #[arg(long)]
    json: bool,
}

/// Columns of running text.
const WIDTH: usize = 76;

/// Prints the parts, one after the other.
///
/// # Errors
/// If they cannot be written as JSON.
pub fn run(args: &AgentsArgs) -> anyhow::Result<ExitCode> {
    if args.json {
        let parts: Vec<_> = COMPONENTS.iter().map(|part| to_json(part)).collect();
        println!("{}", serde_json::to_string_pretty(&parts)?);
        return Ok(ExitCode::SUCCESS);
    }
    let texts: Vec<String> = COMPONENTS.iter().map(|part| explain(part)).collect();
    print!("{}", texts.join("\n"));
    Ok(ExitCode::SUCCESS)
}

fn to_json(part: &Component) -> serde_json::Value {
    let parameter = |parameter: &Parameter| {
        serde_json::json!({
            "name": parameter.name,
            "meaning": parameter.meaning,
            "default": parameter.default,
            "least": parameter.range.start(),
            "most": parameter.range.end(),
        })
    };
    let parameters: Vec<_> = part.parameters.iter().map(parameter).collect();
    serde_json::json!({
        "name": part.name,
        "place": part.slot.describe(),
        "summary": part.summary,
        "parameters": parameters,
        "source": part.source,
    })
}

fn explain(part: &Component) -> String {
    let mut text = format!("{:<12}{}\n", part.name, part.slot.describe());
    text += &paragraph(part.summary, 2);
    for parameter in part.parameters {
        let value = format!("{}={}", parameter.name, parameter.default);
        text += &format!("    {value:<16}{}\n", parameter.meaning);
    }
    if !part.source.is_empty() {
        text += &paragraph(&format!("[{}]", part.source), 2);
    }
    text
}

/// Running text with a margin, broken between words.
fn paragraph(text: &str, margin: usize) -> String {
    let (mut lines, mut line) = (String::new(), String::new());
    for word in text.split_whitespace() {
        let longer = margin + line.chars().count() + 1 + word.chars().count();
        if !line.is_empty() && longer > WIDTH {
            lines += &format!("{:margin$}{line}\n", "");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    lines + &format!("{:margin$}{line}\n", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        let text = "abcde fghij ".repeat(12);
        let broken = paragraph(&text, 2);
        assert!(
            broken
                .lines()
                .all(|line| line.len() <= WIDTH && line.starts_with("  a"))
        );
        assert_eq!(broken.lines().count(), 2);
        assert_eq!(broken.split_whitespace().count(), 24);
        assert_eq!(paragraph("", 2), "  \n");
    }
}
