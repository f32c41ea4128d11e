//! What ranks do.

use std::marker::PhantomData;
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaSlice, CudaStream};
use sortsmith::SortOptions;
use sortsmith::distributed::nccl::{Communicator, DeviceSorter, UniqueId};
use sortsmith::distributed::{ShardError, Shares};

use super::bytes::Bytes;
use super::inject::{self, Membership, OfRanks, Scenario, join};
use crate::scenarios::{bytes_of, keys, values};

/// Items of a rank's shard: a tile's, and fewer on rank 1.
const ITEMS: [usize; 2] = [600, 410];

type Run = fn() -> OfRanks;

/// All scenarios by their names.
pub fn all() -> Vec<(&'static str, Run)> {
    vec![
        ("ranks_join_alone", inject::run::<Join<1>>),
        ("ranks_join", inject::run::<Join<2>>),
        ("ranks_exchange_bytes", inject::run::<Bytes<false>>),
        ("ranks_exchange_pinned_bytes", inject::run::<Bytes<true>>),
        ("ranks_sort_alone", inject::run::<Sort<Keys, 1, false>>),
        ("ranks_sort", inject::run::<Sort<Keys, 2, false>>),
        ("ranks_sort_first", inject::run::<Sort<Pairs, 2, true>>),
        ("ranks_sort_pairs", inject::run::<Sort<Pairs, 2, false>>),
        ("ranks_sort_pairs_into", inject::run::<Sort<PairsInto, 2, false>>),
        ("ranks_argsort", inject::run::<Sort<Positions, 2, false>>),
        ("ranks_sort_deferred", inject::run::<Deferred<Sort<Pairs, 2, false>>>),
        ("ranks_argsort_deferred", inject::run::<Deferred<Sort<Positions, 2, false>>>),
    ]
}

/// Joining; rank 0 of one rank makes the id too.
pub struct Join<const RANKS: usize> {
    context: Arc<CudaContext>,
    joined: Option<DeviceSorter>,
}

impl<const RANKS: usize> Scenario for Join<RANKS> {
    const RANKS: usize = RANKS;
    const JOINS: bool = true;
    const IS_FIRST: bool = true;

    fn prepare(membership: &Membership) -> Self {
        Self { context: sortsmith::cuda_context(membership.rank).unwrap(), joined: None }
    }

    fn act(&mut self, membership: &Membership) -> Result<(), ShardError> {
        self.joined = None;
        let Membership { rank, ranks, limit, .. } = *membership;
        let id = if ranks == 1 { UniqueId::new()? } else { membership.id };
        let communicator = Communicator::new(&self.context, &id, rank, ranks, limit)?;
        let stream = self.context.default_stream();
        let sorter = DeviceSorter::on(&stream, communicator);
        self.joined = Some(sorter.map_err(|error| of_rank(rank, &error))?);
        Ok(())
    }

    fn context(&self) -> &CudaContext {
        &self.context
    }

    fn outcome(&self) -> Vec<u8> {
        vec![u8::from(self.joined.is_some())]
    }

    fn is_unchanged(&self) -> bool {
        true
    }
}

/// An error of the rank's own, which a group does not see.
fn of_rank(rank: usize, error: &sortsmith::Error) -> ShardError {
    ShardError::Rank { rank, reason: error.to_string() }
}

/// A shard on a device, of a stream beside the one that sorts, and what a sort has made of it.
pub struct Shard {
    stream: Arc<CudaStream>,
    items: usize,
    keys: CudaSlice<u32>,
    values: CudaSlice<u64>,
    sorted_keys: Option<CudaSlice<u32>>,
    sorted_values: Option<CudaSlice<u64>>,
    /// Slices of the caller's, and whether they have the result.
    into: (CudaSlice<u32>, CudaSlice<u64>),
    is_into: bool,
}

impl Shard {
    fn of(context: &Arc<CudaContext>, rank: usize) -> Self {
        let (stream, items) = (context.new_stream().unwrap(), ITEMS[rank]);
        Self {
            items,
            keys: stream.clone_htod(&keys(items)).unwrap(),
            values: stream.clone_htod(&values(items)).unwrap(),
            sorted_keys: None,
            sorted_values: None,
            into: (stream.alloc_zeros(items).unwrap(), stream.alloc_zeros(items).unwrap()),
            is_into: false,
            stream,
        }
    }
}

/// A call of a sorter.
pub trait Call {
    fn call(shard: &mut Shard, sorter: &DeviceSorter) -> Result<(), ShardError>;

