//! Why an environment cannot do what is asked of it.

/// Why an environment cannot be made, or does not take a step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EnvironmentError {
    /// The engine does not know all fluents and moves in advance.
    #[error("the {0} engine numbers moves as it meets them: environments need the engine net")]
    NoNumbers(String),
    /// No environment is asked for.
    #[error("there must be at least one environment")]
    NoEnvironments,
    /// One action for all roles is wanted where several can choose at a time.
    #[error("several roles can choose at a time: each needs an action of its own")]
    Simultaneous,
    /// The rewards of a single role cannot sum to zero.
    #[error("zero-sum rewards need at least two roles")]
    OneRole,
    /// No board was found.
    #[error("no board was found in the rules: observe fluents instead of planes")]
    NoBoard,
    /// The planes show fluents that the game does not have.
    #[error("the planes are those of another game")]
    OtherPlanes,
    /// A search descends before its roots are expanded.
    #[error("the roots of the searches have not been expanded yet")]
    NotExpanded,
    /// An array does not have the required length.
    #[error("{what}: {found} entries where {expected} are needed")]
    Length {
        /// The array.
        what: &'static str,
        /// Its length.
        found: usize,
        /// What it should be.
        expected: usize,
    },
    /// An action is not legal.
    #[error("environment {environment}: {role} cannot play action {action} ({name})")]
    Illegal {
        /// The number of the environment.
        environment: usize,
        /// The role's name.
        role: String,
        /// The action.
        action: i32,
        /// The move as KIF, if there is one of this number.
        name: String,
    },
    /// The number of an environment is too great.
    #[error("there is no environment {environment}: the last is {last}")]
    NoSuchEnvironment {
        /// The number.
        environment: usize,
        /// The greatest one.
        last: usize,
    },
}

impl EnvironmentError {
    /// Checks a length.
    pub(crate) fn check_length(
        what: &'static str,
        found: usize,
        expected: usize,
    ) -> Result<(), Self> {
        if found == expected {
            return Ok(());
        }
        Err(Self::Length {
            what,
            found,
            expected,
        })
    }
}
