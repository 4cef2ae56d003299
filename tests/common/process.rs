//! Isolates tests that measure their process, which all tests share, or start others.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

/// Set in a process that runs a single test.
const ALONE: &str = "GDL_TEST_ALONE";

/// Whether the test with this full name is alone in its process, as tests that
/// measure the process must be. If not, runs it alone in a child process; the caller
/// then only has to return.
///
/// # Panics
///
/// If the test fails in the child.
pub fn is_alone(test: &str) -> bool {
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let executable = std::env::current_exe().expect("this process has an executable");
    let output = Command::new(executable)
        .args(["--exact", test])
        .env(ALONE, "1")
        .output()
        .expect("tests can be started");
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{report}");
    assert!(report.contains(" 1 passed;"), "there is no test {test}");
    false
}

/// Held for reading while a test compiles, for writing while a test has clocks so short
/// that a compiler beside it would exceed them.
static PROCESSORS: RwLock<()> = RwLock::new(());

/// Keeps tests with short clocks waiting while a compiler runs.
pub fn compiling() -> RwLockReadGuard<'static, ()> {
    PROCESSORS.read().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps tests that compile waiting.
pub fn keeping_time() -> RwLockWriteGuard<'static, ()> {
    PROCESSORS.write().unwrap_or_else(PoisonError::into_inner)
}

/// Writes an executable script.
///
/// A child does the writing. If this process held the file open, a process started by
/// another thread at that moment would inherit the descriptor, and while it kept that open,
/// running the script would fail with "text file busy".
pub fn write_script(path: &Path, text: &str) {
    let mut writer = Command::new("sh")
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("there is a shell");
    let mut input = writer.stdin.take().expect("it is piped");
    input.write_all(text.as_bytes()).expect("the shell reads");
    drop(input);
    let status = writer.wait().expect("the shell ends");
    assert!(status.success(), "cannot write {}", path.display());
}

/// For how long a child may end by itself.
const LAST_MOMENTS: Duration = Duration::from_secs(3);

/// A child that does not outlive a test, whatever happens there. It is asked to end first, so
/// that it can end its own children, and then killed.
pub struct TestChild(pub Child);

impl TestChild {
    /// Sends a signal such as `TERM`.
    pub fn signal(&self, name: &str) {
        let pid = self.0.id().to_string();
        let sent = Command::new("kill")
            .args([&format!("-{name}"), &pid])
            .status();
        assert!(
            sent.is_ok_and(|status| status.success()),
            "cannot send {name}"
        );
    }

    fn runs(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(None))
    }
}

impl Drop for TestChild {
    fn drop(&mut self) {
        if self.runs() {
            let pid = self.0.id().to_string();
            let _ = Command::new("kill").args(["-TERM", &pid]).status();
        }
        let deadline = Instant::now() + LAST_MOMENTS;
        while self.runs() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
