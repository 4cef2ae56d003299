//! Reads the file of a tournament.
//!
//! In: a text in TOML. Out: a [`Tournament`] in which everything is checked, or an
//! error with file, line and column.

use super::file::{BudgetEntries, MatrixEntry, PairingEntry, TournamentFile};
use super::{Pairing, Tournament, TournamentError};
use crate::budget::MoveBudget;
use crate::idle_search::IdleSearch;
use crate::published_value::PublishedValue;
use gdl_engines::EngineKind;
use gdl_engines::input;
use gdl_network::host::{PlayerSpec, clocks};
use gdl_network::protocol::{ClockSeconds, Clocks};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use toml::Spanned;

type ReadResult<T> = Result<T, TournamentError>;

/// Reads a file's text; rule sheets are looked for in `folder`.
///
/// # Errors
/// If something in it is wrong.
pub(super) fn read(text: &str, folder: &Path, name: &str) -> ReadResult<Tournament> {
    let reader = TournamentReader { text, folder, name };
    let sheet: TournamentFile = toml::from_str(text).map_err(|error| {
        reader.error(error.span().map_or(0, |span| span.start), error.message())
    })?;
    reader.tournament(&sheet)
}

/// Checks a file, knowing where everything in it is.
struct TournamentReader<'a> {
    text: &'a str,
    folder: &'a Path,
    name: &'a str,
}

/// What pairings have unless they say otherwise.
struct PairingDefaults {
    games: Option<u64>,
    budget: Option<MoveBudget>,
}

