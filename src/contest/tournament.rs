//! Tournaments: contests of two agents each, as a TOML file lists them.

use super::{Budget, Paper};
use crate::engines::EngineKind;
use crate::host::{Contender, clocks};
use crate::protocol::Clocks;
use anyhow::{Context as _, anyhow};
use clap::ValueEnum as _;
use serde::Deserialize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use toml::Spanned;

/// Games that one shard plays in a row: enough to keep the lanes of a machine
/// busy where they are played side by side.
const BLOCK: u64 = 100;

/// A tournament, with all that it says checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Tournament {
    /// Seed of every contest.
    pub seed: u64,
    /// What runs the games.
    pub engine: EngineKind,
    /// The contests, in order.
    pub pairings: Vec<Pairing>,
}

/// A contest of two agents.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairing {
    /// The rule sheet, or the name of a game that is built in.
    pub file: PathBuf,
    /// Who plays.
    pub agents: [Contender; 2],
    /// What a move may cost.
    pub budget: Budget,
    /// How many games.
    pub games: u64,
    /// What it is compared with.
    pub paper: Option<Paper>,
}

impl Pairing {
    /// Whether the games of two pairings can be played together, in the lanes of
    /// one machine.
    #[must_use]
    pub fn goes_with(&self, other: &Self) -> bool {
        let parallel = |pairing: &Self| pairing.agents.iter().any(Contender::is_parallel);
        let same = self.file == other.file && self.budget == other.budget;
        same && parallel(self) == parallel(other)
    }
}

/// A file as it stands.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sheet {
    #[serde(default = "one")]
    seed: u64,
    engine: Option<Spanned<String>>,
    games: Option<Spanned<u64>>,
    simulations: Option<Spanned<u64>>,
    time: Option<Spanned<String>>,
    startclock: Option<Spanned<u64>>,
    playclock: Option<Spanned<u64>>,
    /// Rule sheets for all agents and for pairings that name none.
    #[serde(default)]
    rules: Vec<Spanned<String>>,
    /// Agents that all meet.
    #[serde(default)]
    agents: Vec<Spanned<String>>,
    #[serde(default)]
    pairing: Vec<Spanned<Entry>>,
}

fn one() -> u64 {
    1
}

/// A `[[pairing]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    game: Option<Spanned<String>>,
    first: Spanned<String>,
    second: Spanned<String>,
    games: Option<Spanned<u64>>,
    simulations: Option<Spanned<u64>>,
    time: Option<Spanned<String>>,
    startclock: Option<Spanned<u64>>,
    playclock: Option<Spanned<u64>>,
    paper: Option<f64>,
    table: Option<String>,
    row: Option<String>,
    column: Option<String>,
}

impl Tournament {
    /// Reads a file; rule sheets are looked for beside it.
    ///
    /// # Errors
    /// If it cannot be read or something in it is wrong, with line and column.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::parse(&text, folder, &path.display().to_string())
    }

    fn parse(text: &str, folder: &Path, name: &str) -> anyhow::Result<Self> {
        let reader = Reader { text, folder, name };
        let sheet: Sheet = toml::from_str(text).map_err(|error| {
            let place = reader.place(error.span().map_or(0, |span| span.start));
            anyhow!("{place}: {}", error.message())
        })?;
        let tournament = reader.tournament(&sheet)?;
        anyhow::ensure!(
            !tournament.pairings.is_empty(),
            "{name}: nobody plays: there has to be a [[pairing]], or rules and two agents"
        );
        Ok(tournament)
    }

    /// The part of every pairing's games that a shard (from 0, of so many) plays:
    /// blocks of games, dealt to the shards in turn.
    #[must_use]
    pub fn parts(&self, shard: u64, shards: u64) -> Vec<(&Pairing, Vec<Range<u64>>)> {
        let mut next = 0;
        let mut parts = Vec::new();
        for pairing in &self.pairings {
            let mut own = Vec::new();
            for start in (0..pairing.games).step_by(BLOCK as usize) {
                if next % shards == shard {
                    own.push(start..pairing.games.min(start + BLOCK));
                }
                next += 1;
            }
            if !own.is_empty() {
                parts.push((pairing, own));
            }
        }
        parts
    }
}

