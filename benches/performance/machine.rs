//! The machine, the date and the compiler, for the record.

use gdl_runtime::lanes::Width;
use std::process::Command;

/// Processor, cores and lanes.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let widest = Width::widest();
    format!("{}, {cores} cores, {widest} lanes a word", processor())
}

fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "model name").then(|| value.trim().to_owned())
    });
    model.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// Year, month and day, in UTC.
pub fn date() -> String {
    output_of("date", &["-u", "+%F"])
}

/// The compiler that native games are compiled with.
pub fn rustc() -> String {
    output_of("rustc", &["--version"])
}

/// What a program prints; `unknown` if it fails or there is no such program.
fn output_of(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    match output {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        }
        _ => "unknown".to_owned(),
    }
}

/// The peak memory of this process, in bytes; `None` where the system does not report it.
pub fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kibibytes)
}
