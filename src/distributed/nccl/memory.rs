//! The device memory of a rank's sorts beside the shards, kept for the next sort.

use std::sync::Arc;

use cudarc::driver::CudaStream;
use sortsmith_codegen::shard_partition::ShardSpec;

use super::plan::{Place, Plan};
use super::targets::{MAX_BUCKETS, MAX_SAMPLES};
use crate::error::Error;
use crate::gpu::scratch::Scratch;

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

/// The memory.
#[derive(Debug)]
pub struct Memory {
    small: Scratch,
    outgoing: Scratch,
    incoming: Scratch,
    beyond: Scratch,
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

/// The arrays of a plan's places.
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
        let new = || Scratch::new(stream);
        Self { small: new(), outgoing: new(), incoming: new(), beyond: new() }
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

    /// What a plan takes.
    pub fn of_plan(
        &mut self,
        plan: &Plan,
        bytes: ItemBytes,
        share: Columns,
    ) -> Result<ItemArrays, Error> {
        let columns = |memory: &mut Scratch, items: u64| {
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
    /// The addresses of a place.
    pub fn at(&self, place: Place) -> Columns {
        let (columns, item) = match place {
            Place::Outgoing(item) => (self.outgoing, item),
            Place::Incoming(item) => (self.incoming, item),
            Place::Beyond(item) => (self.beyond, item),
            Place::Share(item) => (self.share, item),
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
