//! What a call costs the host, beside what its launches cost: a sort of a few microseconds must not wait for its own
//! bookkeeping.

use std::ffi::{CString, c_void};
use std::ptr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cudarc::driver::sys::{self, CUfunction, CUresult};
use cudarc::driver::{CudaContext, CudaStream, DevicePtr, result};
use sortsmith::{SortValue, Sorter};
use sortsmith_codegen::KeyType;
use sortsmith_codegen::device::Arguments;

use crate::processes::Child;
use crate::sharing::Nodes;
use crate::{Setting, Test, device_of};

/// The most that a call on device slices may cost beyond its launches.
const MOST: Duration = Duration::from_micros(10);

/// Calls that are timed together: their launches fit the driver's queue, so that no call waits for the device.
const CALLS: u32 = 16;

/// How often they are. Whatever disturbs a run makes it longer, so the shortest one says what a call costs.
const RUNS: usize = 100;

/// A tile, small n in two and in three launches, large n.
const LENGTHS: [usize; 4] = [1500, 50_000, 400_000, 1_200_000];

/// A kernel that does nothing, with parameters as long as those of the kernels that sort.
const NOTHING: &str = "
.version 6.3
.target sm_75
.address_size 64
.visible .entry nothing(.param .align 8 .b8 arguments[@BYTES@], .param .u32 pass) { ret; }
";

pub fn tests() -> Vec<Test> {
    vec![("calls::cost_little_beyond_their_launches".to_owned(), cost_little_beyond_their_launches)]
}

/// In a process of its own, where no other test holds the driver's locks.
fn cost_little_beyond_their_launches(_: &Setting) {
    Child::Calls.run(&[]);
}

/// What the child process does.
pub fn run_as_child() {
    // cudarc orders the uses of slices by events as soon as there is a second stream.
    for streams in [1, 2] {
        let context = CudaContext::new(0).unwrap();
        let stream = context.default_stream();
        let _second = (streams == 2).then(|| context.new_stream().unwrap());
        let bare = Bare::new(&stream);
        for n in LENGTHS {
            check::<u32>(&bare, &stream, n, streams);
            check::<[u32; 3]>(&bare, &stream, n, streams);
        }
    }
}

/// Times sorts of `f32` keys with such values, and holds them against bare launches.
fn check<V: SortValue>(bare: &Bare, stream: &Arc<CudaStream>, n: usize, streams: usize) {
    let sorter = Sorter::on(stream).unwrap();
    sorter.reserve::<f32, V>(n).unwrap();
    let mut keys = stream.alloc_zeros::<f32>(n).unwrap();
    let mut bytes = stream.alloc_zeros::<u8>(n * size_of::<V>()).unwrap();
    let device = device_of(stream.context());
    let nodes = Nodes::planned(KeyType::F32, V::CARRIED, n as u64, device);
    let mut values = bytes.slice_mut(..);
    // SAFETY: the bytes are those of n values, aligned as allocations are.
    let mut values = unsafe { values.transmute_mut::<V>(n) }.unwrap();
    let calls = shortest(stream, || sorter.sort_pairs::<f32, V>(&mut keys, &mut values).unwrap());
    let launches = shortest(stream, || bare.enqueue(&nodes));
    let beyond = calls.saturating_sub(launches);
    println!(
        "a call of {n} f32 keys with {} bytes costs {calls:.1?}, its {nodes:?} alone {launches:.1?}: {beyond:.1?} more \
         (streams of the context: {streams})",
        size_of::<V>()
    );
    assert!(beyond <= MOST, "{beyond:?} beyond its launches, and {MOST:?} is the most");
}

/// The host's time of one call.
fn shortest(stream: &CudaStream, mut call: impl FnMut()) -> Duration {
    // The first ones load kernels.
    (0..3).for_each(|_| call());
    let run = |_| {
        stream.synchronize().unwrap();
        let start = Instant::now();
        (0..CALLS).for_each(|_| call());
        start.elapsed() / CALLS
    };
    let least = (0..RUNS).map(run).min().unwrap();
    stream.synchronize().unwrap();
    least
}

/// Launches of nothing, by the driver's own calls.
struct Bare {
    stream: Arc<CudaStream>,
    memory: cudarc::driver::CudaSlice<u8>,
    nothing: CUfunction,
}

impl Bare {
    fn new(stream: &Arc<CudaStream>) -> Self {
        let text = NOTHING.replace("@BYTES@", &size_of::<Arguments>().to_string());
        let text = CString::new(text).unwrap();
        // SAFETY: the text is PTX and ends with a NUL; the module stays loaded as long as the process is there.
        let nothing = unsafe {
            let module = result::module::load_data(text.as_ptr().cast()).unwrap();
            result::module::get_function(module, CString::new("nothing").unwrap()).unwrap()
        };
        let memory = stream.alloc_zeros(4096).unwrap();
        Self { stream: Arc::clone(stream), memory, nothing }
    }

    /// As many as a sort has.
    fn enqueue(&self, nodes: &Nodes) {
        let address = self.memory.device_ptr(&self.stream).0;
        let half = self.memory.len() / 2;
        let stream = self.stream.cu_stream();
        for _ in 0..nodes.memsets {
            // SAFETY: the memory is there, and this stream's.
            unsafe { result::memset_d8_async(address, 0, half, stream) }.unwrap();
        }
        for _ in 0..nodes.copies {
            // SAFETY: as above, and the halves are apart.
            unsafe { result::memcpy_dtod_async(address + half as u64, address, half, stream) }
                .unwrap();
        }
        let (arguments, pass) = (Arguments::default(), 0u32);
        let mut parameters: [*mut c_void; 2] =
            [ptr::from_ref(&arguments).cast_mut().cast(), ptr::from_ref(&pass).cast_mut().cast()];
        for _ in 0..nodes.kernels {
            // SAFETY: the kernel has these parameters, and does nothing.
            let code = unsafe {
                sys::cuLaunchKernel(
                    self.nothing,
                    132,
                    1,
                    1,
                    512,
                    1,
                    1,
                    0,
                    stream,
                    parameters.as_mut_ptr(),
                    ptr::null_mut(),
                )
            };
            assert_eq!(code, CUresult::CUDA_SUCCESS);
        }
    }
}
