//! Markdown tables.

use std::fmt;

/// A table of Markdown: columns of text on the left, then columns of figures, which
/// are aligned to the right.
///
/// ```
/// use gdl_contests::markdown::MarkdownTable;
///
/// let mut table = MarkdownTable::new(1, ["agent", "games", "score"]);
/// table.row(["uct", "100", "62.5 %"]);
/// assert_eq!(
///     table.to_string(),
///     "| agent | games | score |\n|---|---:|---:|\n| uct | 100 | 62.5 % |\n"
/// );
/// ```
#[derive(Debug, Clone)]
pub struct MarkdownTable {
    texts: usize,
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl MarkdownTable {
    /// A table without rows, whose first `texts` columns are text.
    #[must_use]
    pub fn new<T: Into<String>>(texts: usize, head: impl IntoIterator<Item = T>) -> Self {
        Self {
            texts,
            head: head.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row with one cell per column.
    pub fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }
}

impl fmt::Display for MarkdownTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| {} |", self.head.join(" | "))?;
        let columns = 0..self.head.len();
        let rules = columns.map(|column| if column < self.texts { "---|" } else { "---:|" });
        writeln!(f, "|{}", rules.collect::<String>())?;
        let mut rows = self.rows.iter();
        rows.try_for_each(|row| writeln!(f, "| {} |", row.join(" | ")))
    }
}
