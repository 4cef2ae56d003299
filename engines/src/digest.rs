//! SHA-256 digests, written in hexadecimal.

use sha2::{Digest as _, Sha256};
use std::io;

/// The digest of some bytes: 64 hexadecimal digits in lower case.
#[must_use]
pub fn sha256_hex(bytes: impl AsRef<[u8]>) -> String {
    let mut digest = StreamDigest::default();
    digest.update(bytes);
    digest.finish()
}

/// Whether a text could be a digest that [`sha256_hex`] returned.
#[must_use]
pub fn is_sha256_hex(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The digest of bytes that arrive in parts.
#[derive(Debug, Clone, Default)]
pub struct StreamDigest(Sha256);

impl StreamDigest {
    /// Appends bytes.
    pub fn update(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.update(bytes);
    }

    /// The digest of all bytes, as [`sha256_hex`] returns it.
    #[must_use]
    pub fn finish(self) -> String {
        let bytes = self.0.finalize();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl io::Write for StreamDigest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of FIPS 180-2, appendix B.1.
    #[test]
    fn digests_are_those_of_the_standard() {
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_hex("abc"), digest);
        assert!(is_sha256_hex(digest) && !is_sha256_hex(&digest[1..]));
        let mut parts = StreamDigest::default();
        parts.update("a");
        parts.update("bc");
        assert_eq!(parts.finish(), digest);
    }
}
