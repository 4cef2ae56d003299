//! What a player takes of the machine, as the system tells it.

use crate::common::served::{PATIENCE, Served};
use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

/// Bytes of memory that may be in use somewhere else than before.
const SLACK: u64 = 64 << 20;

/// What a process takes of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footprint {
    /// Bytes of memory that are its own.
    pub memory: u64,
    pub threads: usize,
    pub files: usize,
    /// Stretches of memory that files are mapped to: loaded libraries among them.
    pub mappings: usize,
    /// Processes that it has started, and those that these have.
    pub descendants: usize,
}

impl Footprint {
    /// What a player takes now.
    pub fn of(player: &Served) -> Self {
        let process = format!("/proc/{}", player.child.id());
        let entries =
            |folder: &str| fs::read_dir(format!("{process}/{folder}")).map(Iterator::count);
        let text = |file: &str| fs::read_to_string(format!("{process}/{file}")).unwrap_or_default();
        let resident = text("status").lines().find_map(|line| {
            let kilobytes = line.strip_prefix("RssAnon:")?.trim().strip_suffix(" kB")?;
            kilobytes.parse::<u64>().ok()
        });
        let is_file = |line: &&str| {
            line.split_whitespace()
                .nth(5)
                .is_some_and(|path| path.starts_with('/'))
        };
        Self {
            memory: 1024 * resident.expect("the player runs"),
            threads: entries("task").expect("the player runs"),
            files: entries("fd").expect("the player runs"),
            mappings: text("maps").lines().filter(is_file).count(),
            descendants: descendants(player.child.id()),
        }
    }

    /// What a player takes when it has played a match and come to rest.
    pub fn at_rest(player: &Served) -> Self {
        super::short_match::play(player, "warm-up");
        let deadline = Instant::now() + PATIENCE;
        let mut footprint = Self::of(player);
        while Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(300));
            let last = std::mem::replace(&mut footprint, Self::of(player));
            if footprint.descendants == 0 && footprint.threads == last.threads {
                break;
            }
        }
        footprint
    }

    /// Waits until a player takes no more than this.
    pub fn returns(&self, player: &Served) {
        let deadline = Instant::now() + 2 * PATIENCE;
        let mut now = Self::of(player);
        while !now.is_within(self) {
            assert!(Instant::now() < deadline, "before: {self:?}; now: {now:?}");
            std::thread::sleep(Duration::from_millis(100));
            now = Self::of(player);
        }
    }

    fn is_within(&self, before: &Self) -> bool {
        self.memory <= before.memory + SLACK
            && self.threads <= before.threads
            && self.files <= before.files
            && self.mappings <= before.mappings
            && self.descendants <= before.descendants
    }
}

/// How many processes descend from one.
pub fn descendants(ancestor: u32) -> usize {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for process in processes() {
        children
            .entry(parent(process).unwrap_or(0))
            .or_default()
            .push(process);
    }
    let mut found = 0;
    let mut left = vec![ancestor];
    while let Some(process) = left.pop() {
        let of_this = children.get(&process).map_or(&[][..], Vec::as_slice);
        found += of_this.len();
        left.extend(of_this);
    }
    found
}

fn processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").expect("the system tells of processes");
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

fn parent(process: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Behind the name, which can have any characters.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

/// Processes whose command lines have this text.
pub fn named(text: &str) -> Vec<String> {
    let lines = processes().filter_map(|process| {
        let line = fs::read(format!("/proc/{process}/cmdline")).ok()?;
        Some(String::from_utf8_lossy(&line).replace('\0', " "))
    });
    lines.filter(|line| line.contains(text)).collect()
}
