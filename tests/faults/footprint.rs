//! The resources that a player uses, as reported by the system.

use crate::common::served::{PATIENCE, Served};
use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

/// The tolerance for the memory in use, in bytes.
const SLACK: u64 = 64 << 20;

/// The resources of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footprint {
    /// Private memory, in bytes.
    pub memory: u64,
    pub threads: usize,
    pub files: usize,
    /// The number of mappings of files, loaded libraries included.
    pub mappings: usize,
    /// The number of its descendants.
    pub descendants: usize,
}

/// A player on the net engine whose footprint shows only what it remembers: of the memory in
/// which a champion learns, the allocator keeps some 90 MB for the next match.
pub fn frugal_player() -> Served {
    Served::start(&["--no-native", "--agent", "uct"])
}

impl Footprint {
    /// The current resources of a player.
    pub fn of(player: &Served) -> Self {
        let process = format!("/proc/{}", player.id());
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
            descendants: descendants(player.id()),
        }
    }

    /// The resources of a player at rest, after it has played a match.
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

    /// Waits until a player uses no more than this.
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

/// The number of descendants of a process.
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
    let entries = fs::read_dir("/proc").expect("the system lists processes");
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

fn parent(process: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // After the name, which can contain any character.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

/// The command lines that contain a text, of all processes.
pub fn named(text: &str) -> Vec<String> {
    let lines = processes().filter_map(|process| {
        let line = fs::read(format!("/proc/{process}/cmdline")).ok()?;
        Some(String::from_utf8_lossy(&line).replace('\0', " "))
    });
    lines.filter(|line| line.contains(text)).collect()
}
