//! The device memory of a rank's sorts beside the shards, kept for the next sort.

use std::sync::Arc;

use cudarc::driver::CudaStream;
use sortsmith_codegen::shard_merge::{self, ShardSpec};

use super::pieces::Pieces;
use super::plan::Slot;
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
    search: Scratch,
    run: Scratch,
    incoming: Scratch,
    merged: [Scratch; 2],
    /// The sort that the local sorter has memory for.
    sorted: Option<Task>,
}

/// What a search for splitters needs beside the run.
#[derive(Clone, Copy, Debug)]
pub struct SearchArrays {
    pub targets: u64,
    pub splitters: u64,
    pub counts: u64,
    pub around: u64,
    pub all_around: u64,
}

/// What a rank's own sort writes, and the positions that travel with the keys, if there are any.
#[derive(Clone, Copy, Debug)]
pub struct RunArrays {
    pub run: Columns,
    pub positions: u64,
}

/// The arrays of a plan's slots.
#[derive(Clone, Copy, Debug)]
pub struct ItemArrays {
    run: Columns,
    incoming: Columns,
    merged: [Columns; 2],
    share: Columns,
    bytes: ItemBytes,
}

/// Arrays of as many items, in this memory.
fn columns(memory: &mut Scratch, items: usize, bytes: ItemBytes) -> Result<Columns, Error> {
    let of_values = items.saturating_mul(bytes.value);
    let [keys, values] = memory.take([items.saturating_mul(bytes.key), of_values])?;
    Ok(Columns { keys, values: if bytes.value > 0 { values } else { 0 } })
}

impl Memory {
    /// No memory yet.
    pub fn new(stream: &Arc<CudaStream>) -> Self {
        let new = || Scratch::new(stream);
        let merged = [new(), new()];
        Self { search: new(), run: new(), incoming: new(), merged, sorted: None }
    }

    /// What a search takes, whatever the ranks have.
    pub fn of_search(&mut self, spec: &ShardSpec, ranks: usize) -> Result<SearchArrays, Error> {
        let borders = Pieces::max_borders(ranks);
        let around = 2 * borders * size_of::<u64>();
        let candidates = shard_merge::max_candidates(borders as u32) as usize;
        let [targets, splitters, counts, around, all_around] = self.search.take([
            borders * size_of::<u64>(),
            borders * spec.order_bytes() as usize,
            candidates * size_of::<u64>(),
            around,
            ranks * around,
        ])?;
        Ok(SearchArrays { targets, splitters, counts, around, all_around })
    }

    /// What the sort of a shard writes, and this number of positions.
    pub fn of_run(
        &mut self,
        items: usize,
        positions: usize,
        bytes: ItemBytes,
    ) -> Result<RunArrays, Error> {
        let [keys, values, positions] = self.run.take([
            items.saturating_mul(bytes.key),
            items.saturating_mul(bytes.value),
            positions.saturating_mul(bytes.value),
        ])?;
        let values = if bytes.value > 0 { values } else { 0 };
        Ok(RunArrays { run: Columns { keys, values }, positions })
    }

    /// Lets a sorter have what a sort takes.
    pub fn for_sort(
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
        prepare(task)?;
        self.sorted = Some(task.clone());
        Ok(())
    }

    /// What exchanges and merges take for a share of this length, however the runs are split.
    pub fn of_share(
        &mut self,
        ranks: usize,
        (items, share): (usize, Columns),
        run: Columns,
        bytes: ItemBytes,
    ) -> Result<ItemArrays, Error> {
        let (ranges, piece) = Pieces::most_of_share(ranks, items);
        let incoming = items.saturating_add(2 * ranges * bytes.alignment() as usize);
        let merged = if ranks > 2 { piece } else { 0 };
        let [first, second] = &mut self.merged;
        Ok(ItemArrays {
            run,
            incoming: columns(&mut self.incoming, incoming, bytes)?,
            merged: [columns(first, merged, bytes)?, columns(second, merged, bytes)?],
            share,
            bytes,
        })
    }
}

impl ItemArrays {
    /// The addresses of a slot.
    pub fn at(&self, slot: Slot) -> Columns {
        let (columns, item) = match slot {
            Slot::Run(item) => (self.run, item),
            Slot::Incoming(item) => (self.incoming, item),
            Slot::Merged { is_second, item } => (self.merged[usize::from(is_second)], item),
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
