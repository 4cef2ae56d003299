//! Parses roles on the command line.

use anyhow::Context as _;
use gdl_runtime::engine::Role;

/// Finds a role by its name, ignoring case, or by its one-based number.
///
/// # Errors
/// If there is no such role.
pub fn find_role(roles: &[String], text: &str) -> anyhow::Result<Role> {
    let named = roles
        .iter()
        .position(|role| role.eq_ignore_ascii_case(text));
    let numbered = || {
        text.parse()
            .ok()
            .filter(|number| (1..=roles.len()).contains(number))
    };
    named
        .or_else(|| numbered().map(|number: usize| number - 1))
        .with_context(|| format!("no role {text}: the roles are {}", roles.join(", ")))
}

/// Parses `ROLE=WHO`: a role, and the text that names its player.
///
/// # Errors
/// If the text has no `=`, or there is no such role.
pub fn assignment<'a>(roles: &[String], spec: &'a str) -> anyhow::Result<(Role, &'a str)> {
    let (role, who) = spec
        .split_once('=')
        .with_context(|| format!("--player {spec}: write ROLE=WHO"))?;
    Ok((find_role(roles, role)?, who))
}
