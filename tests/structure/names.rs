//! Names: each type has one of its own, and none is a word that the field does not use.

use super::sources::crates;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use syn::visit::{self, Visit};
use syn::{ImplItemFn, Item, ItemFn, TraitItemFn};

/// Words that this project once used for things that the field has names for: the word,
/// the name, and the folders or files in which the word has that sense (all if there are
/// none).
const PRIVATE_WORDS: &[(&str, &str, &[&str])] = &[
    ("mind", "searcher", &[]),
    ("fleet", "lane scheduler", &[]),
    ("flight", "simulation batch", &[]),
    ("departure", "selection", &[]),
    ("arrival", "expansion, backup", &[]),
    ("enlist", "allocate", &[]),
    (
        "board",
        "assign; published result",
        &["agent/src/lane_scheduler", "network/src/serve"],
    ),
    ("land", "complete", &["agent/src"]),
    ("berth", "lane assignment", &[]),
    ("way", "path", &["agent/src"]),
    ("fringe", "first-play urgency", &[]),
    ("steer", "apply the policy", &[]),
    ("steering", "policy application", &[]),
    ("trail", "trajectory", &[]),
    ("machinery", "cost model", &[]),
    ("share", "playouts per leaf", &["agent/src"]),
    ("grove", "trees and workers", &[]),
    ("manner", "sampling mode", &[]),
    ("sequel", "continuation", &[]),
    ("worth", "value", &[]),
    ("judge", "evaluate", &["agent/src"]),
    ("standing", "solved status", &["agent/src"]),
    ("settle", "mark solved", &["agent/src"]),
    ("settled", "solved", &["agent/src"]),
    ("draft", "builder", &["agent/src"]),
    ("part", "component", &["agent/src"]),
    ("place", "slot", &["agent/src"]),
    ("thought", "search result", &[]),
    ("opinion", "move evaluation", &[]),
    ("allowance", "time control", &[]),
    ("course", "game record", &[]),
    ("venue", "runner", &[]),
    (
        "terms",
        "configuration",
        &["contests/src", "network/src/serve"],
    ),
    ("hall", "worker", &[]),
    ("hand", "batch", &["contests/src"]),
    ("lobby", "match registry", &[]),
    ("referee", "match actor", &[]),
    ("ongoing", "match handle", &[]),
    ("keeper", "recorder", &[]),
    ("chooser", "player", &[]),
    ("bell", "stop flag", &[]),
    ("spare", "fallback move", &["network/src/serve"]),
    ("workshop", "compiler cache", &[]),
    ("order", "request", &["engines/src/native"]),
    ("table", "match", &["network/src/host"]),
    ("opening", "setup", &["network/src", "contests/src"]),
    ("seat", "player", &[]),
    ("seating", "players", &[]),
    ("sitting", "session", &[]),
    ("places", "permits", &["network/src/serve"]),
    ("workbench", "permit", &[]),
    ("net", "propnet", &["gdlc/src"]),
    ("demand", "magic set", &["gdlc/src"]),
    ("guard", "magic predicate", &["gdlc/src"]),
    ("given", "bound", &["gdlc/src"]),
    ("saturate", "semi-naive evaluation", &[]),
    ("share_nodes", "structural hashing", &[]),
    ("remove_unreachable", "dead-code elimination", &[]),
    ("freeze_bases", "constant latches", &[]),
    (
        "overflow",
        "spill slots",
        &["gdlc/src/plan", "gdlc/src/x86"],
    ),
    ("whereabouts", "location", &[]),
    ("crossing", "live across", &[]),
    ("form", "instruction selection", &["gdlc/src/x86"]),
    ("columns", "transpose", &["runtime/src"]),
    ("side", "candidates of a role", &["runtime/src"]),
    ("telling", "discriminating literals", &[]),
];

/// The names that a crate's files define, each with the file that it stands in.
#[derive(Default)]
struct Names {
    types: Vec<(String, String)>,
    others: Vec<(String, String)>,
    file: String,
}

impl Visit<'_> for Names {
    fn visit_item(&mut self, item: &Item) {
        let ty = match item {
            Item::Struct(item) => Some(&item.ident),
            Item::Enum(item) => Some(&item.ident),
            Item::Union(item) => Some(&item.ident),
            Item::Trait(item) => Some(&item.ident),
            Item::Type(item) => Some(&item.ident),
            _ => None,
        };
        if let Some(name) = ty {
            self.types.push((name.to_string(), self.file.clone()));
        }
        if let Item::Mod(item) = item {
            self.others
                .push((item.ident.to_string(), self.file.clone()));
        }
        visit::visit_item(self, item);
    }

    fn visit_item_fn(&mut self, item: &ItemFn) {
        self.others
            .push((item.sig.ident.to_string(), self.file.clone()));
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &ImplItemFn) {
        self.others
            .push((item.sig.ident.to_string(), self.file.clone()));
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &TraitItemFn) {
        self.others
            .push((item.sig.ident.to_string(), self.file.clone()));
        visit::visit_trait_item_fn(self, item);
    }
}

fn names() -> Names {
    let mut names = Names::default();
    for package in crates() {
        for file in &package.files {
            names.file = format!("{}/{}", package.folder, file.path.display());
            file.items.iter().for_each(|item| names.visit_item(item));
        }
    }
    names
}

/// `SamplingMode` and `sampling_mode` as ` sampling mode `: spaces around every word.
fn spaced(name: &str) -> String {
    let mut words = String::from(" ");
    let mut previous = '_';
    for letter in name.chars() {
        if letter == '_' || letter.is_uppercase() && !previous.is_uppercase() && previous != '_' {
            words.push(' ');
        }
        if letter != '_' {
            words.extend(letter.to_lowercase());
        }
        previous = letter;
    }
    words.push(' ');
    words
}

/// Whether a name contains a word or its plural. Two phrases are exempt as plain English.
fn says(name: &str, word: &str) -> bool {
    let (name, word) = (
        spaced(name)
            .replace(" in flight ", " ")
            .replace(" on demand ", " "),
        word.replace('_', " "),
    );
    name.contains(&format!(" {word} ")) || name.contains(&format!(" {word}s "))
}

#[test]
fn no_type_name_means_two_things() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, file) in names().types {
        places.entry(name).or_default().push(file);
    }
    let mut twice = String::new();
    for (name, files) in places.iter().filter(|(_, files)| files.len() > 1) {
        let _ = writeln!(twice, "{name}: {}", files.join(", "));
    }
    assert!(twice.is_empty(), "types of one name:\n{twice}");
}

#[test]
fn names_are_the_fields() {
    let names = names();
    let mut private = String::new();
    for (name, file) in names.types.iter().chain(&names.others) {
        for (word, better, folders) in PRIVATE_WORDS {
            let is_meant =
                folders.is_empty() || folders.iter().any(|folder| file.starts_with(folder));
            if is_meant && says(name, word) {
                let _ = writeln!(private, "{file}: {name} ({word}: {better})");
            }
        }
    }
    assert!(
        private.is_empty(),
        "names the field does not use:\n{private}"
    );
}

#[test]
fn words_are_found_in_names_of_either_case() {
    for name in ["LaneFleet", "fleet_of_lanes", "Fleet", "FLEETS"] {
        assert!(says(name, "fleet"), "{name}");
    }
    for name in ["Fleeting", "afleet", "fl_eet"] {
        assert!(!says(name, "fleet"), "{name}");
    }
}
