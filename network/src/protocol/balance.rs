//! Finds the end of a KIF expression that arrives in pieces.

/// Counts parentheses while a text arrives.
#[derive(Debug, Default)]
pub struct Balance {
    depth: usize,
    in_comment: bool,
}

impl Balance {
    /// Reads more of the text. Returns the offset in `bytes` after the parenthesis that
    /// closes the outermost one, and reads no further; `None` if it is not among them.
    pub fn read(&mut self, bytes: &[u8]) -> Option<usize> {
        for (offset, &byte) in bytes.iter().enumerate() {
            match byte {
                b'\n' | b'\r' => self.in_comment = false,
                _ if self.in_comment => {}
                b';' => self.in_comment = true,
                b'(' => self.depth += 1,
                b')' if self.depth == 1 => {
                    self.depth = 0;
                    return Some(offset + 1);
                }
                b')' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        None
    }

    /// Whether a parenthesis is open.
    pub fn is_open(&self) -> bool {
        self.depth > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_balance_ends_with_the_first_expression_however_it_arrives() {
        let text = ") ;(\n(a ; )\r(b)) (";
        let end = text.len() - 2;
        assert_eq!(Balance::default().read(text.as_bytes()), Some(end));
        let mut balance = Balance::default();
        let read = text
            .bytes()
            .map(|byte| balance.read(&[byte]).is_some())
            .position(|ended| ended);
        assert_eq!(read, Some(end - 1));
    }
}
