//! One sort of a rank, step by step.

use std::sync::Arc;

use cudarc::driver::{CudaStream, result};
use sortsmith_codegen::shard_partition::{Arguments, ShardKernel};
use sortsmith_codegen::{KeyType, Order, ValueType};

use super::communicator::{Communicator, Message};
use super::memory::{Columns, ItemArrays, ItemBytes, Memory, PartitionArrays};
use super::plan::{BucketSort, Buckets, Plan, Slot, Transfer};
use super::stages::Stages;
use super::targets::Targets;
use crate::algorithm::ArrayAlgorithm;
use crate::distributed::agreement::{Status, gather};
use crate::distributed::error::ShardError;
use crate::distributed::request::Layout;
use crate::distributed::transport::Transport as _;
use crate::error::Error;
use crate::gpu::pinned::Event;
use crate::gpu::shard_kernels::ShardKernels;
use crate::gpu::status::checked;
use crate::gpu::stream_sorter::StreamSorter;
use crate::gpu::task::{Arrays, Task};
use crate::value::Carried;

/// What a rank's sort uses.
pub struct Run<'a> {
    pub communicator: &'a Communicator,
    pub local: &'a StreamSorter,
    pub kernels: &'a ShardKernels,
    pub stages: &'a Stages,
    /// NCCL's stream.
    pub exchange: Arc<CudaStream>,
    /// The sort of a bucket; its number of items is not used.
    pub task: &'a Task,
    pub partition: PartitionArrays,
    pub arguments: Arguments,
    pub bytes: ItemBytes,
}

/// The task that sorts samples.
pub fn sample_task(order_bytes: u32, n: usize) -> Task {
    let key = match order_bytes {
        4 => KeyType::U32,
        8 => KeyType::U64,
        _ => KeyType::U128,
    };
    Task {
        key,
        value: Carried::As(ValueType::None),
        order: Order::Ascending,
        bits: 0..key.bits(),
        nan_last: false,
        algorithm: ArrayAlgorithm::Fastest,
        stable: true,
        counted: false,
        n,
    }
}

