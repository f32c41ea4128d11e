//! Sorts of segments, ours and CUB's.

use std::ffi::{c_int, c_void};
use std::ptr;

use cudarc::driver::{CudaSlice, DevicePtr};
use sortsmith::Sorter;
use sortsmith_benchkit::gpu::Peers;
use sortsmith_benchkit::{
    Cache, Case, Contender, Group, Id, Input, Lengths, Library, Method, Row, Segments,
};
use sortsmith_codegen::{Order, ValueType};

use crate::device_wide::{Arrays, SUBJECTS, Subject};
use crate::peer::{OF_ROWS, UNSUPPORTED};

/// Types that are measured.
const TYPES: [&str; 2] = ["u32_keys", "u32_u32"];

/// Items, and their segments.
const SEGMENTS: [(u64, Segments); 5] = [
    (1 << 26, Segments { count: 1 << 12, lengths: Lengths::PowerLaw }),
    (1 << 22, Segments { count: 1 << 16, lengths: Lengths::PowerLaw }),
    (1 << 26, Segments { count: 1 << 20, lengths: Lengths::Random }),
    (1 << 26, Segments { count: 1 << 20, lengths: Lengths::Lopsided }),
    (1 << 24, Segments { count: 1 << 10, lengths: Lengths::Random }),
];

/// A function of `benches/peers/cub_rows.cu`, built with `PEER_OFFSETS`.
type SortSegments = unsafe extern "C" fn(
    method: c_int,
    temp: *mut c_void,
    temp_bytes: *mut usize,
    keys_in: *const c_void,
    keys_out: *mut c_void,
    values_in: *const c_void,
    values_out: *mut c_void,
    n: u64,
    segments: u64,
    offsets: *const c_void,
    stream: *mut c_void,
) -> c_int;

/// The cases of up to `most` keys.
pub fn cases(most: u64) -> impl Iterator<Item = (&'static Subject, Case)> {
    let subjects = SUBJECTS.iter().filter(|it| TYPES.contains(&it.types.to_string().as_str()));
    let all = subjects.flat_map(|subject| {
        SEGMENTS.map(|(n, segments)| {
            let case = Case {
                group: Group::Segments,
                types: subject.types,
                input: Input::Segments(segments),
                n,
                shape: None,
                rows: None,
                order: Order::Ascending,
                cache: Cache::Warm,
            };
            (subject, case)
        })
    });
    all.filter(move |(_, case)| case.n <= most)
}

/// Ours, in place, and CUB's ways. The results are compared once.
pub fn measure(
    (subject, case): (&Subject, &Case),
    arrays: &mut Arrays,
    sorter: &Sorter,
    peers: Option<&Peers>,
    copy: f64,
) -> Result<Vec<Row>, String> {
    let Input::Segments(segments) = case.input else { return Ok(Vec::new()) };
    let as_u32 = |offset| u32::try_from(offset).map_err(|_| "n is less than 2^32".to_owned());
    let offsets: Vec<u32> =
        segments.offsets(case.n).into_iter().map(as_u32).collect::<Result<_, _>>()?;
    let offsets = arrays.stream.clone_htod(&offsets).map_err(|error| error.to_string())?;
    arrays.generate(subject, case, sorter)?;
    let name = format!("sortsmith_peer_segments_{}", case.types.peer_tag());
    // SAFETY: the function of this name has this type.
    let found = peers.and_then(|peers| unsafe { peers.function::<SortSegments>(&name) }.ok());
    let mut measured = Vec::new();
    for (method, number) in OF_ROWS.into_iter().zip(0..) {
        let Some(function) = found else { break };
        let peer = Peer { function, number, n: case.n, segments, offsets: &offsets };
        let Some(temp_bytes) = peer.call(arrays, false)? else { continue };
        arrays.temp(temp_bytes)?;
        let times = arrays.time(subject, case, |arrays| peer.call(arrays, true).map(drop))?;
        let id = Id { case: *case, contender: Contender::new(Library::Cub, method) };
        let temp_bytes = Some(temp_bytes as u64);
        measured.push(Row { temp_bytes, ..Row::measured(id, &times, Some(copy)) });
    }
    let times = arrays.time(subject, case, |arrays| sort(arrays, sorter, case, &offsets))?;
    let id = Id { case: *case, contender: Contender::new(Library::Sortsmith, Method::InPlace) };
    measured.insert(0, Row::measured(id, &times, Some(copy)));
    if measured.len() > 1 {
        arrays.compare(subject, case.n as usize)?;
    }
    Ok(measured)
}

/// Ours, of the work arrays.
fn sort(
    arrays: &mut Arrays,
    sorter: &Sorter,
    case: &Case,
    offsets: &CudaSlice<u32>,
) -> Result<(), String> {
    let enqueued =
        arrays.with_work::<u32, u32>(case.n as usize, |keys, values| match case.types.value {
            ValueType::None => sorter.sort_segments(keys, offsets),
            _ => sorter.sort_pairs_segments(keys, values, offsets),
        });
    enqueued.map_err(|error| error.to_string())
}

/// One of CUB's ways for one case.
struct Peer<'a> {
    function: SortSegments,
    number: c_int,
    n: u64,
    segments: Segments,
    offsets: &'a CudaSlice<u32>,
}

impl Peer<'_> {
    /// Enqueues it, if it is to run; the bytes of temporary storage, if CUB has it.
    fn call(&self, arrays: &mut Arrays, runs: bool) -> Result<Option<usize>, String> {
        let (temp, mut bytes) = arrays.temp(0)?;
        let temp = if runs { temp as *mut c_void } else { ptr::null_mut() };
        let pointers = |[keys, values]: [u64; 2]| [keys as *mut c_void, values as *mut c_void];
        let [keys_in, values_in] = pointers(arrays.work.addresses(&arrays.stream));
        let [keys_out, values_out] = pointers(arrays.output.addresses(&arrays.stream));
        let (offsets, _) = self.offsets.device_ptr(&arrays.stream);
        let stream = arrays.stream.cu_stream().cast();
        // SAFETY: the arrays hold n items of the largest size, and the offsets are those of segments of n items; the temporary storage is
        // as long as the function said; all of it is on the context that is current, and so is the stream.
        let code = unsafe {
            (self.function)(
                self.number,
                temp,
                &raw mut bytes,
                keys_in,
                keys_out,
                values_in,
                values_out,
                self.n,
                u64::from(self.segments.count),
                offsets as *const c_void,
                stream,
            )
        };
        match code {
            0 => Ok(Some(bytes)),
            UNSUPPORTED => Ok(None),
            error => Err(format!("CUB: CUDA runtime error {error}")),
        }
    }
}
