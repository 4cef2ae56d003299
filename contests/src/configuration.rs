//! The configuration of a contest: everything that determines its games.

use crate::budget::MoveBudget;
use crate::idle_search::IdleSearch;
use crate::published_value::PublishedValue;
use crate::runner::RunnerKind;
use crate::schedule::Schedule;
use gdl_engines::digest::sha256_hex;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// Everything that determines the games of a contest; the first line of its journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContestConfiguration {
    /// The rule sheet's name without folder and extension.
    pub game: String,
    /// A digest of the rule sheet, or for a built-in game the version of this program.
    pub rules: String,
    /// The names of the roles.
    #[serde(deserialize_with = "at_least_one")]
    pub roles: Vec<String>,
    /// The texts of the agents.
    #[serde(deserialize_with = "at_least_one")]
    pub agents: Vec<String>,
    /// Digests of the networks that agents play with, of those that name a file, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<String>,
    /// What a move may cost.
    pub budget: MoveBudget,
    /// What players search while they have nothing to decide.
    #[serde(default, skip_serializing_if = "IdleSearch::is_none")]
    pub idle: IdleSearch,
    /// The seed from which the seeds of all games are derived.
    pub seed: u64,
    /// The engine that runs the game.
    pub engine: String,
    /// How the games are played.
    #[serde(rename = "venue")]
    pub runner: RunnerKind,
    /// Seconds before the first move of every game in which its players learn, if any of
    /// them does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// Rounds after which a game is given up.
    pub rounds: usize,
    /// Memory for the tree of each player, in MiB.
    pub memory: usize,
    /// A published value to compare with; it changes no game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paper: Option<PublishedValue>,
}

impl ContestConfiguration {
    /// Which agent plays which role in which game.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        Schedule {
            roles: self.roles.len(),
            agents: self.agents.len(),
            seed: self.seed,
        }
    }

    /// What determines the games, as JSON: configurations that agree in it describe
    /// the same games.
    #[must_use]
    pub fn identity(&self) -> Map<String, Value> {
        let mut all = match serde_json::to_value(self) {
            Ok(Value::Object(all)) => all,
            _ => Map::new(),
        };
        all.remove("paper");
        all
    }

    /// What differs between this configuration (`there`) and another (`now`), one clause
    /// each.
    #[must_use]
    pub fn differences(&self, wanted: &Self) -> Vec<String> {
        let (here, there) = (self.identity(), wanted.identity());
        let differing = there.iter().filter(|(key, value)| {
            // Older journals do not have it.
            let is_unknown = *key == "networks" && self.networks.is_empty();
            here.get(*key) != Some(value) && !is_unknown
        });
        differing
            .map(|(key, value)| {
                let own = here.get(key).unwrap_or(&Value::Null);
                format!("{key} is {own} there and {value} now")
            })
            .collect()
    }

    /// The name of a journal of this configuration, without extension.
    #[must_use]
    pub fn file_name(&self) -> String {
        journal_name(&self.game, &self.agents, self.budget, self.idle)
    }
}

/// The name of the journal of a contest, without extension. All its characters are safe in
/// any shell and file system.
pub(crate) fn journal_name(
    game: &str,
    agents: &[String],
    budget: MoveBudget,
    idle: IdleSearch,
) -> String {
    let agents = agents.join(".vs.");
    let name = format!("{game}.{agents}.{}{}", budget.word(), idle.word());
    let mut name: String = name.chars().map(safe).collect();
    while let Some(at) = name
        .find("--")
        .or_else(|| name.find("-.").or(name.find("-+")))
    {
        name.remove(at);
    }
    if name.len() > LONGEST_NAME {
        let digest = digest(name.as_bytes());
        name.truncate(LONGEST_NAME);
        name = format!("{name}.{digest}");
    }
    name
}

/// Reads a list that has to have an element: without roles or agents there is no schedule.
fn at_least_one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let list = Vec::deserialize(deserializer)?;
    match list.is_empty() {
        true => Err(D::Error::invalid_length(0, &"at least one")),
        false => Ok(list),
    }
}

