//! The text of this crate, so that a compiled game can be built where only the
//! program that emitted it is installed.
//!
//! The build script lists the files. Without it, where rustc alone compiles these
//! very texts, the list is empty.

#[cfg(lists_sources)]
include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// No files: this copy of the crate was not built by cargo.
#[cfg(not(lists_sources))]
pub const SOURCES: &[(&str, &str)] = &[];

#[cfg(test)]
mod tests {
    use super::SOURCES;

    #[test]
    fn modules_and_their_folders_are_listed() {
        for name in ["lib.rs", "sources.rs", "lanes/mod.rs"] {
            let text = SOURCES.iter().find(|(path, _)| *path == name);
            assert!(text.is_some_and(|(_, text)| !text.is_empty()), "{name}");
        }
    }
}