impl Run<'_> {
    fn stream(&self) -> &Arc<CudaStream> {
        self.local.stream()
    }

    /// The rank's own error, which ends the group.
    fn own<T>(&self, result: Result<T, Error>) -> Result<T, ShardError> {
        result.map_err(|error| self.communicator.fail_by(&error))
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

    fn launch(&self, kernel: ShardKernel) -> Result<(), ShardError> {
        // SAFETY: the arrays are as long as the spec says, of this stream's memory, or the caller's; the sort waits for all of its work.
        let launched = unsafe { self.kernels.launch(self.stream(), kernel, &self.arguments) };
        self.own(launched)
    }

    /// How many items of each bucket all ranks have.
    pub fn count(&mut self, layout: &Layout) -> Result<Buckets, ShardError> {
        let (ranks, rank) = (self.communicator.ranks(), self.communicator.rank());
        let targets = Targets::of(layout);
        self.arguments.sample_slots = targets.slots();
        self.arguments.sample_count = targets.samples[rank];
        self.arguments.buckets = targets.buckets() as u32;
        self.arguments.first_position = layout.shards[rank];
        let order_bytes = self.kernels.spec().order_bytes();
        let slots = targets.slots() as usize;
        self.launch(ShardKernel::Samples)?;
        self.order(self.stream(), &self.exchange)?;
        let bytes = (slots * order_bytes as usize).next_multiple_of(8);
        let PartitionArrays { samples, all_samples, .. } = self.partition;
        // SAFETY: there is room for the samples of a rank and for those of all, and an even number of slots.
        unsafe { self.communicator.all_gather_at(samples, all_samples, bytes) }?;
        self.order(&self.exchange, self.stream())?;
        let task = sample_task(order_bytes, ranks * slots);
        // SAFETY: the samples of all ranks lie there.
        self.own(unsafe { self.local.sort_at(&task, &Arrays::in_place(all_samples, 0)) })?;
        let handle = self.stream().cu_stream();
        // SAFETY: there is room for as many targets as there may be buckets. The driver has read them when it returns.
        let copied = unsafe {
            result::memcpy_htod_async(self.partition.targets, &targets.first_samples, handle)
        };
        self.own(checked("enqueue a copy", copied))?;
        self.launch(ShardKernel::Splitters)?;
        self.stages.end(self.stream(), || "splitters".to_owned());
        self.launch(ShardKernel::Count)?;
        self.stages.end(self.stream(), || "count".to_owned());
        self.launch(ShardKernel::Scan)?;
        self.stages.end(self.stream(), || "scan".to_owned());
        self.order(self.stream(), &self.exchange)?;
        self.gather_totals(layout)
    }

    fn gather_totals(&self, layout: &Layout) -> Result<Buckets, ShardError> {
        let PartitionArrays { totals, all_totals, .. } = self.partition;
        let (ranks, rank) = (self.communicator.ranks(), self.communicator.rank());
        let (most, buckets) =
            (self.kernels.spec().max_buckets() as usize, self.arguments.buckets as usize);
        let words = 2 * most;
        // SAFETY: there is room for the totals of a rank and for those of all.
        let all = unsafe {
            self.communicator.all_gather_at(totals, all_totals, words * size_of::<u64>())?;
            self.communicator.read(all_totals, ranks * words)?
        };
        let counts = all.chunks_exact(words).map(|of_rank| of_rank[..buckets].to_vec()).collect();
        let equal = &all[rank * words + most..][..buckets];
        Ok(Buckets {
            counts,
            are_equal: equal.iter().map(|is_equal| *is_equal != 0).collect(),
            shares: layout.shares.clone(),
            alignment: self.bytes.alignment(),
        })
    }

    /// The sort of the only rank.
    pub fn sort_alone(
        &self,
        input: Columns,
        items: usize,
        share: Result<Columns, Error>,
    ) -> Result<(), ShardError> {
        let sorted = share.and_then(|share| {
            let arrays = Arrays::between((input.keys, input.values), (share.keys, share.values));
            let task = Task { n: items, ..self.task.clone() };
            // SAFETY: the arrays are the caller's, of as many items.
            unsafe { self.local.sort_at(&task, &arrays) }
        });
        let (status, _) = Status::of(sorted);
        gather(self.communicator, &status, &[])?;
        self.finish()
    }

    /// Moves items to their ranks and sorts them. `share` is where this rank's go.
    pub fn move_and_sort(
        &self,
        buckets: &Buckets,
        memory: &mut Memory,
        share: Result<Columns, Error>,
    ) -> Result<(), ShardError> {
        let plan = Plan::of(buckets, self.communicator.rank());
        let prepared = share.and_then(|share| {
            let arrays = memory.of_plan(&plan, self.bytes, share)?;
            let most = plan.steps.iter().filter_map(|(_, sort)| sort.map(|sort| sort.items)).max();
            let largest = Task { n: most.unwrap_or(0) as usize, ..self.task.clone() };
            memory.for_sorts(&largest, |task| self.local.prepare(task, true))?;
            Ok(arrays)
        });
        let (status, arrays) = Status::of(prepared);
        if let Some(arrays) = &arrays {
            self.scatter(&plan, arrays)?;
        }
        // While items are scattered.
        gather(self.communicator, &status, &[])?;
        let Some(arrays) = arrays else {
            return Err(ShardError::OutOfStep { rank: self.communicator.rank() });
        };
        self.order(self.stream(), &self.exchange)?;
        let mut sorted_beyond = Vec::new();
        for (step, (transfers, sort)) in plan.steps.iter().enumerate() {
            self.exchange(&arrays, transfers)?;
            self.stages.end(&self.exchange, || format!("exchange {step}"));
            self.order(&self.exchange, self.stream())?;
            if let Some(sort) = sort {
                self.sort(&arrays, sort)?;
                self.stages.end(self.stream(), || format!("sort {step}, {}", sort.items));
            }
            if sort.is_some_and(|sort| matches!(sort.to, Slot::Beyond(_))) {
                let event = checked("make an event", Event::new(self.stream().context()));
                let event = self.own(event)?;
                self.own(checked("record an event", event.record(self.stream().cu_stream())))?;
                sorted_beyond.push(event);
            }
        }
        self.exchange(&arrays, &plan.equal)?;
        self.copy(&arrays, &plan.equal)?;
        for event in &sorted_beyond {
            self.own(checked("wait for an event", event.delay(self.exchange.cu_stream())))?;
        }
        self.exchange(&arrays, &plan.beyond)?;
        self.copy(&arrays, &plan.beyond)?;
        self.order(&self.exchange, self.stream())?;
        self.finish()
    }

    /// Waits for all of the sort's work.
    pub fn finish(&self) -> Result<(), ShardError> {
        self.stages.end(self.stream(), || "end".to_owned());
        let event = self.own(checked("make an event", Event::new(self.stream().context())))?;
        self.own(checked("record an event", event.record(self.stream().cu_stream())))?;
        self.communicator.wait(&event)
    }

    fn scatter(&self, plan: &Plan, arrays: &ItemArrays) -> Result<(), ShardError> {
        let most = self.kernels.spec().max_buckets() as usize;
        let mut destinations = vec![0u64; 2 * most];
        for (bucket, slot) in plan.destinations.iter().enumerate() {
            if let Some(slot) = slot {
                let Columns { keys, values } = arrays.at(*slot);
                (destinations[bucket], destinations[most + bucket]) = (keys, values);
            }
        }
        let (to, handle) = (self.partition.destinations, self.stream().cu_stream());
        // SAFETY: there is room for them. The driver has read them when it returns.
        let copied = unsafe { result::memcpy_htod_async(to, &destinations, handle) };
        self.own(checked("enqueue a copy", copied))?;
        self.stages.end(self.stream(), || "plan".to_owned());
        self.launch(ShardKernel::Scatter)?;
        self.stages.end(self.stream(), || "scatter".to_owned());
        Ok(())
    }

    fn sort(&self, arrays: &ItemArrays, sort: &BucketSort) -> Result<(), ShardError> {
        let from = arrays.at(Slot::Incoming(sort.incoming));
        let to = arrays.at(sort.to);
        let task = Task { n: sort.items as usize, ..self.task.clone() };
        let values = |address| if self.bytes.value > 0 { address } else { 0 };
        let arrays =
            Arrays::between((from.keys, values(from.values)), (to.keys, values(to.values)));
        // SAFETY: the arrays are those of the plan, which do not overlap.
        self.own(unsafe { self.local.sort_at(&task, &arrays) })
    }

    /// What goes from rank to rank.
    fn exchange(&self, arrays: &ItemArrays, transfers: &[Transfer]) -> Result<(), ShardError> {
        let rank = self.communicator.rank();
        let ItemBytes { key, value } = arrays.bytes();
        let mut messages = Vec::new();
        for Transfer { from, to, items } in transfers.iter().filter(|it| it.from.0 != it.to.0) {
            let is_sent = from.0 == rank;
            let (slot, peer) = if is_sent { (from.1, to.0) } else { (to.1, from.0) };
            let Columns { keys, values } = arrays.at(slot);
            let ahead = self.ahead(to.1.item(), *items);
            for (address, bytes) in [(keys, key), (values, value)] {
                let first = ahead * bytes as u64;
                for (address, items) in [(address, ahead), (address + first, items - ahead)] {
                    let bytes = items as usize * bytes;
                    if bytes > 0 {
                        messages.push(Message { peer, address, bytes, is_sent });
                    }
                }
            }
        }
        // SAFETY: the memory is the plan's, and all ranks have the same plan.
        unsafe { self.communicator.exchange_at(&messages) }
    }

    /// Items in front of the first aligned one, if it is worth a message of their own: NCCL moves more bytes at once from and to aligned
    /// addresses.
    fn ahead(&self, item: u64, items: u64) -> u64 {
        const WORTH_IT: u64 = 1 << 12;
        let alignment = self.bytes.alignment();
        if items < WORTH_IT { 0 } else { (alignment - item % alignment) % alignment }
    }

    /// What stays on this rank.
    fn copy(&self, arrays: &ItemArrays, transfers: &[Transfer]) -> Result<(), ShardError> {
        let rank = self.communicator.rank();
        let ItemBytes { key, value } = arrays.bytes();
        let is_own = |it: &&Transfer| it.from.0 == rank && it.to.0 == rank;
        for Transfer { from, to, items } in transfers.iter().filter(is_own) {
            let (from, to) = (arrays.at(from.1), arrays.at(to.1));
            let columns = [(to.keys, from.keys, key), (to.values, from.values, value)];
            for (to, from, bytes) in columns.into_iter().filter(|(_, _, bytes)| *bytes > 0) {
                let (bytes, handle) = (*items as usize * bytes, self.stream().cu_stream());
                // SAFETY: the memory is the plan's.
                let copied = unsafe { result::memcpy_dtod_async(to, from, bytes, handle) };
                self.own(checked("enqueue a copy", copied))?;
            }
        }
        Ok(())
    }
}
