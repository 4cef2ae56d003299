//! The text of this crate, so that a compiled game can be built where only the
//! program that emitted it is installed.

/// Every file of the crate: its path below `src` and its text.
pub const SOURCES: &[(&str, &str)] = &[
    ("lib.rs", include_str!("lib.rs")),
    ("columns.rs", include_str!("columns.rs")),
    ("compiled.rs", include_str!("compiled.rs")),
    ("draw.rs", include_str!("draw.rs")),
    ("engine.rs", include_str!("engine.rs")),
    ("kif.rs", include_str!("kif.rs")),
    ("lane_engine.rs", include_str!("lane_engine.rs")),
    ("lanes/mod.rs", include_str!("lanes/mod.rs")),
    ("lanes/x86.rs", include_str!("lanes/x86.rs")),
    ("layout.rs", include_str!("layout.rs")),
    ("machine.rs", include_str!("machine.rs")),
    ("machine/batches.rs", include_str!("machine/batches.rs")),
    ("machine/playouts.rs", include_str!("machine/playouts.rs")),
    (
        "machine/selection/descent.rs",
        include_str!("machine/selection/descent.rs"),
    ),
    (
        "machine/selection/lists.rs",
        include_str!("machine/selection/lists.rs"),
    ),
    (
        "machine/selection/mod.rs",
        include_str!("machine/selection/mod.rs"),
    ),
    (
        "machine/selection/sums.rs",
        include_str!("machine/selection/sums.rs"),
    ),
    (
        "machine/selection/tree.rs",
        include_str!("machine/selection/tree.rs"),
    ),
    (
        "machine/selection/side.rs",
        include_str!("machine/selection/side.rs"),
    ),
    ("perft.rs", include_str!("perft.rs")),
    ("program.rs", include_str!("program.rs")),
    ("random.rs", include_str!("random.rs")),
    ("sources.rs", include_str!("sources.rs")),
    ("stop_flag.rs", include_str!("stop_flag.rs")),
    ("tables.rs", include_str!("tables.rs")),
];

#[cfg(test)]
mod tests {
    use super::SOURCES;
    use std::path::Path;

    fn list(folder: &Path, found: &mut Vec<String>) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        for entry in std::fs::read_dir(folder).expect("the sources are here") {
            let path = entry.expect("the sources are readable").path();
            if path.is_dir() {
                list(&path, found);
            } else {
                let below = path.strip_prefix(&root).expect("below src");
                found.push(below.to_string_lossy().replace('\\', "/"));
            }
        }
    }

    #[test]
    fn every_file_of_the_crate_is_listed() {
        let mut found = Vec::new();
        list(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
            &mut found,
        );
        found.sort();
        let mut listed: Vec<_> = SOURCES.iter().map(|(path, _)| (*path).to_owned()).collect();
        listed.sort();
        assert_eq!(listed, found);
    }
}
