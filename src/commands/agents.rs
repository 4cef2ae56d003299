//! `gdl agents`: explains the components of agents.

use gdl_agent::agents::registry::COMPONENTS;
use gdl_agent::component::{Component, Parameter, ParameterKind};
use serde_json::json;
use std::process::ExitCode;

/// Explain the components that agents are made of
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl agents                  every component: what it does, its parameters, its source
  gdl agents --json           the same for programs

An agent is written as components joined by +, one of them its selection rule:
  uct                         plain Monte-Carlo tree search
  uct(c=20)+mast              with another parameter, and playouts guided by mast
  uct+rave(k=500)+fast+mast   fast where it applies, mast elsewhere")]
pub struct AgentsArgs {
    /// Print one JSON array
    #[arg(long)]
    json: bool,
}

/// Width of running text, in columns.
const WIDTH: usize = 76;

/// Prints every component.
///
/// # Errors
/// If they cannot be written as JSON.
pub fn run(args: &AgentsArgs) -> anyhow::Result<ExitCode> {
    if args.json {
        let components: Vec<_> = COMPONENTS
            .iter()
            .map(|component| to_json(component))
            .collect();
        println!("{}", serde_json::to_string_pretty(&components)?);
        return Ok(ExitCode::SUCCESS);
    }
    let texts: Vec<String> = COMPONENTS
        .iter()
        .map(|component| explain(component))
        .collect();
    print!("{}", texts.join("\n"));
    Ok(ExitCode::SUCCESS)
}

fn to_json(component: &Component) -> serde_json::Value {
    let parameters: Vec<_> = component.parameters.iter().map(parameter_to_json).collect();
    json!({
        "name": component.name,
        "place": component.slot.describe(),
        "summary": component.summary,
        "parameters": parameters,
        "source": component.source,
    })
}

/// A parameter; what its kind does not have is null.
fn parameter_to_json(parameter: &Parameter) -> serde_json::Value {
    let mut value = json!({
        "name": parameter.name,
        "meaning": parameter.meaning,
        "default": null,
        "least": null,
        "most": null,
        "names": null,
        "placeholder": null,
    });
    match &parameter.kind {
        ParameterKind::Number { default, range } => {
            value["default"] = json!(default);
            value["least"] = json!(range.start());
            value["most"] = json!(range.end());
        }
        ParameterKind::Text { placeholder } => value["placeholder"] = json!(placeholder),
        ParameterKind::Choice { names } => {
            value["default"] = json!(names.first());
            value["names"] = json!(names);
        }
    }
    value
}

fn explain(component: &Component) -> String {
    let mut text = format!("{:<11} {}\n", component.name, component.slot.describe());
    text += &paragraph(component.summary, 2);
    for parameter in component.parameters {
        let value = match &parameter.kind {
            ParameterKind::Number { default, .. } => default.to_string(),
            ParameterKind::Text { placeholder } => (*placeholder).to_owned(),
            ParameterKind::Choice { names } => names[0].to_owned(),
        };
        let value = format!("{}={value}", parameter.name);
        text += &format!("    {value:<15} {}\n", parameter.meaning);
    }
    if !component.source.is_empty() {
        text += &paragraph(&format!("[{}]", component.source), 2);
    }
    text
}

/// Wraps running text between words, every line with a margin.
fn paragraph(text: &str, margin: usize) -> String {
    let margin = " ".repeat(margin);
    let options = textwrap::Options::new(WIDTH)
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
        .initial_indent(&margin)
        .subsequent_indent(&margin);
    textwrap::fill(text, options) + "\n"
}
