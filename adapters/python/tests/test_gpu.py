"""Arrays on a GPU: the same results as on the host, in stream order, without a copy. Left out where there is no PyTorch with a GPU."""

import gc
import os
import time

import numpy as np
import pytest
from conftest import positions, random_keys, random_shape, same

import sortsmith

torch = pytest.importorskip("torch")
if not torch.cuda.is_available():
    pytest.skip("no GPU", allow_module_level=True)

KEYS = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]


def on_device(array):
    return torch.from_numpy(array).cuda()


@pytest.mark.parametrize("dtype", KEYS)
def test_sorts_on_a_gpu_have_the_hosts_bits(dtype, rng):
    for _ in range(int(os.environ.get("SORTSMITH_TENSORS", "60"))):
        shape = random_shape(rng)
        keys = random_keys(rng, dtype, shape)
        options = {"descending": bool(rng.integers(2)), "nan_last": bool(rng.integers(4) == 0)}
        order = positions(keys, **options)
        expected = np.take_along_axis(keys, order, -1)
        is_line = keys.ndim == 1
        d_keys = on_device(keys)
        argsort = sortsmith.argsort if is_line else sortsmith.argsort_rows
        assert same(argsort(d_keys, **options).view(torch.int32).cpu().numpy(), order.astype(np.int32))
        beside = torch.empty_like(d_keys)
        beside_order = argsort(d_keys, sorted=beside, **options).view(torch.int32)
        assert same(beside_order.cpu().numpy(), order.astype(np.int32))
        assert same(beside.cpu().numpy(), expected)
        values = np.arange(keys.size, dtype=rng.choice(["int32", "float32", "float64", "int64"])).reshape(shape)
        d_values = on_device(values)
        outs = torch.empty_like(d_keys), torch.empty_like(d_values)
        pairs = sortsmith.sort_pairs if is_line else sortsmith.sort_pairs_rows
        pairs(d_keys, d_values, out=outs, **options)
        assert same(outs[0].cpu().numpy(), expected)
        assert same(outs[1].cpu().numpy(), np.take_along_axis(values, order, -1))
        sort = sortsmith.sort if is_line else sortsmith.sort_rows
        assert sort(d_keys, **options) is d_keys
        assert same(d_keys.cpu().numpy(), expected)
        k = int(rng.integers(0, keys.shape[-1] + 1))
        found, where = sortsmith.topk(on_device(keys), k)
        first = positions(keys, descending=True)[..., :k]
        assert same(where.view(torch.int32).cpu().numpy(), first.astype(np.int32))
        assert same(found.cpu().numpy(), np.take_along_axis(keys, first, -1))
        wide = torch.empty_like(found), torch.empty(where.shape, dtype=torch.int64, device=found.device)
        sortsmith.topk(on_device(keys), k, out=wide)
        assert same(wide[1].cpu().numpy(), first.astype(np.int64))


def test_rows_with_gaps_and_bfloat16():
    keys = torch.randn(50, 40, device="cuda").bfloat16()
    expected = torch.sort(keys[:, :30].cpu().float(), dim=-1).values
    rest = keys[:, 30:].clone()
    sortsmith.sort_rows(keys[:, :30])
    assert torch.equal(keys[:, :30].cpu().float(), expected) and torch.equal(keys[:, 30:], rest)


def test_segments(rng):
    keys = random_keys(rng, "float32", (5000,))
    offsets = np.sort(rng.integers(0, 5001, 40))
    expected = keys.copy()
    sortsmith.sort_segments(expected, offsets)
    for dtype in (np.int32, np.int64):
        d_keys = on_device(keys)
        sortsmith.sort_segments(d_keys, on_device(offsets.astype(dtype)))
        assert same(d_keys.cpu().numpy(), expected)


def test_a_sort_is_in_the_order_of_the_current_stream():
    streams = [torch.cuda.current_stream(), *(torch.cuda.Stream() for _ in range(40))]
    source = torch.randint(1 << 30, (1 << 20,), dtype=torch.int32, device="cuda")
    expected = torch.sort(source).values
    torch.cuda.synchronize()
    for stream in streams:
        with torch.cuda.stream(stream):
            torch.cuda._sleep(5_000_000)
            keys = source.clone()
            sortsmith.sort(keys)
            copy = keys.clone()
        del keys  # its memory is used again in the stream's order
        with torch.cuda.stream(stream):
            torch.empty_like(source).mul_(0)
        stream.synchronize()
        assert torch.equal(copy, expected)


def test_a_named_stream():
    source = torch.randint(1 << 30, (1 << 18,), dtype=torch.int32, device="cuda")
    expected = torch.sort(source).values
    stream = torch.cuda.Stream()
    for named in (stream, stream.cuda_stream, 1, 0):
        keys = source.clone()
        torch.cuda.synchronize()
        sortsmith.sort(keys, stream=named)
        torch.cuda.synchronize()
        assert torch.equal(keys, expected)
    # PyTorch refuses the per-thread default stream itself.
    with pytest.raises(BufferError, match="per-thread"):
        sortsmith.sort(source, stream=2)
    with pytest.raises(TypeError, match="stream is of type str"):
        sortsmith.sort(source, stream="default")


