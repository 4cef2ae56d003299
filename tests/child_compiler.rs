//! Compilers that misbehave, and the cache of compiled artifacts.

#![cfg(target_os = "linux")]

use crate::common;
use crate::common::process::{is_alone, write_script};
use crate::common::served::Served;
use anyhow::Context as _;
use gdl_engines::native::{
    CompileLimits, CompileRequest, CompilerCache, CompilerFailure, NativeError,
};
use gdl_network::protocol::message::Message;
use gdl_runtime::stop_flag::StopFlag;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

const MIB: u64 = 1 << 20;

/// Long enough for a script on a busy machine, short enough for a test to wait for the timeout.
const SHORT: CompileLimits = CompileLimits {
    time: Duration::from_secs(5),
    memory: 2048 * MIB,
    background: true,
};

const LONG: CompileLimits = CompileLimits {
    time: Duration::from_secs(120),
    ..SHORT
};

/// A folder with a fake compiler: a shell script in which `$out` is the output file and
/// `$here` the folder.
struct Bench {
    folder: tempfile::TempDir,
    limit: u64,
}

impl Bench {
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let bench = Self {
            folder,
            limit: 1024 * MIB,
        };
        let here = bench.path("").display().to_string();
        let text = format!(
            "#!/bin/bash\nhere={here}\nif [ \"$1\" = -vV ]; then echo fake; exit; fi\n\
             while [ $# -gt 1 ]; do [ \"$1\" = -o ] && out=$2; shift; done\n{script}\n"
        );
        bench.write_compiler(&text);
        bench
    }

    fn write_compiler(&self, text: &str) {
        write_script(&self.path("rustc"), text);
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    fn cache(&self) -> CompilerCache {
        CompilerCache::new(&self.path("rustc"), &self.path("cache"), self.limit)
    }

    fn build(&self, code: &str, limits: &CompileLimits) -> Result<PathBuf, NativeError> {
        let request = CompileRequest { code, rules: None };
        self.cache()
            .build_library(&request, limits, &StopFlag::default())
    }

    /// How a compilation fails.
    fn failure(&self, limits: &CompileLimits) -> CompilerFailure {
        let error = self.build("", limits).expect_err("this compiler fails");
        failure_of(error)
    }

    /// The entries of the cache whose names begin with `kind`.
    fn entries(&self, kind: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path("cache")).expect("there is a cache");
        let entries = entries.map(|entry| entry.expect("it can be listed").path());
        let is_of_kind = |path: &PathBuf| name(path).starts_with(kind);
        entries.filter(is_of_kind).collect()
    }

    /// Waits until the process whose id is in a file has ended.
    fn wait_for_death(&self, file: &str) {
        let process = self.read(file);
        let process = process.trim();
        assert!(!process.is_empty(), "it was started");
        let deadline = Instant::now() + Duration::from_secs(10);
        let lives = || {
            let status = fs::read_to_string(format!("/proc/{process}/stat"));
            status.is_ok_and(|status| !status.contains(") Z "))
        };
        while lives() {
            assert!(Instant::now() < deadline, "{process} lives on");
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn assert_no_work_is_left(&self) {
        assert_eq!(self.entries("work-"), <[PathBuf; 0]>::default());
    }
}

fn failure_of(error: NativeError) -> CompilerFailure {
    match error {
        NativeError::Compiler(failure) => failure,
        error => panic!("the compiler is not at fault: {error}"),
    }
}

fn name(path: &Path) -> String {
    let name = path.file_name().expect("entries have names");
    name.to_string_lossy().into_owned()
}

#[test]
fn a_compiler_that_hangs_is_stopped_with_all_its_children() {
    let bench = Bench::new(
        "echo scrap > $TMPDIR/scrap; echo scrap > $out\n\
         (sleep 300 & echo $! > $here/grandchild; wait) & sleep 300",
    );
    assert_eq!(bench.failure(&SHORT), CompilerFailure::TimedOut(SHORT.time));
    bench.wait_for_death("grandchild");
    bench.assert_no_work_is_left();
}

#[test]
fn a_compilation_is_called_off_at_once() {
    let bench = Bench::new("sleep 300 & echo $! > $here/grandchild; sleep 300");
    let cancel = StopFlag::default();
    let caller = {
        let (cancel, file) = (cancel.clone(), bench.path("grandchild"));
        thread::spawn(move || {
            let deadline = Instant::now() + LONG.time;
            while fs::read_to_string(&file).unwrap_or_default().is_empty() {
                assert!(Instant::now() < deadline, "nothing is compiled");
                thread::sleep(Duration::from_millis(10));
            }
            cancel.raise();
            Instant::now()
        })
    };
    let request = CompileRequest {
        code: "",
        rules: None,
    };
    let error = bench.cache().build_library(&request, &LONG, &cancel);
    let late = caller.join().expect("the caller is well").elapsed();
    let error = error.expect_err("it was called off");
    assert_eq!(failure_of(error), CompilerFailure::Stopped);
    assert!(late < Duration::from_secs(30), "{late:?}");
    bench.wait_for_death("grandchild");
    bench.assert_no_work_is_left();
}

#[test]
fn a_player_that_leaves_takes_its_compilers_with_it() {
    let bench = Bench::new("echo $$ > $here/child; sleep 300");
    let player = Served::start_with(&[], |command| {
        command
            .env("RUSTC", bench.path("rustc"))
            .env("GDL_CACHE", bench.path("cache"));
    });
    // No match waits for a compilation that a preview starts.
    let preview = Message::Preview {
        rules: common::game("tictactoe").text.clone(),
        clock: LONG.time,
    };
    assert_eq!(player.say(&preview), "ready");
    let deadline = Instant::now() + LONG.time;
    while bench.read("child").is_empty() {
        assert!(Instant::now() < deadline, "nothing is compiled");
        thread::sleep(Duration::from_millis(10));
    }
    let (code, log) = player.terminate();
    assert_eq!(code, Some(0), "{log}");
    bench.wait_for_death("child");
    bench.assert_no_work_is_left();
}

#[test]
fn a_child_left_behind_neither_lives_on_nor_is_waited_for() {
    let bench = Bench::new("sleep 300 & echo $! > $here/grandchild; echo no >&2; exit 3");
    let begun = Instant::now();
    assert_eq!(
        bench.failure(&LONG),
        CompilerFailure::Rejected("no\n".to_owned())
    );
    assert!(begun.elapsed() < Duration::from_secs(30));
    bench.wait_for_death("grandchild");
}

#[test]
fn a_compiler_that_dies_or_does_nothing_is_told_from_one_that_refuses() {
    assert_eq!(
        Bench::new("kill -9 $$").failure(&LONG),
        CompilerFailure::Killed(9)
    );
    assert_eq!(
        Bench::new("exit 0").failure(&LONG),
        CompilerFailure::WroteNothing
    );
    assert_eq!(
        Bench::new(": > $out").failure(&LONG),
        CompilerFailure::WroteNothing
    );
    let full = "echo 'No space left on device' >&2; exit 1";
    let CompilerFailure::Rejected(said) = Bench::new(full).failure(&LONG) else {
        panic!("it was refused");
    };
    assert_eq!(said, "No space left on device\n");
    let greedy = "echo 'memory allocation of 64 bytes failed' >&2; kill -ABRT $$";
    let failure = Bench::new(greedy).failure(&LONG);
    assert_eq!(failure, CompilerFailure::OutOfMemory(LONG.memory));
}

#[test]
fn a_gigabyte_of_complaints_is_cut_short() {
    if !is_alone("child_compiler::a_gigabyte_of_complaints_is_cut_short") {
        return;
    }
    let bench = Bench::new("head -c 1000000000 /dev/zero >&2; exit 1");
    let before = peak_memory();
    let CompilerFailure::Rejected(said) = bench.failure(&LONG) else {
        panic!("it was refused");
    };
    assert!(said.len() <= 4000, "{}", said.len());
    assert!(peak_memory() - before < 64 << 10);
}

/// The peak memory of this process, in KiB.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("this is Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let words = line.expect("the peak is reported").split_whitespace();
    words
        .clone()
        .next()
        .and_then(|word| word.parse().ok())
        .expect("a number")
}