impl TournamentReader<'_> {
    fn tournament(&self, sheet: &TournamentFile) -> ReadResult<Tournament> {
        let common = PairingDefaults {
            games: self.count(sheet.games.as_ref(), NO_GAME)?,
            budget: self.budget(&sheet.cost())?,
        };
        let rules: Vec<PathBuf> = sheet
            .rules
            .iter()
            .map(|file| self.file(file))
            .collect::<ReadResult<_>>()?;
        let mut all = Vec::new();
        for file in &rules {
            self.all_play_all(file, sheet, &common, &mut all)?;
        }
        for entry in &sheet.pairing {
            let paper = sheet.paper(entry.get_ref());
            self.pairing(entry, paper.as_ref(), &rules, &common, &mut all)?;
        }
        for entry in &sheet.matrix {
            self.matrix(entry, &rules, &common, &mut all)?;
        }
        Ok(Tournament {
            seed: sheet.seed,
            engine: self.engine(sheet.engine.as_ref())?,
            idle: self.idle(sheet)?,
            pairings: all,
        })
    }

    /// All pairs of agents of the list, in one game.
    fn all_play_all(
        &self,
        file: &Path,
        sheet: &TournamentFile,
        common: &PairingDefaults,
        all: &mut Vec<Pairing>,
    ) -> ReadResult<()> {
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

    /// A `[[pairing]]` in its game, or in all games.
    fn pairing(
        &self,
        entry: &Spanned<PairingEntry>,
        paper: Option<&PublishedValue>,
        rules: &[PathBuf],
        common: &PairingDefaults,
        all: &mut Vec<Pairing>,
    ) -> ReadResult<()> {
        let offset = entry.span().start;
        let entry = entry.get_ref();
        let files = match &entry.game {
            Some(file) => vec![self.file(file)?],
            None => rules.to_vec(),
        };
        if files.is_empty() {
            return self.fail(offset, "this pairing has no game");
        }
        let budget = self.budget(&entry.cost())?;
        let games = self.count(entry.games.as_ref(), NO_GAME)?;
        for file in files {
            let pairing = Pairing {
                file,
                agents: [self.agent(&entry.first)?, self.agent(&entry.second)?],
                budget: self.need(budget.or(common.budget), offset, NO_BUDGET)?,
                games: self.need(games.or(common.games), offset, NO_GAMES)?,
                paper: paper.cloned(),
            };
            self.add(pairing, offset, all)?;
        }
        Ok(())
    }

    /// A `[[matrix]]`: game by game, every first agent against the second. With a table, the
    /// game is the row of a cell and the first agent its column.
    fn matrix(
        &self,
        entry: &Spanned<MatrixEntry>,
        rules: &[PathBuf],
        common: &PairingDefaults,
        all: &mut Vec<Pairing>,
    ) -> ReadResult<()> {
        let offset = entry.span().start;
        let entry = entry.get_ref();
        let own = entry.rules.as_ref().map(|files| {
            let files = files.iter().map(|file| self.file(file));
            files.collect::<ReadResult<Vec<PathBuf>>>()
        });
        let files = own.transpose()?.unwrap_or_else(|| rules.to_vec());
        if files.is_empty() || entry.first.is_empty() {
            return self.fail(offset, "this matrix has no game or no agent");
        }
        for file in files {
            for first in &entry.first {
                let paper = entry.table.as_ref().map(|table| PublishedValue {
                    table: Some(table.clone()),
                    row: Some(input::stem(&file)),
                    column: Some(first.get_ref().clone()),
                    ..PublishedValue::default()
                });
                let pairing = Pairing {
                    file: file.clone(),
                    agents: [self.agent(first)?, self.agent(&entry.second)?],
                    budget: self.need(common.budget, offset, NO_BUDGET)?,
                    games: self.need(common.games, offset, NO_GAMES)?,
                    paper,
                };
                self.add(pairing, first.span().start, all)?;
            }
        }
        Ok(())
    }

    fn add(&self, pairing: Pairing, offset: usize, all: &mut Vec<Pairing>) -> ReadResult<()> {
        let same = |other: &Pairing| {
            (&other.file, &other.agents, other.budget)
                == (&pairing.file, &pairing.agents, pairing.budget)
        };
        if all.iter().any(same) {
            let [one, other] = &pairing.agents;
            let game = pairing.file.display();
            let what = format!("{one} and {other} meet in {game} for the second time");
            return self.fail(offset, &what);
        }
        all.push(pairing);
        Ok(())
    }

    fn engine(&self, name: Option<&Spanned<String>>) -> ReadResult<EngineKind> {
        let Some(name) = name else {
            return Ok(EngineKind::Net);
        };
        let mut kinds = EngineKind::ALL.iter().copied();
        let found = kinds.find(|kind| kind.name().eq_ignore_ascii_case(name.get_ref()));
        self.need(
            found,
            name.span().start,
            "no such engine: there are reference, net and native",
        )
    }

    fn budget(&self, cost: &BudgetEntries<'_>) -> ReadResult<Option<MoveBudget>> {
        if let Some(offset) = cost.second() {
            let what = "a move has simulations, steps, time or clocks, one of them";
            return self.fail(offset, what);
        }
        let simulations = self.count(cost.simulations, "a move needs a simulation")?;
        let steps = self.count(cost.steps, "a move needs a step")?;
        let time = cost.time.map(|time| {
            let budget = MoveBudget::time(time.get_ref());
            budget.or_else(|error| self.fail(time.span().start, &error))
        });
        let clocks = self.clocks(cost)?;
        Ok(simulations
            .map(MoveBudget::Simulations)
            .or(steps.map(MoveBudget::Steps))
            .or(time.transpose()?)
            .or(clocks.map(MoveBudget::Clocks)))
    }

    /// A number that must not be zero; `what` says so.
    fn count(&self, count: Option<&Spanned<u64>>, what: &str) -> ReadResult<Option<u64>> {
        match count {
            Some(count) if *count.get_ref() == 0 => self.fail(count.span().start, what),
            count => Ok(count.map(|count| *count.get_ref())),
        }
    }

    fn idle(&self, sheet: &TournamentFile) -> ReadResult<IdleSearch> {
        let (simulations, steps) = (&sheet.start_simulations, &sheet.start_steps);
        if let (Some(_), Some(steps)) = (simulations, steps) {
            let what = "a start clock has simulations or steps, one of them";
            return self.fail(steps.span().start, what);
        }
        let empty = "a start clock of nothing is none";
        let simulations = self.count(simulations.as_ref(), empty)?;
        let steps = self.count(steps.as_ref(), empty)?;
        Ok(IdleSearch {
            start: simulations
                .map(MoveBudget::Simulations)
                .or(steps.map(MoveBudget::Steps)),
            forced: sheet.forced,
        })
    }

    /// The clocks of a host. Where one is given alone, the other is the default, in a pairing too: its
    /// budget replaces that of the file as a whole.
    fn clocks(&self, cost: &BudgetEntries<'_>) -> ReadResult<Option<Clocks>> {
        let seconds = |clock: Option<&Spanned<f64>>| {
            let clock = clock.map(|clock| {
                let seconds = ClockSeconds::try_from(*clock.get_ref());
                seconds.or_else(|error| self.fail(clock.span().start, &error.to_string()))
            });
            clock.transpose()
        };
        Ok(clocks::complete(
            seconds(cost.startclock)?,
            seconds(cost.playclock)?,
        ))
    }

    fn agent(&self, text: &Spanned<String>) -> ReadResult<PlayerSpec> {
        let agent = PlayerSpec::from_str(text.get_ref());
        agent.or_else(|error| self.fail(text.span().start, &error.to_string()))
    }

    /// A rule sheet beside the file, or the name of a built-in game.
    fn file(&self, file: &Spanned<String>) -> ReadResult<PathBuf> {
        let name = file.get_ref();
        let path = self.folder.join(name);
        if path.is_file() {
            return Ok(path);
        }
        if gdl_games::rules(name).is_some() {
            return Ok(name.into());
        }
        let what = format!("there is no rule sheet {}", path.display());
        self.fail(file.span().start, &what)
    }

    fn need<T>(&self, found: Option<T>, offset: usize, what: &str) -> ReadResult<T> {
        found.map_or_else(|| self.fail(offset, what), Ok)
    }

    fn fail<T>(&self, offset: usize, what: &str) -> ReadResult<T> {
        Err(self.error(offset, what))
    }

    fn error(&self, offset: usize, what: &str) -> TournamentError {
        TournamentError::Invalid {
            position: self.position(offset),
            message: what.to_owned(),
        }
    }

    /// File, line and column of a byte.
    fn position(&self, offset: usize) -> String {
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

const NO_BUDGET: &str = "how much may a move cost? Say simulations = 10000, steps = 100000, \
                         time = \"1s\" or playclock = 10";
const NO_GAME: &str = "there has to be a game";
const NO_GAMES: &str = "how many games? Say games = 100";