def test_no_call_waits_for_the_device():
    keys = torch.randint(1 << 30, (1 << 20,), dtype=torch.int32, device="cuda")
    for stream in (torch.cuda.current_stream(), torch.cuda.Stream()):
        with torch.cuda.stream(stream):
            # The first calls compile and load kernels, and allocate.
            sortsmith.sort(keys)
            sortsmith.argsort(keys)
            torch.cuda.synchronize()
            torch.cuda._sleep(1_000_000_000)  # half a second
            behind = torch.cuda.Event()
            start = time.perf_counter()
            sortsmith.sort(keys)
            sortsmith.argsort(keys)
            behind.record()
            took = time.perf_counter() - start
            assert not behind.query(), "the device was done when the calls returned"
            assert took < 0.1
        torch.cuda.synchronize()


def test_a_graph_replays():
    source = torch.randn(64, 1000, device="cuda")
    keys, order = source.clone(), torch.empty(64, 1000, dtype=torch.int32, device="cuda")
    sortsmith.argsort_rows(keys, out=order)
    sortsmith.sort_rows(keys)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        sortsmith.argsort_rows(keys, out=order)
        sortsmith.sort_rows(keys)
    for _ in range(5):
        source = torch.randn(64, 1000, device="cuda")
        keys.copy_(source)
        graph.replay()
        sortsmith.sort(torch.randn(100_000, device="cuda"))  # other work with scratch of its own
        torch.cuda.synchronize()
        values, indices = torch.sort(source, stable=True)
        assert torch.equal(keys, values) and torch.equal(order.long(), indices)


def test_the_current_device_and_memory_stay():
    keys = torch.randn(1 << 16, device="cuda")
    sortsmith.sort(keys)
    torch.cuda.synchronize()
    gc.collect()
    free = torch.cuda.mem_get_info()[0]
    small = torch.randn(100, device="cuda")
    for _ in range(int(os.environ.get("SORTSMITH_CALLS", "2000"))):
        sortsmith.sort(small)
    torch.cuda.synchronize()
    assert free - torch.cuda.mem_get_info()[0] < 1 << 22
    assert torch.cuda.current_device() == 0
    sortsmith.release()
    sortsmith.sort(keys)


def test_tensors_that_need_gradients_are_refused():
    keys = torch.randn(10, device="cuda", requires_grad=True)
    with pytest.raises((RuntimeError, BufferError), match="grad"):
        sortsmith.sort(keys)


def test_arrays_on_the_host_and_on_a_device():
    keys = torch.randn(10, device="cuda")
    with pytest.raises(ValueError, match="out is on the host; legal: on CUDA device 0"):
        sortsmith.sort(keys, out=torch.empty(10))


def test_a_forked_process_gets_an_error():
    keys = torch.randn(10, device="cuda")
    sortsmith.sort(keys)
    torch.cuda.synchronize()
    child = os.fork()
    if child == 0:
        try:
            sortsmith.sort(keys, stream=0)
        except BaseException:
            os._exit(0)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_cupy_arrays():
    cupy = pytest.importorskip("cupy")
    keys = cupy.random.random((30, 500), dtype=cupy.float32)
    expected = np.sort(keys.get(), axis=-1)
    with cupy.cuda.Stream():
        order = sortsmith.argsort_rows(keys)
        sortsmith.sort_rows(keys)
        assert isinstance(order, cupy.ndarray)
        assert same(keys.get(), expected)

    class Interface:
        def __init__(self, array):
            self.__cuda_array_interface__ = array.__cuda_array_interface__
            self.device = array.device

    keys = cupy.array([3, 1, 2])
    sortsmith.sort(Interface(keys))
    assert keys.tolist() == [1, 2, 3]


def test_jax_arrays_are_read():
    jax = pytest.importorskip("jax")
    for seed in range(20):
        keys = jax.random.normal(jax.random.key(seed), (100, 333))
        order = torch.empty(100, 333, dtype=torch.int32, device="cuda")
        sortsmith.argsort_rows(keys, out=order)
        expected = np.argsort(np.asarray(keys), axis=-1, kind="stable")
        del keys
        assert same(order.cpu().numpy(), expected.astype(np.int32))
    with pytest.raises((ValueError, BufferError), match="read-?only"):
        sortsmith.sort(jax.numpy.arange(5))


def test_a_generated_header_in_cupy():
    cupy = pytest.importorskip("cupy")
    name = "block_radix_sort_f32_keys_b128_i8_r4_asc"
    source = sortsmith.header(name, tile_kernel=True)
    kernel = cupy.RawModule(code=source, options=("--std=c++17",)).get_function(f"{name}_tile")
    assert kernel is not None
    cubin = sortsmith.compile(name, 90)
    assert cubin.startswith(b"\x7fELF")
