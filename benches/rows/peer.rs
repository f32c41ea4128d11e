//! CUB's sorts of rows and its top-k, and RAFT's top-k, from the library that `benches/peers/build.sh` builds.

use std::ffi::{c_int, c_void};
use std::ptr;

use sortsmith_benchkit::gpu::Peers;
use sortsmith_benchkit::{Case, Columns, Group, Library, Method};

use crate::device_wide::Arrays;

/// The functions of `benches/peers/cub_rows.cu`.
type SortRows = unsafe extern "C" fn(
    method: c_int,
    temp: *mut c_void,
    temp_bytes: *mut usize,
    keys_in: *const c_void,
    keys_out: *mut c_void,
    values_in: *const c_void,
    values_out: *mut c_void,
    rows: u64,
    columns: u64,
    stream: *mut c_void,
) -> c_int;

/// The functions of `benches/peers/cub_topk.cu`.
type TopK = unsafe extern "C" fn(
    temp: *mut c_void,
    temp_bytes: *mut usize,
    keys_in: *const c_void,
    keys_out: *mut c_void,
    values_in: *const c_void,
    values_out: *mut c_void,
    n: u64,
    k: u64,
    stream: *mut c_void,
) -> c_int;

/// The functions of `benches/peers/raft_topk.cu`.
type TopKOfRows = unsafe extern "C" fn(
    is_ordered: c_int,
    keys: *const c_void,
    found: *mut c_void,
    positions: *mut c_void,
    rows: u64,
    columns: u64,
    k: u64,
    stream: *mut c_void,
) -> c_int;

/// What these functions return for what CUB does not have.
pub const UNSUPPORTED: c_int = -1;

#[derive(Clone, Copy)]
enum Function {
    /// With what `cub_rows.cu` calls the way to sort.
    Rows(SortRows, c_int),
    TopK(TopK, u64),
    /// With k. The first call of a case measures RAFT's algorithms.
    Raft(TopKOfRows, u64),
}

/// A peer's way for one case; it is not called after the library is gone.
pub struct Peer {
    /// The library that it is of.
    pub library: Library,
    /// The way.
    pub method: Method,
    /// Bytes of temporary storage.
    pub temp_bytes: usize,
    function: Function,
    n: u64,
    rows: Columns,
}

/// CUB's ways to sort rows, as `cub_rows.cu` numbers them.
pub const OF_ROWS: [Method; 3] =
    [Method::Segmented, Method::StableSegmented, Method::SegmentedRadix];

impl Peer {
    /// All ways of peers for a case, those that the library has; their temporary storage is there from now on.
    pub fn all_of(
        peers: Option<&Peers>,
        case: &Case,
        arrays: &mut Arrays,
    ) -> Result<Vec<Self>, String> {
        let (Some(rows), Some(peers)) = (case.rows, peers) else { return Ok(Vec::new()) };
        let tag = case.types.peer_tag();
        let functions: Vec<(Library, Method, Function)> = match (case.group, rows.k) {
            (Group::Rows, _) => {
                // SAFETY: the function of this name has this type.
                let found =
                    unsafe { peers.function::<SortRows>(&format!("sortsmith_peer_rows_{tag}")) };
                let Ok(sort) = found else { return Ok(Vec::new()) };
                let numbered = OF_ROWS.into_iter().zip(0..);
                let of_rows =
                    |(method, number)| (Library::Cub, method, Function::Rows(sort, number));
                numbered.map(of_rows).collect()
            }
            (Group::TopK, Some(k)) => top_k_functions(peers, &tag, case.n == rows.columns, k),
            _ => return Ok(Vec::new()),
        };
        let mut all = Vec::new();
        for (library, method, function) in functions {
            let mut peer = Self { library, method, temp_bytes: 0, function, n: case.n, rows };
            let mut bytes = 0;
            if peer.call(arrays, ptr::null_mut(), &mut bytes)? {
                arrays.temp(bytes)?;
                peer.temp_bytes = bytes;
                all.push(peer);
            }
        }
        Ok(all)
    }

    /// Enqueues it, of what is in the work arrays, to the output.
    pub fn sort(&self, arrays: &mut Arrays) -> Result<(), String> {
        let (temp, mut bytes) = arrays.temp(0)?;
        self.call(arrays, temp as *mut c_void, &mut bytes).map(drop)
    }

    /// Whether the peer has it; if so it is enqueued.
    fn call(
        &self,
        arrays: &Arrays,
        temp: *mut c_void,
        temp_bytes: &mut usize,
    ) -> Result<bool, String> {
        let pointers = |[keys, values]: [u64; 2]| [keys as *mut c_void, values as *mut c_void];
        let [keys_in, values_in] = pointers(arrays.work.addresses(&arrays.stream));
        let [keys_out, values_out] = pointers(arrays.output.addresses(&arrays.stream));
        let stream = arrays.stream.cu_stream().cast();
        // SAFETY: the arrays hold n items of the largest size, of which complete rows are read and no more written; the
        // temporary storage is as long as it says; all of it is on the context that is current, and so is the stream.
        let code = unsafe {
            match self.function {
                Function::Rows(sort, method) => {
                    let Columns { columns, .. } = self.rows;
                    let rows = self.n / columns;
                    sort(
                        method, temp, temp_bytes, keys_in, keys_out, values_in, values_out, rows,
                        columns, stream,
                    )
                }
                Function::TopK(select, k) => select(
                    temp, temp_bytes, keys_in, keys_out, values_in, values_out, self.n, k, stream,
                ),
                Function::Raft(select, k) => {
                    let Columns { columns, .. } = self.rows;
                    let (ordered, rows) = (self.method == Method::Ordered, self.n / columns);
                    select(ordered.into(), keys_in, keys_out, values_out, rows, columns, k, stream)
                }
            }
        };
        match code {
            0 => Ok(true),
            UNSUPPORTED => Ok(false),
            error => Err(format!("{}, {}: error {error}", self.library, self.method)),
        }
    }
}

/// Ways to find the top k: CUB's of an array alone, RAFT's of rows too.
fn top_k_functions(
    peers: &Peers,
    tag: &str,
    is_array: bool,
    k: u64,
) -> Vec<(Library, Method, Function)> {
    let mut all = Vec::new();
    // SAFETY: the function of this name has this type.
    let of_cub = unsafe { peers.function::<TopK>(&format!("sortsmith_peer_topk_{tag}")) };
    if let (Ok(select), true) = (of_cub, is_array) {
        all.push((Library::Cub, Method::Unordered, Function::TopK(select, k)));
    }
    // SAFETY: likewise.
    let of_raft =
        unsafe { peers.function::<TopKOfRows>(&format!("sortsmith_peer_raft_topk_{tag}")) };
    if let Ok(select) = of_raft {
        let ways = [Method::Ordered, Method::Unordered];
        all.extend(ways.map(|method| (Library::Raft, method, Function::Raft(select, k))));
    }
    all
}
