//! One sort of a rank, step by step.

use std::sync::Arc;

use cudarc::driver::{CudaStream, result};
use sortsmith_codegen::shard_merge::{self, Arguments, Round, ShardKernel};

use super::member::{Member, Message};
use super::memory::{Columns, ItemArrays, ItemBytes, RunArrays, SearchArrays};
use super::pieces::Pieces;
use super::plan::{Merge, Plan, Splits, Transfer};
use super::stages::Stages;
use crate::distributed::error::ShardError;
use crate::distributed::request::Layout;
use crate::distributed::transport::Transport as _;
use crate::error::Error;
use crate::gpu::pinned::Event;
use crate::gpu::shard_kernels::ShardKernels;
use crate::gpu::status::checked;
use crate::gpu::stream_sorter::StreamSorter;
use crate::gpu::task::{Arrays, Task};
use crate::host::splitters::{Around, cut};

/// What a rank's sort uses.
pub struct Run<'a> {
    pub member: &'a Member,
    pub local: &'a StreamSorter,
    pub kernels: &'a ShardKernels,
    pub stages: &'a Stages,
    /// NCCL's stream.
    pub exchange: Arc<CudaStream>,
    /// The sort of the shard.
    pub task: &'a Task,
    pub input: Columns,
    pub arrays: RunArrays,
    pub search: SearchArrays,
    pub bytes: ItemBytes,
}

