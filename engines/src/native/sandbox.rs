//! Keeps the compiler off the network.
//!
//! A thread gives up its right to open sockets other than local ones; the processes
//! that it starts inherit the restriction and cannot lift it.

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
pub(super) use linux::deny_network;

/// Denies the network to this thread and to all processes that it starts. Not
/// implemented on this system.
#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
pub(super) fn deny_network() {}

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod linux {
    use seccompiler::{
        BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
        SeccompFilter, SeccompRule, apply_filter,
    };
    use std::sync::Once;

    /// Denies the network to this thread and to all processes that it starts. If the
    /// kernel does not support that, the log says so once.
    pub fn deny_network() {
        static LOGGED: Once = Once::new();
        if let Err(error) = filter().and_then(|filter| apply_filter(&filter)) {
            LOGGED.call_once(|| {
                tracing::warn!(%error, "the compiler can reach the network");
            });
        }
    }

    /// Refuses all sockets but local ones, and `io_uring`, which could open others.
    fn filter() -> Result<BpfProgram, Error> {
        let local = libc::AF_UNIX as u64;
        let remote = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, local)?;
        let rules = [
            (libc::SYS_socket, vec![SeccompRule::new(vec![remote])?]),
            (libc::SYS_io_uring_setup, Vec::new()),
        ];
        let filter = SeccompFilter::new(
            rules.into_iter().collect(),
            SeccompAction::Allow,
            SeccompAction::Errno(libc::EACCES as u32),
            std::env::consts::ARCH.try_into()?,
        )?;
        Ok(filter.try_into()?)
    }
}
