//! Sorts of shards on devices.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::{CudaSlice, CudaStream, DevicePtr, DevicePtrMut, DeviceRepr, DeviceSlice};
use sortsmith_codegen::ValueType;
use sortsmith_codegen::shard_partition::{Arguments, ShardSpec};

use super::communicator::Communicator;
use super::memory::{Columns, ItemBytes, Memory, PartitionArrays};
use super::run::{Run, sample_task};
use super::stages::{Stage, Stages};
use super::targets::{MAX_BUCKETS, MAX_SAMPLES, MAX_STEPS};
use crate::algorithm::ArrayAlgorithm;
use crate::array::{DeviceArray, Items};
use crate::distributed::agreement::{Status, gather};
use crate::distributed::error::ShardError;
use crate::distributed::request::{Layout, Operation, Request, Shares};
use crate::distributed::transport::Transport as _;
use crate::error::Error;
use crate::gpu::shard_kernels::ShardKernels;
use crate::gpu::status::allocated;
use crate::gpu::stream_sorter::StreamSorter;
use crate::gpu::task::Task;
use crate::key::SortKey;
use crate::options::SortOptions;
use crate::value::{Carried, SortValue};

/// Sorts device arrays that lie over the ranks of a group, as the [module](crate::distributed) describes: one on each rank.
///
/// All ranks make the same calls, with the same types and options. A shard may have any length, also zero, and is only read; the result is the
/// rank's share. A call waits until this rank has its share, or for the time limit of its [`Communicator`].
///
/// Values have 1, 2, 4, 8 or 16 bytes. Beside shard and share a rank takes memory for about as many items as it sends and as its share has, and
/// scratch for the largest of its buckets, all of which it keeps for the next call.
#[derive(Debug)]
pub struct DeviceSorter {
    communicator: Communicator,
    local: StreamSorter,
    shares: Shares,
    memory: Mutex<Memory>,
    seed: AtomicU32,
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
    partition: PartitionArrays,
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
            seed: AtomicU32::new(0),
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
        let mut sorted = None;
        let keys = slice_of(keys.items());
        self.call::<K, ()>((Operation::Sort, self.shares), keys, None, options, |items| {
            let sorted = sorted.insert(self.allocate::<K>(items)?);
            Ok(Columns { keys: address_of(sorted, self.local.stream()), values: 0 })
        })?;
        sorted.ok_or_else(|| self.out_of_step())
    }

    /// Sorts keys as the options say, to a slice of the share's length: [`Shares::Items`] of it.
    pub fn sort_into_with<K: SortKey + DeviceRepr>(
        &self,
        keys: &impl DeviceArray<K>,
        sorted: &mut CudaSlice<K>,
        options: SortOptions,
    ) -> Result<(), ShardError> {
        let shares = Shares::Items(sorted.len());
        let keys = slice_of(keys.items());
        self.call::<K, ()>((Operation::Sort, shares), keys, None, options, |_| {
            Ok(Columns { keys: address_of(sorted, self.local.stream()), values: 0 })
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
        let mut sorted = None;
        let (keys, values) = (slice_of(keys.items()), slice_of(values.items()));
        self.call((Operation::Pairs, self.shares), keys, Some(values), options, |items| {
            let made = (self.allocate::<K>(items)?, self.allocate::<V>(items)?);
            let (keys, values) = sorted.insert(made);
            let stream = self.local.stream();
            Ok(Columns { keys: address_of(keys, stream), values: address_of(values, stream) })
        })?;
        sorted.ok_or_else(|| self.out_of_step())
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
        let (share, room) = (sorted_keys.len(), sorted_values.len());
        let (keys, values) = (slice_of(keys.items()), slice_of(values.items()));
        self.call((Operation::Pairs, Shares::Items(share)), keys, Some(values), options, |_| {
            if share != room {
                return Err(Error::OutputLength { what: "values", items: share, room });
            }
            let stream = self.local.stream();
            let keys = address_of(sorted_keys, stream);
            Ok(Columns { keys, values: address_of(sorted_values, stream) })
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
        let mut sorted = None;
        let keys = slice_of(keys.items());
        self.call::<K, u64>((Operation::Argsort, self.shares), keys, None, options, |items| {
            // The sorted keys are not wanted, but sorts of buckets write them.
            let made = (self.allocate::<K>(items)?, self.allocate::<u64>(items)?);
            let (keys, values) = sorted.insert(made);
            let stream = self.local.stream();
            Ok(Columns { keys: address_of(keys, stream), values: address_of(values, stream) })
        })?;
        let (_, positions) = sorted.ok_or_else(|| self.out_of_step())?;
        Ok(positions)
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
        self.communicator.bind()?;
        let items = keys.len();
        let lengths = [items, values.map_or(items, DeviceSlice::len)];
        let request = self
            .require_own(keys, values)
            .and_then(|()| Request::new::<K>(operation, lengths, size_of::<V>(), &options, shares));
        let stream = self.local.stream();
        let (input_keys, _keys_guard) = keys.device_ptr(stream);
        let (input_values, _values_guard) = values.map(|values| values.device_ptr(stream)).unzip();
        let task = || {
            Ok::<_, Error>(Task {
                key: K::KEY_TYPE,
                value: carried::<V>()?,
                order: options.get_order(),
                bits: options.bits_of::<K>()?,
                nan_last: K::HAS_NAN && options.is_nan_last(),
                algorithm: ArrayAlgorithm::Fastest,
                stable: true,
                counted: false,
                n: 0,
            })
        };
        let request = request.and_then(|request| {
            let (address, bytes) = (input_values.unwrap_or(0), size_of::<V>());
            // Values of other sizes are refused below.
            let is_aligned = !bytes.is_power_of_two() || address.is_multiple_of(bytes as u64);
            if is_aligned { Ok(request) } else { Err(Error::ValueAddress { bytes }) }
        });
        let prepared = request.and_then(|request| {
            let call = Call {
                operation,
                task: task()?,
                input: Columns { keys: input_keys, values: input_values.unwrap_or(0) },
                items,
                bytes: ItemBytes { key: size_of::<K>(), value: size_of::<V>() },
            };
            Ok((Request::words(Some(&request)), self.prepare(call)?))
        });
        let (status, prepared) = Status::of(prepared);
        let words = prepared.as_ref().map_or(Request::words(None), |(words, _)| *words);
        self.stages.begin(stream);
        let gathered = gather(&self.communicator, &status, &words)?;
        let layout = Layout::of(&gathered)?;
        let (_, prepared) = prepared.ok_or_else(|| self.out_of_step())?;
        self.run(&prepared, &layout, share)
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
    fn prepare(&self, call: Call) -> Result<Prepared, Error> {
        let context = self.local.context();
        let ranks = self.communicator.ranks();
        let buckets = (ranks * MAX_STEPS as usize).clamp(ranks, MAX_BUCKETS.max(ranks)) as u32;
        let Task { key, order, nan_last, .. } = call.task;
        let value = match call.operation {
            Operation::Argsort => ValueType::Index,
            _ => call.task.value.moved(),
        };
        let device = context.device();
        let spec =
            ShardSpec::of((key, value), (order, nan_last), buckets, device.shared_bytes_per_block);
        let spec = spec.ok_or(Error::Ranks { ranks, most: MAX_BUCKETS })?;
        let kernels = ShardKernels::prepare(context, spec)?;
        if ranks > 1 {
            let n = ranks * MAX_SAMPLES;
            self.local.prepare(&sample_task(spec.order_bytes(), n), true)?;
        }
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let partition = memory.of_partition(&spec, call.items, ranks)?;
        Ok(Prepared { call, kernels, partition })
    }

    /// Sorts, now that the ranks have met.
    fn run(
        &self,
        Prepared { call, kernels, partition }: &Prepared,
        layout: &Layout,
        share: impl FnOnce(usize) -> Result<Columns, Error>,
    ) -> Result<(), ShardError> {
        let rank = self.communicator.rank();
        let share = share(layout.share(rank));
        let mut run = Run {
            communicator: &self.communicator,
            local: &self.local,
            kernels,
            stages: &self.stages,
            exchange: self.communicator.stream(),
            task: &call.task,
            partition: *partition,
            arguments: Arguments {
                keys: call.input.keys,
                values: call.input.values,
                n: call.items as u64,
                seed: self.seed.fetch_add(0x9e37_79b9, Ordering::Relaxed),
                samples: partition.samples,
                sorted_samples: partition.all_samples,
                targets: partition.targets,
                splitters: partition.splitters,
                offsets: partition.offsets,
                totals: partition.totals,
                destinations: partition.destinations,
                begin_bit: call.task.bits.start.cast_signed(),
                end_bit: call.task.bits.end.cast_signed(),
                ..Arguments::default()
            },
            bytes: call.bytes,
        };
        self.stages.end(self.local.stream(), || "request".to_owned());
        if *layout.shards.last().unwrap_or(&0) == 0 {
            let (status, _) = Status::of(share);
            gather(&self.communicator, &status, &[])?;
            return Ok(());
        }
        if self.communicator.ranks() == 1 && call.operation != Operation::Argsort {
            return run.sort_alone(call.input, call.items, share);
        }
        let buckets = run.count(layout)?;
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        run.move_and_sort(&buckets, &mut memory, share)
    }
}

/// How values of a type travel.
fn carried<V: SortValue>() -> Result<Carried, Error> {
    match V::CARRIED {
        Carried::As(value) => Ok(Carried::As(value)),
        Carried::ByPosition(_) => Err(Error::TravellingValues { bytes: size_of::<V>() }),
    }
}

/// A slice on a device, which a device array is.
#[expect(clippy::needless_pass_by_value)] // the slice is taken out of it
fn slice_of<T>(items: Items<'_, T>) -> &dyn DevicePtr<T> {
    match items {
        Items::Device(slice) => slice,
        Items::Host(_) => unreachable!("device arrays are on a device"),
    }
}

/// The address of a slice that a sort writes, behind other uses of it.
fn address_of<T>(slice: &mut CudaSlice<T>, stream: &CudaStream) -> u64 {
    slice.device_ptr_mut(stream).0
}
