//! The folder in which what has been made once is kept for later runs.

use std::path::PathBuf;

/// The folder of the cache: `GDL_CACHE` if set and not empty, else in the user's cache folder. `None` if
/// the user has no home folder.
#[must_use]
pub fn cache_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("GDL_CACHE");
    if let Some(folder) = folder.filter(|folder| !folder.is_empty()) {
        return Some(folder.into());
    }
    let folders = directories::ProjectDirs::from("", "", "gdl")?;
    Some(folders.cache_dir().to_owned())
}