/// Knows where things stand.
struct Reader<'a> {
    text: &'a str,
    folder: &'a Path,
    name: &'a str,
}

/// What pairings have in common unless they say otherwise.
struct Common {
    games: Option<u64>,
    budget: Option<Budget>,
}

impl Reader<'_> {
    fn tournament(&self, sheet: &Sheet) -> anyhow::Result<Tournament> {
        let common = Common {
            games: self.games(sheet.games.as_ref())?,
            budget: self.budget(&sheet.cost())?,
        };
        let rules: Vec<PathBuf> = sheet
            .rules
            .iter()
            .map(|file| self.file(file))
            .collect::<anyhow::Result<_>>()?;
        let mut all = Vec::new();
        for file in &rules {
            self.all_play_all(file, sheet, &common, &mut all)?;
        }
        for entry in &sheet.pairing {
            self.pairing(entry, &rules, &common, &mut all)?;
        }
        Ok(Tournament {
            seed: sheet.seed,
            engine: self.engine(sheet.engine.as_ref())?,
            pairings: all,
        })
    }

    /// Every two agents of the list, in one game.
    fn all_play_all(
        &self,
        file: &Path,
        sheet: &Sheet,
        common: &Common,
        all: &mut Vec<Pairing>,
    ) -> anyhow::Result<()> {
        for (index, one) in sheet.agents.iter().enumerate() {
            for other in &sheet.agents[index + 1..] {
                let pairing = Pairing {
                    file: file.to_owned(),
                    agents: [self.agent(one)?, self.agent(other)?],
                    budget: self.need(common.budget, other.span().start, NO_BUDGET)?,
                    games: self.need(common.games, other.span().start, NO_GAMES)?,
                    paper: None,
                };
                self.add(pairing, other.span().start, all)?;
            }
        }
        Ok(())
    }

    /// A `[[pairing]]` in its game, or in all.
    fn pairing(
        &self,
        entry: &Spanned<Entry>,
        rules: &[PathBuf],
        common: &Common,
        all: &mut Vec<Pairing>,
    ) -> anyhow::Result<()> {
        let place = entry.span().start;
        let entry = entry.get_ref();
        let files = match &entry.game {
            Some(file) => vec![self.file(file)?],
            None => rules.to_vec(),
        };
        if files.is_empty() {
            return self.fail(place, "this pairing has no game");
        }
        let budget = self.budget(&entry.cost())?;
        let games = self.games(entry.games.as_ref())?;
        for file in files {
            let pairing = Pairing {
                file,
                agents: [self.agent(&entry.first)?, self.agent(&entry.second)?],
                budget: self.need(budget.or(common.budget), place, NO_BUDGET)?,
                games: self.need(games.or(common.games), place, NO_GAMES)?,
                paper: entry.paper(),
            };
            self.add(pairing, place, all)?;
        }
        Ok(())
    }

    fn add(&self, pairing: Pairing, place: usize, all: &mut Vec<Pairing>) -> anyhow::Result<()> {
        let same = |other: &Pairing| {
            (&other.file, &other.agents, other.budget)
                == (&pairing.file, &pairing.agents, pairing.budget)
        };
        if all.iter().any(same) {
            let [one, other] = &pairing.agents;
            let game = pairing.file.display();
            let what = format!("{one} and {other} meet in {game} for the second time");
            return self.fail(place, &what);
        }
        all.push(pairing);
        Ok(())
    }

    fn engine(&self, name: Option<&Spanned<String>>) -> anyhow::Result<EngineKind> {
        let Some(name) = name else {
            return Ok(EngineKind::Net);
        };
        EngineKind::from_str(name.get_ref(), true).or_else(|_| {
            let what = "no such engine: there are reference, net and native";
            self.fail(name.span().start, what)
        })
    }

    fn games(&self, games: Option<&Spanned<u64>>) -> anyhow::Result<Option<u64>> {
        match games {
            Some(games) if *games.get_ref() == 0 => {
                self.fail(games.span().start, "there has to be a game")
            }
            games => Ok(games.map(|games| *games.get_ref())),
        }
    }

    fn budget(&self, cost: &Cost<'_>) -> anyhow::Result<Option<Budget>> {
        let clocks = self.clocks(cost)?;
        let clock = cost.startclock.or(cost.playclock);
        match (cost.simulations, cost.time, clock) {
            (Some(_), Some(time), _) => self.fail(
                time.span().start,
                "a move has simulations or time, not both",
            ),
            (Some(_), None, Some(clock)) | (None, Some(_), Some(clock)) => self.fail(
                clock.span().start,
                "a move has simulations, time or clocks, one of them",
            ),
            (Some(simulations), None, None) if *simulations.get_ref() == 0 => {
                self.fail(simulations.span().start, "a move needs a simulation")
            }
            (Some(simulations), None, None) => {
                Ok(Some(Budget::Simulations(*simulations.get_ref())))
            }
            (None, Some(time), None) => match Budget::time(time.get_ref()) {
                Ok(budget) => Ok(Some(budget)),
                Err(error) => self.fail(time.span().start, &error),
            },
            (None, None, _) => Ok(clocks.map(Budget::Clocks)),
        }
    }

    fn clocks(&self, cost: &Cost<'_>) -> anyhow::Result<Option<Clocks>> {
        let seconds = |clock: Option<&Spanned<u64>>| match clock {
            Some(clock) if !(1..=clocks::LONGEST).contains(clock.get_ref()) => {
                self.fail(clock.span().start, "a clock has from 1 to 86400 seconds")
            }
            clock => Ok(clock.map(|clock| *clock.get_ref())),
        };
        Ok(clocks::given(
            seconds(cost.startclock)?,
            seconds(cost.playclock)?,
        ))
    }

    fn agent(&self, text: &Spanned<String>) -> anyhow::Result<Contender> {
        let agent = Contender::from_str(text.get_ref());
        agent.or_else(|error| self.fail(text.span().start, &error.to_string()))
    }

    /// A rule sheet beside the file, or the name of a game that is built in.
    fn file(&self, file: &Spanned<String>) -> anyhow::Result<PathBuf> {
        let name = file.get_ref();
        let path = self.folder.join(name);
        if path.is_file() {
            return Ok(path);
        }
        let built_in = crate::engines::builtin();
        if built_in.iter().any(|game| game.name() == *name) {
            return Ok(name.into());
        }
        let what = format!("there is no rule sheet {}", path.display());
        self.fail(file.span().start, &what)
    }

    fn need<T>(&self, found: Option<T>, place: usize, what: &str) -> anyhow::Result<T> {
        found.map_or_else(|| self.fail(place, what), Ok)
    }

    fn fail<T>(&self, offset: usize, what: &str) -> anyhow::Result<T> {
        Err(anyhow!("{}: {what}", self.place(offset)))
    }

    /// File, line and column of a byte.
    fn place(&self, offset: usize) -> String {
        let before = &self.text[..self.text.floor_char_boundary(offset)];
        let line = before.matches('\n').count() + 1;
        let column = before
            .chars()
            .rev()
            .take_while(|&letter| letter != '\n')
            .count()
            + 1;
        format!("{}:{line}:{column}", self.name)
    }
}