/// The length in bytes at which names are cut; most file systems allow 255 in all.
const LONGEST_NAME: usize = 160;

fn safe(letter: char) -> char {
    match letter {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '+' | '=' | '_' => letter,
        _ => '-',
    }
}

/// The first half of the SHA-256 digest, as 32 hexadecimal digits.
pub(crate) fn digest(bytes: &[u8]) -> String {
    sha256_hex(bytes)[..32].to_owned()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use gdl_network::protocol::{ClockSeconds, Clocks};

    /// The configuration of a contest of two agents in a game of two roles.
    pub(crate) fn configuration(agents: &[&str]) -> ContestConfiguration {
        ContestConfiguration {
            game: "hex".to_owned(),
            rules: "00".to_owned(),
            roles: vec!["black".to_owned(), "white".to_owned()],
            agents: agents.iter().map(|&agent| agent.to_owned()).collect(),
            networks: Vec::new(),
            budget: MoveBudget::Simulations(100),
            idle: IdleSearch::default(),
            seed: 1,
            engine: "net".to_owned(),
            runner: RunnerKind::Interleaved,
            start: None,
            rounds: 1000,
            memory: 64,
            paper: None,
        }
    }

    #[test]
    fn differences_name_what_differs() {
        let here = configuration(&["uct", "random"]);
        let mut wanted = here.clone();
        wanted.paper = Some(PublishedValue::default());
        assert_eq!(here.differences(&wanted), [""; 0]);
        wanted.seed = 2;
        wanted.budget = MoveBudget::Seconds(1.0);
        assert_eq!(
            here.differences(&wanted),
            [
                "budget is {\"simulations\":100} there and {\"seconds\":1.0} now",
                "seed is 1 there and 2 now"
            ]
        );
    }

    #[test]
    fn networks_differ_unless_one_is_not_known() {
        let older = configuration(&["champion(net=x.net)", "uct"]);
        let with = |digest: &str| ContestConfiguration {
            networks: vec![digest.to_owned()],
            ..older.clone()
        };
        assert_eq!(older.differences(&with("a")), [""; 0]);
        assert_eq!(with("a").differences(&with("a")), [""; 0]);
        assert_eq!(
            with("a").differences(&with("b")),
            [r#"networks is ["a"] there and ["b"] now"#]
        );
    }

    #[test]
    fn file_names_are_safe_and_short() {
        let name = |agents: &[&str]| configuration(agents).file_name();
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
    fn configurations_survive_json() {
        let mut configuration = configuration(&["uct", "random"]);
        let clocks = MoveBudget::Clocks(Clocks {
            preview: None,
            start: ClockSeconds::whole(30),
            play: ClockSeconds::whole(10),
        });
        for budget in [
            MoveBudget::Simulations(7),
            MoveBudget::Steps(7),
            MoveBudget::Seconds(0.1),
            clocks,
        ] {
            configuration.budget = budget;
            let text = serde_json::to_string(&configuration).expect("configurations are JSON");
            let back: ContestConfiguration = serde_json::from_str(&text).expect("it was JSON");
            assert_eq!(back, configuration);
        }
    }

    #[test]
    fn journals_from_before_start_clocks_are_read() {
        let mut configuration = configuration(&["uct", "random"]);
        let old = serde_json::to_string(&configuration).expect("configurations are JSON");
        assert!(!old.contains("idle"), "{old}");
        configuration.idle = IdleSearch {
            start: Some(MoveBudget::Steps(200_000)),
            forced: true,
        };
        let new = serde_json::to_string(&configuration).expect("configurations are JSON");
        let expected = r#""idle":{"start":{"steps":200000},"forced":true}"#;
        assert!(new.contains(expected), "{new}");
        let read = |text| serde_json::from_str::<ContestConfiguration>(text).expect("it was JSON");
        assert_eq!(
            (read(&old).idle, read(&new).idle),
            (IdleSearch::default(), configuration.idle)
        );
        assert_eq!(read(&old).differences(&read(&new)).len(), 1);
    }
}
