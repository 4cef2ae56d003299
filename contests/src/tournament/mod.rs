//! Tournaments: contests of two agents each, as a TOML file lists them.

mod file;
mod journals;
pub mod published;
mod reader;
mod shard;

pub use shard::Shard;

use crate::budget::MoveBudget;
use crate::configuration::journal_name;
use crate::idle_search::IdleSearch;
use crate::published_value::PublishedValue;
use gdl_agent::agents::Agent;
use gdl_engines::EngineKind;
use gdl_engines::input;
use gdl_network::host::PlayerSpec;
use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The number of consecutive games that one shard plays: enough to keep the lanes of a
/// machine busy if they are interleaved.
const BLOCK: u64 = 100;

/// A tournament, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Tournament {
    /// Seed of every contest.
    pub seed: u64,
    /// The engine that runs the games.
    pub engine: EngineKind,
    /// What players search while they have nothing to decide.
    pub idle: IdleSearch,
    /// The contests, in order.
    pub pairings: Vec<Pairing>,
}

/// A contest of two agents.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairing {
    /// The rule sheet, or the name of a built-in game.
    pub file: PathBuf,
    /// Who plays.
    pub agents: [PlayerSpec; 2],
    /// What a move may cost.
    pub budget: MoveBudget,
    /// The number of games.
    pub games: u64,
    /// A published value to compare with.
    pub paper: Option<PublishedValue>,
}

/// Why the file of a tournament cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// It cannot be read.
    #[error("cannot read {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It has no pairing.
    #[error(
        "{file}: there are no games: list a [[pairing]] or a [[matrix]], or rules and two agents"
    )]
    NoPairing {
        /// The file.
        file: String,
    },
    /// Two of its contests have the same journal.
    #[error(
        "two contests would be kept in {name}.jsonl: their agents, game and budget are the \
         same, or differ only in what a file name cannot have"
    )]
    SharedJournal {
        /// The name of the journal, without extension.
        name: String,
    },
    /// Something in it is wrong.
    #[error("{position}: {message}")]
    Invalid {
        /// File, line and column, the latter two from 1.
        position: String,
        /// What is wrong.
        message: String,
    },
}

impl Pairing {
    /// Whether the games of two pairings can be played together in one run: their
    /// configurations agree except for the agents, which also decide how games are played
    /// and whether there is time to learn.
    #[must_use]
    pub fn can_join(&self, other: &Self) -> bool {
        let parallel = |pairing: &Self| pairing.agents.iter().any(PlayerSpec::is_parallel);
        let learns = |pairing: &Self| {
            let mut agents = pairing.agents.iter().filter_map(PlayerSpec::agent);
            agents.any(Agent::learns)
        };
        let same = self.file == other.file && self.budget == other.budget;
        same && parallel(self) == parallel(other) && learns(self) == learns(other)
    }
}

