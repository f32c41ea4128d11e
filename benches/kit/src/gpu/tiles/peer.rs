//! CUB's tile sorts, from the library that `benches/peers/build.sh` builds.

use std::ffi::{c_int, c_void};

use sortsmith_codegen::{Order, SortSpec};

use super::Arrays;
use crate::gpu::Peers;
use crate::{Contender, Id, Library, Method, Row, Shape, Times, Types};

/// The functions of `benches/peers/cub_tiles.cu`.
type Sort = unsafe extern "C" fn(
    items: c_int,
    radix_bits: c_int,
    keys_in: *const c_void,
    keys_out: *mut c_void,
    values_in: *const c_void,
    values_out: *mut c_void,
    n: u64,
    stream: *mut c_void,
) -> c_int;

const UNSUPPORTED: c_int = -1;

/// CUB's ways to sort a tile, each with what its library takes for the radix bits.
const PEERS: [(Contender, u32); 4] = [
    (peer(Method::Radix, Some(4)), 4),
    (peer(Method::Radix, Some(5)), 5),
    (peer(Method::Radix, Some(6)), 6),
    (peer(Method::Merge, None), 0),
];

const fn peer(method: Method, radix_bits: Option<u32>) -> Contender {
    Contender { library: Library::Cub, method, radix_bits }
}

/// One of CUB's sorts, of tiles of one shape; it is not called after the library is gone.
pub struct Peer {
    /// How it sorts.
    pub contender: Contender,
    name: String,
    sort: Sort,
    types: Types,
    shape: Shape,
    radix_bits: u32,
}

impl Peer {
    /// CUB's ways to sort tiles, in the order of tables.
    pub fn contenders() -> [Contender; PEERS.len()] {
        PEERS.map(|(contender, _)| contender)
    }

    /// CUB's sorts of these types and this shape: those that the library has and that CUB can do. Each has sorted the arrays.
    pub fn all_of(
        peers: &Peers,
        arrays: &Arrays,
        types: Types,
        shape: Shape,
    ) -> Result<Vec<Self>, String> {
        let name = format!("sortsmith_peer_{}_{}", types.peer_tag(), shape.threads);
        // SAFETY: the function of this name has this type.
        let Ok(sort) = (unsafe { peers.function::<Sort>(&name) }) else {
            return Ok(Vec::new());
        };
        let mut all = Vec::new();
        for (contender, radix_bits) in PEERS {
            let name = name.clone();
            let peer = Self { contender, name, sort, types, shape, radix_bits };
            if peer.call(arrays)? {
                all.push(peer);
            }
        }
        Ok(all)
    }

    /// A spec with the same result.
    pub fn spec(&self) -> Result<SortSpec, String> {
        let Self { types, shape: Shape { threads, items }, .. } = self;
        let name = format!("block_radix_sort_{types}_b{threads}_i{items}_r4_asc");
        name.parse().map_err(|error| format!("{error}"))
    }

    /// Enqueues a sort of all full tiles.
    pub fn sort(&self, arrays: &Arrays) -> Result<(), String> {
        self.call(arrays).map(drop)
    }

    /// What is said of its sort in a record.
    pub fn row(&self, arrays: &Arrays, times: &Times, copy: f64) -> Row {
        let case = arrays.case(self.types, self.shape, Order::Ascending);
        Row::measured(Id { case, contender: self.contender }, times, Some(copy))
    }

    /// Whether CUB can do it; if so it is enqueued.
    fn call(&self, arrays: &Arrays) -> Result<bool, String> {
        let [keys_in, keys_out, values_in, values_out] =
            arrays.addresses.map(|address| address as *mut c_void);
        let stream = arrays.stream.cu_stream().cast::<c_void>();
        // SAFETY: the arrays hold n items of the largest size, on the context that is current, and the
        // stream is one of that context's.
        let code = unsafe {
            (self.sort)(
                self.shape.items.cast_signed(),
                self.radix_bits.cast_signed(),
                keys_in,
                keys_out,
                values_in,
                values_out,
                arrays.n,
                stream,
            )
        };
        match code {
            0 => Ok(true),
            UNSUPPORTED => Ok(false),
            error => Err(format!("{}: CUDA runtime error {error}", self.name)),
        }
    }
}
