//! What the host launches for one sort.

use std::fmt;

use crate::types::Arch;

/// From this architecture on, a header's code waits for the kernel before it: `templates/common/grid_order.cuh`.
pub const FIRST_WAITING_ARCH: u32 = 90;

/// A kernel of a header, by what follows the spec's name in its symbol. Each family has constants for its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kernel {
    suffix: &'static str,
}

impl Kernel {
    /// The kernel of this suffix.
    pub(crate) const fn new(suffix: &'static str) -> Self {
        Self { suffix }
    }

    /// What follows the spec's name in the kernel's symbol.
    pub const fn suffix(self) -> &'static str {
        self.suffix
    }
}

/// A kernel of a header, and the shared memory that it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelBlock {
    /// The kernel.
    pub kernel: Kernel,
    /// Bytes of dynamic shared memory of a block, at most.
    pub shared_bytes: u32,
}

/// What launches depend on of the device that they are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Device {
    /// Its multiprocessors.
    pub multiprocessors: u32,
    /// The most shared memory that a block may have.
    pub shared_bytes_per_block: u32,
}

impl Device {
    /// The least device of an architecture: one multiprocessor, and shared memory as all of them have it. It tells which
    /// kernels there are; launches want to know more.
    pub fn of(arch: Arch) -> Self {
        Self { multiprocessors: 1, shared_bytes_per_block: arch.max_shared_bytes() }
    }
}

/// What a kernel takes after [`Arguments`](super::arguments::Arguments): an `int`, whatever it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchArgument {
    /// The seed of the positions that are sampled, which a caller may change: [`Launch::seeded`].
    Seed(u32),
    /// Another number, such as that of a pass, behind the family's word for it in reports.
    Own(&'static str, u32),
}

impl LaunchArgument {
    /// What it is called in reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Seed(_) => "seed",
            Self::Own(word, _) => word,
        }
    }

    /// The number that the kernel gets.
    pub const fn number(self) -> u32 {
        match self {
            Self::Seed(number) | Self::Own(_, number) => number,
        }
    }
}

/// The number under its word.
#[cfg(feature = "serde")]
impl serde::Serialize for LaunchArgument {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.word(), self.number())])
    }
}

/// One launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The kernel.
    pub kernel: Kernel,
    /// The argument after [`Arguments`](super::arguments::Arguments), where the kernel takes one.
    pub argument: Option<LaunchArgument>,
    /// Blocks, along x.
    pub blocks: u32,
    /// Threads of each, along x.
    pub threads: u32,
    /// Bytes of dynamic shared memory.
    pub shared_bytes: u32,
}

impl Launch {
    /// The launch with another seed, where it takes one. The result of a sort is the same for all seeds.
    #[must_use]
    pub fn seeded(mut self, seed: u32) -> Self {
        if let Some(LaunchArgument::Seed(own)) = &mut self.argument {
            *own = seed;
        }
        self
    }
}

impl fmt::Display for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, argument, blocks, threads, shared_bytes } = self;
        f.write_str(kernel.suffix)?;
        argument.map_or(Ok(()), |argument| write!(f, " {}", argument.number()))?;
        write!(f, " <<<{blocks}, {threads}, {shared_bytes}>>>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_waits_from_the_first_waiting_architecture_on() {
        let text = include_str!("../../../templates/common/grid_order.cuh");
        let condition = format!("__CUDA_ARCH__ >= {FIRST_WAITING_ARCH}0 ");
        assert_eq!(text.matches(&condition).count(), text.matches("griddepcontrol").count());
    }
}