impl Tournament {
    /// Reads a file; rule sheets are looked for beside it.
    ///
    /// # Errors
    /// If it cannot be read, or something in it is wrong.
    pub fn read(path: &Path) -> Result<Self, TournamentError> {
        let text = std::fs::read_to_string(path).map_err(|source| TournamentError::File {
            path: path.to_owned(),
            source,
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::parse(&text, folder, &path.display().to_string())
    }

    fn parse(text: &str, folder: &Path, name: &str) -> Result<Self, TournamentError> {
        let tournament = reader::read(text, folder, name)?;
        if tournament.pairings.is_empty() {
            let file = name.to_owned();
            return Err(TournamentError::NoPairing { file });
        }
        tournament.check_journals()?;
        Ok(tournament)
    }

    /// Checks that every contest has a journal of its own. Call this again after changing
    /// budgets.
    ///
    /// # Errors
    /// If two contests have the same.
    pub fn check_journals(&self) -> Result<(), TournamentError> {
        let mut names = BTreeSet::new();
        for pairing in &self.pairings {
            let agents = pairing.agents.each_ref().map(ToString::to_string);
            let game = input::stem(&pairing.file);
            let name = journal_name(&game, &agents, pairing.budget, self.idle);
            if !names.insert(name.clone()) {
                return Err(TournamentError::SharedJournal { name });
            }
        }
        Ok(())
    }

    /// The games of every pairing that a shard plays: blocks of games, dealt to the shards
    /// in turn.
    #[must_use]
    pub fn shard(&self, shard: Shard) -> Vec<(&Pairing, Vec<Range<u64>>)> {
        let mut next = 0;
        let mut dealt = Vec::new();
        for pairing in &self.pairings {
            let mut own = Vec::new();
            for start in (0..pairing.games).step_by(BLOCK as usize) {
                if next % shard.count == shard.index {
                    own.push(start..pairing.games.min(start + BLOCK));
                }
                next += 1;
            }
            if !own.is_empty() {
                dealt.push((pairing, own));
            }
        }
        dealt
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn parse(text: &str) -> Result<Tournament, TournamentError> {
        Tournament::parse(text, Path::new("../games"), "t.toml")
    }

    fn assert_error(text: &str, expected: &Expect) {
        let error = parse(text).expect_err("it is wrong");
        expected.assert_eq(&error.to_string());
    }

    const WHOLE: &str = "\
        seed = 7\nengine = \"native\"\ngames = 250\nsimulations = 100\n\
        rules = [\"hex.kif\", \"othello\"]\nagents = [\"uct\", \"random\"]\n\
        [[pairing]]\ngame = \"tron.kif\"\nfirst = \"uct\"\nsecond = \"random\"\n\
        games = 30\ntime = \"200ms\"\npaper = 90.0\ntable = \"1\"\n";

    #[test]
    fn pairings_are_lists_and_all_against_all() {
        let tournament = parse(WHOLE).expect("it is sound");
        assert_eq!(
            (tournament.seed, tournament.engine),
            (7, EngineKind::Native)
        );
        let shown = tournament.pairings.iter().map(|pairing| {
            let [one, other] = &pairing.agents;
            let file = pairing.file.display();
            format!("{file} {one} {other} {} {}", pairing.games, pairing.budget)
        });
        assert_eq!(
            shown.collect::<Vec<String>>(),
            [
                "../games/hex.kif uct random 250 100 simulations",
                "othello uct random 250 100 simulations",
                "../games/tron.kif uct random 30 0.2 s",
            ]
        );
        let paper = tournament.pairings[2].paper.clone().expect("it has one");
        assert_eq!(
            (paper.percent, paper.table.as_deref()),
            (Some(90.0), Some("1"))
        );
    }

    #[test]
    fn a_matrix_is_agents_by_games() {
        let text = "games = 30\nsteps = 20000\nstart_steps = 500\nforced = true\n\
            rules = [\"hex.kif\"]\n\
            [[matrix]]\nrules = [\"tron.kif\", \"othello\"]\ntable = \"T\"\n\
            first = [\"uct+mast\", \"uct+rave\"]\nsecond = \"uct\"\n\
            [[matrix]]\nfirst = [\"uct\"]\nsecond = \"random\"\n";
        let tournament = parse(text).expect("it is sound");
        let idle = IdleSearch {
            start: Some(MoveBudget::Steps(500)),
            forced: true,
        };
        assert_eq!(tournament.idle, idle);
        let shown = tournament.pairings.iter().map(|pairing| {
            let [one, other] = &pairing.agents;
            let paper = pairing.paper.clone().unwrap_or_default();
            let cell = [paper.table, paper.row, paper.column].map(Option::unwrap_or_default);
            format!(
                "{} {one} {other}: {}",
                pairing.file.display(),
                cell.join(" ")
            )
        });
        assert_eq!(
            shown.collect::<Vec<String>>(),
            [
                "../games/tron.kif uct+mast uct: T tron uct+mast",
                "../games/tron.kif uct+rave uct: T tron uct+rave",
                "othello uct+mast uct: T othello uct+mast",
                "othello uct+rave uct: T othello uct+rave",
                "../games/hex.kif uct random:   ",
            ]
        );
    }

    #[test]
    fn published_values_have_intervals_and_means_of_columns() {
        let text = WHOLE.replace(
            "paper = 90.0",
            "paper = 90.0\ninterval = 3.4\ncolumn = \"C\"",
        ) + "[[overall]]\ntable = \"1\"\ncolumn = \"C\"\npaper = 61.2\n\
               [[overall]]\ntable = \"2\"\ncolumn = \"C\"\npaper = 50.0\n";
        let tournament = parse(&format!("paper_games = 300\n{text}")).expect("it is sound");
        let paper = tournament.pairings[2].paper.clone().expect("it has one");
        assert_eq!((paper.interval, paper.games), (Some(3.4), Some(300)));
        assert_eq!(paper.overall, Some(61.2));
    }

    #[test]
    fn remote_players_have_clocks() {
        let text = WHOLE
            .replace("simulations = 100", "playclock = 5")
            .replace("[\"uct\", \"random\"]", "[\"uct\", \"host:9147\"]")
            .replace("time = \"200ms\"", "startclock = 7");
        let tournament = parse(&text).expect("it is sound");
        let shown = tournament.pairings.iter().map(|pairing| {
            let [one, other] = &pairing.agents;
            format!("{one} {other} {}", pairing.budget)
        });
        assert_eq!(
            shown.collect::<Vec<String>>(),
            [
                "uct http://host:9147 5 s after 30 s",
                "uct http://host:9147 5 s after 30 s",
                "uct random 10 s after 7 s",
            ]
        );
    }

    #[test]
    fn contests_have_journals_of_their_own() {
        let pairing = "[[pairing]]\ngame = \"hex.kif\"\nfirst = \"uct\"\nsecond = \"random\"\n";
        let text = format!("games = 2\ntime = \"1s\"\n{pairing}{pairing}time = \"2s\"\n");
        let mut tournament = parse(&text).expect("it is sound");
        for pairing in &mut tournament.pairings {
            pairing.budget = MoveBudget::Simulations(100);
        }
        let error = tournament.check_journals().expect_err("they are the same");
        assert!(
            error
                .to_string()
                .contains("hex.uct.vs.random.100sims.jsonl")
        );

        let networks = pairing.replace("uct", "champion(net=a/b)")
            + &pairing.replace("uct", "champion(net=a-b)");
        let text = format!("games = 2\ntime = \"1s\"\n{networks}");
        let error = parse(&text).expect_err("the names of their files are the same");
        assert!(
            matches!(error, TournamentError::SharedJournal { .. }),
            "{error}"
        );
    }

    #[test]
    fn pairings_join_if_they_are_played_alike() {
        let text = "games = 2\ntime = \"100ms\"\nrules = [\"hex.kif\"]\n\
            agents = [\"uct+threads\", \"uct\", \"champion\", \"uct+mast\"]\n";
        let tournament = parse(text).expect("it is sound");
        let groups = (tournament.pairings).chunk_by(Pairing::can_join);
        let shown = groups.map(|group| {
            let pairs = group.iter().map(|pairing| {
                let [one, other] = &pairing.agents;
                format!("{one} - {other}")
            });
            pairs.collect::<Vec<String>>()
        });
        assert_eq!(
            shown.collect::<Vec<_>>(),
            [
                vec!["uct+threads - uct"],
                vec!["uct+threads - champion"],
                vec!["uct+threads - uct+mast"],
                vec!["uct - champion"],
                vec!["uct - uct+mast"],
                vec!["champion - uct+mast"],
            ]
        );
    }

    #[test]
    fn shards_partition_the_games() {
        let tournament = parse(WHOLE).expect("it is sound");
        for shards in 1..9 {
            let mut played: Vec<(&Path, u64)> = Vec::new();
            for index in 0..shards {
                let shard = Shard {
                    index,
                    count: shards,
                };
                for (pairing, ranges) in tournament.shard(shard) {
                    let games = ranges.into_iter().flatten();
                    played.extend(games.map(|game| (&*pairing.file, game)));
                }
            }
            played.sort();
            let all = tournament.pairings.iter();
            let mut all: Vec<(&Path, u64)> = all
                .flat_map(|pairing| (0..pairing.games).map(|game| (&*pairing.file, game)))
                .collect();
            all.sort();
            assert_eq!(played, all, "{shards} shards");
        }
    }

    #[test]
    fn shards_are_blocks_of_whole_sets() {
        let tournament = parse(WHOLE).expect("it is sound");
        let blocks = tournament.shard("2/2".parse().expect("it is a shard"));
        let ranges = blocks.into_iter().flat_map(|(_, ranges)| ranges);
        let ranges: Vec<_> = ranges.map(|range| (range.start, range.end)).collect();
        assert_eq!(ranges, [(100, 200), (0, 100), (200, 250)]);
        assert_eq!(BLOCK % 2, 0);
    }

    #[test]
    fn errors_have_places() {
        let head = "games = 10\nsimulations = 100\n";
        let pairing = "[[pairing]]\ngame = \"hex.kif\"\nfirst = \"uct\"\nsecond = \"random\"\n";
        let with = |text: &str| format!("{head}{text}");
        assert_error(
            "games = \n",
            &expect!["t.toml:1:9: string values must be quoted, expected literal string"],
        );
        assert_error(
            "gmaes = 3\n",
            &expect![
                "t.toml:1:1: unknown field `gmaes`, expected one of `seed`, `engine`, `games`, `simulations`, `steps`, `time`, `startclock`, `playclock`, `start_simulations`, `start_steps`, `forced`, `rules`, `agents`, `pairing`, `matrix`, `paper_games`, `overall`"
            ],
        );
        assert_error(
            &with("time = \"1s\"\n"),
            &expect!["t.toml:3:8: a move has simulations, steps, time or clocks, one of them"],
        );
        assert_error(
            &with("steps = 5\n"),
            &expect!["t.toml:3:9: a move has simulations, steps, time or clocks, one of them"],
        );
        assert_error("steps = 0\n", &expect!["t.toml:1:9: a move needs a step"]);
        assert_error(
            "time = \"1 parsec\"\n",
            &expect![[
                r#"t.toml:1:8: unknown time unit "parsec", supported units: ns, us/µs, ms, sec, min, hours, days, weeks, months, years (and few variations); write a time as in 1s or 200ms"#
            ]],
        );
        assert_error(
            &with("playclock = 3\n"),
            &expect!["t.toml:3:13: a move has simulations, steps, time or clocks, one of them"],
        );
        assert_error(
            "startclock = 0\n",
            &expect!["t.toml:1:14: a clock has from 0.05 to 86400 seconds"],
        );
        assert_error(
            "games = 0\n",
            &expect!["t.toml:1:9: there has to be a game"],
        );
        assert_error(
            head,
            &expect![
                "t.toml: there are no games: list a [[pairing]] or a [[matrix]], or rules and two agents"
            ],
        );
        assert_error(
            pairing,
            &expect![[
                r#"t.toml:1:1: how much may a move cost? Say simulations = 10000, steps = 100000, time = "1s" or playclock = 10"#
            ]],
        );
        assert_error(
            &with("rules = [\"chess9.kif\"]\n"),
            &expect!["t.toml:3:10: there is no rule sheet ../games/chess9.kif"],
        );
        assert_error(
            &with("start_steps = 0\n"),
            &expect!["t.toml:3:15: a start clock of nothing is none"],
        );
        assert_error(
            &with("start_steps = 1\nstart_simulations = 1\n"),
            &expect!["t.toml:3:15: a start clock has simulations or steps, one of them"],
        );
        assert_error(
            &with("[[matrix]]\nfirst = [\"uct\"]\nsecond = \"random\"\n"),
            &expect!["t.toml:3:1: this matrix has no game or no agent"],
        );
        let unknown = with(&pairing.replace("random", "nobody"));
        let error = parse(&unknown).expect_err("it is wrong").to_string();
        assert!(error.starts_with("t.toml:6:10: "), "{error}");
        assert!(error.contains("`nobody`; there are uct"), "{error}");
        assert_error(
            &with(&format!("{pairing}{pairing}")),
            &expect!["t.toml:7:1: uct and random meet in ../games/hex.kif for the second time"],
        );
        assert_error(
            &with(&pairing.replace("game =", "# game =")),
            &expect!["t.toml:3:1: this pairing has no game"],
        );
        assert_error(
            &with("engine = \"steam\"\n"),
            &expect!["t.toml:3:10: no such engine: there are reference, net and native"],
        );
    }
}
