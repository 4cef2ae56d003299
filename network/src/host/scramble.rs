//! Replaces the words of a game, so that players learn nothing from its names.
//!
//! A rule sheet yields a dictionary of made-up words, which translates rules, roles
//! and moves both ways. Keywords of GDL stay, and so do numbers, since goals are
//! numbers. Spellings that differ only in case are one symbol. No new word is among
//! the old ones.

use gdl_runtime::kif::{respell, words};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The keywords of GDL, and the word of hosts for missing moves.
const KEPT: &[&str] = &[
    "<=", "and", "base", "distinct", "does", "goal", "init", "input", "legal", "next", "nil",
    "not", "or", "role", "terminal", "true",
];

const CONSONANTS: &[u8] = b"bdfgklmnprstvz";
const VOWELS: &[u8] = b"aeiou";

/// The number of syllables of a drawn word. There are 343,000 such words, more than
/// symbols in any rule sheet that can be played.
const SYLLABLES: usize = 3;

/// A dictionary for one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scramble {
    /// Maps old words, in lower case, to new ones.
    forth: BTreeMap<String, String>,
    /// Maps new words to old ones, spelled as where they first occur.
    back: BTreeMap<String, String>,
}

impl Scramble {
    /// A dictionary for the words of a rule sheet. The same seed gives the same words.
    #[must_use]
    pub fn new(rules: &str, seed: u64) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let symbols = || words(rules).filter(|word| is_renamed(word));
        let mut taken: BTreeSet<String> = symbols().map(stem).collect();
        let (mut forth, mut back) = (BTreeMap::new(), BTreeMap::new());
        for symbol in symbols() {
            forth.entry(symbol.to_lowercase()).or_insert_with(|| {
                let mark = if symbol.starts_with('?') { "?" } else { "" };
                let word = format!("{mark}{}", coin(&mut rng, &mut taken));
                back.insert(word.clone(), symbol.to_owned());
                word
            });
        }
        Self { forth, back }
    }

    /// Translates rules, a role or a move into the new words, on one line.
    #[must_use]
    pub fn scramble(&self, text: &str) -> String {
        translate(text, &self.forth)
    }

    /// Translates a text back into the old words. Unknown words stay as they are.
    #[must_use]
    pub fn restore(&self, text: &str) -> String {
        translate(text, &self.back)
    }
}

fn is_renamed(word: &str) -> bool {
    let is_number = word.parse::<f64>().is_ok() && word.contains(|c: char| c.is_ascii_digit());
    let is_kept = KEPT.iter().any(|kept| kept.eq_ignore_ascii_case(word));
    !is_number && !is_kept
}

/// A symbol in lower case, without the question mark of variables.
fn stem(symbol: &str) -> String {
    symbol.trim_start_matches('?').to_lowercase()
}

/// Draws a word that is not taken yet, and takes it.
fn coin(rng: &mut Xoshiro256PlusPlus, taken: &mut BTreeSet<String>) -> String {
    let mut syllables = SYLLABLES;
    loop {
        let letter = |rng: &mut Xoshiro256PlusPlus, letters: &[u8]| {
            char::from(letters[rng.random_range(0..letters.len())])
        };
        let word: String = (0..syllables)
            .flat_map(|_| [letter(rng, CONSONANTS), letter(rng, VOWELS)])
            .collect();
        if taken.insert(word.clone()) {
            return word;
        }
        // Longer words are free even if many short ones are taken.
        syllables += 1;
    }
}