#[test]
fn priority_and_memory_are_bounded() {
    // The limits are set shortly after the start, those of time and of core files last.
    let await_limits =
        "for i in {1..600}; do [ $(ulimit -t)$(ulimit -c) = 2400 ] && break; sleep 0.1; done";
    let bench = Bench::new(&format!(
        "{await_limits}; nice >&2; ulimit -v >&2; ulimit -c >&2; exit 1"
    ));
    let memory = LONG.memory >> 10;
    let rejected = |nice| CompilerFailure::Rejected(format!("{nice}\n{memory}\n0\n"));
    let own = Command::new("nice").output().expect("nice is there").stdout;
    let own: i32 = (String::from_utf8_lossy(&own).trim().parse()).expect("it is a number");
    // Only the superuser can raise a priority that is lower already.
    let lowered = [10, own.max(10)].map(rejected);
    let failure = bench.failure(&LONG);
    assert!(lowered.contains(&failure), "{failure:?}");
    let waited_for = CompileLimits {
        background: false,
        ..LONG
    };
    assert_eq!(bench.failure(&waited_for), rejected(own));
}

#[test]
fn the_compiler_cannot_reach_the_network() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let port = listener.local_addr().expect("it has a number").port();
    let bench = Bench::new(&format!(
        "(: <>/dev/tcp/127.0.0.1/{port}) 2>/dev/null && echo reached >&2 || echo denied >&2\nexit 1"
    ));
    let outside = Command::new(bench.path("rustc"))
        .output()
        .expect("it can be run");
    assert_eq!(String::from_utf8_lossy(&outside.stderr), "reached\n");
    assert_eq!(
        bench.failure(&LONG),
        CompilerFailure::Rejected("denied\n".to_owned())
    );
    // The rest of this process still has the network.
    std::net::TcpStream::connect(("127.0.0.1", port)).expect("we can reach it");
}

