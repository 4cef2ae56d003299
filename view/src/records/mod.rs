//! Records of matches, in all supported formats.
//!
//! | format | module |
//! |---|---|
//! | what `gdl play --json` prints | `played` |
//! | journals of contests (`.jsonl`) | `journal` |
//! | match records of ggp-base and Tiltyard, and of `gdl host` | `ggp` |
//! | traces (`.jsonl`, `.jsonl.gz`), of which the first playout is taken | `trace` |
//!
//! All become [`Recorded`]: the moves of one match, which are then replayed by the rules. What a
//! record says about states is not needed for that.

mod ggp;
mod journal;
mod played;
mod recorded;
mod trace;

use std::io::Read as _;

use flate2::read::MultiGzDecoder;

use recorded::FormatError;
pub use recorded::Recorded;

/// The extensions of files that may be records.
pub(crate) const RECORD_EXTENSIONS: &[&str] = &[".json", ".jsonl", ".jsonl.gz"];

/// Records of more bytes than this, unpacked, are not read.
const MOST_BYTES: u64 = 64 << 20;

/// Why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It is in none of the formats.
    #[error("this is not a record of a match: {0}")]
    Unknown(String),
    /// It cannot be read.
    #[error("the record cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// It is too large.
    #[error("the record has more than {} MiB", MOST_BYTES >> 20)]
    TooLarge,
    /// It holds no match.
    #[error("the record holds no match")]
    Empty,
}

/// Reads a record, plain or compressed by gzip.
///
/// # Errors
/// If it is too large, or in none of the formats.
pub fn read(bytes: &[u8]) -> Result<Recorded, RecordError> {
    let mut text = String::new();
    let read = match bytes.starts_with(&[0x1f, 0x8b]) {
        true => MultiGzDecoder::new(bytes)
            .take(MOST_BYTES + 1)
            .read_to_string(&mut text)?,
        false => bytes.take(MOST_BYTES + 1).read_to_string(&mut text)?,
    };
    if read as u64 > MOST_BYTES {
        return Err(RecordError::TooLarge);
    }
    parse(&text)
}

/// Reads a record from its text.
///
/// # Errors
/// If it is in none of the formats.
pub fn parse(text: &str) -> Result<Recorded, RecordError> {
    let formats = [played::parse, ggp::parse, journal::parse, trace::parse];
    let mut why = None;
    for format in formats {
        match format(text) {
            Ok(recorded) => return Ok(recorded),
            Err(FormatError::Other(error)) => why = why.or(Some(error)),
            Err(FormatError::Empty) => return Err(RecordError::Empty),
        }
    }
    Err(RecordError::Unknown(why.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(rounds: &[&[&str]]) -> Vec<Vec<String>> {
        let owned = |round: &&[&str]| round.iter().map(|mv| (*mv).to_owned()).collect();
        rounds.iter().map(owned).collect()
    }

    #[test]
    fn each_format_gives_the_same_match() {
        let wanted = moves(&[&["(mark 1 1)", "noop"], &["noop", "(mark 2 2)"]]);
        let played = r#"{"game":"t","players":["a","b"],"rounds":[
            {"state":[],"moves":["(mark 1 1)","noop"]},{"state":[],"moves":["noop","(mark 2 2)"]}],"last":[]}"#;
        let ggp = r#"{"matchId":"m","gameMetaURL":"http://games.ggp.org/base/games/t/","isCompleted":true,
            "moves":[["(mark 1 1)","noop"],["noop","(mark 2 2)"]],"states":["( )"],"playerNamesFromHost":["a","b"]}"#;
        let journal = "{\"game\":\"t\",\"rules\":\"00\",\"agents\":[\"a\",\"b\"]}\n\
            {\"game\":0,\"seats\":[0,1],\"goals\":[50,50],\"moves\":[[\"(mark 1 1)\",\"noop\"],[\"noop\",\"(mark 2 2)\"]]}\n";
        let trace = "{\"game\":\"t\",\"oracle\":\"o\",\"roles\":[\"x\",\"o\"],\"K\":1,\"max_steps\":9}\n\
            {\"p\":0,\"s\":0,\"state\":[],\"terminal\":false,\"move\":[\"(mark 1 1)\",\"noop\"]}\n\
            {\"p\":0,\"s\":1,\"state\":[],\"terminal\":false,\"move\":[\"noop\",\"(mark 2 2)\"]}\n\
            {\"p\":0,\"s\":2,\"state\":[],\"terminal\":true}\n\
            {\"p\":1,\"s\":0,\"state\":[],\"terminal\":false,\"move\":[\"(mark 3 3)\",\"noop\"]}\n";
        for text in [played, ggp, journal, trace] {
            let recorded = parse(text).expect(text);
            assert_eq!(recorded.moves, wanted, "{text}");
            assert_eq!(recorded.game.as_deref(), Some("t"), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "{}", "[1]", "(role x)", "{\"game\":\"t\"}", "null"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
