//! What a contest is about: all that its games follow from.

use super::venue::VenueKind;
use anyhow::Context as _;
use gdl_agent::clock::Allowance;
use gdl_agent::contest::Schedule;
use gdl_network::protocol::Clocks;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// What every move may cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Budget {
    /// So many simulations: games can be repeated.
    Simulations(u64),
    /// Simulations until they have made so many moves: games can be repeated.
    Steps(u64),
    /// So many seconds.
    Seconds(f64),
    /// The clocks of a host, who waits for a move no longer than that.
    Clocks(Clocks),
}

impl Budget {
    /// From a time such as `1s`, `200ms` or `1m 30s`.
    ///
    /// # Errors
    /// If it is no time, or none at all.
    pub fn time(text: &str) -> Result<Self, String> {
        let time = humantime::Duration::from_str(text)
            .map_err(|error| format!("{error}; write a time as in 1s or 200ms"))?;
        if time.is_zero() {
            return Err("a move needs some time".to_owned());
        }
        Ok(Self::Seconds(time.as_secs_f64()))
    }

    /// Whether it is counted, not measured.
    #[must_use]
    pub fn is_counted(self) -> bool {
        matches!(self, Self::Simulations(_) | Self::Steps(_))
    }

    /// What the search is told.
    #[must_use]
    pub fn allowance(self) -> Allowance {
        match self {
            Self::Simulations(count) => Allowance::Simulations(count),
            Self::Steps(count) => Allowance::Steps(count),
            Self::Seconds(seconds) => {
                let time = Duration::try_from_secs_f64(seconds);
                Allowance::Time(time.unwrap_or(Duration::MAX))
            }
            Self::Clocks(clocks) => Allowance::Time(clocks.play()),
        }
    }

    /// As part of a file's name.
    fn word(self) -> String {
        match self {
            Self::Simulations(count) => format!("{count}sims"),
            Self::Steps(count) => format!("{count}steps"),
            Self::Seconds(seconds) => format!("{seconds}s"),
            Self::Clocks(clocks) => format!("{}+{}s", clocks.start, clocks.play),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simulations(count) => {
                write!(f, "{} simulations", indicatif::HumanCount(*count))
            }
            Self::Steps(count) => write!(f, "{} steps", indicatif::HumanCount(*count)),
            Self::Seconds(seconds) => write!(f, "{seconds} s"),
            Self::Clocks(clocks) => write!(f, "{} s after {} s", clocks.play, clocks.start),
        }
    }
}

/// A published value to compare with.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Paper {
    /// The score of the first agent, in per cent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percent: Option<f64>,
    /// Where it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// Its row there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// Its column there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
}

/// The first line of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// The rule sheet's name without folder and extension.
    pub game: String,
    /// A hash of the rule sheet, or the version that it is built into.
    pub rules: String,
    /// The roles' names.
    pub roles: Vec<String>,
    /// The agents' texts.
    pub agents: Vec<String>,
    /// What a move may cost.
    pub budget: Budget,
    /// The seed that the seeds of all games follow from.
    pub seed: u64,
    /// What runs the game.
    pub engine: String,
    /// How games are played.
    pub venue: VenueKind,
    /// Rounds after which a game is given up.
    pub rounds: usize,
    /// Memory of each player's tree, in MiB.
    pub memory: usize,
    /// What it is to be compared with; changes no game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paper: Option<Paper>,
}

impl Terms {
    /// Who sits where.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        Schedule {
            roles: self.roles.len(),
            agents: self.agents.len(),
            seed: self.seed,
        }
    }

    /// What the games follow from, as JSON: terms that agree in it describe the
    /// same games.
    #[must_use]
    pub fn identity(&self) -> Map<String, Value> {
        let mut all = match serde_json::to_value(self) {
            Ok(Value::Object(all)) => all,
            _ => Map::new(),
        };
        all.remove("paper");
        all
    }

    /// Where these terms differ from others: a sentence each.
    #[must_use]
    pub fn differences(&self, wanted: &Self) -> Vec<String> {
        let (here, there) = (self.identity(), wanted.identity());
        let differing = there
            .iter()
            .filter(|(key, value)| here.get(*key) != Some(value));
        differing
            .map(|(key, value)| {
                let own = here.get(key).unwrap_or(&Value::Null);
                format!("{key} is {own} there and {value} now")
            })
            .collect()
    }

    /// The name of a journal of these terms, of characters that are safe in any
    /// shell and file system.
    #[must_use]
    pub fn file_name(&self) -> String {
        let agents = self.agents.join(".vs.");
        let name = format!("{}.{agents}.{}", self.game, self.budget.word());
        let mut name: String = name.chars().map(safe).collect();
        while let Some(at) = name
            .find("--")
            .or_else(|| name.find("-.").or(name.find("-+")))
        {
            name.remove(at);
        }
        if name.len() > LONGEST_NAME {
            let digest = hash(name.as_bytes());
            name.truncate(LONGEST_NAME);
            name = format!("{name}.{digest}");
        }
        name
    }
}

