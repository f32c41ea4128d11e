//! The device memory of a rank's sorts beside the shards, kept for the next sort.

use std::sync::Arc;

use cudarc::driver::CudaStream;
use sortsmith_codegen::shard_partition::ShardSpec;

use super::plan::{Plan, Slot};
use super::targets::{MAX_BUCKETS, MAX_SAMPLES};
use crate::error::Error;
use crate::gpu::scratch::Scratch;
use crate::gpu::task::Task;

/// Arrays of keys and of values: addresses on the device, 0 where there are none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Columns {
    pub keys: u64,
    pub values: u64,
}

/// Bytes of a key and of a value.
#[derive(Clone, Copy, Debug)]
pub struct ItemBytes {
    pub key: usize,
    pub value: usize,
}

impl ItemBytes {
    /// The number of items that keys and values of aligned addresses lie apart: NCCL moves 16 bytes at once from and to these.
    pub fn alignment(self) -> u64 {
        let least = if self.value == 0 { self.key } else { self.key.min(self.value) };
        (16 / least.max(1)).max(1) as u64
    }
}

/// The memory.
#[derive(Debug)]
pub struct Memory {
    small: Scratch,
    outgoing: Growing,
    incoming: Growing,
    beyond: Growing,
    /// The sorts of buckets that the local sorter has memory for.
    sorted: Option<Task>,
}

/// Memory of a size that differs a little from call to call, because samples do.
#[derive(Debug)]
struct Growing {
    scratch: Scratch,
    bytes: usize,
}

/// A size with an eighth more.
fn with_more(size: usize) -> usize {
    size.saturating_add(size / 8)
}

impl Growing {
    fn take(&mut self, bytes: [usize; 2]) -> Result<[u64; 2], Error> {
        let needed = Scratch::bytes_of(bytes);
        if needed > self.bytes {
            // Where there is no memory for more, that much may do.
            let more = self.scratch.reserve(with_more(needed)).map(|()| with_more(needed));
            self.bytes = more.unwrap_or(needed);
        }
        self.scratch.take(bytes)
    }
}

/// What a partition needs beside items.
#[derive(Clone, Copy, Debug)]
pub struct PartitionArrays {
    pub samples: u64,
    pub all_samples: u64,
    pub targets: u64,
    pub splitters: u64,
    pub totals: u64,
    pub all_totals: u64,
    pub destinations: u64,
    pub offsets: u64,
}

/// The arrays of a plan's slots.
#[derive(Clone, Copy, Debug)]
pub struct ItemArrays {
    outgoing: Columns,
    incoming: Columns,
    beyond: Columns,
    share: Columns,
    bytes: ItemBytes,
}

impl Memory {
    /// No memory yet.
    pub fn new(stream: &Arc<CudaStream>) -> Self {
        let new = || Growing { scratch: Scratch::new(stream), bytes: 0 };
        let small = Scratch::new(stream);
        Self { small, outgoing: new(), incoming: new(), beyond: new(), sorted: None }
    }

    /// What the partition of a shard of n items takes, whatever the other ranks have.
    pub fn of_partition(
        &mut self,
        spec: &ShardSpec,
        n: usize,
        ranks: usize,
    ) -> Result<PartitionArrays, Error> {
        let buckets = spec.max_buckets() as usize;
        let samples = MAX_SAMPLES * spec.order_bytes() as usize;
        let offsets = spec.offset_bytes(n as u64, spec.max_buckets());
        let offsets = usize::try_from(offsets).unwrap_or(usize::MAX);
        let [samples, all_samples, targets, splitters, totals, all_totals, destinations, offsets] =
            self.small.take([
                samples,
                ranks * samples,
                MAX_BUCKETS * size_of::<u32>(),
                buckets * spec.order_bytes() as usize,
                2 * buckets * size_of::<u64>(),
                ranks * 2 * buckets * size_of::<u64>(),
                2 * buckets * size_of::<u64>(),
                offsets,
            ])?;
        Ok(PartitionArrays {
            samples,
            all_samples,
            targets,
            splitters,
            totals,
            all_totals,
            destinations,
            offsets,
        })
    }

    /// Lets a sorter have what sorts of buckets take, up to the task's number of items.
    pub fn for_sorts(
        &mut self,
        task: &Task,
        prepare: impl Fn(&Task) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let has_memory = self.sorted.as_ref().is_some_and(|sorted| {
            sorted.n >= task.n && *sorted == Task { n: sorted.n, ..task.clone() }
        });
        if has_memory || task.n < 2 {
            return Ok(());
        }
        let more = Task { n: with_more(task.n), ..task.clone() };
        self.sorted = match prepare(&more) {
            Ok(()) => Some(more),
            // Where there is no memory for more, that much may do.
            Err(_) => prepare(task).map(|()| Some(task.clone()))?,
        };
        Ok(())
    }

    /// What a plan takes.
    pub fn of_plan(
        &mut self,
        plan: &Plan,
        bytes: ItemBytes,
        share: Columns,
    ) -> Result<ItemArrays, Error> {
        let columns = |memory: &mut Growing, items: u64| {
            let items = usize::try_from(items).unwrap_or(usize::MAX);
            let [keys, values] = memory
                .take([items.saturating_mul(bytes.key), items.saturating_mul(bytes.value)])?;
            Ok::<_, Error>(Columns { keys, values })
        };
        Ok(ItemArrays {
            outgoing: columns(&mut self.outgoing, plan.outgoing)?,
            incoming: columns(&mut self.incoming, plan.incoming)?,
            beyond: columns(&mut self.beyond, plan.beyond_items)?,
            share,
            bytes,
        })
    }
}

impl ItemArrays {
    /// The addresses of a slot.
    pub fn at(&self, slot: Slot) -> Columns {
        let (columns, item) = match slot {
            Slot::Outgoing(item) => (self.outgoing, item),
            Slot::Incoming(item) => (self.incoming, item),
            Slot::Beyond(item) => (self.beyond, item),
            Slot::Share(item) => (self.share, item),
        };
        Columns {
            keys: columns.keys + item * self.bytes.key as u64,
            values: columns.values + item * self.bytes.value as u64,
        }
    }

    /// Bytes of a key and of a value.
    pub fn bytes(&self) -> ItemBytes {
        self.bytes
    }
}