impl Run<'_> {
    fn stream(&self) -> &Arc<CudaStream> {
        self.local.stream()
    }

    /// The rank's own error, which ends the group.
    fn own<T>(&self, result: Result<T, Error>) -> Result<T, ShardError> {
        result.map_err(|error| self.member.fail_by(&error))
    }

    /// Lets what is enqueued next on one stream wait for what has been enqueued on the other.
    fn order(&self, first: &CudaStream, then: &CudaStream) -> Result<(), ShardError> {
        let ordered = || {
            let event = checked("make an event", Event::new(first.context()))?;
            checked("record an event", event.record(first.cu_stream()))?;
            checked("wait for an event", event.delay(then.cu_stream()))
        };
        self.own(ordered())
    }

    /// Arguments of kernels that read the run.
    fn arguments(&self) -> Arguments {
        Arguments {
            keys: self.arrays.run.keys,
            n: self.task.n as u64,
            targets: self.search.targets,
            splitters: self.search.splitters,
            below: self.search.counts,
            sums: self.search.counts,
            around: self.search.around,
            begin_bit: self.task.bits.start.cast_signed(),
            end_bit: self.task.bits.end.cast_signed(),
            ..Arguments::default()
        }
    }

    fn launch(
        &self,
        stream: &CudaStream,
        kernel: ShardKernel,
        arguments: &Arguments,
    ) -> Result<(), Error> {
        // SAFETY: the arrays are as long as the arguments say, memory of this rank or the caller's; the sort waits for all of its work.
        unsafe { self.kernels.launch(stream, kernel, arguments) }
    }

    /// Sorts the shard, to the run or to the share of the only rank. `first_position` is that of its first item, where positions are sorted.
    pub fn sort_shard(&self, to: Columns, first_position: Option<u64>) -> Result<(), Error> {
        let mut values = self.input.values;
        if let Some(first_position) = first_position {
            values = self.arrays.positions;
            let arguments = Arguments { positions: values, first_position, ..self.arguments() };
            self.launch(self.stream(), ShardKernel::Positions, &arguments)?;
        }
        let values = if self.bytes.value > 0 { values } else { 0 };
        let arrays = Arrays::between((self.input.keys, values), (to.keys, to.values));
        // SAFETY: the arrays are the caller's and this rank's, of as many items, and the sort waits for all of its work.
        unsafe { self.local.sort_at(self.task, &arrays) }?;
        self.stages.end(self.stream(), || "sort".to_owned());
        Ok(())
    }

    /// Finds where the runs of all ranks are split.
    pub fn split(&self, layout: &Layout) -> Result<Splits, ShardError> {
        let ranks = layout.shares.len() - 1;
        let pieces = Pieces::of(layout);
        let mut of_runs = vec![vec![0; ranks]];
        if !pieces.borders().is_empty() {
            let around = self.search(pieces.borders())?;
            let of_rank = 2 * pieces.borders().len();
            for (border, target) in pieces.borders().iter().enumerate() {
                let of_rank = |rank: usize| {
                    let at = rank * of_rank + 2 * border;
                    Around { below: around[at], equal: around[at + 1] }
                };
                of_runs.push(cut(*target, (0..ranks).map(of_rank)).collect::<Vec<_>>());
            }
        }
        of_runs.push(layout.shards.windows(2).map(|shard| shard[1] - shard[0]).collect());
        let (shares, alignment) = (layout.shares.clone(), self.bytes.alignment());
        Ok(Splits { pieces, of_runs, shares, alignment })
    }

    /// For each rank and border, the items of the rank's run below the border's splitter and those equal to it.
    fn search(&self, borders: &[u64]) -> Result<Vec<u64>, ShardError> {
        let exchange = &self.exchange;
        self.order(self.stream(), exchange)?;
        let order_bytes = self.kernels.spec().order_bytes() as usize;
        let SearchArrays { targets, splitters, counts, around, all_around } = self.search;
        let handle = exchange.cu_stream();
        // SAFETY: there is room for a splitter and a target of each border. The driver has read the targets when it returns.
        let begun = unsafe {
            result::memset_d8_async(splitters, 0, borders.len() * order_bytes, handle)
                .and_then(|()| result::memcpy_htod_async(targets, borders, handle))
        };
        self.own(checked("enqueue the begin of a search", begun))?;
        let mut arguments = Arguments { borders: borders.len() as u32, ..self.arguments() };
        for Round { shift, digit_values } in
            shard_merge::rounds(self.task.bits.clone(), arguments.borders)
        {
            (arguments.shift, arguments.digit_values) = (shift, digit_values);
            self.own(self.launch(exchange, ShardKernel::Search, &arguments))?;
            let candidates = borders.len() * digit_values as usize;
            // SAFETY: there is room for the counts of as many candidates.
            unsafe { self.member.all_sum_at(counts, candidates) }?;
            self.own(self.launch(exchange, ShardKernel::Narrow, &arguments))?;
        }
        self.own(self.launch(exchange, ShardKernel::Around, &arguments))?;
        let words = 2 * borders.len();
        // SAFETY: there is room for these words of a rank, and for those of all.
        let all = unsafe {
            self.member.all_gather_at(around, all_around, words * size_of::<u64>())?;
            self.member.read(all_around, self.member.ranks() * words)
        };
        self.stages.end(exchange, || "splitters".to_owned());
        all
    }

    /// Exchanges ranges of the runs, piece by piece, and merges each piece while the next one travels.
    pub fn exchange_and_merge(
        &self,
        splits: &Splits,
        arrays: &ItemArrays,
    ) -> Result<(), ShardError> {
        let plan = Plan::of(splits, self.member.rank());
        // The caller's share is written in the order of its stream.
        self.order(self.stream(), &self.exchange)?;
        for (number, step) in plan.steps.iter().enumerate() {
            self.exchange(arrays, &step.transfers)?;
            self.stages.end(&self.exchange, || format!("exchange {number}"));
            if let Some((from, to)) = step.copy {
                self.copy(arrays.at(from.slot), arrays.at(to), from.items)?;
            }
            if step.merges.is_empty() {
                continue;
            }
            self.order(&self.exchange, self.stream())?;
            for merge in &step.merges {
                self.merge(arrays, merge)?;
            }
            self.stages.end(self.stream(), || format!("merge {number}"));
        }
        self.order(&self.exchange, self.stream())
    }

    /// Lets what the caller does next with its memory wait for what has been enqueued, whatever became of it.
    pub fn settle(&self) {
        // If the driver fails here too, it has no work that could be waited for.
        let _ = self.order(&self.exchange, self.stream());
    }

    /// Waits for all of the sort's work.
    pub fn finish(&self) -> Result<(), ShardError> {
        self.stages.end(self.stream(), || "end".to_owned());
        let event = self.own(checked("make an event", Event::new(self.stream().context())))?;
        self.own(checked("record an event", event.record(self.stream().cu_stream())))?;
        self.member.wait(&event)
    }

    fn merge(&self, arrays: &ItemArrays, merge: &Merge) -> Result<(), ShardError> {
        let Merge { first, second, to } = *merge;
        let (first_items, second_items) = (first.items, second.items);
        let [first, second, to] = [first.slot, second.slot, to].map(|slot| arrays.at(slot));
        let arguments = Arguments {
            first_keys: first.keys,
            first_values: first.values,
            first_items,
            second_keys: second.keys,
            second_values: second.values,
            second_items,
            merged_keys: to.keys,
            merged_values: to.values,
            ..self.arguments()
        };
        self.own(self.launch(self.stream(), ShardKernel::Merge, &arguments))
    }

    /// What goes from rank to rank.
    fn exchange(&self, arrays: &ItemArrays, transfers: &[Transfer]) -> Result<(), ShardError> {
        let ItemBytes { key, value } = arrays.bytes();
        let mut messages = Vec::new();
        for Transfer { peer, is_sent, slot, items, lead, .. } in transfers.iter().copied() {
            let Columns { keys, values } = arrays.at(slot);
            for (address, bytes) in [(keys, key), (values, value)] {
                let address = address - lead * bytes as u64;
                let bytes = (lead + items) as usize * bytes;
                if bytes > 0 {
                    messages.push(Message { peer, address, bytes, is_sent });
                }
            }
        }
        // SAFETY: the memory is the plan's, and all ranks make their plans of the same splits.
        unsafe { self.member.exchange_at(&messages) }
    }

    /// What stays on this rank.
    fn copy(&self, from: Columns, to: Columns, items: u64) -> Result<(), ShardError> {
        let ItemBytes { key, value } = self.bytes;
        let columns = [(to.keys, from.keys, key), (to.values, from.values, value)];
        for (to, from, bytes) in columns.into_iter().filter(|(_, _, bytes)| *bytes > 0) {
            let (bytes, handle) = (items as usize * bytes, self.stream().cu_stream());
            // SAFETY: the memory is the plan's.
            let copied = unsafe { result::memcpy_dtod_async(to, from, bytes, handle) };
            self.own(checked("enqueue a copy", copied))?;
        }
        Ok(())
    }
}
