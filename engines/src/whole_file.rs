//! Files that are replaced as a whole: whatever happens on the way, there are either the old
//! contents or all of the new ones.

use std::io::{Error, ErrorKind, Result, Write as _};
use std::path::{Path, is_separator};
use tempfile::{Builder, NamedTempFile};

/// A file beside `path`, which is to replace it once complete.
///
/// # Errors
/// If `path` is a folder or a device, or no file can be made beside it.
pub fn begin(path: &Path) -> Result<NamedTempFile> {
    let is_folder = path.is_dir() || path.to_string_lossy().ends_with(is_separator);
    if is_folder {
        return Err(ErrorKind::IsADirectory.into());
    }
    if path.metadata().is_ok_and(|known| !known.is_file()) {
        return Err(Error::other("it is not a file"));
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = Builder::new();
    builder.prefix(".gdl-").suffix(".part");
    // Temporary files are private by default; these are to be ordinary files.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Replaces a file.
///
/// # Errors
/// As [`begin`], or if the contents cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = begin(path)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_are_replaced() {
        let folder = tempfile::tempdir().expect("temporary folders can be made");
        let file = folder.path().join("new");
        for contents in ["first", "second"] {
            replace(&file, contents.as_bytes()).expect("it can be written");
            let read = std::fs::read_to_string(&file).expect("it was written");
            assert_eq!(read, contents);
        }
        for path in [folder.path().to_owned(), folder.path().join("missing/")] {
            let error = begin(&path).expect_err("it is a folder");
            assert_eq!(error.kind(), ErrorKind::IsADirectory);
        }
        let left = std::fs::read_dir(folder.path()).expect("it can be listed");
        assert_eq!(left.count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn devices_stay() {
        let error = begin(Path::new("/dev/null")).expect_err("it is a device");
        assert_eq!(error.to_string(), "it is not a file");
    }
}