/// Replaces every word of a text that is in the dictionary.
fn translate<'t>(text: &'t str, dictionary: &'t BTreeMap<String, String>) -> String {
    respell(text, |old| {
        let new = dictionary.get(&old.to_lowercase());
        Cow::Borrowed(new.map_or(old, String::as_str))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdl_engines::{EngineKind, EngineOptions};
    use gdl_runtime::engine::Engine;
    use gdl_runtime::kif::one_line;
    use gdl_runtime::perft;
    use gdlc::source::Source;

    fn load(rules: &str) -> Box<dyn Engine> {
        let source = Source::new("game", rules);
        gdl_engines::load(&source, EngineKind::Net, &EngineOptions::default())
            .expect("the game is sound")
    }

    fn counts(engine: &mut dyn Engine) -> Vec<u64> {
        let initial = engine.initial();
        (1..3)
            .map(|depth| perft::count(engine, &initial, depth))
            .collect()
    }

    #[test]
    fn scrambled_games_are_the_same_games() {
        for game in [
            "tictactoe",
            "tron",
            "breakthrough",
            "peg_solitaire",
            "connect_four",
            "checkers",
            "battle",
        ] {
            let path = format!("{}/../games/{game}.kif", env!("CARGO_MANIFEST_DIR"));
            let rules = std::fs::read_to_string(path).expect("the game is there");
            let words = Scramble::new(&rules, 7);
            let (mut plain, mut odd) = (load(&rules), load(&words.scramble(&rules)));
            assert_eq!(counts(&mut *plain), counts(&mut *odd), "{game}");
            let restored = odd.roles().iter().map(|role| words.restore(role));
            assert_eq!(restored.collect::<Vec<_>>(), plain.roles(), "{game}");
            assert_same_moves(&mut *plain, &mut *odd, &words);
        }
    }

    /// The initial moves are the same in both words, there and back.
    fn assert_same_moves(plain: &mut dyn Engine, odd: &mut dyn Engine, words: &Scramble) {
        let (state, odd_state) = (plain.initial(), odd.initial());
        let (here, there) = (plain.examine(&state), odd.examine(&odd_state));
        for role in 0..here.legal.len() {
            let names = |engine: &dyn Engine, moves: &[gdl_runtime::engine::Move]| {
                let names = moves.iter().map(|&mv| engine.move_name(role, mv));
                names.collect::<BTreeSet<String>>()
            };
            let (here, there) = (
                names(plain, &here.legal[role]),
                names(odd, &there.legal[role]),
            );
            let outward: BTreeSet<String> = here.iter().map(|mv| words.scramble(mv)).collect();
            assert_eq!(outward, there);
            let inward: BTreeSet<String> = there.iter().map(|mv| words.restore(mv)).collect();
            assert_eq!(inward, here);
        }
    }

    #[test]
    fn words_are_one_to_one_whatever_their_case() {
        let rules = "; secret\n(role Anna) (init (p 1 -2 3.5 1e5 x)) (goal ANNA 100)\n\
            (<= (next (Q ?x ?X ?y)) (true (q ?x ?x ?Y)) (distinct ?x bafadi))";
        let words = Scramble::new(rules, 1);
        let text = words.scramble(rules);
        for old in ["secret", "Anna", "ANNA", "?x", "bafadi", "(p", "(q"] {
            assert!(!text.contains(old), "{old}: {text}");
        }
        for kept in ["(role ", "(init (", "1 -2 3.5 1e5", "100)", "(distinct ?"] {
            assert!(text.contains(kept), "{kept}: {text}");
        }
        assert_eq!(words.forth.len(), 7);
        assert_eq!(words.back.len(), 7);
        assert_eq!(words.scramble("aNNa"), words.scramble("Anna"));
        assert_eq!(
            words.restore(&words.scramble("anna").to_uppercase()),
            "Anna"
        );
        assert_eq!(words.restore("( nobody ( knows ) )"), "(nobody (knows))");
        assert_eq!(words, Scramble::new(rules, 1));
        assert_ne!(words, Scramble::new(rules, 2));
    }

    #[test]
    fn old_words_are_never_new_ones() {
        // Some 70 of as many drawn words would be among them.
        let syllables: Vec<String> = (CONSONANTS.iter())
            .flat_map(|&c| VOWELS.iter().map(move |&v| [c, v].map(char::from)))
            .map(|letters| letters.iter().collect())
            .collect();
        let pairs = (syllables.iter()).flat_map(|one| syllables.iter().map(move |two| (one, two)));
        let rules: Vec<String> = pairs.map(|(one, two)| format!("{one}{two}ba")).collect();
        let rules = rules.join(" ");
        for seed in 0..3 {
            let words = Scramble::new(&rules, seed);
            let old = |word: &&String| words.forth.contains_key(*word);
            assert_eq!(words.back.keys().find(old), None, "seed {seed}");
            assert_eq!(words.restore(&words.scramble(&rules)), rules);
        }
    }

    #[test]
    fn any_text_can_be_translated() {
        let words = Scramble::new("(role r)", 1);
        let nested = "(".repeat(100_000);
        assert_eq!(words.restore(&nested), nested);
        for odd in ["", "))", "? ?? ( ;", "\u{0}é\u{feff}"] {
            let plain = one_line(odd);
            assert_eq!(words.restore(odd), plain);
            let words = Scramble::new(odd, 1);
            assert_eq!(words.restore(&words.scramble(odd)), plain);
        }
    }
}
