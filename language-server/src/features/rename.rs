//! Renaming what a word names, so that the rules mean the same afterwards.

use super::code_actions::workspace_edit;
use crate::analysis::SheetAnalysis;
use crate::names::{Argument, Occurrence, Sort};
use crate::sheet::Sheet;
use gdlc::rules::{Keyword, is_reserved};
use gdlc::syntax::{TokenKind, tokenize};
use lsp_types::{Position, Range, TextEdit, Uri, WorkspaceEdit};

/// Why something cannot be renamed.
#[derive(Debug, thiserror::Error)]
pub enum RenameError {
    /// There is no word at the position.
    #[error("there is no name here")]
    NoName,
    /// The word belongs to the language.
    #[error("`{0}` is a word of GDL")]
    Reserved(String),
    /// The new name is not one word.
    #[error("`{0}` is not a name: it must be one word without parentheses and semicolons")]
    NotAWord(String),
    /// A variable would become a name, or a name a variable.
    #[error("variables, and only they, begin with `?`")]
    WrongKind,
    /// The new name is that of something else.
    #[error("`{0}` already is the name of something else")]
    Taken(String),
    /// The word is a goal's value.
    #[error("`{0}` is the value of a goal, which is a number")]
    GoalValue(String),
    /// The word is a number, and some goal's value is a variable.
    #[error("`{0}` may be the value of a goal, which is a number")]
    PossibleGoalValue(String),
}

/// The range of the word at a position, if it can be renamed.
///
/// # Errors
/// If it cannot.
pub fn prepare_rename(analysis: &SheetAnalysis, position: Position) -> Result<Range, RenameError> {
    Ok(analysis.range(renamable(analysis, position)?.span))
}

/// The edits that rename what the word at a position names: a variable in its rule; a relation,
/// a function or a constant in the whole sheet, however it is capitalised.
///
/// # Errors
/// If the new name is not valid or is taken.
pub fn rename(
    analysis: &SheetAnalysis,
    uri: &Uri,
    position: Position,
    new_name: &str,
) -> Result<WorkspaceEdit, RenameError> {
    let word = renamable(analysis, position)?;
    check_name(analysis, word, new_name)?;
    let same: Vec<_> = analysis.sheet.same(word).collect();
    let edit = |word: &&Occurrence| TextEdit::new(analysis.range(word.span), new_name.to_owned());
    Ok(workspace_edit(uri, same.iter().map(edit).collect()))
}

fn renamable(analysis: &SheetAnalysis, position: Position) -> Result<&Occurrence, RenameError> {
    let word = analysis.word(position).ok_or(RenameError::NoName)?;
    if matches!(word.sort, Sort::Connective) || word.keyword().is_some() {
        return Err(RenameError::Reserved(analysis.text(word.span).to_owned()));
    }
    let is_value =
        |other: &Occurrence| other.sort == Sort::Term(Argument::Keyword(Keyword::Goal, 1, true));
    if analysis.sheet.same(word).any(is_value) {
        return Err(RenameError::GoalValue(analysis.text(word.span).to_owned()));
    }
    let is_number = word.folded.bytes().all(|byte| byte.is_ascii_digit());
    let is_term = matches!(word.sort, Sort::Term(_));
    if is_number && is_term && has_variable_goal(&analysis.sheet) {
        let number = analysis.text(word.span).to_owned();
        return Err(RenameError::PossibleGoalValue(number));
    }
    Ok(word)
}

/// Whether some goal's value is a variable, which may stand for any number of the sheet.
fn has_variable_goal(sheet: &Sheet) -> bool {
    let heads = sheet.statements.iter().filter_map(|outline| outline.head);
    let mut heads = heads.filter_map(|head| sheet.occurrences.get(head..));
    heads.any(|words| match words {
        [head, _, value, ..] => {
            let is_variable = matches!(value.sort, Sort::Variable { .. });
            head.keyword() == Some(Keyword::Goal) && is_variable
        }
        _ => false,
    })
}

fn check_name(
    analysis: &SheetAnalysis,
    word: &Occurrence,
    new_name: &str,
) -> Result<(), RenameError> {
    let own = || new_name.to_owned();
    let is_variable = match tokenize(new_name)[..] {
        [token] if token.span.start == 0 && token.span.end as usize == new_name.len() => {
            match token.kind {
                TokenKind::Variable => true,
                TokenKind::Symbol => false,
                _ => return Err(RenameError::NotAWord(own())),
            }
        }
        _ => return Err(RenameError::NotAWord(own())),
    };
    if is_variable != matches!(word.sort, Sort::Variable { .. }) {
        return Err(RenameError::WrongKind);
    }
    if is_reserved(new_name) {
        return Err(RenameError::Reserved(own()));
    }
    let renamed = Occurrence {
        folded: new_name.to_lowercase(),
        ..word.clone()
    };
    let is_taken = analysis.sheet.same(&renamed).next().is_some();
    if is_taken && renamed.folded != word.folded {
        return Err(RenameError::Taken(own()));
    }
    Ok(())
}
