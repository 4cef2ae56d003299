//! What a compiler may not do: talk to the network.
//!
//! A thread gives up its own right to open sockets, but for those within the
//! machine, and whatever it starts inherits that for good.

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
pub use linux::leave_network;

/// Gives up the network for this thread and all that it starts: not here.
#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
pub fn leave_network() {}

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

    /// Gives up the network for this thread and all that it starts. Where the
    /// system does not know how, the log says so, once.
    pub fn leave_network() {
        static TOLD: Once = Once::new();
        if let Err(error) = filter().and_then(|filter| apply_filter(&filter)) {
            TOLD.call_once(|| {
                tracing::warn!(%error, "the compiler can reach the network");
            });
        }
    }

    /// Refuses every socket but local ones, also by way of a ring.
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
