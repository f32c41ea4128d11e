//! Sorts of shards on devices.

use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::{
    CudaSlice, CudaStream, DevicePtr, DevicePtrMut, DeviceRepr, DeviceSlice, SyncOnDrop,
};
use sortsmith_codegen::ValueType;
use sortsmith_codegen::shard_merge::ShardSpec;

use super::arguments::{address_of, require_aligned, slice_of, task_of};
use super::communicator::Communicator;
use super::member::Member;
use super::memory::{Columns, ItemBytes, Memory, RunArrays, SearchArrays};
use super::run::Run;
use super::stages::{Stage, Stages};
use crate::array::DeviceArray;
use crate::distributed::agreement::{Status, gather};
use crate::distributed::error::ShardError;
use crate::distributed::request::{Layout, Operation, Request, Shares};
use crate::distributed::transport::Transport as _;
use crate::error::Error;
use crate::gpu::shard_kernels::ShardKernels;
use crate::gpu::status::{allocated, checked};
use crate::gpu::stream_guard::ORDER;
use crate::gpu::stream_sorter::StreamSorter;
use crate::gpu::task::Task;
use crate::key::SortKey;
use crate::options::SortOptions;
use crate::value::SortValue;

/// Sorts device arrays that lie over the ranks of a group, as the [module](crate::distributed) describes: one on each rank.
///
/// All ranks make the same calls, with the same types and options. A shard may have any length, also zero, and is only read; the result is the
/// rank's share. A call waits until this rank has its share, or for the time limit of its [`Communicator`].
///
/// Values have 1, 2, 4, 8 or 16 bytes. Beside shard and share a rank takes memory for as many items as these have, and scratch for the sort of its shard,
/// all of which it keeps for the next call.
#[derive(Debug)]
pub struct DeviceSorter {
    communicator: Communicator,
    local: StreamSorter,
    shares: Shares,
    memory: Mutex<Memory>,
    stages: Stages,
}

/// A rank's arrays and what is to be done with them.
struct Call {
    operation: Operation,
    task: Task,
    input: Columns,
    items: usize,
    bytes: ItemBytes,
}

/// What is ready before the ranks have met.
struct Prepared {
    call: Call,
    kernels: ShardKernels,
    run: RunArrays,
    search: SearchArrays,
}

impl DeviceSorter {
    /// A sorter of one rank, on a stream of its GPU, with [even](Shares::Even) shares.
    pub fn on(stream: &Arc<CudaStream>, communicator: Communicator) -> Result<Self, Error> {
        if !Arc::ptr_eq(stream.context(), communicator.context()) {
            return Err(Error::OtherContext { what: "the communicator" });
        }
        Ok(Self {
            communicator,
            local: StreamSorter::on(stream)?,
            shares: Shares::Even,
            memory: Mutex::new(Memory::new(stream)),
            stages: Stages::default(),
        })
    }

    /// Sets the length of this rank's shares; all ranks set the same kind.
    #[must_use]
    pub fn shares(self, shares: Shares) -> Self {
        Self { shares, ..self }
    }

    /// Records when stages end.
    #[doc(hidden)]
    #[must_use]
    pub fn with_stages(self) -> Self {
        Self { stages: Stages::wanted(), ..self }
    }

    /// The stages of the last call.
    #[doc(hidden)]
    pub fn stages(&self) -> Vec<Stage> {
        self.stages.all()
    }

    /// The communicator.
    pub fn communicator(&self) -> &Communicator {
        &self.communicator
    }

    /// Sorts keys ascending. The result is this rank's share.
    pub fn sort<K: SortKey + DeviceRepr>(
        &self,
        keys: &impl DeviceArray<K>,
    ) -> Result<CudaSlice<K>, ShardError> {
        self.sort_with(keys, SortOptions::new())
    }

    /// Sorts keys as the options say.
    pub fn sort_with<K: SortKey + DeviceRepr>(
        &self,
        keys: &impl DeviceArray<K>,
        options: SortOptions,
    ) -> Result<CudaSlice<K>, ShardError> {
        self.settled(|| {
            let mut sorted = None;
            let keys = slice_of(keys.items());
            self.call::<K, ()>((Operation::Sort, self.shares), keys, None, options, |items| {
                let sorted = sorted.insert(self.allocate::<K>(items)?);
                Ok(Columns { keys: address_of(sorted, self.local.stream()), values: 0 })
            })?;
            sorted.ok_or_else(|| self.out_of_step())
        })
    }