const NO_BUDGET: &str =
    "how much may a move cost? Say simulations = 10000, time = \"1s\" or playclock = 10";
const NO_GAMES: &str = "how many games? Say games = 100";

/// What is said of the cost of a move.
struct Cost<'a> {
    simulations: Option<&'a Spanned<u64>>,
    time: Option<&'a Spanned<String>>,
    startclock: Option<&'a Spanned<u64>>,
    playclock: Option<&'a Spanned<u64>>,
}

impl Sheet {
    fn cost(&self) -> Cost<'_> {
        Cost {
            simulations: self.simulations.as_ref(),
            time: self.time.as_ref(),
            startclock: self.startclock.as_ref(),
            playclock: self.playclock.as_ref(),
        }
    }
}

impl Entry {
    fn cost(&self) -> Cost<'_> {
        Cost {
            simulations: self.simulations.as_ref(),
            time: self.time.as_ref(),
            startclock: self.startclock.as_ref(),
            playclock: self.playclock.as_ref(),
        }
    }

    fn paper(&self) -> Option<Paper> {
        let paper = Paper {
            percent: self.paper,
            table: self.table.clone(),
            row: self.row.clone(),
            column: self.column.clone(),
        };
        (paper != Paper::default()).then_some(paper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn parse(text: &str) -> anyhow::Result<Tournament> {
        Tournament::parse(text, Path::new("games"), "t.toml")
    }

    fn assert_error(text: &str, expected: &Expect) {
        let error = parse(text).expect_err("it is wrong");
        expected.assert_eq(&format!("{error:#}"));
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
                "games/hex.kif uct random 250 100 simulations",
                "othello uct random 250 100 simulations",
                "games/tron.kif uct random 30 0.2 s",
            ]
        );
        let paper = tournament.pairings[2].paper.clone().expect("it has one");
        assert_eq!(
            (paper.percent, paper.table.as_deref()),
            (Some(90.0), Some("1"))
        );
    }

    #[test]
    fn players_elsewhere_have_clocks() {
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
    fn shards_partition_the_games() {
        let tournament = parse(WHOLE).expect("it is sound");
        for shards in 1..9 {
            let mut played: Vec<(&Path, u64)> = Vec::new();
            for shard in 0..shards {
                for (pairing, ranges) in tournament.parts(shard, shards) {
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
        let parts = tournament.parts(1, 2);
        let ranges = parts.into_iter().flat_map(|(_, ranges)| ranges);
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
                "t.toml:1:1: unknown field `gmaes`, expected one of `seed`, `engine`, `games`, `simulations`, `time`, `startclock`, `playclock`, `rules`, `agents`, `pairing`"
            ],
        );
        assert_error(
            &with("time = \"1s\"\n"),
            &expect!["t.toml:3:8: a move has simulations or time, not both"],
        );
        assert_error(
            "time = \"1 parsec\"\n",
            &expect![[
                r#"t.toml:1:8: unknown time unit "parsec", supported units: ns, us/µs, ms, sec, min, hours, days, weeks, months, years (and few variations); write a time as in 1s or 200ms"#
            ]],
        );
        assert_error(
            &with("playclock = 3\n"),
            &expect!["t.toml:3:13: a move has simulations, time or clocks, one of them"],
        );
        assert_error(
            "startclock = 0\n",
            &expect!["t.toml:1:14: a clock has from 1 to 86400 seconds"],
        );
        assert_error(
            "games = 0\n",
            &expect!["t.toml:1:9: there has to be a game"],
        );
        assert_error(
            head,
            &expect![
                "t.toml: nobody plays: there has to be a [[pairing]], or rules and two agents"
            ],
        );
        assert_error(
            pairing,
            &expect![[
                r#"t.toml:1:1: how much may a move cost? Say simulations = 10000, time = "1s" or playclock = 10"#
            ]],
        );
        assert_error(
            &with("rules = [\"chess9.kif\"]\n"),
            &expect!["t.toml:3:10: there is no rule sheet games/chess9.kif"],
        );
        let nobody = with(&pairing.replace("random", "nobody"));
        let error = parse(&nobody).expect_err("it is wrong").to_string();
        assert!(error.starts_with("t.toml:6:10: "), "{error}");
        assert!(error.contains("`nobody`; there are uct"), "{error}");
        assert_error(
            &with(&format!("{pairing}{pairing}")),
            &expect!["t.toml:7:1: uct and random meet in games/hex.kif for the second time"],
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