#[test]
fn without_a_compiler_there_is_none() {
    let bench = Bench::new("");
    let is_missing = |limits| matches!(bench.failure(limits), CompilerFailure::NoCompiler(_));
    bench.write_compiler("#!/bin/sh\necho 'no default toolchain' >&2; exit 1\n");
    assert!(is_missing(&LONG));
    bench.write_compiler("#!/bin/sh\nsleep 300\n");
    assert!(is_missing(&SHORT));
    bench.write_compiler("\u{7f}no program");
    assert!(is_missing(&LONG));
    fs::remove_file(bench.path("rustc")).expect("it can be removed");
    assert!(is_missing(&LONG));
}

/// Logs each compilation, and writes a mebibyte.
const DILIGENT: &str = "echo >> $here/made; head -c 1048576 /dev/zero > $out; cat \"$1\" >> $out";

#[test]
fn what_was_made_is_kept_and_what_is_damaged_made_anew() -> anyhow::Result<()> {
    let bench = Bench::new(DILIGENT);
    let made = || bench.read("made").lines().count();
    let library = bench.build("one", &LONG)?;
    assert_eq!(made(), 2, "the runtime and the game");
    assert_eq!(bench.build("one", &LONG)?, library);
    assert_eq!(made(), 2);
    assert_ne!(bench.build("two", &LONG)?, library);
    assert_eq!(made(), 3);
    let whole = fs::read(&library)?;
    for damage in [&whole[..whole.len() / 2], b"garbage", b""] {
        let before = made();
        fs::write(&library, damage)?;
        assert_eq!(bench.build("one", &LONG)?, library);
        assert_eq!(fs::read(&library)?, whole);
        assert_eq!(made(), before + 1);
    }
    fs::remove_file(library.with_file_name("sha256"))?;
    bench.build("one", &LONG)?;
    assert_eq!(fs::read(&library)?, whole);
    bench.assert_no_work_is_left();
    Ok(())
}

#[test]
fn of_several_that_want_a_game_one_compiles_it() {
    let bench = Bench::new(&format!("sleep 0.3; {DILIGENT}"));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| bench.build("one", &LONG).expect("it is compiled"));
        }
    });
    assert_eq!(bench.read("made").lines().count(), 2);
    assert_eq!(bench.entries("game-").len(), 1);
    assert_eq!(bench.entries("work-").len(), 0);
}

#[test]
fn room_is_made_by_what_was_not_used_for_longest() -> anyhow::Result<()> {
    let mut bench = Bench::new(DILIGENT);
    let [one, two, three] = ["one", "two", "three"].map(|code| bench.build(code, &LONG));
    let [one, two, three] = [one?, two?, three?];
    fs::write(bench.path("cache/letter"), "not an entry")?;
    for (library, hours) in [(&two, 1), (&one, 3), (&three, 2)] {
        set_age(&library.with_file_name("sha256"), hours)?;
    }
    // Using an entry renews it.
    bench.build("one", &LONG)?;
    bench.limit = 4 * MIB + MIB / 2;
    let four = bench.build("four", &LONG)?;
    let there = |library: &PathBuf| library.exists();
    assert_eq!(
        [&one, &two, &three, &four].map(there),
        [true, true, false, true]
    );
    // Entries that were just used are kept, whatever the limit.
    bench.limit = 0;
    let five = bench.build("five", &LONG)?;
    assert_eq!(
        [&one, &two, &four, &five].map(there),
        [true, false, true, true]
    );
    assert_eq!(bench.read("cache/letter"), "not an entry");
    bench.assert_no_work_is_left();
    Ok(())
}

#[test]
fn what_a_killed_program_left_is_cleared_up() -> anyhow::Result<()> {
    let bench = Bench::new(DILIGENT);
    fs::create_dir_all(bench.path("cache/work-old/work"))?;
    fs::create_dir_all(bench.path("cache/work-new"))?;
    set_age(&bench.path("cache/work-old"), 2)?;
    bench.build("one", &LONG)?;
    assert_eq!(bench.entries("work-"), [bench.path("cache/work-new")]);
    Ok(())
}

/// Sets the age of a file or folder.
fn set_age(path: &Path, hours: u64) -> anyhow::Result<()> {
    let time = SystemTime::now() - Duration::from_secs(3600 * hours);
    Ok(fs::File::open(path)?.set_modified(time)?)
}

#[test]
fn a_cache_that_cannot_be_is_an_error() -> anyhow::Result<()> {
    let bench = Bench::new(DILIGENT);
    fs::write(bench.path("cache"), "a file")?;
    let error = bench.build("one", &LONG).expect_err("there is no folder");
    assert!(error.to_string().starts_with("cannot make "), "{error}");
    fs::remove_file(bench.path("cache"))?;
    bench.build("one", &LONG).context("there is one now")?;
    Ok(())
}