    /// Sorts keys as the options say, to a slice of the share's length: [`Shares::Items`] of it.
    pub fn sort_into_with<K: SortKey + DeviceRepr>(
        &self,
        keys: &impl DeviceArray<K>,
        sorted: &mut CudaSlice<K>,
        options: SortOptions,
    ) -> Result<(), ShardError> {
        self.settled(|| {
            let shares = Shares::Items(sorted.len());
            let keys = slice_of(keys.items());
            let (sorted, _guard) = self.output("sorted keys", sorted);
            self.call::<K, ()>((Operation::Sort, shares), keys, None, options, |_| {
                Ok(Columns { keys: sorted?, values: 0 })
            })
        })
    }

    /// Sorts keys ascending, and each value with its key. Equal keys keep their input order. The result is this rank's share.
    pub fn sort_pairs<K: SortKey + DeviceRepr, V: SortValue + DeviceRepr>(
        &self,
        keys: &impl DeviceArray<K>,
        values: &impl DeviceArray<V>,
    ) -> Result<(CudaSlice<K>, CudaSlice<V>), ShardError> {
        self.sort_pairs_with(keys, values, SortOptions::new())
    }

    /// Sorts keys as the options say, and each value with its key.
    pub fn sort_pairs_with<K: SortKey + DeviceRepr, V: SortValue + DeviceRepr>(
        &self,
        keys: &impl DeviceArray<K>,
        values: &impl DeviceArray<V>,
        options: SortOptions,
    ) -> Result<(CudaSlice<K>, CudaSlice<V>), ShardError> {
        self.settled(|| {
            let mut sorted = None;
            let (keys, values) = (slice_of(keys.items()), slice_of(values.items()));
            self.call((Operation::Pairs, self.shares), keys, Some(values), options, |items| {
                let made = (self.allocate::<K>(items)?, self.allocate::<V>(items)?);
                let (keys, values) = sorted.insert(made);
                let stream = self.local.stream();
                Ok(Columns { keys: address_of(keys, stream), values: address_of(values, stream) })
            })?;
            sorted.ok_or_else(|| self.out_of_step())
        })
    }

    /// Sorts keys as the options say, and each value with its key, to slices of the share's length: [`Shares::Items`] of it.
    pub fn sort_pairs_into_with<K: SortKey + DeviceRepr, V: SortValue + DeviceRepr>(
        &self,
        keys: &impl DeviceArray<K>,
        values: &impl DeviceArray<V>,
        sorted_keys: &mut CudaSlice<K>,
        sorted_values: &mut CudaSlice<V>,
        options: SortOptions,
    ) -> Result<(), ShardError> {
        self.settled(|| {
            let (share, room) = (sorted_keys.len(), sorted_values.len());
            let (keys, values) = (slice_of(keys.items()), slice_of(values.items()));
            let (sorted_keys, _guard) = self.output("sorted keys", sorted_keys);
            let (sorted_values, _values_guard) = self.output("sorted values", sorted_values);
            self.call((Operation::Pairs, Shares::Items(share)), keys, Some(values), options, |_| {
                if share != room {
                    return Err(Error::OutputLength { what: "values", items: share, room });
                }
                Ok(Columns { keys: sorted_keys?, values: sorted_values? })
            })
        })
    }

    /// The positions in the concatenated shards that the keys would be sorted from: this rank's share of them.
    pub fn argsort<K: SortKey + DeviceRepr>(
        &self,
        keys: &impl DeviceArray<K>,
    ) -> Result<CudaSlice<u64>, ShardError> {
        self.argsort_with(keys, SortOptions::new())
    }

    /// The positions in the concatenated shards that the keys would be sorted from, as the options say.
    pub fn argsort_with<K: SortKey + DeviceRepr>(
        &self,
        keys: &impl DeviceArray<K>,
        options: SortOptions,
    ) -> Result<CudaSlice<u64>, ShardError> {
        self.settled(|| {
            let mut sorted = None;
            let keys = slice_of(keys.items());
            self.call::<K, u64>((Operation::Argsort, self.shares), keys, None, options, |items| {
                // The sorted keys are not wanted, but merges write them.
                let made = (self.allocate::<K>(items)?, self.allocate::<u64>(items)?);
                let (keys, values) = sorted.insert(made);
                let stream = self.local.stream();
                Ok(Columns { keys: address_of(keys, stream), values: address_of(values, stream) })
            })?;
            let (_, positions) = sorted.ok_or_else(|| self.out_of_step())?;
            Ok(positions)
        })
    }

