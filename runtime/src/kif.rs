//! Names as KIF, compared.

/// A KIF term in one spelling: lower case, single spaces, none inside
/// parentheses' edges; two terms are the same exactly if these are equal.
#[must_use]
pub fn normalise(kif: &str) -> String {
    let mut text = String::with_capacity(kif.len());
    for character in kif.chars() {
        match character {
            '(' => {
                if !text.is_empty() && !text.ends_with(['(', ' ']) {
                    text.push(' ');
                }
                text.push('(');
            }
            ')' => {
                text.truncate(text.trim_end().len());
                text.push(')');
            }
            _ if character.is_whitespace() => {
                if !text.is_empty() && !text.ends_with(['(', ' ']) {
                    text.push(' ');
                }
            }
            _ => {
                if text.ends_with(')') {
                    text.push(' ');
                }
                text.extend(character.to_lowercase());
            }
        }
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::normalise;

    #[test]
    fn spacing_and_case_do_not_matter() {
        for text in [
            "(cell 1 (at A b))",
            " ( CELL  1(At a\tB) )\n",
            "(cell 1(at a b))",
        ] {
            assert_eq!(normalise(text), "(cell 1 (at a b))");
        }
        assert_eq!(normalise(" NoOp "), "noop");
    }
}