/// Bytes of a name before it is cut; most file systems take 255 in all.
const LONGEST_NAME: usize = 160;

fn safe(letter: char) -> char {
    match letter {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '+' | '=' | '_' => letter,
        _ => '-',
    }
}

/// A hash of a rule sheet; of a game that is built in, what it is built into.
///
/// # Errors
/// If the file cannot be read.
pub fn hash_rules(file: &Path) -> anyhow::Result<String> {
    if !file.exists() {
        return Ok(format!("built into {}", env!("CARGO_PKG_VERSION")));
    }
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(hash(&bytes))
}

/// The first half of the SHA-256 digest.
fn hash(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Terms of a game of two roles between two agents.
    pub(crate) fn terms(agents: &[&str]) -> Terms {
        Terms {
            game: "hex".to_owned(),
            rules: "00".to_owned(),
            roles: vec!["black".to_owned(), "white".to_owned()],
            agents: agents.iter().map(|&agent| agent.to_owned()).collect(),
            budget: Budget::Simulations(100),
            seed: 1,
            engine: "net".to_owned(),
            venue: VenueKind::SideBySide,
            rounds: 1000,
            memory: 64,
            paper: None,
        }
    }

    #[test]
    fn times_are_written_as_people_do() {
        assert_eq!(Budget::time("1s"), Ok(Budget::Seconds(1.0)));
        assert_eq!(Budget::time("200ms"), Ok(Budget::Seconds(0.2)));
        assert_eq!(Budget::time("1m 30s"), Ok(Budget::Seconds(90.0)));
        for wrong in ["", "1", "0s", "-1s", "soon"] {
            assert!(Budget::time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn differences_name_what_differs() {
        let here = terms(&["uct", "random"]);
        let mut wanted = here.clone();
        wanted.paper = Some(Paper::default());
        assert_eq!(here.differences(&wanted), [""; 0]);
        wanted.seed = 2;
        wanted.budget = Budget::Seconds(1.0);
        assert_eq!(
            here.differences(&wanted),
            [
                "budget is {\"simulations\":100} there and {\"seconds\":1.0} now",
                "seed is 1 there and 2 now"
            ]
        );
    }

    #[test]
    fn file_names_are_safe_and_short() {
        let name = |agents: &[&str]| terms(agents).file_name();
        assert_eq!(name(&["uct+mast", "uct"]), "hex.uct+mast.vs.uct.100sims");
        assert_eq!(
            name(&["uct+rave(k=1000)+mast(tau=10)", "uct"]),
            "hex.uct+rave-k=1000+mast-tau=10.vs.uct.100sims"
        );
        assert_eq!(
            name(&["http://host:9147", "uct"]),
            "hex.http-host-9147.vs.uct.100sims"
        );
        assert_eq!(name(&["../a b;'\n", "uct"]), "hex...-a-b.vs.uct.100sims");
        let long = name(&[&"uct+".repeat(100), "uct"]);
        assert_eq!(long.len(), LONGEST_NAME + 33);
    }

    #[test]
    fn terms_survive_json() {
        let mut terms = terms(&["uct", "random"]);
        let clocks = Budget::Clocks(Clocks {
            preview: None,
            start: 30,
            play: 10,
        });
        for budget in [
            Budget::Simulations(7),
            Budget::Steps(7),
            Budget::Seconds(0.1),
            clocks,
        ] {
            terms.budget = budget;
            let text = serde_json::to_string(&terms).expect("terms are JSON");
            let back: Terms = serde_json::from_str(&text).expect("it was JSON");
            assert_eq!(back, terms);
        }
    }
}