    /// Runs a call, and forgets what cudarc records behind it, of guards and slices that are dropped: it would be the error of the caller's next
    /// call. A sort that has succeeded has waited for its work, so they order nothing.
    fn settled<T>(&self, call: impl FnOnce() -> Result<T, ShardError>) -> Result<T, ShardError> {
        let done = call();
        let _ = self.recorded();
        done
    }

    /// The error that cudarc has recorded: whether streams could be made to wait for other uses of slices.
    fn recorded(&self) -> Result<(), Error> {
        checked(ORDER, self.local.stream().context().check_err())
    }

    /// The address of a slice that the sort writes, if it is of this context, and what orders later uses of it behind the call.
    fn output<'a, T>(
        &'a self,
        what: &'static str,
        slice: &'a mut CudaSlice<T>,
    ) -> (Result<u64, Error>, Option<SyncOnDrop<'a>>) {
        let stream = self.local.stream();
        if !Arc::ptr_eq(slice.stream().context(), stream.context()) {
            return (Err(Error::OtherContext { what }), None);
        }
        let (address, guard) = slice.device_ptr_mut(stream);
        (Ok(address), Some(guard))
    }

    fn out_of_step(&self) -> ShardError {
        ShardError::OutOfStep { rank: self.communicator.rank() }
    }

    /// Memory for a share, of unspecified content.
    fn allocate<T: DeviceRepr>(&self, items: usize) -> Result<CudaSlice<T>, Error> {
        let (stream, bytes) = (self.local.stream(), items.saturating_mul(size_of::<T>()));
        if items == 0 {
            // The driver refuses an allocation of no bytes.
            return allocated("an empty share", 0, stream.null());
        }
        // SAFETY: the sort writes all of it before it returns it.
        allocated("a share", bytes, unsafe { stream.alloc(items) })
    }

    /// Sorts this rank's shard. `share` is given the length of the share, and gives its addresses.
    fn call<K: SortKey, V: SortValue>(
        &self,
        (operation, shares): (Operation, Shares),
        keys: &dyn DevicePtr<K>,
        values: Option<&dyn DevicePtr<V>>,
        options: SortOptions,
        share: impl FnOnce(usize) -> Result<Columns, Error>,
    ) -> Result<(), ShardError> {
        // One call at a time has the communicator and the memory.
        let member = self.communicator.member();
        // Of the outputs, before the context is bound, which would take it for its own.
        let of_outputs = self.recorded();
        member.bind()?;
        let items = keys.len();
        let lengths = [items, values.map_or(items, DeviceSlice::len)];
        let request = self
            .require_own(keys, values)
            .and_then(|()| Request::new::<K>(operation, lengths, size_of::<V>(), &options, shares));
        let stream = self.local.stream();
        let (input_keys, _keys_guard) = keys.device_ptr(stream);
        let (input_values, _values_guard) = values.map(|values| values.device_ptr(stream)).unzip();
        let input = Columns { keys: input_keys, values: input_values.unwrap_or(0) };
        let ordered = of_outputs.and(self.recorded());
        let request = ordered
            .and(request)
            .and_then(|request| require_aligned::<V>(input.values).map(|()| request));
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let prepared = request.and_then(|request| {
            let call = Call {
                operation,
                task: task_of::<K, V>(items, &options)?,
                input,
                items,
                bytes: ItemBytes { key: size_of::<K>(), value: size_of::<V>() },
            };
            let prepared = self.prepare(call, &mut memory)?;
            self.stages.begin(stream);
            if self.sorts_at_once(operation) {
                self.run_of(&member, &prepared).sort_shard(prepared.run.run, None)?;
            }
            Ok((Request::words(Some(&request)), prepared))
        });
        let (status, prepared) = Status::of(prepared);
        let words = prepared.as_ref().map_or(Request::words(None), |(words, _)| *words);
        let gathered = gather(&*member, &status, &words)?;
        let layout = Layout::of(&gathered)?;
        let (_, prepared) = prepared.ok_or_else(|| self.out_of_step())?;
        let run = self.run_of(&member, &prepared);
        let outcome = self.run(&run, &prepared, &layout, (&mut memory, share));
        if outcome.is_err() {
            run.settle();
        }
        outcome
    }

    /// Whether the shard is sorted while the ranks meet. Positions depend on the shards of other ranks, and the only rank sorts to its share.
    fn sorts_at_once(&self, operation: Operation) -> bool {
        self.communicator.ranks() > 1 && operation != Operation::Argsort
    }

    /// An error unless slices are of this sorter's context, and the stream is not being captured.
    fn require_own<K, V: SortValue>(
        &self,
        keys: &dyn DevicePtr<K>,
        values: Option<&dyn DevicePtr<V>>,
    ) -> Result<(), Error> {
        if self.local.may_be_captured() {
            let reason = "a sort over ranks waits for them, which a graph cannot";
            return Err(Error::Capture { reason });
        }
        let own = self.local.stream().context();
        if !Arc::ptr_eq(keys.stream().context(), own) {
            return Err(Error::OtherContext { what: "keys" });
        }
        match values {
            Some(values) if !Arc::ptr_eq(values.stream().context(), own) => {
                Err(Error::OtherContext { what: "values" })
            }
            _ => Ok(()),
        }
    }

    /// Kernels and memory that do not depend on other ranks.
    fn prepare(&self, call: Call, memory: &mut Memory) -> Result<Prepared, Error> {
        let context = self.local.context();
        let ranks = self.communicator.ranks();
        let Task { key, order, nan_last, .. } = call.task;
        let makes_positions = call.operation == Operation::Argsort;
        let value = if makes_positions { ValueType::Index } else { call.task.value.moved() };
        let spec = ShardSpec::of((key, value), (order, nan_last));
        let kernels = ShardKernels::prepare(context, spec)?;
        let of_run = if ranks > 1 { call.items } else { 0 };
        let positions = if makes_positions { call.items } else { 0 };
        let run = memory.of_run(of_run, positions, call.bytes)?;
        let search = memory.of_search(&spec, ranks)?;
        memory.for_sort(&call.task, |task| self.local.prepare(task, true))?;
        Ok(Prepared { call, kernels, run, search })
    }

    fn run_of<'a>(&'a self, member: &'a Member, prepared: &'a Prepared) -> Run<'a> {
        let Prepared { call, kernels, run, search } = prepared;
        Run {
            member,
            local: &self.local,
            kernels,
            stages: &self.stages,
            exchange: member.stream(),
            task: &call.task,
            input: call.input,
            arrays: *run,
            search: *search,
            bytes: call.bytes,
        }
    }

    /// Sorts, now that the ranks have met.
    fn run(
        &self,
        run: &Run<'_>,
        prepared: &Prepared,
        layout: &Layout,
        (memory, share): (&mut Memory, impl FnOnce(usize) -> Result<Columns, Error>),
    ) -> Result<(), ShardError> {
        let (rank, ranks) = (self.communicator.rank(), self.communicator.ranks());
        let Prepared { call, run: RunArrays { run: of_run, .. }, .. } = prepared;
        let items = layout.share(rank);
        // While the shard is sorted, if it is.
        let share = share(items).and_then(|share| self.recorded().map(|()| share));
        let arrays = share.and_then(|share| {
            let to = if ranks > 1 { *of_run } else { share };
            if !self.sorts_at_once(call.operation) {
                let makes_positions = call.operation == Operation::Argsort;
                run.sort_shard(to, makes_positions.then_some(layout.shards[rank]))?;
            }
            memory.of_share(ranks, (items, share), *of_run, call.bytes)
        });
        let (status, arrays) = Status::of(arrays);
        gather(run.member, &status, &[])?;
        self.stages.end(&run.exchange, || "request".to_owned());
        let arrays = arrays.ok_or_else(|| self.out_of_step())?;
        if ranks > 1 && layout.shards.last().is_some_and(|items| *items > 0) {
            let splits = run.split(layout)?;
            run.exchange_and_merge(&splits, &arrays)?;
        }
        run.finish()
    }
}