    fn shares() -> Shares {
        Shares::Even
    }
}

/// The first sort of a sorter, or a later one.
pub struct Sort<C, const RANKS: usize, const FIRST: bool> {
    sorter: DeviceSorter,
    shard: Shard,
    call: PhantomData<fn() -> C>,
}

impl<C: Call, const RANKS: usize, const FIRST: bool> Scenario for Sort<C, RANKS, FIRST> {
    const RANKS: usize = RANKS;
    const IS_FIRST: bool = FIRST;

    fn prepare(membership: &Membership) -> Self {
        let (context, communicator) = join(membership);
        let sorter = DeviceSorter::on(&context.new_stream().unwrap(), communicator).unwrap();
        let sorter = sorter.shares(C::shares());
        if !FIRST {
            C::call(&mut Shard::of(&context, membership.rank), &sorter).unwrap();
        }
        Self { sorter, shard: Shard::of(&context, membership.rank), call: PhantomData }
    }

    fn act(&mut self, _: &Membership) -> Result<(), ShardError> {
        (self.shard.sorted_keys, self.shard.sorted_values) = (None, None);
        self.shard.is_into = false;
        C::call(&mut self.shard, &self.sorter)
    }

    fn context(&self) -> &CudaContext {
        self.shard.stream.context()
    }

    fn outcome(&self) -> Vec<u8> {
        let Shard { stream, sorted_keys, sorted_values, into, is_into, .. } = &self.shard;
        let mut bytes = Vec::new();
        if let Some(keys) = sorted_keys {
            bytes.extend(bytes_of(&stream.clone_dtoh(keys).unwrap()));
        }
        if let Some(values) = sorted_values {
            bytes.extend(bytes_of(&stream.clone_dtoh(values).unwrap()));
        }
        if *is_into {
            bytes.extend(bytes_of(&stream.clone_dtoh(&into.0).unwrap()));
            bytes.extend(bytes_of(&stream.clone_dtoh(&into.1).unwrap()));
        }
        bytes
    }

    fn is_unchanged(&self) -> bool {
        let Shard { stream, items, keys: shard, values: of_shard, .. } = &self.shard;
        let (found, of_found) = (stream.clone_dtoh(shard), stream.clone_dtoh(of_shard));
        found.unwrap() == keys(*items) && of_found.unwrap() == values(*items)
    }
}

/// The same, with work that stays in its stream until a call waits for it.
pub struct Deferred<S>(S);

impl<S: Scenario> Scenario for Deferred<S> {
    const RANKS: usize = S::RANKS;
    const IS_FIRST: bool = S::IS_FIRST;
    const DEFERS: bool = true;

    fn prepare(membership: &Membership) -> Self {
        Self(S::prepare(membership))
    }

    fn act(&mut self, membership: &Membership) -> Result<(), ShardError> {
        self.0.act(membership)
    }

    fn context(&self) -> &CudaContext {
        self.0.context()
    }

    fn outcome(&self) -> Vec<u8> {
        self.0.outcome()
    }

    fn is_unchanged(&self) -> bool {
        self.0.is_unchanged()
    }
}

pub struct Keys;

impl Call for Keys {
    fn call(shard: &mut Shard, sorter: &DeviceSorter) -> Result<(), ShardError> {
        shard.sorted_keys = Some(sorter.sort(&shard.keys)?);
        Ok(())
    }
}

pub struct Pairs;

impl Call for Pairs {
    fn call(shard: &mut Shard, sorter: &DeviceSorter) -> Result<(), ShardError> {
        let (keys, values) = sorter.sort_pairs(&shard.keys, &shard.values)?;
        (shard.sorted_keys, shard.sorted_values) = (Some(keys), Some(values));
        Ok(())
    }

    fn shares() -> Shares {
        Shares::AsGiven
    }
}

/// To slices of the caller's.
pub struct PairsInto;

impl Call for PairsInto {
    fn call(shard: &mut Shard, sorter: &DeviceSorter) -> Result<(), ShardError> {
        let Shard { keys, values, into: (to, values_to), .. } = shard;
        sorter.sort_pairs_into_with(keys, values, to, values_to, SortOptions::new())?;
        shard.is_into = true;
        Ok(())
    }
}

pub struct Positions;

impl Call for Positions {
    fn call(shard: &mut Shard, sorter: &DeviceSorter) -> Result<(), ShardError> {
        shard.sorted_values = Some(sorter.argsort(&shard.keys)?);
        Ok(())
    }
}
